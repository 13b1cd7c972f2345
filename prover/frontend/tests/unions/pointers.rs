//! Unions of pointers and integers: what was written last is read, and nothing else is taken for it.

use super::lowered;
use goatherd_interpreter::Outcome;

const DECLARATIONS: &str = "
    extern void __VERIFIER_assert(int);
    extern void *malloc(unsigned long);
    extern void free(void *);
    static int n = 7, m = 9;
    union value { int i; int *p; };
    union first { int *p; int i; };
    union widths { signed char c; unsigned short s; int i; unsigned u; long l; unsigned long w; int *p; char *text; };
    union long_end { int i; struct { int *p; int k; } s; };
    union bit_fields { int a : 5; unsigned b : 3; int i; unsigned long c : 20; int *p; };
    union nested { union value v; long l; };
    struct tagged { int kind; union value u; int after; };
    struct anonymous { int kind; union { long l; char *text; }; };
";

/// How the function ends where all that is open is this.
fn ends(outside: &str, body: &str, open: i128) -> Outcome {
    super::ends(&format!("{DECLARATIONS}\n{outside}"), body, open)
}

/// The condition holds at the end, whatever is open.
fn holds(outside: &str, body: &str, condition: &str) {
    super::holds(&format!("{DECLARATIONS}\n{outside}"), body, condition);
}

/// It fails, or the interpreter does not know, whatever is open.
fn stops(body: &str) {
    for open in [0, 1, -1, i128::MAX] {
        let ended = ends("", body, open);
        assert!(!matches!(ended, Outcome::Halted), "{body}: {open}");
    }
}

/// It does not always come to its end: that depends on what is open.
fn may_stop(body: &str) {
    let halts = |open: &i128| matches!(ends("", body, *open), Outcome::Halted);
    assert!(![0, 1, -1, i128::MAX].iter().all(halts), "{body}");
}

fn is_refused(text: &str, reason: &str) {
    let report = lowered(&format!("{DECLARATIONS}\n{text}")).err().unwrap_or_else(|| panic!("not refused: {text}"));
    assert!(report.contains(reason), "{text}: {report}");
}

#[test]
fn what_was_written_is_read() {
    for value in ["0", "5", "-7", "2147483647", "-2147483647 - 1"] {
        holds("", &format!("union value x; x.i = {value};"), &format!("x.i == {value}"));
    }
    holds("", "union value x; x.p = &n;", "*x.p == 7 && x.p == &n");
    holds("", "union value x; x.p = &n; x.i = 3; x.p = &m;", "*x.p == 9");
    holds("", "union value x; x.p = 0;", "x.p == 0");
    for (member, value) in
        [("c", "-100"), ("s", "65535"), ("u", "4294967295u"), ("l", "-9223372036854775807L - 1"), ("w", "18446744073709551615ul")]
    {
        holds("", &format!("union widths x; x.{member} = {value};"), &format!("x.{member} == {value}"));
        holds("", &format!("union widths *x = malloc(sizeof *x); x->{member} = {value};"), &format!("x->{member} == {value}"));
    }
    // Narrower members have the lower bytes of wider ones.
    holds(
        "",
        "union widths x; x.w = 0xfffefdfcfbfaf9f8;",
        "x.c == -8 && x.s == 0xf9f8 && x.u == 0xfbfaf9f8 && x.i == (int)0xfbfaf9f8 && x.l < 0",
    );
    holds("", "union widths x; x.i = -2;", "x.u == 4294967294u && x.c == -2");
    holds("", "union long_end x; x.s.k = 4; x.i = 6;", "x.i == 6 && x.s.k == 4");
    holds("", "union nested x; x.v.i = 6;", "x.v.i == 6");
    holds("", "union nested x; x.l = 6;", "x.v.i == 6 && x.l == 6");
}

