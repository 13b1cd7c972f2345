//! What is evaluated once, twice or never.

use super::{fails, holds, refused};
use goatherd_frontend::{
    lower::lower,
    source::{Options, from_text},
};

/// GNU's `c ?: b` evaluates `c` once, whatever is called beside it.
#[test]
fn an_omitted_operand_is_the_condition() {
    holds("int test(void) { int r = (g ?: 7) + set(0); __VERIFIER_assert(r == 1 || r == 7); return 0; }");
    holds("int test(void) { int i = 1, *p = &i; int r = (*p ?: 7) + (same(2) ?: 1); __VERIFIER_assert(r == 3); return 0; }");
    holds(
        "int test(void) { int i = 2, r = (i-- ?: 7); __VERIFIER_assert(r == 2 && i == 1); for (int j = 0; j < 3; j++) r += (nine[j] ?: 1); __VERIFIER_assert(r == 29); return 0; }",
    );
    holds(
        "int none(int *p) { *p = 0; return 0; } int test(void) { int l = 1, r = (l ?: 7) + none(&l); __VERIFIER_assert(r == 1 || r == 7); return 0; }",
    );
    fails("int test(void) { int r = (zero ?: 7) + set(0); __VERIFIER_assert(r == 0); return 0; }");
    // The value has no sequence point behind it that the source has not.
    fails("int test(void) { int i = 1; i = (same(zero) ?: i++); return 0; }");
}

/// A change of a volatile object is one of any: a side effect that no sequence point ends (C11 6.5p2).
#[test]
fn changes_of_volatile_objects_are_side_effects() {
    for body in [
        "v = v++;",
        "v = v--;",
        "w[0] = w[0]++;",
        "volatile int k = 1; k = k++;",
        "volatile int *p = &v; *p = v++;",
        "v = v + v++;",
        "v++ + v++;",
    ] {
        fails(&format!("int test(void) {{ {body} return 0; }}"));
    }
    holds("int test(void) { v++; w[0] = w[1]++; int i = v--; volatile int k = 1; i = k++ + 1; v += 2; return 0; }");
}

/// They hold any value when they are read, also where the value is converted or changed.
#[test]
fn volatile_objects_hold_any_value() {
    for condition in [
        "v++ == 0",
        "(v = 3, v) == 3",
        "(unsigned)v == 0",
        "v + 0 == 0",
        "++v == 1",
        "!v",
        "(v -= 1) == -1",
        "k++ == 1",
        "k == 1",
        "({ if (k) same(1); k == 1; })",
    ] {
        fails(&format!("int test(void) {{ volatile int k = 1; __VERIFIER_assert({condition}); return 0; }}"));
    }
    holds(
        "int test(void) { int i = v; __VERIFIER_assert(i == i && (v = 3) == 3); volatile unsigned char c = 1; i = c; __VERIFIER_assert(i >= 0 && i < 256); return 0; }",
    );
    refused("int test(void) { bits.low++; return 0; }", "the value of a volatile object that is no integer, or of a bit-field");
    refused("int test(void) { return bits.low; }", "the value of a volatile object that is no integer, or of a bit-field");
}

/// An expectation may fail, and is unsequenced with the value.
#[test]
fn expectations_are_constants() {
    for expected in ["1 / x", "*p", "x", "nine[x]"] {
        refused(
            &format!("int test(void) {{ int x = 0, *p = 0; return __builtin_expect(x, {expected}); }}"),
            "an expectation that is no constant",
        );
    }
    holds("int test(void) { int x = 2; __VERIFIER_assert(__builtin_expect(x++ == 2, !0) && x == 3); return 0; }");
}

/// Compilers call constant expressions constant; what an optimiser finds out is open.
#[test]
fn what_is_constant_for_compilers() {
    holds("int test(void) { __VERIFIER_assert(__builtin_constant_p(3 + sizeof(int))); return 0; }");
    for value in ["fixed", "zero", "fixed + 1"] {
        fails(&format!("const int fixed = 5; int test(void) {{ __VERIFIER_assert(__builtin_constant_p({value})); return 0; }}"));
        fails(&format!("const int fixed = 5; int test(void) {{ __VERIFIER_assert(!__builtin_constant_p({value})); return 0; }}"));
    }
    let unit = from_text("f.c", "int g; int test(void) { return __builtin_constant_p(g); }", &Options::default()).expect("it is C");
    assert_eq!(lower(&unit, "test").expect("it is understood").approximate.len(), 1, "compilers say more");
    holds("int test(void) { int i = 0; int k = __builtin_constant_p(i++); __VERIFIER_assert(i == 0 && (k == 0 || k == 1)); return 0; }");
}

