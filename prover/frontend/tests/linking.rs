//! Several files as one program: what they share, what each has for itself, and what does not fit together.

use goatherd_frontend::{
    diagnostics::reports,
    link::load,
    lower::{Demands, Leaks, Undefined, lower, lower_with, undefined_functions},
    print::{conditions, program},
    source::{Options, Unit},
};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Writes files of these texts and gives their paths.
fn written(name: &str, texts: &[(&str, &str)]) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("linking").join(name);
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).expect("the directory of a test");
    for (file, text) in texts {
        fs::write(folder.join(file), text).expect("a file");
    }
    texts.iter().filter(|(file, _)| *file != "list.h").map(|(file, _)| folder.join(file)).collect()
}

fn options() -> Options {
    Options { entry: "main".to_owned(), ..Options::default() }
}

fn linked(name: &str, texts: &[(&str, &str)]) -> Result<Unit, String> {
    let shown = |reports: Vec<_>| reports.iter().map(shown).collect::<Vec<_>>().join("\n");
    load(&written(name, texts), &options()).map_err(shown)
}

fn shown(report: &goatherd_frontend::diagnostics::Report) -> String {
    let file = Path::new(&report.file).file_name().map(|file| file.to_string_lossy().into_owned()).unwrap_or_default();
    format!("{file}:{}:{}: {}", report.line.unwrap_or(0), report.column.unwrap_or(0), report.message)
}

/// The program, as text.
fn lowered(name: &str, texts: &[(&str, &str)]) -> Result<String, String> {
    let unit = linked(name, texts)?;
    let lowered = lower(&unit, "main").map_err(|found| reports(&unit, &found).iter().map(shown).collect::<Vec<_>>().join("\n"))?;
    Ok(program(&lowered.program, &lowered.files, &lowered.positions))
}

const HEADER: &str = "\
#ifndef LIST
#define LIST
struct node { struct node *next; int data; };
typedef struct node node_t;
enum color { RED, GREEN = 5 };
enum { LIMIT = 9 };
int length(const node_t *list);
extern int total;
static inline int is_empty(const node_t *list) { return list == 0; }
#endif
";

#[test]
fn each_file_has_its_own_names_and_shares_types() {
    let main = "#include \"list.h\"\nstatic int count = 3;\nint total;\nstatic int next(void) { return count; }\n\
        int main(void) { node_t n; n.next = 0; n.data = GREEN; total = next(); return length(&n) + is_empty(0); }\n";
    let other = "#include \"list.h\"\nstatic int count = LIMIT;\nstatic int next(void) { return count; }\n\
        int length(const node_t *list) { int n = next(); for (; list; list = list->next) n += list->data; total = n; return n; }\n";
    let text = lowered("shared", &[("list.h", HEADER), ("main.c", main), ("other.c", other)]).expect("a program");
    assert!(text.contains("count = 3") && text.contains("count__2 = 9"), "{text}");
    let again = lowered("shared", &[("list.h", HEADER), ("main.c", main), ("other.c", other)]).expect("a program");
    assert_eq!(text, again);
    // The order of files changes who keeps a name, and nothing else.
    lowered("turned", &[("list.h", HEADER), ("other.c", other), ("main.c", main)]).expect("a program");
}

#[test]
fn a_member_or_a_local_variable_is_nobody_elses() {
    let one = "int size; struct box { int size; int next; }; int next(struct box *b);\n\
        int main(void) { struct box b = { .size = 2, 3 }; size = b.size; return next(&b) + __builtin_offsetof(struct box, next); }\n";
    let two = "struct box { int size; int next; }; static int size = 4; int next(struct box *b);\n\
        int next(struct box *b) { int main = b->next; goto size; size: return main + size; }\n";
    let text = lowered("members", &[("one.c", one), ("two.c", two)]).expect("a program");
    assert!(text.contains("size__2 = 4") && text.contains("main__2"), "{text}");
    // What a function is called is what it says.
    let one = "static int f(void) { return sizeof __func__; } int g(void); int main(void) { return f() + g(); }";
    let two = "static int f(void) { return sizeof __func__ + __func__[0]; } int g(void) { return f(); }";
    let text = lowered("named", &[("one.c", one), ("two.c", two)]).expect("a program");
    assert!(text.contains("\"f\"") && !text.contains("\"f__2\""), "{text}");
}

