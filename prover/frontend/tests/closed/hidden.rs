//! What hides a part of a text from whoever reads it before the compiler, or makes a compiler read another one.

use super::outcome;
use goatherd_frontend::{
    diagnostics::Report,
    source::{Options, load},
};
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

const ASKS: &str = "void test(void) {\n#ifdef __OPTIMIZE__\nn = 2;\n#endif\n}\n/* */\n";

/// An empty folder of this name.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _absent = fs::remove_dir_all(&folder);
    write(&folder.join("empty.h"), "");
    folder
}

fn write(path: &Path, text: impl AsRef<[u8]>) {
    let folder = path.parent().expect("it is in a folder");
    fs::create_dir_all(folder).and_then(|()| fs::write(path, text)).expect("the folder for tests can be written");
}

/// What is said of a file with this text, in the folder; nothing if it is accepted.
fn said(folder: &Path, name: &str, text: impl AsRef<[u8]>) -> Vec<Report> {
    write(&folder.join(name), text);
    let options = Options { include_directories: vec![folder.to_path_buf()], ..Options::default() };
    load(&folder.join(name), &options).err().unwrap_or_default()
}

fn assert_said(folder: &Path, text: impl AsRef<[u8]> + std::fmt::Debug, message: &str) {
    let reports = said(folder, "f.c", &text);
    assert!(reports.iter().any(|report| report.message.contains(message)), "{text:?}: {reports:?}");
}

/// The name of a header ends elsewhere than a comment, an operator or a string does (C11 6.4.7p3).
#[test]
fn names_of_headers() {
    let folder = folder("names-of-headers");
    write(&folder.join("a/*b.h"), "");
    write(&folder.join("a\\"), "");
    let message = "a header's name with a quote, a backslash or a comment in it";
    for line in [
        "#include <a/*b.h>",
        "#import <a/*b.h>",
        "%: include <a/*b.h>",
        "/*\n*/ #in\\\nclude <a/\\\n*b.h>",
        "#if 0\n#include <a/*b.h>\n#endif",
        "#define E\n#include E <a/*b.h>",
        "#include \"a\\\"/*\"",
        "#include \"a\\\"/*",
        "#if __has_include(<x/*y>)\n#endif",
        "#if __has_include(\"a\\\"/*\")\n#endif",
        "#if 0 && __has_include  ( <x//y>)\n#endif",
        "#define HAS __has_include(\n#if HAS<x/*y>)\n#endif",
        "#define JOIN(a, b) a##b\n#define TWICE(a, b) JOIN(a, b)\n#if TWICE(__has_, include)(<x/*y>)\n#endif",
        "#pragma GCC dependency <a/*b.h>",
    ] {
        let text = format!("{line}\nint n;\n{ASKS}");
        let reports = said(&folder, "f.c", &text);
        // The compiler itself may refuse what is one name here and several words there.
        let is_refused = reports.iter().any(|report| report.message == message || report.message.starts_with("missing "));
        assert!(is_refused, "{text}: {reports:?}");
    }
    for line in [
        "#include <sys/types.h>",
        "#include \"empty.h\" // from <a/b.h>, it's \\ empty",
        "#define VERSION 3\n#if VERSION < 4 /* before a -> b */\n#endif",
        "#define VERSION 3\n#if VERSION < 4 // it's a->b\n#endif",
        "#ifdef __has_include\n#if __has_include(<stdint.h>)\n#endif\n#endif",
        "#pragma message \"a\\n\"\n#if 'a' < '\\n'\n#endif",
        "#define INSIDE <a/*b.h> */",
    ] {
        let reports = said(&folder, "f.c", format!("{line}\nint n; void test(void) {{ n = 1; }}"));
        assert!(reports.is_empty(), "{line}: {reports:?}");
    }
}

/// GCC drops a zero byte, or splices lines at one, and other compilers do not; an own header is looked at as the file is.
#[test]
fn bytes_of_own_headers() {
    let folder = folder("bytes-of-own-headers");
    for (header, message) in [
        (&b"#\0ifdef __OPTIMIZE__\n#endif\n"[..], "this is no text: byte 1 is zero"),
        (b"// x \\\0\n/*\n#ifdef __OPTIMIZE__\n#endif\n/* */\n", "this is no text: byte 6 is zero"),
        (b"// x \rint m;\n", "a carriage return that is not the end of a line"),
    ] {
        write(&folder.join("own.h"), header);
        assert_said(&folder, "#include \"own.h\"\nint n; void test(void) { n = 1; }", message);
    }
    write(&folder.join("own.h"), "#define V 1\r\n");
    assert!(said(&folder, "f.c", "#include \"own.h\"\nint n; void test(void) { n = V; }").is_empty());
}

