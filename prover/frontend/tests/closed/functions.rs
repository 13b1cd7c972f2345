//! Functions: their definitions, what they promise, and what they are given.

use super::{fails, first_line, outcome, refused};
use goatherd_frontend::{
    diagnostics::{Colors, render, reports},
    lower::lower,
    source::{Options, from_text},
};

#[test]
fn a_function_is_defined_under_its_own_name() {
    // The linker would take it for what is called elsewhere, `__VERIFIER_assume` or the entry function.
    refused(
        "void g(int a) __asm__(\"__VERIFIER_assume\"); void g(int a) {}",
        "",
        "1:15: unsupported: a name for the assembler of 'g', which is defined here",
    );
    refused(
        "static void f(void) { int g(void) __asm__(\"h\"); } int g(void) { return 1; }",
        "",
        "1:35: unsupported: a name for the assembler inside of a function",
    );
    refused("int g(void) __asm__(\"h\");", "", "1:13: unsupported: a name for the assembler of 'g', which may be another one's");
    assert!(outcome("int g(void) __asm__(\"__isoc99_g\"); void test(void) {}").starts_with('['));
}

#[test]
fn an_inline_definition_alone_is_not_the_librarys() {
    let inline = "inline long labs(long a) { return a; }";
    refused(inline, "labs(1);", "1:1: unsupported: an inline definition of 'labs' alone, beside which there may be another one");
    for text in ["long labs(long a);", "extern inline long labs(long a);"] {
        assert!(outcome(&format!("{inline} {text} void test(void) {{ labs(1); }}")).starts_with('['), "{text}");
    }
    for text in [
        "static inline long labs(long a) { return a; }",
        "extern inline long labs(long a) { return a; }",
        "inline int f(void) { return 1; }",
    ] {
        assert!(outcome(&format!("{text} void test(void) {{}}")).starts_with('['), "{text}");
    }
}

#[test]
fn what_takes_no_argument_is_given_none() {
    let nondet = "int __VERIFIER_nondet_int(); void __VERIFIER_ignore();";
    refused(nondet, "int a; __VERIFIER_nondet_int(a = 5);", "2:26: unsupported: an argument of '__VERIFIER_nondet_int', which takes none");
    refused(nondet, "__VERIFIER_ignore(1 / 0);", "2:19: unsupported: an argument of '__VERIFIER_ignore', which takes none");
    assert!(outcome(&format!("{nondet} void test(void) {{ if (__VERIFIER_nondet_int()) __VERIFIER_ignore(); }}")).starts_with('['));
}

#[test]
fn promises_of_functions_are_checked() {
    assert!(fails("_Noreturn static void f(void) {} void test(void) { f(); }"));
    assert!(fails(
        "static void f(int) __attribute__((noreturn)); static void f(int x) { if (x) return; for (;;); } void test(void) { f(1); }"
    ));
    assert!(fails("__attribute__((nonnull)) static int f(int *p) { return 1; } void test(int x) { f(x ? &x : 0); }"));
    assert!(!fails(
        "__attribute__((nonnull(2))) static int f(int *p, int *q) { return 1; } static int f(int *p, int *q); void test(void) {}"
    ));
    assert!(fails("__attribute__((returns_nonnull)) static int *f(int *p) { return p; } void test(int x) { f(x ? &x : 0); }"));
}

/// C11 6.5.2.2p6: what is passed where no prototype is seen has to have the parameter's type.
#[test]
fn arguments_without_a_prototype_have_the_types_of_the_parameters() {
    let message = "error: an argument of another type than the parameter, where no prototype of 'f' is seen";
    let alone = |text: &str| outcome(&format!("{text} int f(int x) {{ return x; }}"));
    assert_eq!(alone("int f(); void test(void) { f(1L); }"), format!("f.c:1:30: {message}"));
    assert_eq!(outcome("int f(a) int a; { return a; } void test(void) { f(-1u); }"), format!("f.c:1:51: {message}"));
    for text in ["int f(); void test(void) { f('a'); }", "int f(int); void test(void) { f(1L); }", "void test(void) { int f(int); f(1L); }"]
    {
        assert!(alone(text).starts_with('['), "{text}: {}", alone(text));
    }
}

/// C11 6.3.2.1p4: `*` makes a function of a pointer to one, which becomes the pointer again.
#[test]
fn functions_are_called_through_any_number_of_indirections() {
    let text = "static int f(void) { return 1; } void test(void) { int (*p)(void) = f, (**q)(void) = &p; (**p)(); (***p)(); (**q)(); }";
    assert!(outcome(text).starts_with('['), "{}", outcome(text));
}