#[test]
fn types_of_one_name_and_other_words_are_others() {
    let one = "struct s { int a; }; typedef int word; enum { A, B }; int f(void); int main(void) { struct s s = { 1 }; word w = B; return s.a + w + f(); }";
    let two = "struct s { long a; long b; }; typedef char word; enum { B = 7, A }; int f(void) { struct s s = { 1, 2 }; word w = (word) 300; return s.b + w + A; }";
    let text = lowered("types", &[("one.c", one), ("two.c", two)]).expect("a program");
    assert!(["f:w = 44", "f:s__2.b: long", " + 8)"].iter().all(|line| text.contains(line)), "{text}");
}

/// Each of these is an error of C, is one that the linker does not see, or cannot be told apart.
#[test]
fn what_does_not_fit_together_is_refused() {
    let main = "int main(void) { return f(1); }\n";
    let cases: &[(&str, &str, &str, &str)] = &[
        ("function twice", "int f(int a) { return a; }", "int f(int a) { return a; }", "two.c:1:5: 'f' is defined in"),
        ("object twice", "int f(int a); int x = 1;", "int x = 1; int f(int a) { return x; }", "two.c:1:5: 'x' is defined in"),
        ("tentative twice", "int f(int a); int x;", "int x; int f(int a) { return x; }", "two.c:1:5: 'x' is defined in"),
        ("main twice", "int f(int a);", "int f(int a) { return a; } int main(void) { return 0; }", "two.c:1:32: 'main' is defined in"),
        ("nowhere", "int f(int a);", "int g(int a) { return a; }", "one.c:2:25: a call of 'f'"),
        ("hidden", "int f(int a);", "static int f(int a) { return a; } int g(void) { return f(1); }", "one.c:2:25: a call of 'f'"),
        ("undeclared function", "", "int f(int a) { return a; }", "one.c"),
        ("undeclared object", "int f(int a); int x = 1;", "int f(int a) { return x; }", "two.c:1:23: 'x__2' is not declared"),
        ("undeclared elsewhere", "int f(int a); int g(int x) { return x; }", "int f(int a) { return g(a); }", "two.c:1:23"),
        ("undeclared type", "int f(int a); typedef int word;", "int f(int a) { word w = a; return w; }", "two.c:1"),
        ("result", "int f(int a);", "long f(int a) { return a; }", "two.c:1:6: 'f' is declared with another type"),
        ("parameter", "int f(int a);", "int f(long a) { return a; }", "two.c:1:5: 'f' is declared with another type"),
        ("count", "int f(int a);", "int f(int a, int b) { return a; }", "'f' is declared with another type"),
        ("variadic", "int f(int a);", "int f(int a, ...) { return a; }", "'f' is declared with another type"),
        ("sign", "int f(unsigned a);", "int f(int a) { return a; }", "'f' is declared with another type"),
        (
            "pointer",
            "int f(int a); int *g(void);",
            "int f(int a) { return a; } char *g(void) { return 0; }",
            "'g' is declared with another type",
        ),
        (
            "const",
            "int f(int a); void g(const int *p);",
            "int f(int a) { return a; } void g(int *p) { *p = 1; }",
            "'g' is declared with another type",
        ),
        ("object", "int f(int a); extern int x;", "long x; int f(int a) { return x; }", "'x' is declared with another type"),
        ("object sign", "int f(int a); extern unsigned x;", "int x; int f(int a) { return x; }", "'x' is declared with another type"),
        (
            "array and pointer",
            "int f(int a); extern int *x;",
            "int x[4]; int f(int a) { return x[0]; }",
            "'x' is declared with another type",
        ),
        ("length", "int f(int a); extern int x[8];", "int x[4]; int f(int a) { return x[0]; }", "'x' is declared with another type"),
        ("pointee", "int f(int a); extern int *x;", "char *x; int f(int a) { return 1; }", "'x' is declared with another type"),
        ("constant", "int f(int a); extern const int x;", "int x; int f(int a) { return x; }", "'x' is declared with another type"),
        ("volatile", "int f(int a); extern int x;", "volatile int x; int f(int a) { return x; }", "'x' is declared with another type"),
        (
            "function and object",
            "int f(int a); extern int g;",
            "int g(void) { return 1; } int f(int a) { return g(); }",
            "two.c:1:5: the function 'g' is",
        ),
        ("object and function", "int f(int a); int g(void);", "int g; int f(int a) { return g; }", "two.c:1:5: the object 'g' is"),
        (
            "struct",
            "struct s { int a; }; int g(struct s *s); int f(int a) { struct s s; return g(&s); }",
            "struct s { long a; }; int g(struct s *s) { return s->a; }",
            "'g' is declared with another type",
        ),
        (
            "member of another type",
            "typedef int t; struct s { t a; }; int g(struct s *s); int f(int a) { struct s s; return g(&s); }",
            "typedef long t; struct s { t a; }; int g(struct s *s) { return s->a; }",
            "'g' is declared with another type",
        ),
        (
            "length by a constant",
            "enum { N = 4 }; struct s { int a[N]; }; int g(struct s *s); int f(int a) { struct s s; return g(&s); }",
            "enum { N = 8 }; struct s { int a[N]; }; int g(struct s *s) { return s->a[7]; }",
            "'g' is declared with another type",
        ),
        ("no prototype", "int f();", "int f(long a) { return a; }", "one.c"),
        (
            "old style",
            "int f(int a);",
            "int f(a) int a; { return a; } int g(void) { return f(1L); }",
            "two.c:1:5: 'f', which is declared without",
        ),
        (
            "hidden failure",
            "int f(int a); void g(void) { reach_error(); }",
            "static void reach_error(void) {} int f(int a) { reach_error(); return 1; }",
            "'reach_error'",
        ),
        ("type and function", "int f(int a); int t(void);", "typedef int t; int f(int a) { return (t) a; } int t(void);", "two.c"),
        (
            "tag of a block",
            "struct s { long x; }; int f(int a); int g(void);",
            "int f(int a) { struct s *p = 0; struct s { char c; }; return (int) sizeof *p; } struct s;",
            "two.c:1:23: 's' of two files",
        ),
        (
            "tag of a parameter list",
            "struct s { long x; }; int f(int a);",
            "int f(int a); int g(struct s *p); struct s { long x; }; int f(int a) { return g(0); }",
            "two.c:1:28: 's' of two files",
        ),
        ("no C", "int f(int a);", "int f(int a) { return }", "two.c:1:23: a syntax error"),
        ("no file", "int f(int a);", "#include \"missing.h\"", "two.c:1"),
    ];
    for (name, one, two, expected) in cases {
        let found = lowered(name, &[("one.c", &format!("{one}\n{main}")), ("two.c", two)]).expect_err(name);
        assert!(found.contains(expected), "{name}: {found}");
    }
}

