//! What is said of a program that is not decided.

use goatherd::{
    Effort, Task,
    certify::Fault,
    prove::{Answer, Aside, prove},
};
use goatherd_certificates::certificate::{Allocation, Arithmetic, DataModel, Parameters, PointerFormation, SignedOverflow};
use goatherd_descent::{Progress, Strategy, Stuck};
use goatherd_frontend::{
    lower::{Lowered, lower},
    source::{Options, load},
};
use goatherd_logic::Solver;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

fn written(name: &str, text: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("undecided").join(name);
    fs::create_dir_all(&directory).expect("the directory of a test");
    fs::write(directory.join("program.c"), text).expect("the program");
    directory
}

/// The report of a program that few steps do not decide.
fn report(name: &str, text: &str) -> String {
    let asked = ["prove", "program.c", "--steps", "500"];
    let output = Command::new(env!("CARGO_BIN_EXE_goatherd")).args(asked).current_dir(written(name, text)).output().expect("the command");
    assert_eq!(output.status.code(), Some(2), "{name}");
    String::from_utf8(output.stdout).expect("text")
}

/// Programs without arrays and allocations are not told what to do with these.
#[test]
fn advice_is_about_what_the_program_has() {
    let hanoi = "extern void __VERIFIER_assert(int condition);\nstatic void hanoi(unsigned n, int from, int to, int by)\n{\n\
        \x20   if (n == 0) return;\n    hanoi(n - 1, from, by, to);\n    __VERIFIER_assert(from != to);\n    hanoi(n - 1, by, to, from);\n}\n\
        void test(unsigned n) { hanoi(n, 1, 3, 2); }\n";
    let hanoi = report("hanoi", hanoi);
    assert!(hanoi.contains("simplify what this depends on"), "{hanoi}");
    assert!(!hanoi.contains("give what is done with one array") && !hanoi.contains("--allocation"), "{hanoi}");
    assert!(hanoi.contains("after        the recursive call of hanoi at program.c:5:5\n"), "{hanoi}");
    let sums = report("sums", SUMS);
    assert!(sums.contains("the loop at program.c:6:") && !sums.contains("simplify what this depends on"), "{sums}");
}

/// What is not proved, and holds: two sums of the elements of an array, from its start and from its end.
const SUMS: &str = "extern void __VERIFIER_assert(int condition);\nstruct ints { int *X; int n_X; };\nvoid test(struct ints a)\n{\n    int s = 0, t = 0;\n\
    \x20   for (int i = 0; i < a.n_X; i++) s += a.X[i];\n    for (int i = a.n_X; i > 0; i--) t += a.X[i - 1];\n    __VERIFIER_assert(s == t);\n}\n";

/// Is told how many strategies have given up.
struct Told(Vec<usize>);

impl Aside for Told {
    fn undecided(&mut self, _: Option<&Lowered>, attempts: &[(Strategy, Stuck)]) {
        self.0.push(attempts.len());
    }

    fn pause(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}

/// A limit of time may end the search while most strategies have not been tried: what is known by then is told.
#[test]
fn each_strategy_that_gives_up_is_told() {
    let unit = load(&written("told", SUMS).join("program.c"), &Options::default()).expect("it is read");
    let parameters = Parameters {
        data_model: DataModel::Lp64SignedChar,
        signed_overflow: SignedOverflow::Wraps,
        pointer_formation: PointerFormation::Anywhere,
        allocation: Allocation::MayFail,
        arithmetic: Arithmetic::C,
    };
    let task = Task::new(&unit, lower(&unit, "test").expect("it is supported"), &Options::default(), parameters);
    let effort = Effort { threads: std::num::NonZeroUsize::MIN, ..Effort::default().limited(100) };
    let mut told = Told(Vec::new());
    let answer = prove(&task, &effort, &Solver::default(), &Progress::default(), &mut told).expect("no fault");
    assert!(matches!(answer, Answer::Unknown { .. }), "{answer:?}");
    assert_eq!(told.0[..3], [1, 2, 3]);
}
