//! What is assumed of one program and not of another, and said of it.

use goatherd_frontend::{
    lower::{Assumption, lower},
    source::{Options, from_text, load},
};

const DECLARATIONS: &str = "
    typedef unsigned long size_t; void *malloc(size_t); void *realloc(void *, size_t); void *memcpy(void *, const void *, size_t);
    void *memmove(void *, const void *, size_t);
    struct two { int a, b; }; struct wide { int a, b; long c; }; struct base { int kind; }; struct derived { struct base base; long more; };
    struct __attribute__((aligned(32))) line { int a; };
    union either { struct two two; int all[2]; }; union shifted { struct two two; struct { int first; struct two two; } later; };
    union links { void *any; struct two *two; }; union parts { int whole; short halves[2]; };
    int m[8]; char bytes[64]; struct two twos[4]; struct two *two = twos;
    struct cell { void *any; } cell; struct holder { struct two *two; };
    void *any; union shifted shifted, *shift = &shifted; union parts parts, *part = &parts;
";

/// What is assumed of a program with this text; the first message if it is refused.
fn outcome(text: &str) -> Result<Vec<Assumption>, String> {
    let text = format!("{DECLARATIONS}\n{text}\n");
    let unit = from_text("f.c", &text, &Options::default()).map_err(|reports| reports[0].message.clone())?;
    let lowered = lower(&unit, "test").map_err(|found| found[0].message.clone())?;
    Ok(Assumption::all_of(&lowered.program).into_iter().collect())
}

fn assumed(text: &str) -> Vec<Assumption> {
    outcome(text).unwrap_or_else(|message| panic!("{text}: {message}"))
}

fn of_body(body: &str) -> Vec<Assumption> {
    assumed(&format!("void test(void) {{ {body} }}"))
}

fn refused(body: &str, message: &str) {
    let found = outcome(&format!("void test(void) {{ {body} }}")).expect_err(body);
    assert!(found.contains(message), "{body}: {found}");
}

fn ordinary(name: &str) -> Vec<Assumption> {
    vec![Assumption::Ordinary(name.to_owned())]
}

/// GCC takes a function for its own that has the name of one, and calls what has the name of its own.
#[test]
fn names_of_the_library() {
    for name in ["ffs", "index", "strlen", "memcpy", "puts", "abs", "vfork", "qsort"] {
        let name_of_mine = if name == "memcpy" {
            "void *memcpy(void *to, const void *from, size_t n) { return 0; }".to_owned()
        } else {
            format!("int {name}(int n) {{ return n; }}")
        };
        let plain = format!("{name_of_mine} void test(void) {{}}");
        assert_eq!(assumed(&plain), ordinary(name), "also where it is not called: compilers may call it");
        if name != "memcpy" {
            assert_eq!(assumed(&format!("static {plain}")), ordinary(name), "inside of its file");
        }
    }
    assert_eq!(assumed("static char puts[8]; void test(void) { puts[0] = 1; }"), ordinary("puts"));
    assert_eq!(assumed("static int index; void test(void) { index = 1; }"), [], "no compiler calls that unasked");
    for object in ["stdin", "stdout", "stderr", "environ", "optind"] {
        assert_eq!(assumed(&format!("int {object}; void test(void) {{ {object} = 1; }}")), ordinary(object), "the library looks at it");
    }
    assert_eq!(assumed("int my_strlen(int n) { return n; } void test(void) { my_strlen(1); }"), []);
    assert_eq!(assumed("size_t strlen(const char *); void test(void) { strlen(bytes); }"), [], "the library's");
}

