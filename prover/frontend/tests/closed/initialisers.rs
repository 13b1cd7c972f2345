//! Initialisers: what they set, in which order, and what of it is refused.

use super::{outcome, refused};
use goatherd_frontend::{
    lower::lower,
    source::{Options, from_text},
};

/// C11 6.5.2.5p5: outside functions a compound literal is static.
#[test]
fn compound_literals_outside_functions_are_static() {
    let text = "int *p = (int[]){ 1, 2 }; int test(int i) { p[0] = i; return p[i]; }";
    let unit = from_text("f.c", text, &Options::default()).unwrap();
    let objects = format!("{:?}", lower(&unit, "test").unwrap().program.objects);
    assert!(objects.contains("Static { count: 2") && objects.contains("ReadWrite"), "{objects}");
}

#[test]
fn members_of_constant_unions_are_of_their_own_types() {
    let unions =
        "static const union { int i; unsigned u; } x = { -1 }; static const union { signed char c; unsigned char b; } y[2] = { { -1 } };";
    let text =
        |condition: &str| format!("extern void __VERIFIER_assert(int); {unions} void test(void) {{ __VERIFIER_assert({condition}); }}");
    assert!(!outcome(&text("x.u == 4294967295u && y[0].b == 255 && x.i == -1")).contains("Assertion"), "it is known to hold");
    assert!(outcome(&text("x.u == -1L || y[0].b == -1")).contains("Assertion"));
}

#[test]
fn structs_as_arguments_are_read_as_they_were_given() {
    const DECLARED: &str = "typedef __builtin_va_list va_list; struct s { long a, b, c; }; struct t { long a[3]; };";
    let text = |read: &str, given: &str| {
        format!(
            "{DECLARED} long f(int n, ...) {{ va_list l; __builtin_va_start(l, n); {read} }}
            void test(void) {{ struct s s = {{ 1, 2, 3 }}; f(1, {given}); }}"
        )
    };
    assert!(outcome(&text("return __builtin_va_arg(l, struct s).a;", "s")).contains("Unreachable"), "it may be another struct");
    assert!(!outcome(&text("return __builtin_va_arg(l, long);", "s")).contains("Unreachable"));
    let inside = "void **p = (void **)l; return p[1] == 0;";
    assert!(
        outcome(&text(inside, "s")).ends_with("unsupported: a pointer to a va_list that becomes another"),
        "{}",
        outcome(&text(inside, "s"))
    );
}

#[test]
fn constant_members_of_what_can_be_written_are_read() {
    let text = "extern void __VERIFIER_assert(int); union u { const int a; int b; } g = { 1 }; void test(void) { g.b = 2; __VERIFIER_assert(g.a == 1); }";
    assert!(outcome(text).contains("Assertion"), "it is not known to hold");
}

#[test]
fn ranges_override_what_was_initialised() {
    let text = |condition: &str| {
        format!(
            "extern void __VERIFIER_assert(int); static const int a[5] = {{ [2] = 7, [0 ... 4] = 1 }};
            void test(void) {{ __VERIFIER_assert({condition}); }}"
        )
    };
    assert!(!outcome(&text("a[2] == 1")).contains("Assertion"), "it is known to hold");
    assert!(outcome(&text("a[2] == 7")).contains("Assertion"));
    let part = "struct i { int a, b; }; struct s { struct i in; }; void test(struct i k) { struct s s = { .in = k, .in.a = 5 }; }";
    assert!(outcome(part).ends_with("unsupported: a part of a struct that was initialised as a whole"), "{}", outcome(part));
}

/// gcc forgets what an expression has initialised as a whole where a part of it is initialised again, whichever part that is.
#[test]
fn parts_of_what_an_expression_initialised_are_not_initialised_again() {
    let text = |items: &str| {
        format!(
            "struct p {{ int x, y; }}; union u {{ int i; struct {{ char c, d; }} s; }}; struct b {{ int a : 4, b : 5, c : 12; }};
            struct l {{ struct p from, to; union u u; struct b b; struct p a[2]; }};
            struct p f(void) {{ struct p p = {{ 1, 2 }}; return p; }}
            void test(struct p p, union u u, struct b b) {{ struct l l = {{ {items} }}; }}"
        )
    };
    for items in [
        ".from = p, .from.y = 9",
        ".from = f(), .from.y = 9",
        ".from = (struct p){ 3, 4 }, .from.y = 9",
        ".u = u, .u.s.d = 2",
        ".b = b, .b.b = 2",
        ".b = b, .b.c = 2",
        ".a = { p, p }, .a[1].y = 9",
        ".a = { [0 ... 1] = p }, .a[1].y = 9",
        "p, .from.y = 9",
    ] {
        let outcome = outcome(&text(items));
        assert!(outcome.ends_with("unsupported: a part of a struct that was initialised as a whole"), "{items}: {outcome}");
    }
    for items in [
        ".from = p, .to.y = 9",
        ".from = { 3, 4 }, .from.y = 9",
        ".from = p, .from = { .y = 9 }",
        ".to = p, .from.y = 9",
        ".a = { p, p }, .a[1] = { 1, 9 }",
        ".b = { 1, 2, 3 }, .b.c = 2",
        ".u.s = { 1, 2 }, .u.s.d = 2",
    ] {
        assert!(outcome(&text(items)).starts_with('['), "{items}: {}", outcome(&text(items)));
    }
}

