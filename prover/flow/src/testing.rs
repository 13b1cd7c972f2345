//! Programs of C texts, for tests.

use goatherd_certificates::{
    certificate::{Allocation, Arithmetic, DataModel, Parameters, PointerFormation, SignedOverflow},
    program::Program,
};
use goatherd_frontend::{
    lower::lower,
    source::{Options, load},
};
use std::{
    env::temp_dir,
    fs, process,
    sync::atomic::{AtomicUsize, Ordering},
};

/// What they are proved under.
pub const PARAMETERS: Parameters = Parameters {
    arithmetic: Arithmetic::C,
    signed_overflow: SignedOverflow::Wraps,
    pointer_formation: PointerFormation::Anywhere,
    allocation: Allocation::MayFail,
    data_model: DataModel::Lp64SignedChar,
};

/// The program of a C text whose entry is `test`; the name tells its file from those of other tests.
///
/// # Panics
/// Where the text is no such program.
pub fn program(name: &str, text: &str) -> Program {
    // Tests run at once, and some read programs of one name.
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let file = temp_dir().join(format!("goatherd-flow-{}-{number}-{name}.c", process::id()));
    fs::write(&file, text).unwrap();
    let unit = load(&file, &Options { definitions: Vec::new(), include_directories: Vec::new(), entry: "test".to_owned() });
    fs::remove_file(&file).unwrap();
    lower(&unit.unwrap(), "test").unwrap().program
}
