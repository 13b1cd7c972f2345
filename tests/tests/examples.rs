//! Every example is proved and its buggy twin refuted, each with a certificate that the checker accepts.

use goatherd::{
    prove::{Answer, Effort, Task, prove},
    solving::Solver,
};
use goatherd_certificates::certificate::{Allocation, Claim, DataModel, Origin, Parameters, PointerFormation, SignedOverflow};
use goatherd_frontend::{
    lower::{Lowered, lower},
    source::{Options, load},
};
use goatherd_tests::{c_programs, is_buggy_twin};
use std::path::Path;

fn answer(path: &Path) -> Answer {
    let unit = load(path, &Options::default()).unwrap_or_else(|reports| panic!("{}: {reports:?}", path.display()));
    let lowered = lower(&unit, "test").unwrap_or_else(|diagnostics| panic!("{}: {diagnostics:?}", path.display()));
    let Lowered { program, files, positions } = lowered;
    let parameters = Parameters {
        data_model: DataModel::Lp64SignedChar,
        signed_overflow: SignedOverflow::Wraps,
        pointer_formation: PointerFormation::Anywhere,
        allocation: Allocation::MayFail,
    };
    let origin = Origin { file: path.display().to_string(), digest: unit.digest(), definitions: Vec::new() };
    let task = Task { program, parameters, origin, files, positions };
    prove(&task, Effort::default(), Solver::default()).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()))
}

#[test]
fn good_examples_are_proved() {
    for path in c_programs("examples").into_iter().filter(|path| !is_buggy_twin(path)) {
        let Answer::Proved { accepted, .. } = answer(&path) else { panic!("{} is not proved", path.display()) };
        assert_eq!(accepted.verdict.claim, Claim::Safe);
        assert!(accepted.verdict.is_vacuity_excluded(), "{} may say nothing", path.display());
    }
}

#[test]
fn buggy_examples_are_refuted() {
    for path in c_programs("examples").into_iter().filter(|path| is_buggy_twin(path)) {
        let Answer::Unsafe { accepted, .. } = answer(&path) else { panic!("{} is not refuted", path.display()) };
        assert_eq!(accepted.verdict.claim, Claim::Unsafe);
    }
}