#[test]
fn values_of_assignments_and_changes() {
    holds("", "union value x; int a = x.i = 300; signed char b; union widths w; int c = w.c = 300;", "a == 300 && c == 44 && w.c == 44");
    holds(
        "",
        "union value x; x.i = 5; int a = x.i++; int b = ++x.i; int c = x.i--; int d = --x.i;",
        "a == 5 && b == 7 && c == 7 && d == 5 && x.i == 5",
    );
    holds("", "union value x; x.i = 2147483647; int a = x.i++;", "a == 2147483647 && x.i == -2147483647 - 1");
    holds("", "union widths x; x.c = 127; int a = x.c++; x.s = 0; int b = x.s--;", "a == 127 && b == 0 && x.s == 65535");
    holds("", "union value x; x.i = 5; int a = x.i <<= 2; x.i ^= 1; x.i -= 1 + 1;", "a == 20 && x.i == 19");
    holds("", "union value x[2]; x[0].p = &n; x[0].p++; x[0].p--;", "*x[0].p == 7");
}

#[test]
fn bit_fields_are_bits_of_the_number() {
    holds("", "union bit_fields x; x.a = 40;", "x.a == 8 && x.b == 0");
    holds("", "union bit_fields x; x.a = 24; int v = x.b = 9;", "v == 1 && x.b == 1");
    holds("", "union bit_fields x; x.a = -1; x.c = -1; int v = x.c++;", "v == 1048575 && x.c == 0 && x.a == 0");
    holds("", "union bit_fields x; x.a = 15; int v = x.a++, w = ++x.a;", "v == 15 && x.a == -15 && w == -15");
    holds("", "union bit_fields x; x.b = 0; int v = x.b--; x.b -= 9;", "v == 0 && x.b == 6");
    holds("", "union bit_fields x; x.i = -20;", "x.a == 12 && x.b == 4 && x.c == 1048556");
    holds("union bit_fields x = { -3 };", "union bit_fields y = { .b = 6 };", "x.a == -3 && y.b == 6 && x.b - 6 < 0");
    stops("union bit_fields x; x.p = &n; int a = x.a;");
    is_refused("void test(void) { union bit_fields x; int *q = &x.a; }", "a pointer to an integer that overlaps a pointer in a union");
}

#[test]
fn in_structs_arrays_and_memory() {
    holds("", "struct tagged x = { 1, { 5 }, 3 }; struct tagged y = x;", "y.kind == 1 && y.u.i == 5 && y.after == 3");
    holds("", "struct tagged x = { 1, { .p = &n }, 3 }; struct tagged *y = malloc(sizeof x); *y = x;", "*y->u.p == 7 && y->after == 3");
    holds("", "union value x[3]; for (int k = 0; k < 3; k++) x[k].i = k; x[1].p = &n;", "x[0].i == 0 && *x[1].p == 7 && x[2].i == 2");
    holds("static union value f(int k) { union value x; x.i = k; return x; }", "", "f(4).i == 4");
    holds("static int f(union value x) { return x.i; }", "union value x = { 4 };", "f(x) == 4");
    holds("", "struct anonymous x; x.l = -1; char c = 'a'; struct anonymous y; y.text = &c;", "x.l == -1 && *y.text == 'a'");
    holds("", "union value x; int **q = &x.p; *q = &n;", "*x.p == 7");
    holds("", "union value x; union value *q = &x; q->i = 3; q->i += q->i;", "x.i == 6");
}

#[test]
fn initialisers_set_the_first_member() {
    for (outside, inside) in [("", "union value x = { -7 };"), ("union value x = { -7 };", ""), ("const union value x = { -7 };", "")] {
        holds(outside, inside, "x.i == -7");
    }
    holds("union value x = { .p = &n };", "", "*x.p == 7");
    holds("union value x[2] = { { 1 }, { .p = &n } };", "x[0].i++;", "x[0].i == 2 && *x[1].p == 7");
    holds("int k; union value *x = &(union value){ 5 };", "", "x->i == 5");
    holds("", "union value *x = &(union value){ 5 };", "x->i == 5");
    // What is said nothing of is zero, in the terms of the first member.
    for (outside, inside) in [
        ("static union value x;", ""),
        ("", "static union value x;"),
        ("", "union value x = {};"),
        ("struct tagged s;", "union value x = s.u;"),
        ("", "struct tagged s = { 1 }; union value x = s.u;"),
        ("union value t[5];", "union value x = t[4]; t[3].i = 1;"),
        ("union value t[40] = { { 1 } };", "union value x = t[39];"),
    ] {
        holds(outside, inside, "x.i == 0");
    }
    holds("static union first x;", "union first y = {};", "x.p == 0 && y.p == 0");
    holds("static union long_end x; union nested y;", "x.s.k++;", "x.i == 0 && x.s.k == 1 && y.v.i == 0");
}