#[test]
fn parts_of_what_a_range_computes_once_are_not_initialised_again() {
    let text = |objects: &str, inside: &str| {
        format!("struct i {{ int a, b, c; }}; struct s {{ int k; struct i in[3]; }}; {objects} void test(int n) {{ {inside} }}")
    };
    let refused = |text: &str| {
        assert!(outcome(text).ends_with("unsupported: a part of a struct that was initialised as a whole"), "{}", outcome(text));
    };
    // gcc has `x[1].c == 0`, and of a constant `K` only without optimisation.
    refused(&text("", "struct i x[3] = { [0 ... 2] = { 1, n, 3 }, [1].a = 9 };"));
    refused(&text("const int K = 2;", "struct i x[3] = { [0 ... 2] = { 1, K, 3 }, [1].a = 9 };"));
    // What is set again is none of what the range sets, and behind it.
    refused(&text("", "struct i x[3] = { [0 ... 2] = { 1, n }, [2].c = 9 };"));
    refused(&text("", "struct s x = { .in = { [0 ... 2] = { 1, n, 3 } }, .in[1].a = 9 };"));
    refused(&text("", "struct s x[2] = { [0 ... 1] = { n, { [0 ... 2] = { 1, 2, 3 } } }, [1].in[0].a = 9 };"));
    refused(&text("", "struct i *x = (struct i[2]){ [0 ... 1] = { 1, n, 3 }, [1].a = 9 };"));
    let whole = text(
        "",
        "struct i x[3] = { [0 ... 2] = { 1, n, 3 }, [1] = { 4, 5, 6 }, [1].a = 9, [2] = { n } }; int y[4] = { [0 ... 3] = n, [1] = 2 };",
    );
    assert!(outcome(&whole).starts_with('['), "{}", outcome(&whole));
    let outside = text("struct i x[3] = { [0 ... 2] = { 1, 2, 3 }, [1].a = 9 };", "x[0].a = n;");
    assert!(outcome(&outside).starts_with('['), "{}", outcome(&outside));
}

#[test]
fn what_is_overridden_may_be_evaluated_or_not() {
    let text = |items: &str| {
        format!("int f(void) {{ return 1; }} void test(int n) {{ int (*t[2])(void) = {{ [0 ... 1] = f }}; int x[2] = {{ {items} }}; }}")
    };
    let message = "unsupported: an initialiser of what was initialised with more than a variable or a constant";
    for items in ["[0] = f(), [0] = 1", "[0] = 1 / n, [0] = 1", "[0] = n++, [0] = 1", "f(), 2, [0 ... 1] = 3"] {
        assert!(outcome(&text(items)).ends_with(message), "{}", outcome(&text(items)));
    }
    assert!(outcome(&text("[0] = n, [0] = f(), [1] = 1, [1] = 2")).starts_with('['));
    // An index of a row may fail.
    let row = |element: &str| outcome(&format!("int m[2][3]; void test(int n) {{ int *t[1] = {{ [0] = {element}, [0] = 0 }}; }}"));
    assert!(row("&m[1][n]").ends_with(message), "{}", row("&m[1][n]"));
    assert!(row("&m[1][2]").starts_with('['), "{}", row("&m[1][2]"));
}

#[test]
fn pointers_into_the_middle_are_set_before_anything_else() {
    let text = |declaration: &str| format!("int a[4]; {declaration} void test(int i) {{ *p[i & 1] = 1; }}");
    for declaration in ["int *p[2] = { a + 2, a };", "int *const p[2] = { a + 2, a };"] {
        let set = outcome(&text(declaration));
        let (store, load) = (set.find("Store"), set.find("Load"));
        assert!(store.is_some() && store < load && set.contains("Constant(8), scale: 1"), "{set}");
    }
    // A constant object of these can be written, as far as the program form goes.
    let without = outcome("int a[4]; int *const p[2] = { a + 2, a }; void test(int i) { int **q = (int **)&p[i & 1]; *q = 0; }");
    assert!(without.ends_with("a conversion that takes const away, in a program with const objects that can be written"), "{without}");
}

/// Compilers do not agree with themselves on what such an array is.
#[test]
fn initialisers_make_no_array_without_elements() {
    let expected = "unsupported: an initialiser that makes an array without elements";
    refused("int a[] = {};", "int n = sizeof a;", &format!("1:9: {expected}"));
    refused("", "int a[] = {};", &format!("2:27: {expected}"));
    refused("", "int n = sizeof((int[]){});", &format!("2:34: {expected}"));
}

/// A pointer from before would lead to what is initialised again beside it (C11 6.5.2.5p5).
#[test]
fn compound_literals_that_are_initialised_again_have_no_pointers() {
    let what = "unsupported: a pointer to a compound literal in the header of a loop, or that a goto leads back over";
    let declarations = "struct s { int a; }; int f(struct s *p) { return p->a; } int g(struct s x) { return x.a; }";
    for body in [
        "while (f(&(struct s){ n })) n--;",
        "do n--; while (f(&(struct s){ n }));",
        "for (; f(&(struct s){ n }); ) n--;",
        "for (; n; n -= f(&(struct s){ 1 })) ;",
        "again: n -= f(&(struct s){ 1 }); if (n) goto again;",
    ] {
        let outcome = outcome(&format!("{declarations} void test(int n) {{ {body} }}"));
        assert!(outcome.contains(what), "{body}: {outcome}");
    }
    for body in
        ["while (g((struct s){ n })) n--;", "while (n) { n -= f(&(struct s){ 1 }); }", "f(&(struct s){ 1 }); again: if (--n) goto again;"]
    {
        let outcome = outcome(&format!("{declarations} void test(int n) {{ {body} }}"));
        assert!(outcome.starts_with('['), "{body}: {outcome}");
    }
}