#[test]
fn built_in_functions_are_never_the_users() {
    refused(
        "static int strlen(char *s) { return 0; }",
        "__builtin_strlen(\"\");",
        "2:19: unsupported: a call of '__builtin_strlen' in a program that defines 'strlen' itself",
    );
    refused("void *malloc(unsigned);", "malloc(1);", "2:19: unsupported: 'malloc', which is declared with another type than the library's");
    for declared in
        ["void *memset(char *, int, unsigned long)", "char *memset(void *, int, unsigned long)", "long memset(void *, int, unsigned long)"]
    {
        let found = outcome(&format!("{declared}; void test(void) {{ char a[2]; memset(a, 0, 2); }}"));
        assert!(
            found.starts_with("f.c:1:") && found.ends_with("'memset' is declared with another type before, or in the library"),
            "{found}"
        );
    }
    assert!(outcome("void *memset(void *p, int, unsigned long); void test(void) { char a[2]; memset(a, 0, 2); }").starts_with('['));
    let unseen = outcome("void test(void) { f(1); } int f(long x) { return 1; }");
    assert_eq!(unseen, "f.c:1:19: error: 'f' is called before it is declared");
    let unlike = outcome("int f(); int f(char x) { return 1; } void test(void) { f(1); }");
    assert_eq!(unlike, "f.c:1:14: error: 'f' is declared with another type before, or in the library");
    assert!(outcome("int f(); int f(long x) { return 1; } void test(void) { f(1); }").starts_with('['), "the prototype is seen");
    assert!(outcome("int f(long x) { return 1; } int f(); void test(void) { f(1); }").starts_with('['), "and stays");
    assert!(outcome("int f(long x); int f(); void test(void) { f(1); } int f(long x) { return 1; }").starts_with('['));
    let unconverted = outcome("int f(); void test(void) { f(1); } int f(long x) { return 1; }");
    assert_eq!(unconverted, "f.c:1:30: error: an argument of another type than the parameter, where no prototype of 'f' is seen");
    let hidden = outcome("long f(long); void test(void) { int f; { long f(); f(-1); } } long f(long x) { return x; }");
    assert_eq!(hidden, "f.c:1:47: unsupported: a function without a prototype whose name is another's around it");
    refused("", "__builtin_assume(0);", "2:19: unsupported: a call of '__builtin_assume', which is not defined");
    assert!(
        outcome("extern unsigned __VERIFIER_nondet_int(void); void test(void) { unsigned x = __VERIFIER_nondet_int(); }").contains("Havoc")
    );
}

/// C11 5.1.2.2.1: how many arguments there are is any number that is not negative; what they are is not modelled.
/// What `main` says of this source, as the entry function.
fn of_main(text: &str) -> Result<String, String> {
    let unit = from_text("f.c", text, &Options::default()).unwrap();
    match lower(&unit, "main") {
        Ok(lowered) => Ok(format!("{:?} {:?}", lowered.program.inputs, lowered.program.instructions)),
        Err(diagnostics) => Err(first_line(&render(&reports(&unit, &diagnostics), Colors::Never))),
    }
}

#[test]
fn arguments_of_main_are_counted_and_not_looked_at() {
    let counted = of_main("int main(int argc, char **argv) { (void)argv; return argc > 1; }").unwrap();
    assert!(counted.contains("Integer { register: RegisterId(1) }"), "{counted}");
    assert!(
        counted.contains("relation: Less, left: Register(RegisterId(1)), right: Constant(0)") && counted.contains("Ignore"),
        "{counted}"
    );
    let stored = of_main("int main(int argc, char **argv) { int *count = &argc; return *count; }").unwrap();
    assert!(stored.contains("Ignore"), "{stored}");
    for body in ["return argv[0] != 0;", "argv = 0; return 0;", "char ***p = &argv; return p != 0;", "return argc > 1 && **argv;"] {
        let refused = of_main(&format!("int main(int argc, char **argv) {{\n{body} }}")).unwrap_err();
        assert!(refused.starts_with("f.c:2:") && refused.ends_with("unsupported: a look at the arguments of main"), "{body}: {refused}");
    }
    // Nobody else's second parameter is the arguments.
    let own =
        of_main("static int f(int n, char **v) { return v != 0; }\nint main(int argc, char **argv) { char *p = 0; return f(1, &p); }");
    assert!(own.is_ok(), "{own:?}");
}