/// What lies at an address that its alignment does not allow is undefined (C11 6.3.2.3p7).
#[test]
fn alignment() {
    for body in [
        "struct wide *p = (struct wide *)bytes; p->a = 1;",
        "struct wide *p = any; p->a = 1;",
        "struct base *b = malloc(16); struct derived *d = (struct derived *)b; d->base.kind = 1;",
        "struct two **p = (struct two **)&any; (*p)->a = 1;",
        "struct line *p = malloc(64); p->a = 1;",
        "struct two **p; void *v = &any; p = v; (*p)->a = 1;",
        "struct two **p = (struct two **)&cell; (*p)->a = 1;",
        "struct holder *p = (struct holder *)&any; p->two->a = 1;",
        "union links u; u.any = bytes; u.two->a = 1;",
        "memcpy(&two, &any, sizeof two); two->a = 1;",
        "int *p = (int *)(bytes + 1); *p = 1;",
        "int *p = (int *)(bytes + 1); struct two *q = (struct two *)p; q->a = 1;",
        "int *p = any; *p = 1;",
        "int **p = (int **)&any; **p = 1;",
        "union { void *v; int *i; } u; u.v = bytes + 1; *u.i = 1;",
    ] {
        assert!(of_body(body).contains(&Assumption::Aligned), "{body}");
    }
    assert!(
        assumed("void reach(struct two *p) { p->a = 1; } void test(void) { void (*f)(char *) = (void (*)(char *))reach; f(bytes); }")
            .contains(&Assumption::Aligned)
    );
    refused("struct wide *p = (struct wide *)(m + 1); p->a = 1;", "a pointer to a scalar that becomes one to a struct");
    for body in [
        "struct two *p = (struct two *)(m + 1); p->a = 1;",
        "struct wide *p = malloc(sizeof *p); p->a = 1;",
        "struct two **p = malloc(8 * sizeof *p); p[0] = two; struct holder *h = malloc(sizeof *h); h->two = two;",
        "struct wide *p = realloc(0, sizeof *p); p->a = 1;",
        "struct wide *p = 0, *q = (void *)0; void *v = q; p = q;",
        "two->a = 1; two = twos + 1; void *v = two;",
        "char *p = (char *)two; p++; int *q = (int *)two;",
        "int *p = malloc(8 * sizeof *p); p[1] = 1; unsigned *q = (unsigned *)p; void *v = p; char *c = v;",
    ] {
        assert!(!of_body(body).contains(&Assumption::Aligned), "{body}");
    }
}

/// What compilers and the library have of their own has reserved names, and there is no list of them.
#[test]
fn reserved_names_that_are_defined() {
    for text in [
        "int __popcountdi2(long x) { return 9; }",
        "static int __popcountdi2(long x) { return 9; }",
        "static int __popcountdi2 = 3;",
        "int _end = 5;",
        "int _edata(void) { return 5; }",
        "void *__memcpy_chk(void *a, const void *b, unsigned long n, unsigned long s) { return a; }",
        "unsigned __sync_fetch_and_add_4(volatile void *p, unsigned n) { return n; }",
        "void __clear_cache(void *from, void *to) {}",
        "int _Unwind_Resume;",
        "static int __list_add(int n) { return n; }",
        "int (__printf_chk)(int flag, const char *format) { return 0; }",
    ] {
        assert_eq!(assumed(&format!("{text} void test(void) {{}}")), [Assumption::Reserved], "{text}");
    }
    for text in [
        "void __VERIFIER_assert(int c) { if (!c) for (;;) ; }",
        "struct __list { int __n; }; typedef struct __list __list_t; enum { __LIMIT = 3 };",
        "extern int __popcountdi2(long); static int _popcount(long x) { return 9; }",
    ] {
        assert_eq!(assumed(&format!("{text} void test(void) {{}}")), [], "{text}");
    }
    for name in ["ffsimax", "fegetround", "getc", "wctob", "abs"] {
        assert_eq!(assumed(&format!("int ({name})(int n) {{ return n; }} void test(void) {{}}")), ordinary(name));
    }
    let own = "int ((abs))(int n) { return 7; } int f(void) { return abs(-3); } void test(void) { f(); }";
    assert_eq!(assumed(own), ordinary("abs"), "the program's own, and no model");
}

