//! Products of two variables: what a program that is to be proved computes and states is what all executions do (`spec/program.md#products`).

use crate::{parameters::PARAMETERS, results::lowered};
use goatherd_certificates::{
    certificate::{Parameters, SignedOverflow},
    program::{Compute, Instruction, Operation, Program, RegisterId},
};
use goatherd_frontend::lower::Results;
use goatherd_interpreter::{
    environment::Zero,
    input::InputValue,
    machine::Write,
    outcome::Outcome,
    run::{Tracing, run},
    value::Value,
};

/// An integer type: its name, its least and its greatest value.
type Kind = (&'static str, i128, i128);

const KINDS: [Kind; 4] = [
    ("int", -(1 << 31), (1 << 31) - 1),
    ("unsigned", 0, (1 << 32) - 1),
    ("long", -(1 << 63), (1 << 63) - 1),
    ("unsigned long", 0, (1 << 64) - 1),
];

/// Where results change: around zero, around the roots of what types hold, and at their ends.
const EDGES: [i128; 22] = [
    0,
    1,
    2,
    3,
    99,
    100,
    101,
    46340,
    46341,
    65535,
    65536,
    (1 << 31) - 1,
    1 << 31,
    (1 << 32) - 1,
    1 << 32,
    (1 << 62) - 1,
    (1 << 63) - 1,
    (1 << 64) - 1,
    -1,
    -2,
    -(1 << 31),
    -(1 << 63),
];

/// What is asked before `a` and `b` are multiplied, and how. The result is `c`.
const FORMS: [&str; 17] = [
    "if (a < r) c = a * b;",
    "if (a <= r) c = b * a;",
    "if (b < r) c = a * b;",
    "if (a != r) c = a * b;",
    "if (a == r) c = a * b;",
    "if (a < r) { if (b < r) c = a * b; }",
    "if (a <= 100) { if (r <= 65536) { if (a < r) c = a * b; } }",
    "if (b < 101) { if (a < 46341) c = a * b; }",
    "if (a < r) { KIND i = a - 1; KIND d = a + 1; c = i * b + d * b - a * b; }",
    "if (b <= 100) { KIND four = 4 * a; c = four * b; }",
    "if (a < r) { KIND three = b * 3; c = a * three; c = c - 2 * a * b; }",
    "if (b < r) { KIND of = a; of = of * 2; of *= b; c = of; }",
    "if (b > 0) { if (a <= 2147483647 / b) { c = a * b; c = r * b; if (r < a) c = r * b; } }",
    "if (a > 0) { if (b <= 100 / a) { KIND d = a; c = d * b; if (r < b) c = a * r; } }",
    "if (b > 0) { if (a <= (KIND) -1 / b) { c = a * b; if (r < a) c = c - r * b; } }",
    "if (b > 0) { if (a <= (KIND) 9223372036854775807 / b) { c = 2 * a * b; if (r < a) c = c - r * b; } }",
    "if (a < r) { KIND all = r * b; KIND of = a + b; c = of * all; if (b < 10) c = of * b; c = c - all; }",
];

/// What a run writes to these first registers, in order, and how it ends, wherever it does.
fn followed(program: &Program, parameters: Parameters, inputs: &[i128], registers: usize) -> (Vec<(RegisterId, Value)>, String) {
    let inputs: Vec<InputValue> = inputs.iter().copied().map(InputValue::Integer).collect();
    let run = run(program, parameters, &inputs, &mut Zero, 1000, Tracing::On).expect("the inputs are integers");
    assert_ne!(run.outcome, Outcome::Ignored, "{inputs:?}");
    let written = run.trace.into_iter().filter_map(|entry| match entry.write {
        Some(Write::Register { register, value }) if register.index() < registers => Some((register, value)),
        _ => None,
    });
    let end = if let Outcome::Failed { failure, .. } = run.outcome { format!("{failure:?}") } else { format!("{:?}", run.outcome) };
    (written.collect(), end)
}

/// The program does what it does without what is stated of results, for all of these values of its three integers.
fn assert_alike(text: &str, values: &[i128]) {
    let [bare, stated] = [Results::Bare, Results::Bounded].map(|results| lowered(text, results));
    assert_eq!(Results::of(&stated), Results::Bounded, "{text}");
    for signed_overflow in [SignedOverflow::Wraps, SignedOverflow::Fails] {
        let parameters = Parameters { signed_overflow, ..PARAMETERS };
        for inputs in values.iter().flat_map(|a| values.iter().flat_map(|b| values.iter().map(|r| [*a, *b, *r]))) {
            let [expected, found] = [&bare, &stated].map(|program| followed(program, parameters, &inputs, bare.registers.len()));
            assert_eq!(found, expected, "{text}: {inputs:?}");
        }
    }
}

fn values((_, least, greatest): Kind) -> Vec<i128> {
    EDGES.into_iter().filter(|value| (least..=greatest).contains(value)).collect()
}

/// Whatever the factors and what they are compared with, the program ends as it does without: with the same results, or with the same failure.
#[test]
fn products_are_what_they_are_without() {
    for kind in KINDS {
        for form in FORMS {
            let form = form.replace("KIND", kind.0);
            assert_alike(&format!("void test({0} a, {0} b, {0} r) {{ {0} c = 7; {form} }}", kind.0), &values(kind));
        }
    }
}

/// What was compared may have another type.
#[test]
fn factors_are_converted() {
    let text = "void test(int a, int b, int r) {
             unsigned long c = 7;
             if (a < r) { if (b < 100) c = sizeof(int) * a * b + (unsigned long) a * (unsigned) b; }
         }";
    assert_alike(text, &values(KINDS[0]));
}