#[test]
fn lists_of_arguments_begin_in_their_function() {
    const DECLARED: &str = "typedef __builtin_va_list va_list;";
    let begun =
        |signature: &str, begin: &str| format!("{DECLARED} {signature} {{ {begin} return 0; }} void test(void) {{ va_list l; f(1, 2); }}");
    let elsewhere = "unsupported: a va_list that begins and is no variable of the function";
    for (signature, begin) in [
        ("static va_list g; int f(int n, ...)", "__builtin_va_start(g, n);"),
        ("static va_list g; int f(int n, ...)", "va_list l; __builtin_va_start(l, n); __builtin_va_copy(g, l);"),
        ("int f(int n, ...)", "struct { va_list l; } s; __builtin_va_start(s.l, n);"),
    ] {
        assert!(outcome(&begun(signature, begin)).ends_with(elsewhere), "{begin}: {}", outcome(&begun(signature, begin)));
    }
    let given =
        format!("{DECLARED} int f(va_list *l, ...) {{ __builtin_va_start(*l, l); return 0; }} void test(void) {{ va_list l; f(&l, 2); }}");
    assert!(outcome(&given).ends_with(elsewhere), "it would outlive the arguments");
    let said = |begin: &str| outcome(&begun("int f(int n, ...)", begin));
    assert!(said("va_list l; __builtin_va_start(l, n); return __builtin_va_arg(l, int);").starts_with('['));
    assert!(said("va_list l; __builtin_va_arg(l, char);").ends_with("error: an argument of a type that no argument has"));
    assert!(said("va_list l, k; l[0] = k[0];").ends_with("unsupported: what is inside a va_list"));
    assert!(said("int (*p)(int, ...) = f;").ends_with("unsupported: a pointer to a function with a variable number of arguments"));
    assert!(said("long l; __builtin_va_end(l);").ends_with("error: something else than a va_list"));
    let alone = format!("{DECLARED} void test(int n) {{ va_list l; __builtin_va_start(l, n); }}");
    assert!(outcome(&alone).ends_with("error: 'va_start' in a function without a variable number of arguments"));
    let late = "void test(void) { f(1, 2); } int f(int n, ...) { return 0; }";
    assert!(outcome(late).ends_with("error: 'f' is called where its '...' is not declared"), "{}", outcome(late));
    let wide = "int f(int n, ...) { return 0; } void test(void) { f(1, 1.5); }";
    assert!(outcome(wide).ends_with("unsupported: floating point"), "{}", outcome(wide));
}

#[test]
fn arguments_come_before_a_bad_call() {
    let text = "extern void exit(int); static int f(int n) { return n; } static int g(int n) { if (n > 5) exit(0); return 1; }
        void test(int n) { int (*p)(int) = n ? f : 0; p(g(n)); }";
    let outcome = outcome(text);
    let (halt, load) = (outcome.find("Halt"), outcome.find("Load"));
    assert!(halt.is_some() && load.is_some() && halt < load, "{outcome}");
}

#[test]
fn an_arbitrary_value_is_none_of_a_body() {
    let declared = "extern int __VERIFIER_nondet_int(void); void test(void) { __VERIFIER_nondet_int(); }";
    assert!(outcome(declared).starts_with('['));
    let defined = outcome(&format!("{declared} int __VERIFIER_nondet_int(void) {{ return 1; }}"));
    assert!(defined.contains("unsupported: a call of '__VERIFIER_nondet_int', which is defined here"), "{defined}");
}

/// What is declared under the name of a built-in function is what is called.
#[test]
fn built_in_functions_that_something_else_is_called_as() {
    let my = "static int my(int x) { return 7; } int n;";
    for (declared, body) in [
        ("", "int (*__builtin_abs)(int) = my; n = __builtin_abs(-1);"),
        ("", "static int (*__builtin_abs)(int) = my; n = __builtin_abs(-1);"),
        ("", "int (*abs)(int) = my; n = __builtin_abs(-1);"),
        ("static int f(int (*__builtin_abs)(int)) { return __builtin_abs(-1); }", "n = f(my);"),
        ("static int f(int __builtin_abs(int)) { return __builtin_abs(-1); }", "n = f(my);"),
        ("static int f(int abs(int)) { return __builtin_abs(-1); }", "n = f(my);"),
        ("struct s { int (*abs)(int); int (*__builtin_abs)(int); };", "struct s s = { my, my }; n = s.__builtin_abs(-1);"),
    ] {
        let outcome = outcome(&format!("{my} {declared} void test(void) {{ {body} }}"));
        let message = "unsupported: a call of '__builtin_abs', in a file that has the name 'abs' for something else";
        assert!(outcome.contains(message), "{declared} {body}: {outcome}");
    }
    for text in [
        "int abs(int); int n; void test(void) { n = __builtin_abs(-1) + abs(-2); }",
        "#include <stdlib.h>\n#include <string.h>\nint n; void test(void) { n = __builtin_abs(-1) + abs(-2) + (int)__builtin_strlen(\"a\"); }",
        "int n; void test(void) { int abs = -1; n = abs; }",
    ] {
        assert!(outcome(text).starts_with('['), "{text}: {}", outcome(text));
    }
}
