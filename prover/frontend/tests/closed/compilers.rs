//! What a compiler takes from a file beyond what the entry comes by, and what it makes of it.

use super::{outcome, refused};
use goatherd_frontend::source::{Options, from_text, load};

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
    let defined = "int n;\n# 1 \"absent.h\" 3\nvoid f(void) __attribute__((constructor)); void f(void) { __int128 z = 1; n = z; }\nvoid test(void) {}";
    assert!(outcome(defined).contains("unsupported: 128-bit integers"), "{}", outcome(defined));
    let apart = "int n;\n# 1 \"absent.h\" 3\nstatic void f(void) __attribute__((constructor)), *h(void);\nstatic void f(void) { __int128 z = 1; n = z; }\nvoid test(void) {}";
    assert!(outcome(apart).contains("unsupported: the attribute 'constructor'"), "{}", outcome(apart));
    for body in ["_Noreturn extern void f(void);", "[[gnu::noreturn]] void f(void);", "__asm__(\".pushsection .init_array\");"] {
        let text = format!(
            "int n; void f(void) {{ n = 1; }}\n# 1 \"absent.h\" 3\nstatic void g(void) {{ __int128 z; {body} }}\nvoid test(void) {{ f(); }}"
        );
        assert!(outcome(&text).contains("unsupported: 128-bit integers"), "{text}: {}", outcome(&text));
    }
    for hidden in ["__int128 malloc;", "__int128 (*const stdout);", "int puts(const char *s) { __int128 z = 7; return z; }"] {
        let object = format!("int n;\n# 1 \"absent.h\" 3\n{hidden}\nvoid test(void) {{ n = 1; }}");
        assert!(outcome(&object).contains("unsupported: 128-bit integers"), "{hidden}: {}", outcome(&object));
    }
    let header = "# 1 \"absent.h\" 1 3 4\nextern void quit(void) __attribute__((constructor)); extern __int128 wide(__int128);\n\
                  extern inline __attribute__((gnu_inline)) int abs(int n) { return n; }\n\
                  typedef struct { int part; } __attribute__((mode(DI))) odd; extern int last __attribute__((weak));\n# 2 \"f.c\" 2\n";
    assert!(outcome(&format!("{header} int n; void test(void) {{ n = 1; }}")).starts_with('['), "nothing asks for what it declares");
}

/// Compilers call a function of the library by the name that a declaration gives it, also where the source does not call it.
#[test]
fn names_for_the_assembler() {
    let own = "int n; int evil(int c) { return n = 1; }";
    for declared in [
        "int puts(const char *) __asm__(\"evil\");",
        "extern int putchar(int) __asm__(\"ev\" \"\\x69l\");",
        "void *memset(void *, int, unsigned long) __asm__(\"abort\");",
        "int __VERIFIER_nondet_int(void) __asm__(\"evil\");",
        "int fscanf(int) __asm__(\"__isoc99_scanf\");",
        "\n# 1 \"absent.h\" 3\nint puts(const char *) __asm__(\"evil\");\n# 3 \"f.c\"\n",
    ] {
        let text = format!("{own} {declared} void test(void) {{ n = 2; }}");
        assert!(outcome(&text).contains("unsupported: a name for the assembler of '"), "{declared}: {}", outcome(&text));
    }
    let redirected =
        "int __isoc99_fscanf(int n) { return n; }\n# 1 \"/usr/include/stdio.h\" 3\nint fscanf(int) __asm__(\"__isoc99_fscanf\");\n";
    let text = format!("{redirected}void test(void) {{}}");
    assert!(outcome(&text).contains("unsupported: a name for the assembler of 'fscanf'"), "{}", outcome(&text));
    for harmless in ["int fscanf(int) __asm__(\"__isoc99_fscanf\");", "int puts(const char *) __asm__(\"puts\");"] {
        let text = format!("{own} {harmless} void test(void) {{ n = 2; }}");
        assert!(outcome(&text).starts_with('['), "{harmless}: {}", outcome(&text));
    }
}

