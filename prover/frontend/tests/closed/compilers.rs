//! What a compiler takes from a file beyond what the entry comes by, and what it makes of it.

use super::{outcome, refused};
use goatherd_frontend::source::{Options, from_text};

/// GCC takes `const` of a function for a promise that it has no effects, and `volatile` for one that it does not return.
#[test]
fn types_of_functions_are_not_qualified() {
    let message = "unsupported: a type of functions that is qualified";
    refused("typedef int fn(void); int f(void) { return 1; }", "const fn *p = f; p();", &format!("2:19: {message}"));
    refused("typedef int fn(void); static const fn f; static int f(void) { return 1; }", "f();", &format!("1:23: {message}"));
    refused("typedef int fn(int); static int call(volatile fn f) { return f(1); }", "call(0);", &format!("1:38: {message}"));
    assert!(outcome("typedef int fn(void); int f(void) { return 1; } void test(void) { fn *const p = f; p(); }").starts_with('['));
}

/// Whatever file a line marker names, it makes no system header of the user's own text.
#[test]
fn line_markers_hide_no_attributes() {
    let refused = |text: &str| {
        let outcome = outcome(text);
        assert!(outcome.contains("unsupported: the attribute '"), "{text}: {outcome}");
    };
    for mark in ["#line 1 \"absent.y\"", "# 1 \"absent.h\" 3", "# 1 \"/usr/include/absent.h\" 1 3 4"] {
        for hidden in [
            "void f(void) __attribute__((constructor)); int n; void f(void) { n = 1; }",
            "static void f(void) __attribute__((constructor));\n#line 9 \"f.c\"\nint n; static void f(void) { n = 1; }",
            "int n; __attribute__((constructor)) static void f(void) { n = 1; }",
            "int n; static inline __attribute__((gnu_inline, constructor)) void f(void) { n = 1; }",
            "int n; void g(void) { n = 1; } void (*p)(void) __attribute__((section(\".init_array\"))) = g;",
            "int n; void (*p[1])(void) __attribute__((section(\".init_array\")));",
            "int n; int f(void), p __attribute__((section(\".init_array\")));",
            "int n; void g(void), (f)(void) __attribute__((constructor)); void f(void) { n = 1; }",
            "int n; void (*p)(void) __attribute__((extern, section(\".init_array\")));",
            "int n; __attribute__((constructor)) static void f(void) { int gnu_inline; n = 1; }",
        ] {
            refused(&format!("int m;\n{mark}\n{hidden}\nvoid test(void) {{ n = 2; }}"));
        }
    }
    for body in ["_Noreturn extern void f(void);", "__asm__(\".pushsection .init_array\");"] {
        let text = format!(
            "int n; void f(void) {{ n = 1; }}\n# 1 \"absent.h\" 3\nvoid g(void) {{ __int128 z; {body} }}\nvoid test(void) {{ f(); }}"
        );
        assert!(outcome(&text).contains("unsupported: 128-bit integers"), "{text}: {}", outcome(&text));
    }
    let object = "int n;\n# 1 \"absent.h\" 3\n__int128 malloc;\nvoid test(void) { n = 1; }";
    assert!(outcome(object).contains("unsupported: 128-bit integers"));
    let header = "# 1 \"absent.h\" 1 3 4\nextern void quit(void) __attribute__((constructor)); extern __int128 wide(__int128);\n\
                  extern inline __attribute__((gnu_inline)) int abs(int n) { return n; }\n\
                  typedef struct { int part; } __attribute__((mode(DI))) odd; extern int last __attribute__((weak));\n# 2 \"f.c\" 2\n";
    assert!(outcome(&format!("{header} int n; void test(void) {{ n = 1; }}")).starts_with('['), "nothing asks for what it declares");
}