/// The words of a pragma are known if they stand in a string behind `_Pragma`.
#[test]
fn pragmas_that_are_made() {
    let quote = "#define QUOTE(x) #x\n#define TWICE(x) QUOTE(x)\n#define JOIN(a, b) a##b\n";
    for made in [
        "#define P _Pragma\nP(TWICE(JOIN(push_, macro)(\"putc\")))",
        "#define OPEN (\n_Pragma OPEN TWICE(JOIN(push_, macro)(\"putc\")) )",
        "#define SAME(x) x\n#define ANY(a, b) JOIN(a, b)\nANY(_Pra, gma)(TWICE(SAME(push_)macro(\"putc\")))",
    ] {
        let text = format!("{quote}{made}\n#include <stdio.h>\nint n; void test(void) {{ n = 1; }}");
        assert!(outcome(&text).contains("unsupported: a #pragma that hides what is said in headers"), "{text}: {}", outcome(&text));
    }
    let plain = "#define QUIET _Pragma(\"GCC diagnostic push\")\nQUIET\n_Pragma(\"GCC diagnostic pop\")\nint n; void test(void) { n = 1; }";
    assert!(outcome(plain).starts_with('['), "{}", outcome(plain));
}

/// Headers that include others if programs are optimised.
#[test]
fn macros_that_headers_have_or_not() {
    let libintl = "#include <libintl.h>\n#define JOIN(a, b) a##b\n#define TWICE(a, b) JOIN(a, b)\n#define QUOTE(x) #x\n#define SAID(x) QUOTE(x)\nint n;\n";
    for (text, name) in [
        ("#ifdef LC_ALL\n#endif\nvoid test(void) { n = 1; }", "LC_ALL"),
        ("#define EVERY LC_ALL\n#if EVERY\n#endif\nvoid test(void) { n = 1; }", "EVERY"),
        ("#if TWICE(LC_, ALL)\n#endif\nvoid test(void) { n = 1; }", "ALL"),
        ("#ifndef NULL\n#define NULL 0\n#endif\nvoid test(void) { n = sizeof(NULL); }", "NULL"),
        ("#ifdef _LOCALE_H\n#endif\nvoid test(void) { n = 1; }", "_LOCALE_H"),
        ("void test(void) { n = sizeof SAID(LC_CTYPE); }", "\"LC_CTYPE\""),
        ("int v6 = 2, vLC_ALL = 1; void test(void) { n = TWICE(v, LC_ALL); }", "vLC_ALL"),
        ("enum { LC_ALL = 42 }; void test(void) { n = LC_ALL; }", "LC_ALL"),
    ] {
        let outcome = outcome(&format!("{libintl}{text}"));
        assert!(outcome.contains(&format!("unsupported: {name}, ")) && outcome.contains("depends on how"), "{text}: {outcome}");
    }
    let settled = format!("{libintl}#include <locale.h>\n#include <stddef.h>\nvoid *p = NULL; void test(void) {{ n = LC_ALL; }}");
    assert!(outcome(&settled).starts_with('['), "{}", outcome(&settled));
    let elsewhere = "enum { LC_ALL = 42 }; int n; void test(void) { n = LC_ALL; }";
    assert!(outcome(elsewhere).starts_with('['), "{}", outcome(elsewhere));
    let argp = "#define ARGP_EI static int m; extern\n#include <argp.h>\nint n; void test(void) { n = 1; }";
    assert!(outcome(argp).contains("unsupported: ARGP_EI, which depends on how"), "{}", outcome(argp));
}

/// Names and strings may be made of what a macro of the library's has become, in one header and by another.
#[test]
fn macros_that_are_handed_on() {
    let folder = folder("macros-handed-on");
    write(&folder.join("quote.h"), "#define QUOTE(x) #x\n");
    let quoted =
        "#include \"quote.h\"\n#include <ctype.h>\n#define SAID(x) QUOTE(x)\nint n; void test(void) { n = sizeof(SAID(isdigit(1))); }";
    assert_said(&folder, quoted, "\"isdigit(1)\", which depends on how");
    let pasted =
        "#include <arpa/inet.h>\n#define JOIN(a, b) a##b\n#define TWICE(a, b) JOIN(a, b)\nint my_ntohl(int x) { return 1; } int n;";
    assert_said(&folder, format!("{pasted} void test(void) {{ n = TWICE(my_, ntohl(1)); }}"), "my_ntohl, which depends on how");
    let asserted = "#include <assert.h>\n#include <ctype.h>\n#define QUOTE(x) #x\n#define SAID(x) QUOTE(x)\n#define CHECK(x) assert(x)\n\
                    const char version[] = SAID(3); int n; void test(void) { CHECK(isdigit(n) == 0); }";
    assert!(said(&folder, "f.c", asserted).is_empty(), "what assert says only the library reads");
    // A header of the system's, as far as can be told here, with macros of its own.
    let system = "# 1 \"/usr/include/absent.h\" 3\n#define LIBRARY_JOIN(a, b) a ## b\n#define LIBRARY_QUOTE_(x) #x\n#define LIBRARY_QUOTE(x) LIBRARY_QUOTE_(x)\n\
                  #define LIBRARY_LAST (LIBRARY_JOIN(9, L))\n# 2 \"f.c\" 2\n#include <ctype.h>\nint n;\n";
    let asks = format!("{system}#if LIBRARY_JOIN(_, _OPTIMIZE__)\n#endif\nvoid test(void) {{ n = 1; }}");
    assert_said(&folder, asks, "_OPTIMIZE__, out of which __OPTIMIZE__ may be pasted together");
    assert_said(
        &folder,
        format!("{system}void test(void) {{ n = sizeof(LIBRARY_QUOTE(isdigit(1))); }}"),
        "\"isdigit(1)\", which depends on how",
    );
}

