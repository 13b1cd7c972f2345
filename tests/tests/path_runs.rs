//! Certified graphs of C programs beside runs on small inputs: a sample of what `corpus-paths` does with real functions.

use goatherd::{
    Request, Task,
    certify::paths::{About, certify},
};
use goatherd_certificates::certificate::Ends;
use goatherd_frontend::{
    lower::lower,
    source::{Options, from_text},
};
use goatherd_logic::values::Deadline;
use goatherd_paths::{
    analysis::{Limits, analyse},
    draw::confirm::Bounds,
    memory::Memory,
    program::transition_system,
};
use goatherd_systems::realisation::Realisation;
use goatherd_tests::{
    path_runs::{Compared, compare},
    workspace_root,
};

/// The certified graph of a program in a file, beside runs.
fn compared(file: &str, entry: &str) -> Compared {
    let path = workspace_root().join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    let request = Request { reading: Options { entry: entry.to_owned(), ..Options::default() }, ..Request::default() };
    let unit = from_text(file, &text, &request.reading).unwrap();
    let task = Task::new(&unit, lower(&unit, entry).unwrap(), &request.reading, request.parameters);
    let (lts, elements) = transition_system(&task.program, &task.parameters, Memory::Elements).unwrap();
    let states = analyse(&lts, &[], Limits { work: 20_000_000, ..Limits::default() }).states();
    let realisation = Realisation::of_program(task.program, &lts, elements);
    let about =
        About { parameters: task.parameters, ends: Ends::Complete, origin: task.origin, files: task.files, positions: task.positions };
    let accepted = certify(&realisation, &states, &about).unwrap();
    compare(&accepted.bytes, 300_000, Bounds { length: 60, paths: 40 }, Deadline::NEVER).unwrap_or_else(|why| panic!("{file}: {why}"))
}

#[test]
fn no_path_of_a_run_is_lost() {
    for (file, entry) in [("tests/paths/functions/gcd.c", "f"), ("examples/strcpy.c", "test"), ("tests/paths/functions/run-length.c", "f")]
    {
        let compared = compared(file, entry);
        assert!(compared.taken > 5 && compared.driven > 1, "{file}: {compared:?}");
    }
}

#[test]
fn what_is_exact_has_no_path_that_is_not_driven() {
    let straight = compared("tests/paths/functions/crc.c", "f");
    assert_eq!((straight.infeasible, straight.unknown), (0, 0), "{straight:?}");
    let utf8 = compared("tests/paths/functions/utf8.c", "f");
    assert_eq!(utf8.is_exact, utf8.infeasible + utf8.unknown == 0, "{utf8:?}");
}