/// What is assigned to a place that overlaps it in part has no value that C says (C11 6.5.16.1p3).
#[test]
fn places_that_overlap() {
    for body in [
        "struct two *p = (struct two *)m, *q = (struct two *)(m + 1); *p = *q;",
        "any = m + 1; struct two *q = any; *q = *two;",
        "struct two *q = (struct two *)(bytes + 4); twos[0] = *q;",
        "struct two *q = (struct two *)m; *q = m[0] ? *two : twos[1];",
        "*two = shifted.later.two;",
        "*two = shift->later.two;",
        "struct two *q = (struct two *)m; memcpy(q, two, sizeof *q);",
        "parts.whole = parts.halves[1];",
        "part->halves[0] = part->whole;",
        "struct owner { int n; struct two two; } o[2]; struct two *p = &o[0].two; *p = *two;",
        "struct owner { int n; struct two two[2]; } o[2]; memmove(o[1].two, o[0].two + 1, 2 * sizeof *two);",
        "struct two *q = (struct two *)m; memmove(two, q, 2 * sizeof *q);",
    ] {
        assert!(of_body(body).contains(&Assumption::Apart), "{body}");
    }
    for body in [
        "*two = twos[1]; two[1] = *two;",
        "struct two a, b; a = b; struct two *q = (struct two *)m; q->a = 1; twos[0] = twos[1];",
        "struct two *q = (struct two *)m; struct two copy = *q;",
        "struct two *p = malloc(sizeof *p); *p = *two;",
        "parts.whole = 1; int i = parts.halves[1];",
        "parts.whole = parts.whole;",
    ] {
        assert!(!of_body(body).contains(&Assumption::Apart), "{body}");
    }
    refused("shifted.two = shifted.later.two;", "an assignment of a struct to a place that overlaps it in part");
    let moves = "memmove(two, q, 2 * sizeof *q);";
    assert_eq!(of_body(&format!("struct two *q = twos + 1; {moves}")), []);
    assert_eq!(of_body("struct two *q = (struct two *)m; memmove(two, q, sizeof *q);"), []);
}

/// Models look into no stream, so that any object would do for one (C11 7.21.3).
#[test]
fn streams() {
    let said = |body: &str| {
        let declarations =
            "typedef struct stream FILE; struct stream { int x; }; extern FILE *stdout, *stdin; FILE mine, *own = &mine; int c;
            int fputs(const char *, FILE *); int fputc(int, FILE *); int fflush(FILE *); char *fgets(char *, int, FILE *);
            int fprintf(FILE *, const char *, ...);";
        assumed(&format!("{declarations} void test(FILE *given) {{ {body} }}"))
    };
    for body in ["fputs(bytes, own);", "fputc(1, &mine);", "fflush((FILE *)m);", "fgets(bytes, 8, c ? own : 0);", "fprintf(own, \"a\");"] {
        assert!(said(body).contains(&Assumption::Streams), "{body}");
    }
    for body in ["stdout = own; fputs(bytes, stdout);", "stdout = 0; fflush(0);", "FILE **p = &stdout; *p = own;"] {
        assert!(said(body).contains(&Assumption::Streams), "{body}");
    }
    for body in ["fputs(bytes, stdout);", "fflush(0);", "fgets(bytes, 8, stdin);", "fprintf(stdout, \"a\");"] {
        assert!(!said(body).contains(&Assumption::Streams), "{body}");
    }
}