/// For GCC what attributes promise of a function is a part of its type, which goes on to others.
#[test]
fn types_of_functions_promise() {
    let functions = "int n; _Noreturn static void die(void) { for (;;) ; } __attribute__((nonnull)) static int load(int *p) { return *p; }\n\
                     static int one(int *p) { return 1; } static int two(int *p) { return 2; } static void f(void) { n = 1; }\n";
    let message = "unsupported: the type of a function, with what attributes say of it";
    for (taken, body) in [
        ("struct s { __typeof__(&die) p; };", "struct s s = { f }; s.p();"),
        ("__typeof__(&die) table[1] = { f };", "table[0]();"),
        ("", "((__typeof__(&die))f)();"),
        ("", "{ int die = 1; n = die; } struct { __typeof__(&die) p; } s = { f }; s.p();"),
        ("", "void g(int die); struct { __typeof__(&die) p; } s = { f }; s.p();"),
        ("", "int die = 1; { void die(void); struct { __typeof__(&die) p; } s = { f }; s.p(); }"),
        ("static int call(__typeof__(&load) q, int *p) { return q(p); }", "call(one, 0);"),
        ("static int unused(void) { extern __typeof__(load) later; return 1; } int later(int *p) { return 1; }", "later(0);"),
    ] {
        let text = format!("{functions} {taken} void test(void) {{ {body} }}");
        assert!(outcome(&text).contains(message), "{text}: {}", outcome(&text));
    }
    let message = "unsupported: a call of one of several functions, of which attributes say something";
    for body in ["(n ? one : load)(0);", "(one ?: load)(0);", "(0, n ? load : one)(0);", "(*(n ? &one : &load))(0);"] {
        let text = format!("{functions} void test(void) {{ {body} }}");
        assert!(outcome(&text).contains(message), "{text}: {}", outcome(&text));
    }
    let of_library = "#include <string.h>\nint n; static char *mine(char *a, const char *b) { return a; } void test(void) { (n ? mine : strcpy)(0, \"\"); }";
    assert!(outcome(of_library).contains(message), "{}", outcome(of_library));
    for body in [
        "(n ? one : two)(&n);",
        "__typeof__(one(&n)) m = 1; n = m;",
        "int (*p)(int *) = n ? one : load; p(&n);",
        "int load = 1; __typeof__(load) m = load; n = m;",
    ] {
        let text = format!("{functions} void test(void) {{ {body} }}");
        assert!(outcome(&text).starts_with('['), "{text}: {}", outcome(&text));
    }
    for promised in ["__attribute__((const)) void __VERIFIER_assume(int c)", "__attribute__((noreturn)) void __VERIFIER_assert(int c)"] {
        let text = format!(
            "int n; {promised}; {} {{ if (!c) for (;;) ; }} void test(void) {{ n = 1; }}",
            &promised[promised.find(')').expect("it has one") + 3..]
        );
        assert!(outcome(&text).contains("unsupported: an attribute of '__VERIFIER_as"), "{text}: {}", outcome(&text));
    }
    let old = "void __VERIFIER_assert(c) char c; { if (!c) for (;;) ; } void test(void) { __VERIFIER_assert(256); }";
    assert!(outcome(old).ends_with("unsupported: '__VERIFIER_assert', which is defined without a prototype"), "{}", outcome(old));
    let variadic = "__attribute__((nonnull)) static int f(int n, ...) { return n; } void test(void) { f(1, (int *)0); }";
    assert!(outcome(variadic).ends_with("unsupported: the attribute 'nonnull' of what stands for '...'"), "{}", outcome(variadic));
    assert!(outcome(&variadic.replace("nonnull", "nonnull(2)").replace("int n,", "int n, int *p,")).starts_with('['));
}