/// A function is declared in more ways than `int f(int)`, also in blocks.
#[test]
fn a_function_is_known_by_its_type() {
    let one = "int f(int a) { return a + 1; }";
    for two in [
        "typedef int fun(int); int main(void) { fun f; return f(3); }",
        "typedef int fun(int); typedef fun other; int main(void) { extern other f; return f(3); }",
        "typedef int fun(int); fun f; int main(void) { return f(3); }",
        "int main(void) { typedef int fun(int); fun (f); return f(3); }",
        "typedef int fun(int); int main(void) { __typeof__(fun) f; return f(3); }",
        "int main(void) { int ((f))(int); return f(3); }",
        "int main(void) { int f(int a), b = 3; return f(3) + b; }",
    ] {
        let text = lowered("by type", &[("one.c", one), ("two.c", two)]).unwrap_or_else(|found| panic!("{two}: {found}"));
        assert!(text.contains("(3 + 1)"), "{two}: {text}");
    }
    let main = "typedef int fun(int); static fun f; static int f(int a) { return a - 7; } fun g; int main(void) { return f(1) + g(1); }";
    let text =
        lowered("both", &[("one.c", "int f(int a) { return a + 9; } int g(int a) { return f(a); }"), ("two.c", main)]).expect("a program");
    assert!(text.contains("(1 - 7)") && text.contains("(1 + 9)"), "{text}");
    // A pointer to one is an object.
    let two = "int (*f)(int); int main(void) { return f != 0; }";
    let found = lowered("pointer to one", &[("one.c", one), ("two.c", two)]).expect_err("an object");
    assert!(found.contains("two.c:1:7: 'f' is defined in"), "{found}");
}

#[test]
fn the_entry_is_one_function() {
    let paths = written("entries", &[("one.c", "static int test(void) { return 1; }"), ("two.c", "static int test(void) { return 2; }")]);
    let found = load(&paths, &Options::default()).expect_err("two functions");
    assert_eq!(shown(&found[0]), "two.c:1:12: 'test' of two files that stands for something else in each");
    let paths = written(
        "entry",
        &[("one.c", "int test(void) { return 1; }"), ("two.c", "static int test(void) { return 2; } int g(void) { return test(); }")],
    );
    let unit = load(&paths, &Options::default()).expect("one program");
    assert!(lower(&unit, "test").is_ok());
    assert_eq!(unit.sources().len(), 2);
    assert_ne!(unit.digest(), unit.digests()[0]);
    assert!(load(&[PathBuf::from("-"), paths[0].clone()], &options()).is_err());
}

