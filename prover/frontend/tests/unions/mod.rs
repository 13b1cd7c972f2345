//! Unions mean what C says of them, and nothing more: what an initialiser leaves open may be anything.

mod pointers;

use crate::parameters::PARAMETERS;
use goatherd_frontend::{
    diagnostics::{Colors, render, reports},
    lower::{Lowered, lower},
    source::{Options, from_text},
};
use goatherd_interpreter::{Environment, Outcome, Question, Tracing, run};

const DECLARATIONS: &str = "
    extern void __VERIFIER_assert(int);
    union byte { signed char c; int i; unsigned char b[4]; };
    union long_first { long l; signed char c; };
    union bits { struct { unsigned a : 3, b : 2; } s; unsigned char x[4]; };
    union padded { struct { char c; int i; } s; unsigned char x[8]; };
    union pointers { struct { int *p; } one; struct { int *p, *q; } two; };
    struct outer { int k; union byte u[2]; };
";

fn lowered(text: &str) -> Result<Lowered, String> {
    let unit = from_text("f.c", text, &Options::default()).map_err(|reports| render(&reports, Colors::Never))?;
    lower(&unit, "test").map_err(|diagnostics| render(&reports(&unit, &diagnostics), Colors::Never))
}

/// Whatever is asked: this value, in its type.
struct Always(i128);

impl Environment for Always {
    fn answer(&mut self, question: Question) -> Option<i128> {
        let (least, greatest) = question.range();
        Some(self.0.clamp(least, greatest))
    }
}

/// How the program ends where all that is open is this.
fn ends(declarations: &str, body: &str, open: i128) -> Outcome {
    let text = format!("{DECLARATIONS}\n{declarations}\nvoid test(void) {{ {body} }}\n");
    let lowered = lowered(&text).unwrap_or_else(|report| panic!("{report}"));
    run(&lowered.program, PARAMETERS, &[], &mut Always(open), 10_000, Tracing::Off).expect("it has no inputs").outcome
}

/// The condition holds after these declarations, whatever is open.
fn holds(declarations: &str, body: &str, condition: &str) {
    for open in [0, 1, -1, 0x55, i128::MAX] {
        let ended = ends(declarations, &format!("{body} __VERIFIER_assert({condition});"), open);
        assert_eq!(ended, Outcome::Halted, "{declarations} {body} {condition}: {open}");
    }
}

/// Both the condition and its opposite may hold: in the function, and at the beginning of the program.
fn is_open(declarator: &str, initialiser: &str, condition: &str) {
    let declaration = format!("{declarator} = {initialiser};");
    for (outside, inside) in [("", &*declaration), (&*declaration, "")] {
        for condition in [condition.to_owned(), format!("!({condition})")] {
            let failing = |open: &i128| {
                let ended = ends(outside, &format!("{inside} __VERIFIER_assert({condition});"), *open);
                matches!(ended, Outcome::Failed { .. })
            };
            assert!([0, 1, -1, 0x55, i128::MAX].iter().any(failing), "{declaration} {condition}");
        }
    }
}

#[test]
fn an_initialiser_sets_the_member_that_it_names() {
    for (outside, inside) in [("", "union byte x = { -7 };"), ("union byte x = { -7 };", ""), ("const union byte x = { -7 };", "")] {
        holds(outside, inside, "x.c == -7 && x.b[0] == 249 && (signed char)x.i == -7");
    }
    holds("", "union byte x = { .b = { 1, 2 } };", "x.i == 0x0201");
    holds("struct outer x = { 1, { { 2 }, { .i = 3 } } };", "", "x.u[0].c == 2 && x.u[1].i == 3 && x.u[1].b[3] == 0");
    holds("", "struct outer x = { 1, { [0 ... 1] = { .c = 4 } } };", "x.u[0].c == 4 && x.u[1].c == 4");
    holds("", "union bits x = { { 5, 1 } };", "x.s.a == 5 && x.s.b == 1 && (x.x[0] & 31) == 13");
    holds("", "union padded x = { { 1, 2 } };", "x.s.c == 1 && x.s.i == 2 && x.x[4] == 2");
    holds("static int n; union pointers x = { { &n } };", "", "x.two.p == &n");
}