/// What the compiler reads from the standard input it does not know again, and a header of the user's is none of the system's.
#[test]
fn files_that_compilers_take_for_others() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("taken-for-others");
    std::fs::create_dir_all(&folder).expect("the folder for tests can be written");
    let refused = |name: &str, text: &str, message: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).expect("the folder for tests can be written");
        let reports = load(&path, &Options::default()).expect_err(name);
        assert!(reports.iter().any(|report| report.message == message), "{name}: {reports:?}");
    };
    for (name, header) in [("once.c", "once.c"), ("below.c", "./below.c")] {
        let text = format!("#pragma once\n#ifndef V\n#define V\n#include \"{header}\"\nvoid test(void) {{}}\n#endif\n");
        refused(name, &text, "a file that includes itself");
    }
    for header in ["<own.h", "\u{e9}.h", "a\\"] {
        std::fs::write(folder.join(header), "#ifdef __OPTIMIZE__\n#endif\nint n;\n").expect("the folder for tests can be written");
        let path = folder.join("headed.c");
        std::fs::write(&path, format!("#include \"{header}\"\nvoid test(void) {{ n = 1; }}\n"))
            .expect("the folder for tests can be written");
        let reports = load(&path, &Options::default()).expect_err(header);
        let messages = ["__OPTIMIZE__, which depends on how the program is compiled", "a file that cannot be read, or is too large"];
        assert!(reports.iter().any(|report| messages.contains(&report.message.as_str())), "{header}: {reports:?}");
    }
    std::fs::write(folder.join("own.h"), "#pragma GCC system_header\nint n;\n").expect("the folder for tests can be written");
    let message = "a #pragma that hides what is said in headers";
    refused("headed.c", "#include \"own.h\"\nvoid test(void) { n = 1; }\n", message);
}

/// The rewritten text and the models have names of their own, which are reserved (C11 7.1.3).
#[test]
fn names_of_our_own() {
    for body in [
        "int __condition = 4; int y = 9 ? __condition : 3;",
        "struct s { int a; } s; int __nothing = 3; s = (struct s){ __nothing };",
        "short __element = 1;",
        "int __errno_user = 1;",
        "int __goatherd_1 = 1;",
    ] {
        let outcome = outcome(&format!("void test(void) {{ {body} }}"));
        assert!(outcome.contains(", which is reserved") && outcome.contains("unsupported: the name __"), "{body}: {outcome}");
    }
    assert!(outcome("#include <errno.h>\nint n; void test(void) { errno = 0; n = n ?: 7; }").starts_with('['));
    let undeclared = outcome("void test(void) { int x = __VERIFIER_nondet_uchar(); }");
    assert!(undeclared.ends_with("unsupported: a call of '__VERIFIER_nondet_uchar', which is not declared"), "{undeclared}");
    assert!(outcome("void test(void) { int x = __VERIFIER_nondet_int(); }").starts_with('['));
}

/// What is said in the text but the preprocessor does not show is looked for, and only there.
#[test]
fn texts_that_hide_or_look_so() {
    for (text, message) in [
        ("#define DROP(a, b) b\n#if DROP(R\"(\")\", __OPTIMIZE__)\n#endif", "a raw string literal"),
        ("#include <ctype.h>\n#define HAS defined(isalpha)\n#if HAS\n#endif", "isalpha, which depends on how"),
        ("#include <ctype.h>\n#define HAS(x) defined(x)\n#define A isalpha\n#if HAS(A)\n#endif", "isalpha, which depends on how"),
        ("#define PUSH(x) _Pragma(#x)\nint k;", "a #pragma that hides what is said in headers"),
        ("#define putc evil\n#pragma push_macro(\"putc\")\n#undef putc", "a #pragma that hides what is said in headers"),
        ("char *s = \"\\é\";", "an escape sequence that is not known"),
        ("char *s = \"\\\t\";", "an escape sequence that is not known"),
        ("#include <stddef.h>\nconst wchar_t *s = L\"a\" \"é\";", "a wide literal with a part of bytes beyond ASCII"),
    ] {
        let outcome = outcome(
            &format!("{text}\nint n; void test(void) {{ n = sizeof *s; }}")
                .replace("sizeof *s", if text.contains("*s") { "*s" } else { "1" }),
        );
        assert!(outcome.contains(message), "{text}: {outcome}");
    }
    for text in [
        "#include <ctype.h>\n#define QUOTE(x) #x\n#define TWICE(x) QUOTE(x)\nconst char version[] = TWICE(1); int f(int c) { return isdigit(c); }",
        "#define _(s) s\n#include <ctype.h>\nenum { DATE, TIME };",
        "#define _FILE_OFFSET_BITS 64\n#define __unused __attribute__((unused))\n#include <stdio.h>",
        "#include <unistd.h>\nstruct s { int link; }; int f(struct s *p, int link) { __typeof__(p->link) a = 1; __typeof__(link) b = a; return b; }",
        "enum { N = 4 }; struct s { int x; }; int f(struct s *p) { int a[N] = { 0 }; __typeof__(p->x) b = a[1]; return b; }",
    ] {
        let outcome = outcome(&format!("{text}\nint n; void test(void) {{ n = 1; }}"));
        assert!(outcome.starts_with('['), "{text}: {outcome}");
    }
}