/// What is const must not be written, however the pointer has lost the word (C11 6.7.3p6): what is not seen to lose it is assumed not to.
#[test]
fn qualified_objects() {
    let said = |declared: &str, body: &str| assumed(&format!("void test(void) {{ {declared} {body} }}")).contains(&Assumption::Qualified);
    let hidden = [
        "union { const int *c; int *p; } u; u.c = &a; *u.p = 2;",
        "const int *c = &a; int *p; memcpy(&p, &c, sizeof p); *p = 2;",
        "int *p; const int **pp = (const int **)&p; *pp = &a; *p = 2;",
        "int *p; void *v = &p; const int **pp = v; *pp = &a; *p = 2;",
        "struct c { const int *p; } c = { &a }; struct d { int *p; }; void *v = &c; struct d *d = v; *d->p = 2;",
    ];
    for body in hidden {
        assert!(said("const int a = 1;", body), "{body}");
        assert!(!said("static const int a = 1;", body), "a write to it fails: {body}");
        let body = body.replace("const", "volatile");
        assert!(said("volatile int a = 1;", &body), "{body}");
    }
    for body in ["const int *p = &a; m[0] = *p;", "const int *p = &a; const void *v = p; p = v;", "void *v = m; int *p = v; *p = *(&a);"] {
        assert!(!said("const int a = 1;", body), "{body}");
    }
    let list = "typedef __builtin_va_list list; void f(int n, ...) { list l; __builtin_va_start(l, n); int *p = __builtin_va_arg(l, int *); *p = n; }";
    assert!(assumed(&format!("{list} void test(void) {{ const int a = 1; f(1, &a); }}")).contains(&Assumption::Qualified));
}

/// A compiler relies on what attributes say of functions, whether it is so or not.
#[test]
fn attributes_of_functions_that_are_not_defined() {
    let said = |declared: &str| assumed(&format!("{declared} void test(void) {{ any = 0; }}")).contains(&Assumption::Promised);
    for declared in [
        "char *strcpy(char *, const char *) __attribute__((pure));",
        "void *calloc(size_t, size_t) __attribute__((returns_nonnull));",
        "void free(void *) __attribute__((nonnull));",
        "_Noreturn int puts(const char *);",
    ] {
        assert!(said(declared), "{declared}");
        assert!(said(&format!("\n# 1 \"absent.h\" 3\n{declared}")), "whatever the user calls a header: {declared}");
    }
    for declared in [
        "#include <string.h>\n#include <stdlib.h>\n#include <stdio.h>\n#include <ctype.h>\n",
        "_Noreturn void abort(void); void exit(int) __attribute__((noreturn)); extern void reach_error(void) __attribute__((noreturn));",
        "void *calloc(unsigned long, unsigned long) __attribute__((malloc)); int puts(const char *) __attribute__((nothrow, warn_unused_result));",
    ] {
        let text = format!("{declared} int n; void test(void) {{ n = 1; }}");
        let unit = from_text("f.c", &text, &Options::default()).unwrap_or_else(|reports| panic!("{declared}: {reports:?}"));
        let lowered = lower(&unit, "test").unwrap_or_else(|found| panic!("{declared}: {found:?}"));
        assert_eq!(Assumption::all_of(&lowered.program).len(), 0, "{declared}");
    }
}

/// Padding is copied with a struct, or not.
#[test]
fn padding_in_unions() {
    let unions = "union { struct a { int kind; char *name; } a; struct { int kind, more; } b; } u, v; struct a a;";
    for body in ["struct a *p = &u.a; *p = a;", "memcpy(&u.a, &v.a, sizeof a);", "u.b.more = 1;"] {
        assert!(assumed(&format!("{unions} void test(void) {{ {body} }}")).contains(&Assumption::Padding), "{body}");
    }
    let full = unions.replace("char *name", "int name");
    assert_eq!(assumed(&format!("{full} void test(void) {{ u.b.more = 1; }}")), [], "without padding");
    assert_eq!(assumed(&format!("{unions} void test(void) {{ a.kind = 1; }}")), [], "outside of a union");
}