/// What stands in `__VA_OPT__` is expanded before one macro quotes or pastes it.
#[test]
fn macros_that_are_optional() {
    let folder = folder("macros-optional");
    let of = |definition: &str, body: &str| {
        format!(
            "#include <ctype.h>\n#include <arpa/inet.h>\n#define {definition}\nint my_ntohl(int x) {{ return 1; }} int n; void test(void) {{ {body} }}"
        )
    };
    for (definition, body, made) in [
        ("Q(x, ...) #__VA_OPT__(x)", "n = sizeof(Q(isdigit(1), 1));", "\"isdigit(1)\""),
        ("Q(...) #__VA_OPT__(__VA_ARGS__)", "n = sizeof(Q(toupper(1)));", "\"toupper(1)\""),
        ("Q(x...) %:__VA_OPT__(x)", "n = sizeof(Q(ntohl(1)));", "\"ntohl(1)\""),
        ("P(x, ...) my_ ## __VA_OPT__(x)", "n = P(ntohl(1), 1);", "my_ntohl"),
    ] {
        assert_said(&folder, of(definition, body), &format!("{made}, which depends on how"));
    }
    let plain = of("LOG(x, ...) log_(#x __VA_OPT__(,) __VA_ARGS__)\nint log_(const char *s, ...)", "n = 1;");
    assert!(!said(&folder, "f.c", &plain).iter().any(|report| report.message.contains("depends")), "{:?}", said(&folder, "f.c", &plain));
}

/// Wherever a link leads, a header outside of the system's folders is the user's.
#[cfg(unix)]
#[test]
fn links_to_own_headers() {
    let folder = folder("links-to-own-headers");
    write(&folder.join("a-long-name-so-that-the-short-one-stays/own.h"), "#ifdef __OPTIMIZE__\n#endif\nint n;\n");
    std::os::unix::fs::symlink(folder.join("a-long-name-so-that-the-short-one-stays"), folder.join("l")).expect("links can be made");
    let link = folder.join("l/own.h");
    let link = link.to_str().expect("a folder of text");
    // From `/usr/include`, where there is one; a name with links in it is kept if it is the shorter one.
    let text = format!("#include <../..{link}>\nvoid test(void) {{ n = 1; }}");
    let reports = said(&folder, "f.c", &text);
    let is_told = reports.iter().any(|report| report.message.contains("__OPTIMIZE__") || report.message.contains("No such file"));
    assert!(is_told, "{text}: {reports:?}");
}

/// GCC reads a precompiled header in another one's place, other than for `cc -E`.
#[test]
fn headers_that_are_precompiled() {
    let folder = folder("headers-precompiled");
    write(&folder.join("own.h"), "int n;\n");
    let text = "#include \"own.h\"\nvoid test(void) { n = 1; }";
    assert!(said(&folder, "f.c", text).is_empty());
    write(&folder.join("own.h.gch"), "stale");
    assert_said(&folder, text, "a header beside which there is a precompiled one");
    write(&folder.join("stdlib.h.gch"), "stale");
    assert_said(&folder, "#include <stdlib.h>\nint n; void test(void) { n = 1; }", "a header beside which there is a precompiled one");
    let message = "a precompiled header in a folder in which headers are looked for";
    assert_said(&folder, "#define H \"stdlib.h\"\n#include H\nint n; void test(void) { n = 1; }", message);
    let below = self::folder("headers-precompiled-below");
    let text = "#define H <sys/types.h>\n#include H\nint n; void test(void) { n = 1; }";
    assert!(said(&below, "f.c", text).is_empty());
    write(&below.join("sys/types.h.gch"), "stale");
    assert_said(&below, text, message);
}

