//! Every buggy twin of an example and every control has a counterexample, which the sanitizers show when it is written as C; no good
//! example has one. The controls (`tests/controls/`) fail on inputs of some length with certain data only, not after so many rounds of a loop.
//! The same holds of lists and trees (`tests/linked/`), whether they are inputs or the program builds them.

use goatherd::rerun::Rerun;
use goatherd_certificates::{
    certificate::{Allocation, Arithmetic, DataModel, Parameters, PointerFormation, SignedOverflow},
    program::Program,
};
use goatherd_counterexample::{Counterexample, Goal, replay, search, write_c};
use goatherd_frontend::{
    lower::{Lowered, lower},
    source::{Options, Unit, load},
};
use goatherd_tests::{c_programs, differential::compiled::compiler_works, is_buggy_twin, workspace_root};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

const PARAMETERS: Parameters = Parameters {
    data_model: DataModel::Lp64SignedChar,
    signed_overflow: SignedOverflow::Wraps,
    pointer_formation: PointerFormation::Anywhere,
    allocation: Allocation::MayFail,
    arithmetic: Arithmetic::C,
};

/// Interpreter steps for each program.
const BUDGET: u64 = 2_000_000;

fn lowered(path: &Path) -> (Unit, Lowered) {
    let unit = load(path, &Options::default()).unwrap_or_else(|reports| panic!("{}: {reports:?}", path.display()));
    let lowered = lower(&unit, "test").unwrap_or_else(|diagnostics| panic!("{}: {diagnostics:?}", path.display()));
    (unit, lowered)
}

fn program(path: &Path) -> Program {
    lowered(path).1.program
}

/// What the C file of the counterexample prints; fails if it does not build or ends well.
fn shown(path: &Path, (unit, lowered): &(Unit, Lowered), counterexample: &Counterexample, work: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let Rerun { run, models, beyond } = Rerun::new(unit, lowered, counterexample);
    assert_eq!(beyond, None, "{}", path.display());
    let models: Vec<_> = models.iter().map(|model| replay::DefinedModel { name: model.name, text: model.text }).collect();
    let source = replay::Source { file: Some(&path.to_string_lossy()), text: &text, failure: "A counterexample.", models: &models };
    let name = path.file_stem().unwrap().to_string_lossy().into_owned();
    let (file, binary) = (work.join(format!("{name}.c")), work.join(name));
    fs::write(&file, write_c(&lowered.program, PARAMETERS.signed_overflow, &source, &run).unwrap()).unwrap();
    let mut words = replay::compile(PARAMETERS.signed_overflow).split(' ');
    let mut compiler = Command::new(words.next().unwrap());
    let built = compiler.args(words).arg("-w").arg("-o").args([&binary, &file]).output().unwrap();
    assert!(built.status.success(), "{}: {}", path.display(), String::from_utf8_lossy(&built.stderr));
    let run = Command::new(&binary).output().unwrap();
    assert!(!run.status.success(), "{}", path.display());
    format!("{}{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr))
}

/// Each of these has a counterexample that the checker confirms and the sanitizers show.
fn fail_and_show_it(paths: impl Iterator<Item = PathBuf>, work: &str) {
    let work: PathBuf = workspace_root().join("target").join(work);
    fs::create_dir_all(&work).unwrap();
    let compiles = compiler_works(&work);
    for path in paths {
        let read = lowered(&path);
        let findings = search(&read.1.program, PARAMETERS, Goal::Failure, BUDGET);
        let found = findings.counterexamples.first().unwrap_or_else(|| panic!("{}: nothing found", path.display()));
        println!("{}: {} after {} steps, {:?}", path.display(), found.failure, findings.steps, found.inputs);
        assert!(found.certificate.is_some(), "{}", path.display());
        if compiles {
            let shown = shown(&path, &read, found, &work);
            let expected = ["goatherd: ", "AddressSanitizer", "runtime error"];
            assert!(expected.iter().any(|words| shown.contains(words)), "{}: {shown}", path.display());
            assert!(!shown.contains("do not report"), "{}: {shown}", path.display());
        }
    }
}

#[test]
fn buggy_twins_fail_and_show_it() {
    fail_and_show_it(c_programs("examples").into_iter().filter(|path| is_buggy_twin(path)), "counterexamples");
}

#[test]
fn controls_fail_and_show_it() {
    fail_and_show_it(c_programs("tests/controls").into_iter(), "controls");
}

#[test]
fn linked_programs_fail_and_show_it() {
    fail_and_show_it(c_programs("tests/linked").into_iter().filter(|path| is_buggy_twin(path)), "linked");
}

#[test]
fn good_linked_programs_have_no_failure() {
    for path in c_programs("tests/linked").into_iter().filter(|path| !is_buggy_twin(path)) {
        let findings = search(&program(&path), PARAMETERS, Goal::Everything, BUDGET / 4);
        assert!(findings.counterexamples.is_empty(), "{}: {:?}", path.display(), findings.counterexamples);
        assert!(!findings.witnesses.is_empty(), "{}", path.display());
    }
}

#[test]
fn good_examples_have_witnesses_and_no_failure() {
    for path in c_programs("examples").into_iter().filter(|path| !is_buggy_twin(path)) {
        let program = program(&path);
        let findings = search(&program, PARAMETERS, Goal::Everything, BUDGET / 4);
        assert!(findings.counterexamples.is_empty(), "{}: {:?}", path.display(), findings.counterexamples);
        let passed: usize =
            program.assertions.iter().filter(|at| findings.witnesses.iter().any(|witness| witness.assertions.contains(at))).count();
        println!(
            "{}: {passed} of {} assertions passed by {} witnesses",
            path.display(),
            program.assertions.len(),
            findings.witnesses.len()
        );
        assert_eq!(passed, program.assertions.len(), "{}", path.display());
        let search = search(&program, PARAMETERS, Goal::Witnesses, BUDGET);
        println!("    witnesses after {} steps", search.steps);
    }
}