/// What is not said is how the program is compiled.
#[test]
fn macros_of_other_compilations() {
    for name in ["__OPTIMIZE__", "__NO_INLINE__", "__SANITIZE_ADDRESS__", "__NO_CTYPE", "__TIME__", "__BASE_FILE__"] {
        let text = format!("int n;\n#ifdef {name}\n#endif\nvoid test(void) {{ n = 1; }}");
        assert_eq!(outcome(&text), format!("f.c:2:8: unsupported: {name}, which depends on how the program is compiled"));
    }
    let of_command_line = Options { definitions: vec!["X=__OPTIMIZE__".to_owned()], ..Options::default() };
    let reports = from_text("f.c", "#if X\n#endif\nvoid test(void) {}", &of_command_line).expect_err("it depends on -O");
    assert_eq!(reports[0].message, "__OPTIMIZE__, which depends on how the program is compiled");
    let text = "#include <ctype.h>\nint n;\n#ifndef isalnum\n#endif\nvoid test(void) { n = isalnum(n); }";
    assert!(outcome(text).contains("unsupported: isalnum, which depends on how the program is compiled"), "{}", outcome(text));
    let pasted = "#define JOIN(a, b) a##b\nint n;\n#if JOIN(__OPTI, MIZE__)\n#endif\nvoid test(void) { n = 1; }";
    let message =
        "f.c:3:18: unsupported: MIZE__, out of which __OPTIMIZE__ may be pasted together, which depends on how the program is compiled";
    assert_eq!(outcome(pasted), message);
    let by_header = "#include <sys/cdefs.h>\nint n;\n#if __CONCAT(__PI, C__)\n#endif\nvoid test(void) { n = 1; }";
    assert!(outcome(by_header).contains("unsupported: C__, out of which __PIC__ may be"), "{}", outcome(by_header));
    let configuration = "#define JOIN(a, b) a##b\nint n;\n#if JOIN(__HAS, _LISTS)\n#endif\nvoid test(void) { n = 1; }";
    assert!(outcome(configuration).starts_with('['), "{}", outcome(configuration));
    assert!(outcome("int n;\n#ifdef __GNUC__\n#endif\nvoid test(void) { n = __LINE__; }").starts_with('['));
}

/// What is said inside of a function holds in all of the file for a compiler, whether the entry comes by or not.
#[test]
fn functions_promise_nothing_inside() {
    let f = "int n; int f(int x) { return ++n; }";
    for (promise, refused) in [
        ("extern int f(int) __attribute__((const));", "the attribute 'const' inside of a function"),
        ("__attribute__((pure)) extern int f(int);", "the attribute 'pure' inside of a function"),
        ("extern int (__attribute__((pure)) f)(int);", "the attribute 'pure' inside of a function"),
        ("_Noreturn extern int f(int);", "_Noreturn inside of a function"),
        ("typedef int type(int); extern const type f;", "a function declared inside of another one by a type that is qualified"),
        ("extern int puts(const char *) __asm__(\"f\");", "a name for the assembler inside of a function"),
        ("int i = sizeof(({ extern int f(int) __attribute__((const)); 1; }));", "the attribute 'const' inside of a function"),
        ("typedef void type(int k[({ _Noreturn extern int f(int); 1; })]);", "_Noreturn inside of a function"),
    ] {
        for body in ["f(1);", "unused();"] {
            let text = format!("{f} static int unused(void) {{ {promise} return 1; }} void test(void) {{ {body} }}");
            let outcome = outcome(&text);
            assert!(outcome.contains(&format!("unsupported: {refused}")), "{text}: {outcome}");
        }
    }
    for template in [".pushsection .init_array", "abort: ret", "puts = f", ".{p|q}ushsection x", "\\x2epushsection x"] {
        let text = format!("{f} static void unused(void) {{ __asm__(\"{template}\"); }} void test(void) {{ f(1); }}");
        assert!(outcome(&text).ends_with("unsupported: asm that may define something"), "{template}: {}", outcome(&text));
    }
    let harmless = "static int unused(void) { extern int f(int); const int index = 3; __asm__ volatile(\"rep; nop\"); return f(index); }";
    assert!(outcome(&format!("{f} {harmless} void test(void) {{ f(1); }}")).starts_with('['));
    let of_type = "typedef int *type(int) __attribute__((returns_nonnull)); void test(void) {}";
    assert_eq!(outcome(of_type), "f.c:1:1: unsupported: the attribute 'returns_nonnull' of a type");
}

/// The operand of `__typeof__` is evaluated if its type says how long an array is.
#[test]
fn operands_that_are_evaluated() {
    let message = "an operand of __typeof__ that does something, beside an array whose length is not constant";
    for operand in ["*(x = 7, &a)", "x++ ? &a : &a", "({ x = 4; &a; })", "*(h(), &a)"] {
        let text = format!("int x, n = 2; int h(void) {{ return x = 1; }} void test(void) {{ int a[n]; __typeof__({operand}) *p = 0; }}");
        assert!(outcome(&text).contains(message), "{operand}: {}", outcome(&text));
    }
    assert!(outcome("int x; int h(void) { return x; } void test(void) { __typeof__(h()) y = h(); int a[4]; a[0] = y; }").starts_with('['));
}

/// A function without a prototype is called with what the arguments are promoted to (C11 6.5.2.2p6).
#[test]
fn assertions_without_a_prototype() {
    let message = "2:19: unsupported: an argument that is no int, of '__VERIFIER_assert' without a prototype";
    refused("void __VERIFIER_assert();", "__VERIFIER_assert(1L << 32);", message);
    refused("", "__VERIFIER_assert(1L << 32);", message);
    assert!(outcome("void __VERIFIER_assert(); int n; void test(void) { __VERIFIER_assert(n == 0); }").starts_with('['));
}
