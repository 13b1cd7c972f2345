//! C from before C99: functions without a type or a prototype, and calls of what is not declared.

use goatherd_certificates::program::{FailKind, Instruction};
use goatherd_frontend::{
    lower::lower,
    source::{Options, from_text},
};

/// What is refused; nothing where it is supported.
fn refused(text: &str) -> Vec<String> {
    let unit = match from_text("test.c", text, &Options::default()) {
        Ok(unit) => unit,
        Err(reports) => return reports.into_iter().map(|report| report.message).collect(),
    };
    lower(&unit, "test").err().into_iter().flatten().map(|found| found.message).collect()
}

fn is_refused(text: &str, why: &str) {
    let found = refused(text);
    assert!(found.iter().any(|message| message.contains(why)), "{text}: {found:?}");
}

fn is_supported(text: &str) {
    assert_eq!(refused(text), Vec::<String>::new(), "{text}");
}

#[test]
fn what_compilers_take_for_an_int_function_is_one() {
    is_supported("void test(int n) { assert(n == n); reach_error(); assume_abort_if_not(n); n++, assert(1); }");
    is_supported("void test(int n) { g(n); } g(n) { return n; }");
    is_supported("void test(void) { char s[3]; memset(s, 0, 3); if (strlen(s)) abort(); free(malloc(3)); }");
    let why = "is called before it is declared";
    is_refused("void test(void) { f(); } void f(void) {}", why);
    is_refused("void test(void) { long x = f(); } long f(void) { return 3; }", why);
    is_refused("void test(int n) { f(n); } int f(long n) { return 0; }", why);
    is_refused("void test(void) { long x = atol(\"1\"); }", why);
    is_refused("void test(char *s) { char *p = memrchr(s, 'a', sizeof(struct { long x; }) - 6); }", why);
    let why = "which is called before it is declared, and which the library has, too";
    for own in ["int index(int a, int b) { return a + b; }", "int ffs(a) { return a; }", "int isdigit(int c) { return c; }"] {
        let name = own.split(['(', ' ']).nth(1).unwrap_or_default();
        is_refused(&format!("void test(void) {{ int x = {name}(1, 2); }} {own}"), why);
        assert!(!refused(&format!("{own} void test(void) {{ int x = {name}(1, 2); }}")).iter().any(|message| message.contains(why)));
    }
    let why = "the type of a call of 'assert'";
    is_refused("void test(int n) { n = _Generic(assert(1), int: 0, default: 1); }", why);
    is_refused("void test(int n) { n = sizeof(assert(1)); }", why);
    is_refused("int reach_error(void); void test(int n) { n = sizeof(reach_error()); }", "the type of a call of 'reach_error'");
    is_refused("void test(int n) { n = sizeof(__typeof__(assert(1))); }", why);
}

#[test]
fn no_pointer_is_an_int() {
    for declared in ["", "void assert();"] {
        is_refused(&format!("{declared} void test(int n) {{ char *p = &n; assert(p); }}"), "a pointer as the argument of 'assert'");
    }
    is_supported("void assert(int); void test(int n) { char *p = &n; assert(p != 0); assert(!!p); }");
}

#[test]
fn what_fails_is_told_no_more_than_names() {
    is_supported("void test(void) { __assert_fail(\"x\", (char *)0, 3, __func__); }");
    is_refused("int f(void) { return 1; } void test(void) { reach_error(f()); }", "an argument of 'reach_error' that is computed");
}

#[test]
fn parameters_in_the_old_style_have_plain_types() {
    is_supported(
        "typedef struct s { int a; } S; f(s, n, a, b) S *s; struct s *b; char *a[3]; { return n + s->a; } void test(S *s) { char *a[3]; f(s, 1, a, s); }",
    );
    for declarations in [
        "struct t { int a; } x;",
        "enum { A } x;",
        "char (*x)[A];",
        "char (*x)[1 + 1];",
        "__typeof__(g) x;",
        "int (*x)(char (*)[A]);",
        "int (*x)(struct t { int a; } *);",
    ] {
        let text = format!("enum {{ A = 3 }}; int g; int f(A, x) int A; {declarations} {{ return 0; }} void test(void) {{ f(1, 0); }}");
        is_refused(&text, "depends on an expression");
    }
    is_refused("int f(b) _Bool b; { return b; } void test(void) { f(2); }", "a _Bool parameter in the old style");
    is_refused(
        "int f(c) char c; { return c; } void test(void) { int (*p)(int) = f; p(1); }",
        "a pointer to a function with parameters in the old style",
    );
    is_supported("int f() { return 1; } void test(void) { int (*p)(void) = f; p(); }");
}