/// Where they are macros, nothing is converted to int.
#[test]
fn arguments_of_what_may_be_macros() {
    let called = |argument: &str| {
        outcome(&format!(
            "#include <ctype.h>\n#include <stdio.h>\n#include <stdlib.h>\nlong l; unsigned u; char c; int n; void test(void) {{ n = {argument}; }}"
        ))
    };
    for argument in ["isascii(l)", "toascii(u)", "sizeof(toascii(l))"] {
        assert!(called(argument).ends_with("' that is no int"), "{argument}: {}", called(argument));
    }
    for argument in [
        "isascii(c)",
        "isascii(u)",
        "toascii(n)",
        "isdigit(l)",
        "isdigit('1')",
        "isascii(getchar())",
        "isascii(c + 1)",
        "toascii(abs(n))",
        "isascii(__VERIFIER_nondet_int())",
        "toascii(__VERIFIER_nondet_int() & 255)",
    ] {
        assert!(called(argument).starts_with('['), "{argument}: {}", called(argument));
    }
    // Of a constant they are constants there, and a null pointer constant if that is 0.
    for argument in ["isascii(200)", "_Generic(1 ? &n : (void *)(long)toascii(128), int *: 1, default: 2)", "!isascii('a' + 1)"] {
        assert!(called(argument).contains("unsupported: a constant argument of '"), "{argument}: {}", called(argument));
    }
    // GCC folds calls, too.
    for argument in [
        "isascii(__builtin_abs(-200))",
        "isascii(abs(-200))",
        "isascii(__builtin_bswap32(0xc8000000u))",
        "isascii((int)__builtin_strlen(\"a\"))",
        "toascii(__builtin_clz(1) + 97)",
        "toascii(__builtin_popcount(u & 0) & 127)",
        "isascii(200 | __builtin_constant_p(n))",
        "_Generic(1 ? &n : (void *)(long)isascii(200 + __builtin_constant_p(n) * 0), int *: 1, default: 2)",
    ] {
        assert!(called(argument).contains("unsupported: a constant argument of '"), "{argument}: {}", called(argument));
    }
}

/// A struct may be defined where a function's result is, which is read with the declaration and with the body.
#[test]
fn structs_defined_in_results() {
    for result in ["struct p { int x; }", "union p { int x; }", "struct { int x; }"] {
        let text = format!("{result} make(int k) {{ for (;;) ; }} int n; void test(void) {{ n = make(1).x; }}");
        assert!(outcome(&text).starts_with('['), "{result}: {}", outcome(&text));
    }
    let made = "struct p { int x; } make(int k) { struct p p = { k }; return p; } int n; void test(void) { n = make(1).x; }";
    assert!(outcome(made).starts_with('['), "{}", outcome(made));
    assert!(
        outcome("struct p { int x; } f(void); struct p { int x; } n; void test(void) { n.x = 1; }").contains("'struct p' is defined twice")
    );
}

