//! The ending of a file's name says what compilers take it for.

use goatherd_frontend::source::{Options, from_text};

fn said(name: &str, text: &str) -> Option<String> {
    let options = Options { definitions: vec!["GIVEN=1".to_owned()], ..Options::default() };
    Some(from_text(name, text, &options).err()?.first().expect("something is said").message.clone())
}

#[test]
fn files_of_other_languages() {
    let text = "int n; void test(void) { n = sizeof 'a'; }";
    for name in ["a.C", "a.cc", "a.cpp", "a.cxx", "a.c++", "a.ii", "a.m", "a.S", "a.s", "a.go", "a.d", "b/a.c.H", "a.M", "a.CPP"] {
        let message = "a file that is of another language than C by the ending of its name";
        assert_eq!(said(name, text).as_deref(), Some(message), "{name}");
    }
    for name in ["a.c", "a.h", "a.i", "a", "a.cc/a.c", "<stdin>", "a.txt"] {
        assert_eq!(said(name, text), None, "{name}");
    }
}

#[test]
fn preprocessed_files_have_no_directives() {
    let directive = "a directive in a file that is preprocessed by the ending of its name";
    for line in ["#define x y", "#undef x", "#line 3", "#if 1", "#include <stdio.h>", "#", "#error", "  #define x y", "%: define x y"] {
        let text = format!("{line}\nint n; void test(void) {{ n = 1; }}");
        assert_eq!(said("a.i", &text).as_deref(), Some(directive), "{line}");
    }
    let splice = "a backslash at the end of a line in a file that is preprocessed by the ending of its name";
    for text in ["// c:\\\nint n; void test(void) { n = 1; }", "int n; // c:\\ \t\r\nvoid test(void) { n = 1; }"] {
        assert_eq!(said("a.i", text).as_deref(), Some(splice), "{text}");
    }
    let text = "# 1 \"a.c\"\n# 1 \"/usr/include/assert.h\" 1 3 4\n# 2 \"a.c\" 2\n#pragma GCC diagnostic push\n#ident \"a\"\nint n; void test(void) { n = '\\\\'; }";
    assert_eq!(said("a.i", text), None);
}

/// Neither those of the compiler nor those that are given.
#[test]
fn preprocessed_files_have_no_macros() {
    for marker in ["", "# 1 \"a.c\"\n"] {
        let text = |name: &str| format!("{marker}void test(void) {{ {name}: goto {name}; }}");
        for name in ["linux", "unix", "GIVEN"] {
            assert_eq!(said("a.i", &text(name)), None, "{name}");
            let unit = from_text("a.i", &text(name), &Options::default()).expect("it is C");
            assert!(unit.text().contains(name), "{}", unit.text());
        }
    }
    // Nothing is pasted together either.
    assert_eq!(said("a.i", "# 1 \"a.c\"\nint __SSE4, n; void test(void) { int _1__ = 1; n = __SSE4 + _1__; }").as_deref(), None);
    assert!(!from_text("a.c", "int test(void) { return unix; }", &Options::default()).expect("it is C").text().contains("unix"));
}
