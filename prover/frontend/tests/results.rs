//! Bounds of results: none is stated that an execution does not obey.

use crate::parameters::PARAMETERS;
use goatherd_certificates::program::Program;
use goatherd_frontend::{
    lower::{Demands, Leaks, Results, lower_with},
    source::{Options, from_text},
};
use goatherd_interpreter::{
    environment::Zero,
    outcome::Outcome,
    run::{Tracing, run},
};

pub fn lowered(text: &str, results: Results) -> Program {
    let unit = from_text("test.c", text, &Options::default()).expect("it is C");
    let demands = Demands { results, ..Demands::from(Leaks::Ignored) };
    lower_with(&unit, "test", &demands).expect("it is supported").program
}

/// No run is ignored for the bounds that the program states of results, whatever the signs of the operands, nor is one changed.
#[test]
fn bounds_of_results_are_those_of_all_executions() {
    let values = "0, 1, 2, 5, 7, 32, 46340, -1, -2, -7, 2147483647, -2147483647 - 1, 9223372036854775807";
    let operations =
        [("/", "b != 0 && b != -1"), ("%", "b != 0 && b != -1"), ("&", "1"), (">>", "b >= 0 && b < 32"), ("<<", "b >= 0 && b < 32")];
    for kind in ["int", "unsigned", "long", "unsigned long", "unsigned char"] {
        for (operation, is_defined) in operations {
            let text = format!(
                "extern void __VERIFIER_assert(int); static const long values[13] = {{{values}}};
                 void test(void) {{
                     for (int i = 0; i < 13; i++) for (int j = 0; j < 13; j++) {{
                         {kind} a = values[i], b = values[j], c;
                         if (!({is_defined})) continue;
                         c = ({kind}) 1 {operation} b;
                         c = a {operation} b;
                         a = a {operation} b;
                         __VERIFIER_assert(a == c);
                     }}
                 }}"
            );
            for results in [Results::Bare, Results::Bounded] {
                let program = lowered(&text, results);
                assert_eq!(Results::of(&program), results, "{kind} {operation}");
                let run = run(&program, PARAMETERS, &[], &mut Zero, 100_000, Tracing::Off).expect("it has no inputs");
                assert_eq!(run.outcome, Outcome::Halted, "{kind} {operation}");
            }
        }
    }
}

#[test]
fn nothing_is_said_of_operations_with_constants() {
    let text = "int test(int a, unsigned b) { return a % 7 + a / 3 + (int) (b & 12) + (int) (b >> 2) + (a << 1); }";
    assert_eq!(lowered(text, Results::Bounded), lowered(text, Results::Bare));
}
