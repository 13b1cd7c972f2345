//! Arrays of structs in objects of their own: the program fails wherever it does with the arrays in the structs.

use crate::parameters::PARAMETERS;
use goatherd_certificates::program::Program;
use goatherd_frontend::{
    lower::{Arrays, Demands, Leaks, Lowered, lower_with},
    source::{Options, from_text},
};
use goatherd_interpreter::{
    environment::{Environment, Question, Random},
    outcome::Outcome,
    run::{Tracing, run},
};

const DECLARED: &str = "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assert(int);
    struct stack { int used, items[20]; };
    struct cell { int key; char mark; };
    struct table { char name[18]; struct cell cells[17]; short rows[5][6]; long last; };\n";

fn lowered(text: &str, arrays: Arrays) -> Lowered {
    let unit = from_text("test.c", &(DECLARED.to_owned() + text), &Options::default()).expect("it is C");
    let demands = Demands { arrays, ..Demands::from(Leaks::Ignored) };
    lower_with(&unit, "test", &demands).expect("it is supported")
}

fn apart(text: &str) -> Program {
    lowered(&text.replace("AT", "(__VERIFIER_nondet_int() & 31)"), Arrays::Apart).program
}

/// What memory holds that was not written is zero in both programs, whatever objects they have.
struct Drawn(Random);

impl Environment for Drawn {
    fn answer(&mut self, question: Question) -> Option<i128> {
        if matches!(question, Question::Contents { .. }) { Some(0) } else { self.0.answer(question) }
    }
}

/// How a program ends: at which line and column it fails, or whether it halts.
fn end(lowered: &Lowered, seed: u64) -> Result<bool, (u32, u32)> {
    let run = run(&lowered.program, PARAMETERS, &[], &mut Drawn(Random::new(seed)), 10_000, Tracing::Off).expect("it has no inputs");
    match run.outcome {
        Outcome::Failed { location, .. } => {
            let position = lowered.positions[location.index()];
            Err((position.line, position.column))
        }
        outcome => Ok(outcome == Outcome::Halted),
    }
}

/// Each is right or wrong in its own way.
const PROGRAMS: [&str; 16] = [
    "void test(void) { struct stack s; s.used = 0; while (s.used < 20) { s.items[s.used] = s.used; s.used++; } __VERIFIER_assert(s.items[AT] != 7); }",
    "struct stack s; void test(void) { struct stack *p = &s; p->items[AT] = 3; __VERIFIER_assert(p->items[AT] == 0); __VERIFIER_assert(p->used == 0); }",
    "struct stack s = {1, {5, 6, 7}}; void test(void) { __VERIFIER_assert(s.items[AT] != 7); __VERIFIER_assert(s.used == 1 && s.items[2] == 7); }",
    "void test(void) { struct stack s, t; for (int i = 0; i < 20; i++) s.items[i] = i; s.used = 4; t = s; __VERIFIER_assert(t.items[AT] != 9); __VERIFIER_assert(t.used == 4); }",
    "struct stack s; void test(void) { int *p = s.items + 3; *p = 8; p[AT] = 9; __VERIFIER_assert(s.items[3] == 8); __VERIFIER_assert(s.items[AT] == 0); }",
    "struct stack s; void test(void) { for (int *p = s.items, *e = s.items + 20; p != e; p++) *p = 4; __VERIFIER_assert(s.items[AT] == 4); }",
    "static int sum(const struct stack *s) { int n = 0; for (int i = 0; i < s->used; i++) n += s->items[i]; return n; } struct stack s; void test(void) { s.used = 20; s.items[AT] = 5; s.items[AT] += 2; __VERIFIER_assert(sum(&s) == 7); }",
    "struct table t; void test(void) { int i = AT; t.cells[i].key = 4; t.cells[i].mark = 'x'; __VERIFIER_assert(t.cells[AT].key == 0); __VERIFIER_assert(t.last == 0); }",
    "struct table t; void test(void) { t.rows[AT & 3][AT & 7] = 4; __VERIFIER_assert(t.rows[AT & 3][AT & 7] == 0); __VERIFIER_assert(t.name[0] == 0); }",
    "struct table t = {\"a name\"}; void test(void) { int n = 0; while (t.name[n]) n++; __VERIFIER_assert(n == 6); t.name[n + AT] = 'c'; __VERIFIER_assert(t.name[6] == 0); }",
    "void test(void) { for (int i = 0; i < 3; i++) { struct stack s; s.items[AT] = i; s.used = i; __VERIFIER_assert(s.items[AT] == i || s.used == i); __VERIFIER_assert(s.items[5] != 2); } }",
    "struct stack s; void test(void) { struct cell c[20]; c[AT].key = 1; s.items[AT] = 1; struct stack *p = &s; if (p) p->used = 2; __VERIFIER_assert(s.items[1] == 0); }",
    "struct stack s; void test(void) { struct stack *p; { struct stack t; t.items[AT] = 1; p = &t; } __VERIFIER_assert(p->items[AT] == 1); }",
    "struct stack s, t; void test(void) { struct stack *p = AT & 1 ? &s : &t; p->used = 1; s.items[AT] = 2; __VERIFIER_assert(s.items[AT] == 0); }",
    "struct stack s, *p = &s; void test(void) { p->items[AT] = 2; s.used = 1; __VERIFIER_assert(s.items[AT] == 0); }",
    "struct stack s; void test(void) { int *p = &s.items[AT & 7], *q = &s.items[AT & 7]; __VERIFIER_assert(p - q != 2); __VERIFIER_assert(p >= q); *p = 1; }",
];