/// What a function does that nothing defines, in the words of a report.
#[test]
fn undefined_functions_return_any_value_and_are_named() {
    let demands = Demands { undefined: Undefined::AnyValue, ..Leaks::Ignored.into() };
    let read = |text: &str| {
        let unit = goatherd_frontend::source::from_text("file.c", text, &options()).map_err(|found| shown(&found[0]))?;
        lower_with(&unit, "main", &demands).map_err(|found| shown(&reports(&unit, &found)[0]))
    };
    let text = "int f(int a); void g(const char *s, int *p); int x; static int y; const int z = 3;\n\
        int main(void) { y = x + z; g(\"a\", 0); return f(y) + f(1); }\n";
    let lowered = read(text).expect("a program");
    assert_eq!(undefined_functions(&lowered.program), ["f", "g"]);
    let parameters = goatherd_certificates::certificate::Parameters {
        arithmetic: goatherd_certificates::certificate::Arithmetic::C,
        data_model: goatherd_certificates::certificate::DataModel::Lp64SignedChar,
        signed_overflow: goatherd_certificates::certificate::SignedOverflow::Wraps,
        pointer_formation: goatherd_certificates::certificate::PointerFormation::Anywhere,
        allocation: goatherd_certificates::certificate::Allocation::Succeeds,
    };
    let under = conditions(&lowered.program, parameters).join("; ");
    assert!(under.contains("f, which is not defined, returns any value") && under.contains("g, which is not defined"), "{under}");
    // Each call gives x any value, and leaves alone what no other file can name.
    let listing = program(&lowered.program, &lowered.files, &lowered.positions);
    let (results, changes) = (listing.matches("= any int").count(), listing.matches("  x = any int").count());
    assert!(changes >= 3 && results == 2 * changes, "{listing}");
    assert_eq!(listing.matches("y = any").count(), 0, "{listing}");
    for (text, expected) in [
        ("int f(int *p); int main(void) { int a; return f(&a); }", "an argument of 'f'"),
        ("int f(char *p); char b[4]; int main(void) { return f(b); }", "an argument of 'f'"),
        ("int f(const int *p); int main(void) { int a = 1; f(&a); return a; }", "an argument of 'f'"),
        ("int f(void (*g)(void)); void g(void) {} int main(void) { return f(g); }", "an argument of 'f'"),
        ("struct s { int *p; }; int f(struct s s); int main(void) { struct s s = { 0 }; return f(s); }", "an argument of 'f'"),
        ("int f(int a, ...); int main(void) { int a = 1; return f(1, &a); }", "an argument of 'f'"),
        ("int f(); int main(void) { int a = 1; return f(&a); }", "an argument of 'f'"),
        ("int *f(void); int main(void) { return f() != 0; }", "returns something else"),
        ("double f(void); int main(void) { f(); return 0; }", "returns something else"),
        ("struct s { int a; }; struct s f(void); int main(void) { return f().a; }", "returns something else"),
        ("void f(void); int a[3]; int main(void) { f(); return a[1]; }", "'a', which 'f' could change"),
        ("void f(void); int *p; int main(void) { f(); return p == 0; }", "'p', which 'f' could change"),
        ("void f(void); struct s { int a; } s; int main(void) { f(); return s.a; }", "'s', which 'f' could change"),
        ("void f(void); static int b; int *const p = &b; int main(void) { f(); return *p; }", "'p', which 'f' could change"),
        ("void f(void); int g(void) { extern int *p; return *p; } int *p; int main(void) { f(); return g(); }", "'p', which 'f' could"),
        // What the program does not use may still lead to what it does.
        ("void f(void); static int b; int *p = &b; int main(void) { f(); return b; }", "'p', which 'f' could change"),
        ("void f(void); static int b; int *const p[] = { 0, &b }; int main(void) { f(); return b; }", "'p', which 'f' could change"),
        ("void f(void); static int b; struct { int a; int *q; } s = { 1, &b }; int main(void) { f(); return b; }", "'s', which 'f' could"),
        (
            "int f(void) __attribute__((pure, returns_twice)); int main(void) { return f(); }",
            "'f', which is not defined and may return twice",
        ),
        ("inline int f(void) { return 1; } int main(void) { return f(); }", "an inline definition of 'f' alone"),
        ("int main(void) { return f(1); }", "'f' is not declared"),
        ("int f(int a); int main(void) { return f(1, 2); }", "takes 1 arguments"),
        ("int main(void) { return __builtin_frob(1); }", "__builtin_frob"),
        ("int f(int); int main(void) { int (*g)(int) = f; return g(1); }", "a pointer to the function 'f'"),
        ("extern int x; void f(void); int main(void) { f(); return x; }", "'x', which is declared but not defined"),
    ] {
        let found = read(text).expect_err(text);
        assert!(found.contains(expected), "{text}: {found}");
    }
    for text in [
        "void f(void); static int a[3]; int main(void) { f(); return a[1]; }",
        "void f(void); const int a[3] = { 1 }; int main(void) { f(); return a[1]; }",
        "void f(void); int *p; int main(void) { f(); return 0; }",
        "void f(void); static int b; static int *p = &b; struct { int a; } s = { 1 }; int main(void) { f(); return *p; }",
        "_Noreturn void f(int a); int main(void) { f(3); }",
        "int f(); int main(void) { return f(1, 2); }",
    ] {
        assert!(read(text).is_ok(), "{text}: {:?}", read(text).err());
    }
    let unit = goatherd_frontend::source::from_text("file.c", "int f(int a); int main(void) { return f(1); }", &options()).expect("C");
    assert!(lower(&unit, "main").is_err());
}