/// A header of the library may call what the user's macro makes of a name.
#[test]
fn macros_before_headers() {
    for (name, header) in [("putc", "stdio"), ("strtol", "stdlib"), ("isdigit", "ctype")] {
        let text = format!("#define {name} evil\n#include <{header}.h>\n#undef {name}\nint n; void test(void) {{ n = 1; }}");
        assert!(
            outcome(&text).contains(&format!("unsupported: a macro of the name of '{name}' before a header of the library")),
            "{}",
            outcome(&text)
        );
        let behind = format!("#include <{header}.h>\n#define {name} evil\nint n; void test(void) {{ n = 1; }}");
        assert!(outcome(&behind).starts_with('['), "{}", outcome(&behind));
        let gone = format!("#define {name} evil\n#undef {name}\n#include <{header}.h>\nint n; void test(void) {{ n = 1; }}");
        assert!(outcome(&gone).starts_with('['), "{}", outcome(&gone));
    }
}

/// GNU C has none, and `-std=c11` has.
#[test]
fn trigraphs() {
    for (text, place) in [
        ("int n; void test(void) { n = sizeof(\"??=\"); }", "1:37"),
        ("int n; void test(void) { n = '?\\?-'; n = '??-'; }", "1:42"),
        ("int n; void test(void) { n = 0;\n// why??/\nn = 1;\n}", "2:7"),
        ("int n; void test(void) { n = 0;\r\n// why??/ \r\nn = 1;\r\n}", "2:7"),
        ("#include <stddef.h>\nint n; void test(void) { n = 0; /* *??/\n/ n = 1; /* */ }", "2:37"),
        ("int n;\n#define LAST(...) 1\nvoid test(void) { n = LAST(??=); }", "3:28"),
    ] {
        let message = format!("f.c:{place}: unsupported: a trigraph, which depends on how the program is compiled");
        assert_eq!(outcome(text), message, "{text}");
    }
    for text in
        ["// is it (really??)\nint n; void test(void) { n = sizeof(\"what??\"); }", "int n; void test(void) { n = n ? n ? 1 : 2 : 3; }"]
    {
        assert!(outcome(text).starts_with('['), "{text}: {}", outcome(text));
    }
}

