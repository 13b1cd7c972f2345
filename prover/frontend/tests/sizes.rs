//! Any size in the place of constant ones: the size that the program gives is among them, with all that the program does.

use goatherd_certificates::{
    certificate::{Allocation, Arithmetic, DataModel, Parameters, PointerFormation, SignedOverflow},
    program::{Instruction, Object, ObjectId, Origin, Program},
};
use goatherd_frontend::{
    lower::{Demands, Leaks, Lowered, Sizes, lower_with},
    print::program::Names,
    source::{Options, from_text},
};
use goatherd_interpreter::{
    environment::{Environment, Question, Random},
    outcome::{Failure, Outcome},
    run::{Tracing, run},
};

const PARAMETERS: Parameters = Parameters {
    data_model: DataModel::Lp64SignedChar,
    signed_overflow: SignedOverflow::Fails,
    pointer_formation: PointerFormation::InsideObject,
    allocation: Allocation::Succeeds,
    arithmetic: Arithmetic::C,
};

const DECLARED: &str = "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assert(int); void *malloc(unsigned long);
    void *calloc(unsigned long, unsigned long); void free(void *);\n";

fn lowered(text: &str, sizes: Sizes) -> Lowered {
    let unit = from_text("test.c", &(DECLARED.to_owned() + text), &Options::default()).expect("it is C");
    let demands = Demands { sizes, ..Demands::from(Leaks::Ignored) };
    lower_with(&unit, "test", &demands).expect("it is supported")
}

fn any_size(text: &str) -> Program {
    lowered(text, Sizes::Any).program
}

fn has_sizes(text: &str) -> bool {
    let program = any_size(text);
    let is_changed = program != lowered(text, Sizes::Exact).program;
    assert_eq!(Sizes::of(&program), if is_changed { Sizes::Any } else { Sizes::Exact }, "{text}");
    is_changed
}

/// Arrays of 20 elements, filled and read in all ways, right and wrong: at most indices it is of no importance what happens elsewhere.
const PROGRAMS: [&str; 22] = [
    "void test(void) { int a[20]; for (int i = 0; i < 20; i++) a[i] = i; for (int i = 0; i < 20; i++) __VERIFIER_assert(a[i] == i); }",
    "void test(void) { int a[20]; for (int i = 0; i < 20; i++) a[i] = i; for (int i = 0; i < 20; i++) __VERIFIER_assert(a[i] != 13); }",
    "void test(void) { int a[20]; for (int i = 0; i <= 20; i++) a[i] = i; }",
    "void test(void) { int a[20]; for (int i = 0; i < 19; i++) a[i] = 1; __VERIFIER_assert(a[19] == 1); }",
    "void test(void) { int a[20]; for (int i = 19; i >= 0; i--) a[i] = 1; __VERIFIER_assert(a[__VERIFIER_nondet_int() & 31] == 1); }",
    "int a[20]; void test(void) { __VERIFIER_assert(a[19] == 0); a[19] = 3; __VERIFIER_assert(a[19] == 3); __VERIFIER_assert(a[18]); }",
    "int a[20] = {1}; int b[20]; void test(void) { for (int i = 0; i < 20; i++) b[i] = a[i]; __VERIFIER_assert(b[0] == 1 && b[19]); }",
    "void test(void) { char s[40]; for (int i = 0; i < sizeof s - 1; i++) s[i] = 'x'; s[39] = 0; int n = 0; while (s[n]) n++; __VERIFIER_assert(n != 39); }",
    "void test(void) { int *p; { int a[20]; a[0] = 1; p = a; } __VERIFIER_assert(*p == 1); }",
    "void test(void) { int *p = 0; for (int i = 0; i < 3; i++) { int a[20]; if (p) *p = 1; p = a; a[3] = i; } }",
    "static int sum(int k) { int a[20]; for (int i = 0; i < 20; i++) a[i] = k; return a[7]; } void test(void) { __VERIFIER_assert(sum(2) + sum(3) == 6); }",
    "void test(void) { int *a = malloc(20 * sizeof(int)); for (int i = 0; i < 20; i++) a[i] = i; free(a); __VERIFIER_assert(a[3] == 3); }",
    "void test(void) { int a[20]; free(a); }",
    "int a[20]; void test(void) { free(a); }",
    "void test(void) { long *a = calloc(20, sizeof(long)); __VERIFIER_assert(a[19] == 0); __VERIFIER_assert(a[20] == 0); }",
    "struct s { int n; short p; }; void test(void) { struct s a[20]; for (int i = 0; i < 20; i++) { a[i].n = 1; a[i].p = 2; } __VERIFIER_assert(a[5].n == a[5].p); }",
    "int a[20], b[20]; void test(void) { int *p = a, *q = b; __VERIFIER_assert(p != q); __VERIFIER_assert(p < q); }",
    "void test(void) { int a[20]; int *p = a + 20; p--; *p = 5; __VERIFIER_assert(p - a == 19); __VERIFIER_assert(&a[20] - p == 2); }",
    "void test(void) { int a[20], b[21]; for (int i = 0; i < 20; i++) b[i + 1] = a[i] = i; __VERIFIER_assert(b[20] == 20); }",
    "int a[20]; void test(void) { int *p = a; p = p + 21; }",
    "void test(void) { int a[20]; unsigned char c = 20; signed char d = 19; long e = 20; __VERIFIER_assert(c - d == 1 && e * 4 == sizeof a); __VERIFIER_assert(c == d); }",
    "void test(void) { int a[20]; goto in; again: ; { int b[20]; in: b[0] = 1; a[0] += 1; if (a[0] != 2) { a[0] = 1; goto again; } } __VERIFIER_assert(a[1] == 5); }",
];