/// Its types mean what they do where the definition stands.
#[test]
fn parameters_in_the_old_style_are_those_of_the_definition() {
    let is_alike = |inner: &str| refused(&format!("typedef int T; f(x) T x; {{ return x; }} void test(void) {{ {inner} f(300); }}"));
    assert_eq!(is_alike(""), is_alike("typedef char T;"));
    let text = |inner: &str| format!("typedef int T; f(x) T x; {{ return x; }} int test(void) {{ {inner} return f(300); }}");
    let program = |inner: &str| {
        let unit = from_text("test.c", &text(inner), &Options::default()).expect("it is C");
        lower(&unit, "test").expect("it is supported").program
    };
    assert_eq!(program("").instructions, program("typedef char T;").instructions);
}

/// `return;` gives no value (C11 6.9.1p12).
#[test]
fn a_value_that_was_not_returned_is_missing() {
    let fails = |text: &str| {
        let unit = from_text("test.c", text, &Options::default()).expect("it is C");
        let program = lower(&unit, "test").expect("it is supported").program;
        program.instructions.contains(&Instruction::Fail { kind: FailKind::MissingReturn })
    };
    assert!(fails("int f(int n) { return; } int test(void) { int k = 7; k = f(0); return k; }"));
    assert!(fails("int f(int n) { if (n) return 1; return; } int test(int n) { if (f(n)) n++; return n; }"));
    assert!(!fails("int f(int n) { return; } void test(void) { f(0); }"));
    assert!(!fails("void f(int n) { if (n) return; } void test(int n) { f(n); }"));
    assert!(!fails("int test(int n) { if (n) return; n++; return n; }"));
}

/// GCC folds what it saves of `x ?: y`.
#[test]
fn what_is_saved_is_no_pointer_of_a_number() {
    let why = "which depends on what compilers fold";
    is_refused("void test(int n) { n = sizeof(*((void *)(long)(n & 0) ?: &n)); }", why);
    is_refused("void test(int n) { int *p = (void *)(long)(n & 0) ?: &n; }", why);
    is_supported("void test(int n) { int *p = &n; p = p ?: &n; void *q = p; q = q ?: p; q = (void *)p ?: &n; }");
}

/// Compilers make a pointer to void of it, after a warning.
#[test]
fn pointers_to_different_types_are_no_choice() {
    is_refused("void test(int n) { int *p = &n; char *q = 0; void *r = p ? p : q; }", "a conditional between pointers to different types");
    is_supported("void test(int n) { int *p = &n; const int *q = p; void *r = p ? p : 0; const void *s = p ? q : p; s = p ? r : q; }");
}

#[test]
fn functions_are_declared_without_a_type() {
    is_supported(
        "static f(); extern g(), h(); k(); void test(void) { f(1); g(2); h(); k(3); } static f(n) { return n; } g(n) { return n; } h() {} k(n) {}",
    );
    is_supported("typedef int T; T (f(void)) { return 1; } T (*g(void)) { return 0; } void test(void) { f(); g(); }");
    is_refused("static T (x); void test(void) {}", "a syntax error");
}

/// A constant is of both types of its size that can hold it (C11 6.5.2.2p6).
#[test]
fn constants_are_arguments_of_either_sign() {
    let text = |argument: &str| {
        format!("enum e {{ A, B }}; f(x, c) enum e x; unsigned char c; {{ return x + c; }} int test(int n) {{ return f({argument}, 3u); }}")
    };
    is_supported(&text("B"));
    is_supported(&text("0x7fffffff"));
    let why = "an argument of another type than the parameter";
    for other in ["n", "-1", "1L"] {
        is_refused(&text(other), why);
    }
    is_refused("int f(unsigned n); int test(void) { return g(1); } int g(unsigned n) { return n; }", why);
}

/// Programs from before the library's headers say that memory is of characters.
#[test]
fn functions_of_the_library_have_its_types() {
    for declared in ["char *malloc();", "char *calloc(unsigned long, unsigned long);", "int free();"] {
        let text = format!("{declared} void test(void) {{ char *p = malloc(3); p = calloc(1, 3); free(p); }}");
        is_refused(&text, "which is declared with another type than the library's");
    }
    is_supported("void *malloc(); void free(); void test(void) { char *p = malloc(3); free(p); }");
}

/// A pointer becomes any int: its low half may be 0.
#[test]
fn pointers_as_assertions_are_converted() {
    let fails = |declared: &str, value: &str| {
        let text = format!("void __VERIFIER_assert({declared}); void test(int n) {{ int *p = &n; __VERIFIER_assert({value}); }}");
        let unit = from_text("test.c", &text, &Options::default()).expect("it is C");
        let program = lower(&unit, "test").expect("it is supported").program;
        program.instructions.iter().any(|instruction| matches!(instruction, Instruction::Havoc { .. }))
    };
    assert!(fails("int", "p") && fails("char", "(void *)p"));
    assert!(!fails("int", "p != 0") && !fails("_Bool", "p") && !fails("const void *", "p"));
}