/// So it does in the folders that the environment names: the test runs itself with such a one.
#[test]
fn headers_that_are_precompiled_elsewhere() {
    let text = "#include <stdbool.h>\nint n; void test(void) { n = 1; }";
    let folder = folder("headers-precompiled-elsewhere");
    let there = folder.join("there");
    write(&there.join("stdbool.h.gch"), "stale");
    let names = ["CPATH", "C_INCLUDE_PATH"];
    if names.iter().any(|name| env::var_os(name).is_some_and(|value| value == there)) {
        assert_said(&folder, text, "a header beside which there is a precompiled one");
        return;
    }
    assert!(said(&folder, "f.c", text).is_empty());
    let program = env::current_exe().expect("the test has a file");
    for name in names {
        let mut again = Command::new(&program);
        again.args(["--exact", "hidden::headers_that_are_precompiled_elsewhere"]).env(name, &there);
        assert!(again.output().is_ok_and(|output| output.status.success()), "{name}");
    }
}

/// The name of a header may be made by macros, of which some depend on how the program is compiled.
#[test]
fn names_of_headers_that_are_made() {
    let folder = folder("names-of-headers-that-are-made");
    for name in ["__AVX2__", "isascii", "own.h"] {
        write(&folder.join(name), "int n;\n");
    }
    let text = |name: &str| {
        let string = "#define STR(x) STR_(x)\n#define STR_(x) #x\n#define OF isascii\n#define OWN own.h";
        format!("#include <ctype.h>\n{string}\n#include STR({name})\nvoid test(void) {{ n = 1; }}")
    };
    assert_said(&folder, text("__AVX2__"), "__AVX2__, which depends on how the program is compiled");
    assert_said(&folder, text("isascii"), "isascii, which depends on how the program is compiled");
    assert_said(&folder, text("OF"), "OF, which depends on how the program is compiled");
    assert!(said(&folder, "f.c", text("OWN")).is_empty(), "{:?}", said(&folder, "f.c", text("OWN")));
}

/// The environment names folders as they are seen from where the user stands, an empty name that one, wherever the file lies.
#[test]
fn folders_of_the_environment_are_where_the_user_stands() {
    let text = "#include <k.h>\nvoid test(void) { n = 1; }";
    let names = ["CPATH", "C_INCLUDE_PATH"];
    let lists = ["inc", ":other", "other:"];
    if names.iter().any(|name| env::var_os(name).is_some_and(|value| lists.contains(&&*value.to_string_lossy()))) {
        let here = env::current_dir().expect("the test runs somewhere");
        let reports = said(&here.join("sub"), "f.c", text);
        assert!(reports.is_empty(), "{reports:?}");
        write(&here.join("other/k.h.gch"), "stale");
        write(&here.join("inc/k.h.gch"), "stale");
        assert_said(&here.join("sub"), text, "a header beside which there is a precompiled one");
        return;
    }
    let program = env::current_exe().expect("the test has a file");
    for (name, list) in names.iter().flat_map(|name| lists.map(|list| (name, list))) {
        let folder = folder("folders-of-the-environment");
        write(&folder.join(if list == "inc" { "inc/k.h" } else { "k.h" }), "int n;\n");
        write(&folder.join("sub/inc/k.h"), "#error another one\n");
        let mut again = Command::new(&program);
        again.args(["--exact", "hidden::folders_of_the_environment_are_where_the_user_stands"]).env(name, list).current_dir(&folder);
        let output = again.output().expect("the test runs");
        assert!(output.status.success(), "{name}={list}: {}", String::from_utf8_lossy(&output.stdout));
    }
}

/// `__FILE__` is the name of the file, and no other one.
#[test]
fn names_of_files_with_other_characters() {
    let folder = folder("names-of-files");
    let message = "the name of a file with other characters than letters, digits and '._-+<> '";
    for name in ["\u{e9}.c", "a(1).c"] {
        let reports = said(&folder, name, "int n; void test(void) { n = sizeof(__FILE__); }");
        assert!(reports.iter().any(|report| report.message == message), "{name}: {reports:?}");
        let reports = said(&folder, name, "int n; void test(void) { n = sizeof(__FILE_NAME__); }");
        assert!(reports.iter().any(|report| report.message == message), "{name}: {reports:?}");
        assert!(said(&folder, name, "#include <assert.h>\nint n; void test(void) { assert(n == 0); n = 1; }").is_empty(), "{name}");
    }
    assert!(said(&folder, "a 1.c", "int n; void test(void) { n = sizeof(__FILE__); }").is_empty());
}

/// Behind the parenthesis of an attribute stands no function's body, so that the semicolon behind it is not one too many.
#[test]
fn enumerations_with_attributes() {
    let text = "enum __attribute__((unused)) { A };\nint f(void) { return -1; }\nint n; void test(void) { n = f() + A; }";
    assert!(outcome(text).starts_with('['), "{}", outcome(text));
    let implicit = "enum __attribute__((unused)) { A };\nf(void) { return -1; }\nvoid test(void) { f(); }";
    assert!(outcome(implicit).starts_with('['), "{}", outcome(implicit));
}
