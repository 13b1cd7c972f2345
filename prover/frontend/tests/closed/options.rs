//! Macros that depend on options and processors, wherever they are looked at.

use super::outcome;

const DEPENDS: &str = "which depends on how the program is compiled";

fn assert_depends(text: &str) {
    assert!(outcome(text).ends_with(DEPENDS), "{text}: {}", outcome(text));
}

fn assert_accepted(text: &str) {
    assert!(outcome(text).starts_with('['), "{text}: {}", outcome(text));
}

#[test]
fn processors_and_what_they_have() {
    for name in
        ["__znver3__", "__znver3", "__haswell__", "__tune_znver3__", "__PKU__", "__AMX_TILE__", "__3dNOW__", "__somecpu9__", "__somecpu9"]
    {
        assert_depends(&format!("int n;\n#ifdef {name}\n#endif\nvoid test(void) {{ n = 1; }}"));
        assert_depends(&format!("int n;\n#if defined {name}\n#endif\nvoid test(void) {{ n = 1; }}"));
    }
    for name in ["__FLT_EVAL_METHOD__", "__LDBL_MANT_DIG__", "__DECIMAL_DIG__", "__GNUC_EXECUTION_CHARSET_NAME"] {
        assert_depends(&format!("int n;\nvoid test(void) {{ n = sizeof({name}); }}"));
    }
    for name in
        ["__x86_64__", "__clang__", "__APPLE__", "__cplusplus", "__arm__", "__GNUC__", "__DEBUG__", "__list_h__", "__has_include", "DEBUG"]
    {
        assert_accepted(&format!("int n;\n#ifdef {name}\n#endif\nvoid test(void) {{ n = 1; }}"));
    }
    assert_accepted("#ifndef __foo__\n#define __foo__\nint n;\n#endif\n#ifdef __foo__\n#endif\nvoid test(void) { n = 1; }");
    assert_accepted(
        "#if defined __has_attribute && __has_attribute(__some__)\nint n;\n#endif\n#define HAS(x) __has_attribute(x)\n#if HAS(__packed__)\nint n;\n#endif\nvoid test(void) { n = 1; }",
    );
    assert_depends("int n;\n#define IS defined __somecpu9__\n#if IS\n#endif\nvoid test(void) { n = 1; }");
    assert_accepted("static inline int __attribute__((__unused__)) __min(int a) { return a; }\nint n;\nvoid test(void) { n = __min(1); }");
}

#[test]
fn macros_of_headers_that_follow_options() {
    for (header, text) in [
        ("float.h", "n = FLT_EVAL_METHOD;"),
        ("float.h", "n = DECIMAL_DIG;"),
        ("float.h", "n = LDBL_MANT_DIG;"),
        ("math.h", "n = math_errhandling;"),
        ("math.h", "n = sizeof(float_t);"),
    ] {
        assert_depends(&format!("#include <{header}>\nint n; void test(void) {{ {text} }}"));
    }
    assert_depends("#include <float.h>\nint n;\n#if FLT_EVAL_METHOD == 0\n#endif\nvoid test(void) { n = 1; }");
    assert_accepted("#include <float.h>\n#include <limits.h>\n#include <math.h>\nint n; void test(void) { n = FLT_MANT_DIG + INT_MAX; }");
    assert_accepted("typedef int float_t; float_t n; void test(void) { n = 1; }");
}

#[test]
fn names_that_are_pasted_together() {
    let text = |parts: &str| format!("#define J(a, b) a##b\nint n;\n#if J({parts})\n#endif\nvoid test(void) {{ n = 1; }}");
    for parts in ["__SSE4_, 2__", "__znver, 3__", "__, haswell", "__AVX, 2__", "__FLT_EVAL, _METHOD__"] {
        assert_depends(&text(parts));
    }
    // Parts of which no underscores are there are none.
    assert_accepted("void __clear(int a) {}\nint k, m, n; void test(void) { k = 6; m = k; n = 1; }");
    assert_accepted(&text("lines, 2"));
}

/// Macros are expanded in these lines, too.
#[test]
fn numbers_of_lines() {
    let then = "int n; void test(void) { n = 1; }";
    assert_depends(&format!("#line __BIGGEST_ALIGNMENT__\n{then}"));
    assert_accepted(&format!("#define HEADER <stddef.h>\n#define SEVEN 7\n#include HEADER\n#line SEVEN \"g.c\"\n{then}"));
}
