//! What programs come to that are run: library functions that are called as C leaves undefined, and what is evaluated once, twice or never.

mod evaluation;
mod library;

use crate::parameters::PARAMETERS;
use goatherd_frontend::{
    diagnostics::{Colors, render, reports},
    lower::lower,
    source::{Options, from_text},
};
use goatherd_interpreter::{Environment, Outcome, Question, Tracing, run};

const DECLARATIONS: &str = "
    typedef unsigned long size_t; extern void __VERIFIER_assert(int); void exit(int); void *malloc(size_t); void *calloc(size_t, size_t);
    int *__errno_location(void); int printf(const char *, ...); int puts(const char *); char *strdup(const char *); char *strndup(const char *, size_t);
    void free(void *); void *realloc(void *, size_t);
    int zero, one = 1, g = 1, nine[3] = { 9, 9, 9 }; volatile int v, w[2]; volatile struct { int low : 3, high : 4; } bits;
    int set(int x) { g = x; return 0; } int same(int x) { return x; }
";

/// Draws the value that it is told for whatever is open.
struct Drawn(i128);

impl Environment for Drawn {
    fn answer(&mut self, question: Question) -> Option<i128> {
        let (least, greatest) = question.range();
        if matches!(question, Question::Comparison) { None } else { Some(self.0.clamp(least, greatest)) }
    }
}

/// How the program ends, where this is drawn for whatever is open; the first message if it is refused.
fn ending(program: &str, drawn: i128) -> Result<Outcome, String> {
    let text = format!("{DECLARATIONS}\n{program}\n");
    let unit = from_text("f.c", &text, &Options::default()).map_err(|reports| reports[0].message.clone())?;
    let lowered = lower(&unit, "test").map_err(|found| render(&reports(&unit, &found), Colors::Never))?;
    Ok(run(&lowered.program, PARAMETERS, &[], &mut Drawn(drawn), 10_000, Tracing::Off).expect("it has no inputs").outcome)
}

/// No run with one of some values for all that is open fails.
fn holds(program: &str) {
    for drawn in [-1, 0, 1, 5] {
        let outcome = ending(program, drawn).unwrap_or_else(|message| panic!("{program}: {message}"));
        assert!(matches!(outcome, Outcome::Halted | Outcome::Ignored), "{program}, {drawn}: {outcome:?}");
    }
}

/// A run with one of some values for all that is open fails.
fn fails(program: &str) {
    let is_failed = |drawn| {
        let outcome = ending(program, drawn).unwrap_or_else(|message| panic!("{program}: {message}"));
        matches!(outcome, Outcome::Failed { .. })
    };
    assert!([-1, 0, 1, 5].into_iter().any(is_failed), "{program}");
}

fn refused(program: &str, message: &str) {
    let found = ending(program, 0).expect_err(program);
    assert!(found.contains(message), "{program}: {found}");
}
