//! Programs that end with exit code 0 if the compiler is right, run by the front end and the interpreter, and by the system's compiler
//! where that tells something.
//!
//! A program is put into an entry function that fails where `main` returns another value than 0; `abort` fails, and so does `exit` of
//! another value than 0. Signed overflow wraps around and allocations succeed, in both worlds.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use goatherd_certificates::certificate::{Allocation, Arithmetic, DataModel, Parameters, PointerFormation, SignedOverflow};
use goatherd_certificates::program::Location;
use goatherd_frontend::diagnostics::Kind;
use goatherd_frontend::lower::{Lowered, lower};
use goatherd_frontend::source::{Options, load};
use goatherd_interpreter::{Environment, Failure, Outcome, Question, Tracing, Zero, run, well_formed};

use super::compiled::{Compiled, Sanitizers, compiled};
use super::test_program::TestProgram;

/// What came of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judgement {
    /// It ends well in both worlds, or in neither.
    Right,
    /// It ends well in one world only: why not in the other.
    Wrong(String),
    /// The same, where it is known why.
    Explained(String),
    /// The front end does not know it: the first reason.
    Refused(String),
    /// The interpreter says that it is undefined, and so do the compiler's sanitizers.
    Undefined(String),
    /// The interpreter does not get to the end, or does not know what the program says: why.
    Undecided(String),
    /// The compiler does not build it.
    Unusable,
}

/// Runs are given up after so many steps.
const STEPS: u64 = 20_000_000;

const PARAMETERS: Parameters = Parameters {
    data_model: DataModel::Lp64SignedChar,
    signed_overflow: SignedOverflow::Wraps,
    pointer_formation: PointerFormation::Anywhere,
    allocation: Allocation::Succeeds,
    arithmetic: Arithmetic::C,
};

/// Runs a program in both worlds. Compiles in the folder. An error says what could not be done.
pub fn judge(subject: &TestProgram, work: &Path) -> Result<Judgement, String> {
    let wrapped = work.join(format!("{}.entered.c", subject.name));
    let wrap = std::fs::read(&subject.file).and_then(|text| std::fs::write(&wrapped, entered(&text)));
    wrap.map_err(|error| format!("{}: {error}", subject.file.display()))?;
    // A panic is a defect of the front end: it is reported with the program's name, and the others are run.
    let lowered = match catch_unwind(AssertUnwindSafe(|| lowered(subject, &wrapped))) {
        Ok(Ok(lowered)) => lowered,
        Ok(Err(reason)) if !reason.contains(INTERNAL) => return Ok(Judgement::Refused(reason)),
        Ok(Err(reason)) => return Ok(Judgement::Wrong(reason)),
        Err(_) => return Ok(Judgement::Wrong("the front end panics".to_owned())),
    };
    if let Err(error) = well_formed::check(&lowered.program) {
        return Ok(Judgement::Wrong(format!("ill-formed program: {error}")));
    }
    let failure = match interpreted(&lowered)? {
        Interpreted::Well => None,
        Interpreted::Badly(failure) => Some(failure),
        Interpreted::Unknown(reason) => return Ok(Judgement::Undecided(reason)),
    };
    let Some(ending) = compiled(subject, Sanitizers::Off, work)? else { return Ok(Judgement::Unusable) };
    Ok(match (failure, ending) {
        (None, Compiled::Well) | (Some(_), Compiled::Badly) => Judgement::Right,
        (None, Compiled::Badly) => Judgement::Wrong("compiled it ends badly".to_owned()),
        (_, Compiled::Slow) => Judgement::Undecided("compiled it runs too long".to_owned()),
        (Some(failure), Compiled::Well) => {
            let mut is_seen = false;
            for sanitizers in [Sanitizers::Addresses, Sanitizers::Uninitialised] {
                is_seen = is_seen || compiled(subject, sanitizers, work)? == Some(Compiled::Badly);
            }
            if is_seen { Judgement::Undefined(failure) } else { Judgement::Wrong(failure) }
        }
    })
}