/// Of operands that are not evaluated all that counts is their type (C11 6.5.3.4p2): not which literals are in them, or whether a function is defined.
#[test]
fn operands_that_are_not_evaluated() {
    let compared = "int at(const char *s, const char *p) { return s == p; }";
    holds(&format!("{compared} int test(void) {{ __VERIFIER_assert(sizeof(at(\"ab\", \"ab\")) == 4); return at(\"ab\", 0); }}"));
    refused(&format!("{compared} int test(void) {{ return at(\"ab\", \"ab\"); }}"), "string literals that end alike");
    refused(&format!("{compared} int test(void) {{ return sizeof(char) == 1 && at(\"ab\", \"b\"); }}"), "string literals that end alike");
    // What initialises a static object is evaluated, also where the object is used in such an operand first.
    let table = "static struct { const char *s; } entry = { \"ab\" };";
    let uses = "return sizeof entry != 8 || at(entry.s, \"ab\");";
    refused(&format!("{compared} {table} int test(void) {{ {uses} }}"), "string literals that end alike");
    let elsewhere = "short elsewhere(int x); struct wide { long parts[3]; }; struct wide *far(void);";
    holds(&format!(
        "{elsewhere} int test(void) {{ __typeof__(elsewhere(1)) s = 40000; __VERIFIER_assert(sizeof elsewhere(zero++) == 2 && s < 0 && zero == 0 && sizeof *far() == 24); return 0; }}"
    ));
    refused(
        &format!("{elsewhere} int test(void) {{ return sizeof(short) + elsewhere(1); }}"),
        "a call of 'elsewhere', which is not defined",
    );
    refused("int test(void) { return sizeof(nowhere(1)); }", "'nowhere'");
    refused(&format!("{elsewhere} int test(void) {{ return sizeof elsewhere(); }}"), "'elsewhere' takes 1 arguments, not 0");
}

/// Lengths of parameters are evaluated on entry (C11 6.9.1p10), those of prototypes never (6.7.6.2p5).
#[test]
fn lengths_of_parameters_are_evaluated_on_entry() {
    let test = "int test(void) { int b[9] = { 3 };";
    holds(&format!("int f(int n, int a[n = 5]) {{ return n; }} {test} __VERIFIER_assert(f(1, b) == 5); return 0; }}"));
    holds(&format!("int f(int n, int a[n++]) {{ return n; }} {test} __VERIFIER_assert(f(1, b) == 2); return 0; }}"));
    holds(&format!("int f(int n, int a[g = 4]) {{ return n; }} {test} __VERIFIER_assert(f(1, b) == 1 && g == 4); return 0; }}"));
    holds(&format!("int f(int n, int a[same(n += 2)]) {{ return n; }} {test} __VERIFIER_assert(f(1, b) == 3); return 0; }}"));
    holds(&format!(
        "int f(int n, int *p, int a[*p], int c[*p + n]) {{ return a[0]; }} {test} __VERIFIER_assert(f(1, b, b, b) == 3); return 0; }}"
    ));
    holds(&format!("int f(int n, int a[n], int c[2 * n]) {{ return n; }} {test} __VERIFIER_assert(f(0, b, b) == 0); return 0; }}"));
    holds(&format!(
        "int f(int n, int a[n = 7]); int f(int n, int a[n]) {{ return n; }} {test} __VERIFIER_assert(f(1, b) == 1); return 0; }}"
    ));
    for length in ["*p", "1 / n", "nine[n + 3]", "same(*p)"] {
        fails(&format!("int f(int n, int *p, int a[{length}]) {{ return n; }} {test} f(0, 0, b); return 0; }}"));
    }
    let message = "array parameters of more than one length, one of which is more than a value";
    refused(&format!("int f(int n, int a[n = 0], int c[1 / n]) {{ return n; }} {test} f(1, b, b); return 0; }}"), message);
    refused(
        &format!("int f(int n, int a[static n]) {{ return n; }} {test} f(1, b); return 0; }}"),
        "'static' with a length that is not constant",
    );
    refused(&format!("int f(int n, int a[nowhere]) {{ return n; }} {test} f(1, b); return 0; }}"), "'nowhere' is not declared");
}