/// What was compared may have been loaded, into a register that other expressions are in too.
#[test]
fn factors_are_loaded() {
    let text = "struct size { int rows; int columns; } size;
         static int at(struct size *size, int row, int column) {
             if (row < 0 || row >= size->rows || column < 0 || column >= size->columns) return -1;
             return row * size->columns + column;
         }
         void test(int a, int b, int r) {
             size.rows = a; size.columns = b;
             int c = at(&size, r, 3), all = size.rows * size.columns, d = at(&size, 99, r);
         }";
    assert_alike(text, &values(KINDS[0]));
}

/// What is not initialised on some way is not read, nor what has been written since it was compared.
#[test]
fn nothing_is_read_that_holds_no_value() {
    let text = "extern int __VERIFIER_nondet_int(void);
         int test(int a, int b, int r) {
             int c = 0;
             for (int i = 0; i < 3; i++) {
                 int n;
                 if (i > 0) n = r;
                 if (i > 0) { if (a < n) c = a * b; }
                 if (b < i) c = a * b;
                 c = a * b;
             }
             return c;
         }";
    let stated = lowered(text, Results::Bounded);
    for inputs in [[1, 2, 3], [3, 2, 1], [0, 0, 0], [-1, -1, -1], [-1, 5, 9]] {
        assert_eq!(followed(&stated, PARAMETERS, &inputs, 0).1, "Halted", "{inputs:?}");
    }
}

/// What was compared and has lost its value since, by its declaration or by what was read into it, is not read.
#[test]
fn nothing_is_read_that_has_lost_its_value() {
    let declared = "int test(int a, int b, int r) {
             int c;
             goto in;
         start:;
             {
                 int n;
                 c = a * b;
                 return c;
             in:
                 n = r;
                 if (a >= n) return 0;
                 goto start;
             }
         }";
    let read = "int test(int a, int b, int r) {
             struct { int one, other; } t, *p = &t;
             int n = r;
             p->one = a;
             if (a >= n) return 0;
             n = p->other;
             return a * b;
         }";
    for text in [declared, read] {
        let stated = lowered(text, Results::Bounded);
        for inputs in [[1, 2, 3], [3, 2, 1], [0, 0, 0], [-1, -1, -1], [-1, 5, 9]] {
            assert_eq!(followed(&stated, PARAMETERS, &inputs, 0).1, "Halted", "{text}: {inputs:?}");
        }
    }
}

/// A product is the same before and behind a comparison: where one of them is stated both are.
#[test]
fn products_are_computed_alike() {
    let text = "int test(int a, int b) { int c = a * b; if (a < 5) return c - a * b; return 0; }";
    let own = |program: &Program| {
        let is_product =
            |instruction: &&Instruction| matches!(instruction, Instruction::Compute(Compute { operation: Operation::Multiply, .. }));
        program.instructions.iter().filter(is_product).count()
    };
    assert_eq!([own(&lowered(text, Results::Bare)), own(&lowered(text, Results::Bounded))], [2, 4]);
}

#[test]
fn factors_that_nothing_was_compared_with_are_multiplied_as_before() {
    let text = "int test(int a, int b, unsigned c) { if (a > 3) a = b; return a * b + (int) (c * c); }";
    assert_eq!(lowered(text, Results::Bounded), lowered(text, Results::Bare));
}