/// Gives these numbers first, and then what another one gives.
struct Sized<'a> {
    sizes: &'a [i128],
    /// Of these objects it says that they hold zeros.
    zeros: &'a [ObjectId],
    other: Random,
}

impl Environment for Sized<'_> {
    fn answer(&mut self, question: Question) -> Option<i128> {
        match self.sizes.split_first() {
            Some((size, others)) if matches!(question, Question::Havoc { .. }) => {
                self.sizes = others;
                Some(*size)
            }
            _ if matches!(question, Question::Contents { object, .. } if self.zeros.contains(&object)) => Some(0),
            _ => self.other.answer(question),
        }
    }
}

/// How a program ends for such numbers: where it fails, and why.
fn end(lowered: &Lowered, (sizes, zeros): (&[i128], &[ObjectId]), seed: u64) -> (bool, Option<(u32, u32, Failure)>) {
    let mut environment = Sized { sizes, zeros, other: Random::new(seed) };
    let run = run(&lowered.program, PARAMETERS, &[], &mut environment, 10_000, Tracing::Off).expect("it has no inputs");
    match run.outcome {
        Outcome::Failed { location, failure } => {
            let position = lowered.positions[location.index()];
            (true, Some((position.line, position.column, failure)))
        }
        outcome => (outcome == Outcome::Halted, None),
    }
}

#[test]
fn the_size_that_a_program_gives_is_among_all_sizes() {
    let (mut failing, mut changed) = (0, 0);
    for text in PROGRAMS {
        let (exact, any) = (lowered(text, Sizes::Exact), lowered(text, Sizes::Any));
        let drawn = any.program.instructions.iter().take_while(|instruction| !matches!(instruction, Instruction::Jump { .. }));
        let drawn: Vec<i128> = drawn
            .filter_map(|instruction| match instruction {
                Instruction::Havoc { target } => {
                    let name = &any.program.registers[target.index()].name;
                    name.strip_prefix("any size up to ").and_then(|size| size.parse().ok())
                }
                _ => None,
            })
            .collect();
        let is_static = |object: &&(ObjectId, &Object)| matches!(object.1.origin, Origin::Static { .. });
        let objects: Vec<_> = (0..).map(ObjectId).zip(&exact.program.objects).collect();
        let zeros: Vec<ObjectId> = objects.iter().filter(is_static).map(|(id, _)| *id).collect();
        changed += usize::from(!drawn.is_empty());
        for seed in 0..40 {
            let expected = end(&exact, (&[], &[]), seed);
            assert_eq!(end(&any, (&drawn, &zeros), seed), expected, "{text} with {seed}");
            failing += usize::from(expected.1.is_some());
        }
    }
    assert!((600..880).contains(&failing), "{failing} runs fail");
    assert!(changed > 15, "{changed} programs have any size");
}

#[test]
fn arrays_are_of_any_size_where_nothing_else_can_tell() {
    for (text, is_any) in [
        ("int a[20]; void test(void) { a[AT] = 1; }", true),
        ("void test(void) { int a[20]; a[AT] = 1; }", true),
        // Short ones are followed to their end.
        ("int a[16]; void test(void) { a[AT] = 1; }", false),
        // What it holds from the start is not zeros.
        ("int a[20] = {1}; void test(void) { a[AT] = 1; }", false),
        ("const int a[20]; void test(void) { __VERIFIER_assert(a[AT] == 0); }", false),
        // Another object leads to it.
        ("int a[20]; int *p = a; int **q = &p; void test(void) { (*q)[AT] = 1; }", false),
        ("int *a[20]; void test(void) { a[AT] = 0; }", false),
        // It comes to be again and again.
        ("void test(void) { for (int i = 0; i < 3; i++) { int a[20]; a[AT] = 1; } }", false),
        // It could be freed, which fails.
        ("int a[20]; void test(void) { int *p = a; if (AT) p = malloc(4); free(p); }", false),
        ("void test(void) { int *a = malloc(20 * sizeof(int)); free(a); }", true),
        ("void test(void) { int *a = malloc(20 * sizeof(int) + 1); }", false),
    ] {
        assert_eq!(has_sizes(&text.replace("AT", "__VERIFIER_nondet_int()")), is_any, "{text}");
    }
}

#[test]
fn leaks_are_not_looked_for_among_arrays_that_are_allocated() {
    let text = "int a[20]; void test(int i) { a[i] = 1; }";
    let unit = from_text("test.c", text, &Options::default()).expect("it is C");
    let demands = |sizes| Demands { sizes, ..Demands::from(Leaks::Fail) };
    let programs = [Sizes::Exact, Sizes::Any].map(|sizes| lower_with(&unit, "test", &demands(sizes)).expect("it is supported").program);
    assert_eq!(programs[0], programs[1]);
}

#[test]
fn it_is_said_what_stands_for_a_size() {
    let program = any_size("int a[20]; void test(void) { char b[30]; b[__VERIFIER_nondet_int()] = a[__VERIFIER_nondet_int()]; }");
    let phrases = Names::new(&program).input_phrases();
    let of = |size| format!("in the place of {size}, the length of an array, any number from 1 to {size}");
    assert_eq!(phrases, [of(20), of(30)]);
    assert!(program.objects.iter().all(|object| object.origin == Origin::Heap));
    // Whoever calls a register so, and does not bound it, has said nothing.
    let mut other = program;
    other.instructions.swap(1, 2);
    assert_eq!(Names::new(&other).input_phrases(), Vec::<String>::new());
}