/// A volatile integer is written, and not read.
#[test]
fn volatile_integers_are_not_looked_at() {
    let declared = "union volatile_value { volatile int i; int j; int *p; };";
    holds(declared, "union volatile_value x; x.i = 4;", "x.j == 4");
    for read in ["int a = x.i;", "x.i += 2;", "x.i++;"] {
        let reason = "the value of a volatile object that is no integer, or of a bit-field";
        is_refused(&format!("{declared} void test(void) {{ union volatile_value x; x.j = 1; {read} }}"), reason);
    }
}

/// What a pointer is as a number, nobody knows; and a number leads nowhere.
#[test]
fn other_members_are_no_values() {
    stops("union value x; x.p = &n; int a = x.i;");
    stops("union value x; x.p = &n; x.i++;");
    stops("union widths x; x.p = &n; long a = x.l;");
    stops("union value x; x.i = 5; int a = *x.p;");
    stops("union widths x; x.w = 0; int a = *x.p;");
    stops("union widths x; x.l = (long)&n; int a = *x.p;");
    stops("union value x; x.i = 5; free(x.p);");
    stops("union value x; x.p = malloc(4); x.i = 5; *x.p = 1;");
    stops("union value x; int a = x.i;");
}

/// That a pointer of a number is none of the program's is not known, nor what its upper bytes are.
#[test]
fn numbers_are_not_told_apart_from_addresses() {
    may_stop("union value x; x.i = 5; __VERIFIER_assert(x.p != &n);");
    may_stop("union value x; x.i = 5; __VERIFIER_assert(x.p != 0);");
    may_stop("union widths x; x.l = 0; __VERIFIER_assert(x.p != 0);");
    may_stop("union value x; x.i = 5; __VERIFIER_assert(x.p == 0);");
    // Only the lower half of a pointer is another one.
    let upper = |open| ends("", "union widths x; x.l = 5; x.i = 5; __VERIFIER_assert(x.l == 5);", open);
    assert_eq!(upper(0), Outcome::Halted);
    assert!(matches!(upper(1), Outcome::Failed { .. }));
}

#[test]
fn unsequenced_accesses_meet_in_the_cell() {
    stops("union widths x; x.l = 1; x.l = (x.c = 2) + 1;");
    stops("union widths x; x.l = 1; int a = (x.p = &n, 1) + x.i;");
    stops("union value x, *p = &x; x.i = 1; int a = (x.i = 2) + p->i;");
}

#[test]
fn what_goes_beyond_is_refused() {
    let overlap = "a union in which pointers and integers overlap";
    for members in [
        "int *p; char bytes[8];",
        "int *p; struct { int a, b; } s;",
        "struct { int k; int *p; } s; struct { int *p; int k; } t;",
        "int *p; _Bool b;",
        "int i; struct { int k; int *p; } s; long l[2];",
        "long l; struct { char c; int *p; } s; int *q;",
    ] {
        is_refused(&format!("union u {{ {members} }}; void test(void) {{ union u x; }}"), overlap);
    }
    is_refused("void test(void) { union value x; int *q = &x.i; }", "a pointer to an integer that overlaps a pointer in a union");
    is_refused("union u { int *p; long l; }; void test(void) { union u x; long *q = &x.l; }", "a pointer to an integer that overlaps");
    let change = "a change of an integer that overlaps a pointer in a union, at a place with side effects";
    is_refused("void test(void) { union value x[2], *p = x; p++->i += 1; }", change);
    for input in ["union value x", "struct tagged *x", "struct list { struct list *next; union value u; }; void test(struct list *x"] {
        let text = if input.contains("test") { format!("{input}) {{}}") } else { format!("void test({input}) {{}}") };
        is_refused(&text, "an input with a union of pointers and integers");
    }
    let many = "an initialiser of an object with more than 256 unions of pointers and integers";
    is_refused("union value x[300]; void test(void) { x[1].i = 1; }", many);
}