#[test]
fn what_an_initialiser_leaves_is_open() {
    is_open("union byte x", "{ 5 }", "x.i == 5");
    is_open("union byte x", "{ 5 }", "x.b[3] == 0");
    is_open("union byte x", "{ .c = 0 }", "x.i == 0");
    is_open("struct outer x", "{ 1, { { 2 } } }", "x.u[0].b[1] == 0");
    is_open("struct outer x", "{ 1, { [0 ... 1] = { .c = 4 } } }", "x.u[1].i == 4");
    is_open("struct outer x", "{ .u[1].c = 4 }", "x.u[1].i == 4");
    // Padding of the member, and bits that no bit-field has.
    is_open("union padded x", "{ { 1, 2 } }", "x.x[2] == 0");
    is_open("union bits x", "{ { 1, 2 } }", "x.x[0] == 17");
    is_open("union bits x", "{ { 1, 2 } }", "x.x[2] == 0");
    is_open("const union byte x", "{ 5 }", "x.i == 5");
}

#[test]
fn members_of_anonymous_unions_are_designated() {
    let declarations = "struct a { int k; union { signed char c; int i; struct { short s, t; }; }; int z; };";
    holds(declarations, "struct a x = { .z = 1, .i = 2, .k = 3 };", "x.z == 1 && x.i == 2 && x.k == 3 && x.s == 2");
    holds(declarations, "struct a x = { .t = 5, 6 };", "x.t == 5 && x.s == 0 && x.z == 6 && x.k == 0");
    holds(&format!("{declarations} struct a x[2] = {{ [1].c = 4, 7 }};"), "", "x[1].c == 4 && x[1].z == 7 && x[0].i == 0");
    is_open(&format!("{declarations} struct a x"), "{ .c = 1 }", "x.i == 1");
    let two = lowered(&format!("{declarations} void test(void) {{ struct a x = {{ .c = 1, .t = 2 }}; }}"));
    assert!(two.is_err_and(|report| report.contains("unsupported: a union of which two members are initialised")));
}

#[test]
fn what_no_initialiser_mentions_is_zero() {
    holds("union byte x;", "", "x.i == 0");
    holds("struct outer x = { 1 };", "struct outer y = { .k = 1 };", "x.u[1].i == 0 && y.u[0].i == 0");
    holds("struct outer x = { 1, { [1] = { 2 } } };", "", "x.u[0].i == 0");
    holds("", "union byte x = {}; union long_first y = { 1 };", "x.i == 0 && y.l == 1");
}

#[test]
fn the_last_initialiser_counts() {
    holds("", "struct outer x = { .u[0] = { .c = 1 }, .u[0] = { .i = 2 } };", "x.u[0].i == 2");
    let ended = ends("", "struct outer x = { .u[0] = { .i = 2 }, .u[0] = { .c = 1 } }; __VERIFIER_assert(x.u[0].i == 1);", 0x55);
    assert!(matches!(ended, Outcome::Failed { .. }));
    let two = lowered("union u { int i; char b[8]; }; void test(void) { struct { union u u; } x = { .u.i = 1, .u.b[5] = 2 }; }");
    assert!(two.is_err_and(|report| report.contains("unsupported: a union of which two members are initialised")));
    // A member that is initialised again inside does not make the union forget which of its members has been.
    let two = lowered(
        "struct s { char a; int b, c; }; union u { struct s s; char b[4]; };\n\
         void test(void) { union u x = { .s = { .b = 1, .c = 3, .b = 2 }, .b = { 5 } }; }",
    );
    assert!(two.is_err_and(|report| report.contains("unsupported: a union of which two members are initialised")));
}

