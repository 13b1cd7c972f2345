//! First harnesses for plain functions.

use goatherd_frontend::{
    diagnostics::{Colors, render, reports},
    harness::harness,
    source::{Options, from_text},
};
use lang_c::driver::{Config, Flavor, parse_preprocessed};

/// The harness, which is C once more, or what is wrong.
fn harness_of(name: &str, text: &str, function: &str) -> String {
    let unit = from_text(name, text, &Options::default()).unwrap_or_else(|reports| panic!("{}", render(&reports, Colors::Never)));
    match harness(&unit, function) {
        Err(diagnostics) => render(&reports(&unit, &diagnostics), Colors::Never),
        Ok(written) => {
            let whole = written.replace("#include \"file.c\"", text);
            let again =
                from_text("harness.c", &whole, &Options::default()).unwrap_or_else(|reports| panic!("{}", render(&reports, Colors::Never)));
            let config = Config { flavor: Flavor::GnuC11, ..Config::default() };
            assert!(parse_preprocessed(&config, again.text().to_owned()).is_ok(), "{written}");
            written
        }
    }
}

#[test]
fn strings_are_terminated_and_scalars_pass_through() {
    insta::assert_snapshot!(harness_of(
        "file.c",
        "int count(const char *s, char c) { int n = 0; while (*s) n += *s++ == c; return n; }",
        "count"
    ));
}

#[test]
fn buffers_have_the_length_beside_them() {
    let text = "typedef unsigned long size_t; typedef unsigned char byte;\nvoid fill(byte *to, int c, size_t n) { while (n--) *to++ = c; }";
    insta::assert_snapshot!(harness_of("dir/file.c", text, "fill"));
    let text = "struct item { int a; };\nint sum(struct item items[], int count) { int s = 0; for (int i = 0; i < count; i++) s += items[i].a; return s; }";
    insta::assert_snapshot!(harness_of("file.c", text, "sum"));
}

#[test]
fn the_standard_input_is_copied() {
    insta::assert_snapshot!(harness_of("<stdin>", "struct p { int x; };\nint get(struct p *p) { return p->x; }\n", "get"));
}

#[test]
fn functions_without_parameters_need_no_input() {
    assert!(harness_of("file.c", "int one(void) { return 1; }", "one").contains("void test(void)\n{\n"));
    assert!(harness_of("file.c", "int one() { return 1; }", "one").contains("    one();\n"));
}

#[test]
fn what_no_harness_can_be_made_for() {
    let text = "int f(char **p, int (*g)(int), double d, ...) { return 0; }\nint test(void) { return 0; }\n";
    insta::assert_snapshot!(harness_of("file.c", text, "f"));
    insta::assert_snapshot!(harness_of("file.c", &text.replace("test", "other"), "f"));
    insta::assert_snapshot!(harness_of("file.c", "int a(void) { return 1; }\nint b(void);\n", "b"));
    insta::assert_snapshot!(harness_of("file.c", "int f(a) int a; { return a; }\n", "f"));
    insta::assert_snapshot!(harness_of("file.c", "int f(int a) { int 3; return a; }\n", "f"));
}