/// What is not said is how the program is compiled.
#[test]
fn macros_of_other_compilations() {
    for name in ["__OPTIMIZE__", "__NO_INLINE__", "__SANITIZE_ADDRESS__", "__NO_CTYPE", "__TIME__", "__BASE_FILE__"] {
        let text = format!("int n;\n#ifdef {name}\n#endif\nvoid test(void) {{ n = 1; }}");
        assert_eq!(outcome(&text), format!("f.c:2:8: unsupported: {name}, which depends on how the program is compiled"));
    }
    for name in ["__STDC_HOSTED__", "__CET__", "__AVX2__", "__tune_i386__"] {
        let text = format!("int n;\n#ifdef {name}\n#endif\nvoid test(void) {{ n = 1; }}");
        assert_eq!(outcome(&text), format!("f.c:2:8: unsupported: {name}, which depends on how the program is compiled"));
    }
    for text in ["int n; void test(void) { n = __FINITE_MATH_ONLY__; }", "int n;\n#define IS __SSE2__\nvoid test(void) { n = IS; }"] {
        assert!(outcome(text).ends_with("which depends on how the program is compiled"), "{text}: {}", outcome(text));
    }
    // The dialect and the macros given are named with every verdict.
    for name in ["__STRICT_ANSI__", "linux", "unix", "_REENTRANT", "_OPENMP"] {
        let text = format!("int n;\n#ifdef {name}\n#endif\n#if defined({name})\n#endif\nvoid test(void) {{ n = 1; }}");
        assert!(outcome(&text).starts_with('['), "{text}: {}", outcome(&text));
    }
    for text in [
        "#define _REENTRANT\n#include <stddef.h>\nint n; void test(void) { n = 1; }",
        "#include <linux/types.h>\n#if __STDC_VERSION__ >= 199901L && defined __linux__\nint n;\n#endif\nvoid test(void) { n = 1; }",
    ] {
        assert!(outcome(text).starts_with('['), "{text}: {}", outcome(text));
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
    for (header, name) in [("ctype", "_tolower"), ("stdio", "fread_unlocked"), ("netinet/in", "ntohl")] {
        let asked = format!("#include <{header}.h>\nint n;\n#ifdef {name}\n#endif\nvoid test(void) {{ n = 1; }}");
        assert!(
            outcome(&asked).contains(&format!("unsupported: {name}, which depends on how the program is compiled")),
            "{}",
            outcome(&asked)
        );
    }
    let quotes =
        "#include <ctype.h>\n#define QUOTE(x) #x\n#define TWICE(x) QUOTE(x)\nint n; void test(void) { n = sizeof(TWICE(isdigit(1))); }";
    assert!(outcome(quotes).contains("unsupported: \"isdigit(1)\", which depends on how"), "{}", outcome(quotes));
    let quotes = "#include <ctype.h>\n#define QUOTE(x) #x\nint n; void test(void) { n = sizeof(QUOTE(isdigit(1))); }";
    assert!(outcome(quotes).starts_with('['), "{}", outcome(quotes));
    let body = "n = call(isdigit, n) + isdigit(n);";
    for (declared, is_refused) in [
        ("static int call(int (*isdigit)(int), int c) { return isdigit(c); }", true),
        ("struct s { int (*isdigit)(int); }; static int call(int f(int), int c) { struct s s = { f }; return s.isdigit(c); }", true),
        ("int (isdigit)(int c) { return c; } static int call(int f(int), int c) { return f(c); }", true),
        ("static int call(int f(int), int c) { return f(c); }", false),
    ] {
        let text = format!("int n;\n#include <ctype.h>\n{declared} void test(void) {{ {body} }}");
        let is_told = outcome(&text).contains("unsupported: a declaration of 'isdigit', which <ctype.h> may have as a macro");
        assert_eq!((is_told, outcome(&text).starts_with('[')), (is_refused, !is_refused), "{text}: {}", outcome(&text));
    }
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
    let operand = "static void unused(void) { __asm__(\"\" : : \"r\"(({ extern int f(int) __attribute__((const)); 1; }))); }";
    let text = format!("{f} {operand} void test(void) {{ f(1); }}");
    assert!(outcome(&text).contains("unsupported: the attribute 'const' inside of a function"), "{}", outcome(&text));
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
    let message = "an operand of __typeof__ that is more than a name, beside an array whose length is not constant";
    for operand in ["*(x = 7, &a)", "x++ ? &a : &a", "({ x = 4; &a; })", "*(h(), &a)"] {
        let text = format!("int x, n = 2; int h(void) {{ return x = 1; }} void test(void) {{ int a[n]; __typeof__({operand}) *p = 0; }}");
        assert!(outcome(&text).contains(message), "{operand}: {}", outcome(&text));
    }
    for length in ["(int){2}", "\"ab\"[0]", "(0, 2)"] {
        let text = format!("int x; void test(void) {{ int a[{length}]; __typeof__(*(x = 7, &a)) *p = 0; }}");
        assert!(outcome(&text).contains(message), "{length}: {}", outcome(&text));
    }
    let divided = "int x, n = 2; void test(void) { int a[n]; __typeof__(*(1 / x, &a)) *p = 0; }";
    assert!(outcome(divided).contains(message), "{}", outcome(divided));
    let called = "int h(void) { return 1; } void test(void) { int n = 2, a[n]; __typeof__(h()) y = 1; a[0] = y; }";
    assert!(outcome(called).starts_with('['), "{}", outcome(called));
    let plain =
        "int n = 2; struct s { int m; } s; void test(void) { int a[n]; __typeof__(s.m) y = 1; __typeof__(&s) p = &s; a[0] = y + p->m; }";
    assert!(outcome(plain).starts_with('['), "{}", outcome(plain));
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