/// What the front end says of its own defects.
const INTERNAL: &str = "an internal failure of the front end";

/// The function that calls `main`.
const ENTRY: &str = "suite_entry";

/// What is put before the program.
const BEFORE: &str = "extern void __VERIFIER_fail(void); extern void suite_exit(int);\n";
const LINES_BEFORE: u32 = 1;

/// What is put behind it, but for the arguments of `main`.
const BEHIND: &str = "
#undef exit
extern void exit(int);
void suite_exit(int status) { if (status != 0) __VERIFIER_fail(); exit(0); }
void suite_entry(void) { char *none = 0; if (main(ARGUMENTS) != 0) __VERIFIER_fail(); }
";

/// A program inside its entry function. Its bytes need not be text of any encoding.
fn entered(text: &[u8]) -> Vec<u8> {
    let arguments = if takes_arguments(&String::from_utf8_lossy(text)) { "1, &none" } else { "" };
    [BEFORE.as_bytes(), text, BEHIND.replace("ARGUMENTS", arguments).as_bytes()].concat()
}

/// The program in this file, or the first reason why the front end refuses it.
fn lowered(subject: &TestProgram, file: &Path) -> Result<Lowered, String> {
    let own = ["abort=__VERIFIER_fail", "__builtin_abort=__VERIFIER_fail", "exit=suite_exit", "__builtin_exit=suite_exit"];
    let folder = subject.file.parent().unwrap_or(Path::new("")).to_path_buf();
    let options = Options {
        definitions: own.map(str::to_owned).into_iter().chain(subject.definitions.iter().cloned()).collect(),
        include_directories: std::iter::once(folder).chain(subject.includes.iter().cloned()).collect(),
        entry: ENTRY.to_owned(),
    };
    let first = |kind: Option<Kind>, message: Option<String>| match (kind, message) {
        (Some(kind), Some(message)) => format!("{}: {message}", kind.name()),
        _ => "no reason given".to_owned(),
    };
    let unit = load(file, &options).map_err(|reports| {
        let report = reports.into_iter().next();
        first(report.as_ref().map(|report| report.kind), report.map(|report| report.message))
    })?;
    lower(&unit, ENTRY).map_err(|diagnostics| {
        let diagnostic = diagnostics.into_iter().next();
        first(diagnostic.as_ref().map(|diagnostic| diagnostic.kind), diagnostic.map(|diagnostic| diagnostic.message))
    })
}

/// Whether the definition of `main` has parameters.
fn takes_arguments(text: &str) -> bool {
    let lists = text.match_indices("main").filter_map(|(at, name)| text[at + name.len()..].trim_start().strip_prefix('('));
    lists.filter_map(|rest| rest.split_once(')')).any(|(list, _)| !matches!(list.trim(), "" | "void"))
}

enum Interpreted {
    Well,
    Badly(String),
    Unknown(String),
}

/// Answers as [`Zero`], and remembers whether a value was asked for: what the program then does is one of several things.
#[derive(Default)]
struct Watched {
    values: u64,
}

impl Environment for Watched {
    fn answer(&mut self, question: Question) -> Option<i128> {
        if !matches!(question, Question::Allocation { .. }) {
            self.values += 1;
        }
        Zero.answer(question)
    }
}

fn interpreted(lowered: &Lowered) -> Result<Interpreted, String> {
    let mut environment = Watched::default();
    let run = run(&lowered.program, PARAMETERS, &[], &mut environment, STEPS, Tracing::Off).map_err(|error| error.to_string())?;
    Ok(match run.outcome {
        Outcome::Halted => Interpreted::Well,
        Outcome::Failed { .. } if environment.values > 0 => Interpreted::Unknown("it depends on values that are any".to_owned()),
        Outcome::Failed { failure, location } => Interpreted::Badly(shown(lowered, failure, location)),
        other => Interpreted::Unknown(format!("{other:?}").split([' ', '(', '{']).next().unwrap_or_default().to_owned()),
    })
}