#[test]
fn a_pointer_that_is_open_has_no_value() {
    for (outside, inside) in [("", "int n; union pointers x = { { &n } };"), ("static int n; union pointers x = { { &n } };", "")] {
        let ended = ends(outside, &format!("{inside} __VERIFIER_assert(x.two.q == 0 || x.two.q != 0);"), 0);
        assert!(matches!(ended, Outcome::Failed { .. }), "{outside} {inside}: {ended:?}");
    }
    let truth = lowered("union u { char c; struct { _Bool a, b; } s; }; void test(void) { union u x = { 1 }; }");
    assert!(truth.is_err());
}

#[test]
fn compound_literals_are_initialised_as_objects_are() {
    holds("", "struct outer x = { 9 }; x = (struct outer){};", "x.k == 0 && x.u[1].i == 0");
    holds("", "union byte x = (union byte){ .i = 7 };", "x.i == 7");
    let ended = ends("", "union byte x = { .i = 7 }; x = (union byte){ 7 }; __VERIFIER_assert(x.i == 7);", 0x55);
    assert!(matches!(ended, Outcome::Failed { .. }));
}

/// What a run that fails because of an open value is worth is for the prover to say: it has to know which values these are.
#[test]
fn open_values_are_known_as_such() {
    for text in [
        "void test(void) { union u { char c; int i; } x = { 1 }; }",
        "union u { char c; int i; } x = { 1 }; void test(void) { x.c = x.i; }",
    ] {
        let lowered = lowered(text).expect("it is supported");
        let marked = lowered.approximate.len();
        assert_eq!(marked, 3, "{text}: one for each byte");
    }
}

/// A struct that lies in bytes is made of these as a whole, and goes there as a whole.
#[test]
fn structs_in_bytes_are_read_and_assigned() {
    let pixel = "struct rgba { unsigned char r, g, b; signed char a; }; struct pair { unsigned short low; short high; };
        union pixel { struct rgba c; unsigned u; struct pair p; };
        unsigned packed(struct rgba c) { union pixel p; p.c = c; return p.u; }
        struct rgba unpacked(unsigned u) { union pixel p; p.u = u; return p.c; }";
    holds(pixel, "struct rgba c = { 1, 2, 3, -4 };", "packed(c) == 0xfc030201");
    holds(pixel, "struct rgba c = unpacked(0x84838281);", "c.r == 0x81 && c.g == 0x82 && c.b == 0x83 && c.a == -124");
    holds(pixel, "union pixel x; x.u = 0x8001ffff; struct pair p = x.p;", "p.low == 0xffff && p.high == -32767");
    holds(pixel, "union pixel x; x.u = 0; struct pair p = { 7, -1 }; union pixel *q = &x; q->p = p;", "x.u == 0xffff0007 && x.c.a == -1");
    holds(pixel, "union pixel x; struct pair p = { 7, -1 };", "(x.p = p).high == -1 && (x.p = p, x.c).r == 7");
    // To copy a struct some members of which have no value is no use of them.
    holds(pixel, "union pixel x; struct pair p; p.low = 3; x.p = p; struct pair q = x.p;", "q.low == 3 && (x.u & 0xffff) == 3");
    holds(pixel, "union pixel x; { struct { int k; struct pair p; } o; o.p.high = 1; x.p = o.p; }", "x.u >> 16 == 1");
    // Reading sees padding in no member, and what lies in it is no matter.
    holds(
        "union u { struct { char c; short s; } t; unsigned char b[4]; int i; };",
        "union u x; x.i = 0x04030201; __typeof__(x.t) t = x.t;",
        "t.c == 1 && t.s == 0x0403",
    );
    let clash = ends(pixel, "union pixel x; x.u = 0; struct pair p = { 1, 2 }; unsigned k = (x.p = p).low + x.u++;", 0);
    assert!(matches!(clash, Outcome::Failed { .. }), "{clash:?}");
}