#[test]
fn programs_end_alike_wherever_arrays_are() {
    let (mut failing, mut changed) = (0, 0);
    for text in PROGRAMS {
        let text = text.replace("AT", "(__VERIFIER_nondet_int() & 31)");
        let [inside, apart] = [Arrays::Inside, Arrays::Apart].map(|arrays| lowered(&text, arrays));
        changed += usize::from(Arrays::of(&apart.program) == Arrays::Apart);
        for seed in 0..60 {
            let expected = end(&inside, seed);
            assert_eq!(end(&apart, seed), expected, "{text} with {seed}");
            failing += usize::from(expected.is_err());
        }
    }
    assert!((300..800).contains(&failing), "{failing} runs fail");
    assert!(changed >= 13, "{changed} programs have arrays apart");
}

#[test]
fn arrays_are_apart_where_it_is_known_what_leads_to_them() {
    for (text, is_apart) in [
        ("struct stack s; void test(void) { s.items[AT] = 1; }", true),
        ("void test(void) { struct stack s, *p = &s; p->used = 1; p->items[AT] = 1; }", true),
        // Short ones are told apart.
        ("struct { int n, a[16]; } s; void test(void) { s.a[AT & 15] = 1; s.n = 1; }", false),
        // Nothing is left of the struct.
        ("struct { int a[20]; } s; void test(void) { s.a[AT] = 1; }", false),
        // Where the address is stored it is not known what leads to the struct, nor where it is one of two.
        ("struct stack s, *p; void test(void) { p = &s; struct stack **q = &p; (*q)->items[AT] = 1; s.items[AT] = 1; }", false),
        ("struct stack s, *p = &s, **q = &p; void test(void) { s.items[AT] = 1; (*q)->used = 2; }", false),
        ("struct stack s, t; void test(void) { struct stack *p = AT ? &s : &t; p->items[AT] = 1; }", false),
        // The pointer may not be initialised, and its use fails then.
        ("struct stack s; void test(void) { struct stack *p; if (AT) p = &s; p->items[AT] = 1; }", false),
        // A pointer to the struct, or to another member, is compared with one to an element.
        ("struct stack s; void test(void) { int *p = &s.items[AT & 15]; if (p > &s.used) *p = 1; }", false),
        ("struct stack s; void test(void) { int *p = &s.items[AT & 15]; if ((char *) p - (char *) &s == 8) *p = 1; }", false),
    ] {
        assert_eq!(Arrays::of(&apart(text)) == Arrays::Apart, is_apart, "{text}");
    }
}

/// A pointer to a struct of an earlier round of a loop leads to none: the array that comes to be with the next struct is not reached by it.
#[test]
fn arrays_come_and_go_with_their_structs() {
    let text = "void test(void) { struct stack *p = 0; for (int i = 0; i < 2; i++) { struct stack s; if (p) p->items[AT] = 1; p = &s; p->used = i; } }";
    let program = apart(text);
    assert_eq!(Arrays::of(&program), Arrays::Inside, "it is not known whether the struct is there");
    let text = text.replace("AT", "3");
    for arrays in [Arrays::Inside, Arrays::Apart] {
        assert!(end(&lowered(&text, arrays), 0).is_err(), "{arrays:?}");
    }
}