/// A macro of the user's with a reserved name may stand in headers of the system, so that these say what the user says.
#[test]
fn macros_in_headers() {
    let text = |macros: &str| format!("{macros}\n#include <string.h>\nvoid test(void) {{ bytes[0] = 1; }}");
    assert_eq!(assumed(&text("#define __nonnull(x) __attribute__((pure))")), [Assumption::Promised, Assumption::Reserved]);
    for harmless in ["#define __guard_h", "#define _GNU_SOURCE 1", "#define nonnull(x) __attribute__((pure))"] {
        assert_eq!(assumed(&text(harmless)), [], "{harmless}");
    }
    let options = |definition: &str| Options { definitions: vec![definition.to_owned()], ..Options::default() };
    let read = |definition: &str| {
        from_text("f.c", "#include <string.h>\nvoid test(void) {}", &options(definition)).map_err(|reports| reports[0].message.clone())
    };
    let message = "-D__nonnull(x)=__attribute__((pure)), whose name is reserved, so that headers of the system may use it";
    assert_eq!(read("__nonnull(x)=__attribute__((pure))").err().as_deref(), Some(message));
    assert!(read("_GNU_SOURCE").is_ok() && read("__init=").is_ok());
}

/// A compiler may give two functions one address whose code is the same or comes to no end.
#[test]
fn addresses_of_functions() {
    let functions = "typedef void fn(int); static void f(int n) {} static void g(int n) {}";
    let compared = |body: &str| assumed(&format!("{functions} fn *chosen; void *other; void test(void) {{ {body} }}"));
    assert_eq!(compared("fn *p = f; any = p == g ? 0 : &any;"), [Assumption::Functions]);
    assert_eq!(compared("chosen = f; other = (void *)g; any = other == (void *)chosen ? 0 : &any;"), [Assumption::Functions]);
    assert_eq!(compared("chosen = f; any = chosen == f ? 0 : &any;"), [], "of one function alone");
    assert_eq!(compared("chosen = m[0] ? f : g; if (chosen) chosen(1);"), [], "with NULL alone");
    assert_eq!(compared("f(1); g(2); any = any == bytes ? 0 : &any;"), [], "which nothing points to");
}

/// Const compound literals may share their place with others, and with strings (C11 6.5.2.5p7).
#[test]
fn constant_literals() {
    for (one, two) in [("(const int[]){ 1 }", "(const int[]){ 1 }"), ("(const char[]){ \"a\" }", "\"a\"")] {
        let text = format!("int test(void) {{ const void *p = {one}, *q = {two}; return p == q; }}");
        assert_eq!(assumed(&text), [Assumption::Literals], "{text}");
    }
    assert_eq!(assumed("int test(void) { int *p = (int[]){ 1 }, *q = (int[]){ 1 }; return p == q; }"), []);
    assert_eq!(assumed("int test(void) { const int *p = (const int[]){ 1 }; return *p + sizeof((const int[]){ 1 }); }"), []);
}

/// Headers of the library may use what is reserved for them.
#[test]
fn reserved_names() {
    let with = |text: &str| assumed(&format!("#include <ctype.h>\n{text}\nvoid test(void) {{ bytes[0] = 1; }}"));
    for text in [
        "enum { _ISdigit = 65535 };",
        "static int f(int __res) { return __res; }",
        "#undef _ISdigit\n#define _ISdigit 65535",
        "#ifdef _EXTERN_INLINE\n#endif",
        "#define PASTED(a, b) a##b\n#if PASTED(_, BITS_STDIO_H)\n#endif",
        "#define strxfrm strxfrm_(void); extern int strxfrm",
        "#define strerror(x) strerror(x), *strcpy(char *, const char *) __attribute__((pure))",
        "#define _ISdigit 65535",
        "#define PASTED(a, b) a##b\nenum { PASTED(_, ISdigit) = 65535 };",
        "#define short int) 0 & (unsigned",
        "#define return",
        "#define __isctype",
        "#define __tobody",
        "#define __builtin_constant_p",
        "#define __user",
    ] {
        assert!(with(text).contains(&Assumption::Reserved), "{text}");
    }
    for text in [
        "#ifndef _OWN_H\n#define _OWN_H\n#endif",
        "#ifndef __OWN_H__\n#define __OWN_H__\n#endif",
        "#include <stdint.h>\nstatic long _most = INT64_MAX;",
        "#define _GNU_SOURCE 1",
        "#ifdef __GNUC__\n#endif",
        "int n = __LINE__;",
        "#define UNUSED __attribute__((unused))",
    ] {
        assert_eq!(with(text), [], "{text}");
    }
    assert_eq!(assumed("static int f(int __res) { return __res; } void test(void) { bytes[0] = f(1); }"), [], "without headers");
    assert_eq!(assumed("#include <stdio.h>\nvoid test(void) { any = realloc(any, 4); putchar(1); }"), [], "models have names of their own");
}