/// A failure with the line where it happens.
fn shown(lowered: &Lowered, failure: Failure, location: Location) -> String {
    let position = lowered.positions.get(location.index());
    position.map_or_else(|| failure.to_string(), |position| format!("line {}: {failure}", position.line.saturating_sub(LINES_BEFORE)))
}

#[cfg(test)]
mod tests {
    use super::{Judgement, judge};
    use crate::suites::test_program::TestProgram;

    /// What comes of a text.
    fn judged(name: &str, text: &str) -> Judgement {
        let work = std::env::temp_dir().join(format!("goatherd-execute-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&work).expect("a folder");
        let file = work.join("program.c");
        std::fs::write(&file, text).expect("a file");
        let subject = TestProgram { name: name.to_owned(), file, definitions: Vec::new(), includes: Vec::new() };
        let judgement = judge(&subject, &work).expect("it can be judged");
        std::fs::remove_dir_all(&work).expect("removed");
        judgement
    }

    #[test]
    fn tells_how_programs_end() {
        let exits = "void exit(int); void abort(void); int x = 3;\n";
        assert_eq!(judged("ends", "int main(void) { return 0; }"), Judgement::Right);
        assert_eq!(judged("falls", "int main(int argc, char **argv) { if (argc != 1) return 1; }"), Judgement::Right);
        assert_eq!(judged("exits", &format!("{exits}int main() {{ if (x == 3) exit(0); abort(); }}")), Judgement::Right);
        // Badly in both worlds.
        assert_eq!(judged("exits-badly", &format!("{exits}int main() {{ exit(x); }}")), Judgement::Right);
        assert_eq!(judged("aborts", &format!("{exits}int main() {{ if (x) abort(); return 0; }}")), Judgement::Right);
        assert!(matches!(judged("floats", "int main() { float x = 1.5f; return x > 2; }"), Judgement::Refused(_)));
    }

    #[test]
    fn a_difference_is_wrong_and_what_is_undefined_is_not() {
        // As the front end would see a program that it does not understand: the compiler does not know the macro.
        let differs = "#ifdef __VERIFIER_differs\nint main(void) { return 1; }\n#else\nint main(void) { return 0; }\n#endif\n";
        let work = std::env::temp_dir().join(format!("goatherd-execute-{}-differs", std::process::id()));
        std::fs::create_dir_all(&work).expect("a folder");
        let file = work.join("program.c");
        std::fs::write(&file, differs).expect("a file");
        let definitions = vec!["__VERIFIER_differs".to_owned()];
        let subject = TestProgram { name: "differs".into(), file, definitions, includes: Vec::new() };
        let judgement = judge(&subject, &work).expect("it can be judged");
        std::fs::remove_dir_all(&work).expect("removed");
        assert!(matches!(judgement, Judgement::Wrong(_)), "{judgement:?}");
        let outside = "int a[4]; int main(void) { int i = 4; return a[i] == 7; }";
        assert!(matches!(judged("outside", outside), Judgement::Undefined(_)));
    }

    #[test]
    fn each_of_many_cases_is_found() {
        // In no order, with a range, and with one that is empty.
        let cases = (0..200).map(|i| i * 73 % 200).map(|i| format!("case {}: return {i}; ", i * 5 - 300)).collect::<Vec<_>>().concat();
        let text = format!(
            "int of(int x) {{ switch (x) {{ {cases} case 2001 ... 2100: return 500; case 3010 ... 3000: return 7; default: return 600; }} }}
            int known(int x) {{
                if (x >= 2001 && x <= 2100) return 500;
                return x >= -300 && x < 700 && (x + 300) % 5 == 0 ? (x + 300) / 5 : 600;
            }}
            int main(void) {{
                for (int x = -310; x < 2200; x++)
                    if (of(x) != known(x)) return 1;
                return of(2147483647) != 600 || of(-2147483647 - 1) != 600;
            }}"
        );
        assert_eq!(judged("cases", &text), Judgement::Right);
    }
}