/// A name of the library is one, whatever the files make of it among themselves.
#[test]
fn names_of_the_library_stay_said() {
    let own = "static int n; static int putchar(int c) { n++; return c; } int count(void) { if (0) putchar(1); return n; }";
    for other in ["int putchar = 1;", "typedef int putchar;", "enum { putchar = 3 };"] {
        let main = format!("int count(void); int main(void) {{ {other} return count(); }}");
        let text = lowered("putchar", &[("a.c", &main), ("b.c", own)]).unwrap_or_else(|message| panic!("{other}: {message}"));
        assert!(text.contains("putchar:as any other"), "{other}: {text}");
    }
}

/// A compiler of one file believes of a `leaf` that it does not come back to it.
#[test]
fn functions_that_are_leaves() {
    let leaf = "int f(void) __attribute__((leaf)); int main(void) { int leaf = 1; return f() + (leaf); }";
    let alone = linked("leaf", &[("a.c", &format!("{leaf} int f(void) {{ return 1; }}"))]);
    assert!(alone.is_ok());
    let message = linked("leaf", &[("a.c", leaf), ("b.c", "int f(void) { return 1; }")]).expect_err("two files");
    assert_eq!(message, "a.c:1:28: the attribute 'leaf' of what may come back to the file");
    let sort = "void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *)) __attribute__((leaf));";
    let message = linked("leaf", &[("a.c", &format!("{sort} int main(void) {{ return 0; }}"))]).expect_err("it calls the comparator");
    assert_eq!(message, "a.c:1:102: the attribute 'leaf' of what may come back to the file");
    // A header says it of what another file defines.
    let caller = "static int n; void count(void) { n++; } int main(void) { n = 1; CALL; return n; }";
    for (header, call, definition) in [
        ("#include <stdlib.h>\n", "putenv(\"x\")", "int putenv(char *s)"),
        ("#include <string.h>\n", "strsignal(3)", "char *(strsignal)(int n)"),
        ("#define random come\n#include <stdlib.h>\n", "come()", "long come(void)"),
        ("# 1 \"/usr/include/odd.h\" 3\nextern int odd(void) __attribute__((leaf));\n# 2 \"a.c\"\n", "odd()", "int odd(void)"),
    ] {
        let caller = format!("{header}{}", caller.replace("CALL", call));
        let other = format!("void count(void); {definition} {{ count(); return 0; }}");
        let text = lowered("leaf", &[("a.c", &caller), ("b.c", &other)]).unwrap_or_else(|message| panic!("{call}: {message}"));
        assert!(text.contains("%promised"), "{call}: {text}");
    }
    let unrelated = "#include <stdlib.h>\n#include <string.h>\nint f(void); int main(void) { return f() + abs(1); }";
    let text = lowered("leaf", &[("a.c", unrelated), ("b.c", "int f(void) { return 1; }")]).expect("it is lowered");
    assert!(!text.contains("%promised"), "{text}");
}