/// Also where nothing is left of what says them: in a header of macros alone, and on the command line.
#[test]
fn reserved_names_elsewhere() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("reserved-names");
    std::fs::create_dir_all(&folder).expect("the folder for tests can be written");
    let assumed = |header: &str, text: &str, definitions: &[&str]| {
        std::fs::write(folder.join("own.h"), header).expect("the folder for tests can be written");
        std::fs::write(folder.join("f.c"), text).expect("the folder for tests can be written");
        let options = Options { definitions: definitions.iter().map(ToString::to_string).collect(), ..Options::default() };
        let unit = load(&folder.join("f.c"), &options).unwrap_or_else(|reports| panic!("{header} {text} {definitions:?}: {reports:?}"));
        Assumption::all_of(&lower(&unit, "test").expect("it is a program").program).into_iter().collect::<Vec<_>>()
    };
    let text = "#include \"own.h\"\n#include <ctype.h>\nint n; void test(void) { n = isalpha('1'); }";
    assert_eq!(assumed("#define __isctype\n", text, &[]), [Assumption::Reserved]);
    let guarded = "#ifndef __isctype\n#include <ctype.h>\n#endif\n#define __isctype\n";
    assert_eq!(assumed(guarded, text, &[]), [Assumption::Reserved]);
    assert_eq!(
        assumed("#define JOIN(a, b) a##b\n", &text.replace("int n;", "int n; enum { JOIN(_, ISdigit) = 1 };"), &[]),
        [Assumption::Reserved]
    );
    assert_eq!(assumed("#define __OWN_H\n", text, &[]), []);
    let attribute = "#include \"own.h\"\n#include <string.h>\nint n; void test(void) { n = 1; }";
    assert!(assumed("#define __nonnull(x) __attribute__((pure))\n", attribute, &[]).contains(&Assumption::Promised));
    let plain = "#include <ctype.h>\nint n; void test(void) { int i = 'A'; n = tolower(i++); }";
    assert_eq!(assumed("", plain, &["__builtin_constant_p="]), [Assumption::Reserved]);
    assert_eq!(assumed("", plain, &["__KERNEL__"]), [Assumption::Reserved]);
    assert_eq!(assumed("", plain, &["_GNU_SOURCE", "_FILE_OFFSET_BITS=64", "NDEBUG", "LIMIT=3"]), []);
}

/// Compilers are called with a path, or without one.
#[test]
fn names_of_files() {
    for said in [
        "any = __FILE__;",
        "m[0] = sizeof(__FILE__);",
        "char a[] = \"in \" __FILE__; m[0] = a[0];",
        "any = __FI\\\nLE__;",
        "any = \"f.c\";",
    ] {
        assert_eq!(of_body(said), [Assumption::FileName], "{said}");
    }
    let pasted = "#define JOIN(a, b) a##b\n#define QUOTE(a) #a\n#define TWICE(a) QUOTE(a)\n";
    for said in ["any = JOIN(__FILE, __);", "any = TWICE(__FILE__);"] {
        assert_eq!(assumed(&format!("{pasted}void test(void) {{ {said} }}")), [Assumption::FileName], "{said}");
    }
    assert_eq!(of_body("any = \"f\"; m[0] = __LINE__;"), []);
    assert_eq!(assumed("#include <assert.h>\nvoid test(void) { assert(m[0] == 0); }"), []);
    let own = "int log_of(const char *name) { return name[0]; }\n#define assert(x) ((x) ? 0 : log_of(__FILE__))\n";
    assert_eq!(assumed(&format!("{own}void test(void) {{ assert(m[0] == 0); }}")), [Assumption::FileName]);
}