/// Whether an index leaves its array is asked where the element is reached: behind both operands, so behind a call that lets no bad index pass.
#[test]
fn indices_are_tested_behind_both_operands() {
    let checked = |limit: i32| {
        format!(
            "struct s {{ int x[4]; int n; }} s; struct s *checked(void) {{ if (s.n < 1 || s.n > {limit}) exit(0); return &s; }}
             int m[3][4]; int row(void) {{ if (s.n < 1 || s.n > {limit}) exit(0); return 1; }}"
        )
    };
    for n in [-1, 0, 1, 4, 5, 6] {
        for body in
            ["checked()->x[s.n - 1] = 2;", "m[row()][s.n - 1]++;", "return *&m[row()][s.n - 1];", "int *p = &checked()->x[s.n - 1];"]
        {
            let program = |limit| format!("{} int test(void) {{ s.n = {n}; {body} return 0; }}", checked(limit));
            holds(&program(4));
            // `&a[4]` is behind the last element.
            if n == 6 || n == 5 && !body.contains("= &") {
                fails(&program(6));
            }
        }
    }
    // The call comes before the index or after it.
    fails("int m[2][3]; int k; int reset(void) { k = 0; return 1; } int test(void) { k = 3; return m[reset()][k]; }");
    fails("int m[2][3]; int k; int spoil(void) { k = 3; return 1; } int test(void) { k = 0; return m[spoil()][k]; }");
    holds("int m[2][3]; int k; int other(void) { k = 2; return 1; } int test(void) { k = 0; return m[other()][k]; }");
    // An index that fails is one of the expression, which may come before another call.
    fails("int m[2][3]; int k = 3; int end(void) { exit(0); return 1; } int test(void) { return m[1][k] + end(); }");
    fails("int m[2][3]; int test(void) { int i = 0; i = m[0][i++]; return i; }");
    fails("int m[2][3]; int test(void) { &m[1][zero - 1]; return 0; }");
    fails("int m[2][3]; int test(void) { return m[1][3]; }");
}

/// An index of a large array inside a struct chooses among all of its elements.
#[test]
fn large_arrays_inside_of_structs_have_all_their_elements() {
    let buffer = "struct b { int before; char d[1000]; int n; } b; void put(struct b *b, int i, char c) { b->d[i] = c; }";
    for index in [0, 1, 63, 64, 500, 998, 999] {
        holds(&format!(
            "{buffer} int test(void) {{ b.before = b.n = 7; put(&b, {index}, 3); int i = {index} + zero;
             __VERIFIER_assert(b.d[i] == 3 && b.before == 7 && b.n == 7 && b.d[{index}] == 3 && b.d[(i + 1) % 1000] == 0); return 0; }}"
        ));
    }
    for index in [-1, 1000, 1004] {
        fails(&format!("{buffer} int test(void) {{ put(&b, {index}, 3); return 0; }}"));
    }
    refused(
        "struct b { char d[1025]; int n; } b; int test(void) { b.d[zero] = 1; return 0; }",
        "an array of more than 1024 elements inside a struct with an index that is not constant",
    );
}

/// GCC takes a value from a function without a result, after a warning, and evaluates it.
#[test]
fn what_a_function_without_a_result_returns_is_evaluated() {
    holds(
        "void f(int n) { if (n) return g = 7; return; } int test(void) { f(zero); __VERIFIER_assert(g == 1); f(one); __VERIFIER_assert(g == 7); return 0; }",
    );
    holds("void f(void) { return set(5); } void h(void) { return f(); } int test(void) { h(); __VERIFIER_assert(g == 5); return 0; }");
    fails("void f(void) { return 1 / zero; } int test(void) { f(); return 0; }");
    fails("void f(int n) { if (n) return f(n - 1); return set(0); } int test(void) { f(2); __VERIFIER_assert(g); return 0; }");
    // What is evaluated may not come back.
    holds("_Noreturn void f(void) { return exit(0); } int test(void) { f(); }");
    fails("_Noreturn void f(void) { return (void)set(0); } int test(void) { f(); return 0; }");
}

/// The end of a function fails where its value is used, however it is called.
#[test]
fn nobody_need_use_what_a_pointer_leads_to() {
    let program = |body: &str| {
        format!("int f(int n) {{ if (n) return 1; }} int h(int n) {{ return 2; }} int (*p)(int) = f; int test(void) {{ {body} return 0; }}")
    };
    holds(&program("int (*q)(int) = f; q(0); (*q)(1), q(0); (void)p(0); p = one ? p : h; p(0); p = h; p(0);"));
    fails(&program("int (*q)(int) = f; int k = q(0);"));
    fails(&program("p = one ? p : h; set(p(0));"));
}
