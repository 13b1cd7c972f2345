//! What is refused, and how that looks.

use goatherd_frontend::{
    diagnostics::{Colors, Diagnostic, Kind, Report, render, reports},
    source::{Options, from_text, load},
};
use std::path::{Path, PathBuf};

fn refusal(text: &str) -> String {
    match from_text("file.c", text, &Options::default()) {
        Ok(unit) => format!("accepted: {}", unit.text()),
        Err(reports) => render(&reports, Colors::Never),
    }
}

#[test]
fn what_the_parser_cannot_read_is_unsupported() {
    insta::assert_snapshot!(refusal(
        "__int128 a;\nvoid f(int *p) {\n\t__auto_type q = p;\n  void *t[] = { &&end, && end };\n  goto *t[0];\nend: ;\n}\n"
    ));
}

#[test]
fn positions_inside_macros_name_the_macro() {
    insta::assert_snapshot!(refusal("#define WIDE __int128\nint a; unsigned WIDE b;\n"));
}

#[test]
fn brackets_must_match() {
    insta::assert_snapshot!(refusal("int f(void)\n{\n    return (1 + 2];\n}\n"), @r"
    file.c:3:18: error: ] does not close (
      |
    3 |     return (1 + 2];
      |                  ^
    ");
    insta::assert_snapshot!(refusal("int f(void) { if (1) { return 2; }\n"), @r"
    file.c:1:13: error: { is not closed
      |
    1 | int f(void) { if (1) { return 2; }
      |             ^
    ");
    insta::assert_snapshot!(refusal("int a; }"), @r"
    file.c:1:8: error: } without an opening bracket
      |
    1 | int a; }
      |        ^
    ");
}

#[test]
fn text_that_is_no_token_is_shown() {
    insta::assert_snapshot!(refusal("char *s = \"open;\nint caf\u{e9} = 1 @ 2;\nint *w = L\"\u{e9}\";\n/* open"));
}

#[test]
fn deep_nesting_is_refused_at_once() {
    for (open, close) in [("(", ")"), ("{", "}"), ("a[", "]"), ("f(", ")"), ("({", "})")] {
        let text = format!("int x = {}1{};\n", open.repeat(10_000), close.repeat(10_000));
        assert!(refusal(&text).contains("unsupported: brackets nested more than 256 deep"));
        let text = format!("int x = {}1{};\n", open.repeat(120), close.repeat(120));
        assert!(refusal(&text).starts_with("accepted"), "{}", refusal(&text));
    }
    for chain in [
        "!",
        "- ",
        "1 + ",
        "a = ",
        "1 ? 1 : ",
        "1 ? ",
        "(int)",
        "sizeof ",
        "if (1) ",
        "if (1) ; else ",
        "if (1) {} else ",
        "for (;;) ",
        "l: ",
    ] {
        let text = format!("int f(void) {{ {} 1; }}\n", chain.repeat(10_000));
        assert!(refusal(&text).contains("nested more than 1024 deep"), "{chain}: {}", refusal(&text));
        let text = format!("int f(void) {{ {} 1; }}\n", chain.repeat(250));
        assert!(refusal(&text).starts_with("accepted"), "{chain}: {}", refusal(&text));
    }
}

#[test]
fn long_but_flat_text_is_accepted() {
    let table = format!("int t[] = {{ {} }};\n", "-1 + 2, (3), x ? 1 : 2, ".repeat(10_000));
    let statements =
        format!("int f(int x) {{ {} }}\n", "if (x) { x = x + 1; } else x--; switch (x) { case 1: case 2: break; } ".repeat(5_000));
    assert!(from_text("file.c", &(table + &statements), &Options::default()).is_ok());
}

#[test]
fn long_lines_are_cut() {
    let text = format!("int x = {} @ 1{};\n", "1 + ".repeat(250), " + 1".repeat(250));
    insta::assert_snapshot!(refusal(&text));
}

#[test]
fn control_characters_are_not_shown() {
    let shown = refusal("int \u{1b}[31m x;\n");
    assert!(shown.contains("unexpected"), "{shown}");
    assert!(!shown.contains('\u{1b}'));
}

#[test]
fn files_that_cannot_be_read() {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let shown = |path: &Path| load(path, &Options::default()).err().map(|reports| render(&reports, Colors::Never)).unwrap_or_default();
    assert_eq!(shown(Path::new("no such.c")), "no such.c: error: cannot read the file: there is no such file\n");
    assert!(shown(&directory).ends_with("error: cannot read the file: it is a directory\n"));
    let binary = directory.join("binary.c");
    std::fs::write(&binary, b"int x\0;").expect("a file");
    assert!(shown(&binary).ends_with("error: this is no text: byte 5 is zero\n"));
    let large = directory.join("large.c");
    std::fs::File::create(&large).and_then(|file| file.set_len((16 << 20) + 1)).expect("a file");
    assert!(shown(&large).ends_with("error: cannot read the file: it is larger than 16 MiB\n"));
    assert!(shown(Path::new("/dev/zero")).ends_with("error: cannot read the file: it is larger than 16 MiB\n"));
}

#[test]
fn errors_of_the_compiler_have_their_places() {
    insta::assert_snapshot!(refusal("int a;\n#include <no/such.h>\n"), @r"
    file.c:2:10: error: no/such.h: No such file or directory
      |
    2 | #include <no/such.h>
      |          ^
    ");
    assert!(refusal("#if 1\nint x;\n").starts_with("file.c:1: error: unterminated #if") || refusal("#if 1\n").contains("unterminated"));
    assert!(refusal("#error do not\n").starts_with("file.c:1:2: error: #error do not"));
}

#[test]
fn without_a_compiler_files_that_need_none_are_read() {
    let myself = std::env::current_exe().expect("a test");
    let run =
        std::process::Command::new(myself).args(["--ignored", "--exact", "no_compiler"]).env("PATH", "").output().expect("a test runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
}

/// Run by the test above.
#[test]
#[ignore = "only where no program is found"]
fn no_compiler() {
    assert_eq!(refusal("#define N 3\n#pragma once\nint x = N;\n"), "accepted: int x = 3 ;\n");
    insta::assert_snapshot!(refusal("int y;\n# include <stddef.h>\n"));
    assert!(refusal("int y = __INT_MAX__;\n").contains("cannot run cc, the C compiler, which __INT_MAX__ needs"));
}

#[test]
fn reports_are_sorted_and_not_repeated() {
    let unit = from_text("file.c", "int a;\nint b;\n", &Options::default()).expect("it is C");
    let at = |name: &str, message: &str| Diagnostic {
        kind: Kind::Unsupported,
        message: message.to_owned(),
        offset: unit.text().find(name).expect("it is there"),
        help: Some("use something else".to_owned()),
    };
    let sorted = reports(&unit, &[at("b", "second"), at("a", "first"), at("b", "second")]);
    insta::assert_snapshot!(render(&sorted, Colors::Never), @r"
    file.c:1:5: unsupported: first
      |
    1 | int a;
      |     ^
      = use something else

    file.c:2:5: unsupported: second
      |
    2 | int b;
      |     ^
      = use something else
    ");
    let json = serde_json::to_string(&sorted[0]).expect("plain data");
    insta::assert_snapshot!(json, @r#"{"kind":"unsupported","message":"first","file":"file.c","line":1,"column":5,"source_line":"int a;","macro_name":null,"help":"use something else"}"#);
}

#[test]
fn colors_are_only_added() {
    let report =
        Report { line: Some(3), column: Some(2), source_line: Some("\tx".to_owned()), ..Report::of_file(Kind::Error, "f.c", "wrong") };
    let plain = render(std::slice::from_ref(&report), Colors::Never);
    let colored = render(&[report], Colors::Always);
    assert!(colored.contains('\u{1b}') && !plain.contains('\u{1b}'));
    let mut stripped = String::new();
    let mut escape = false;
    for character in colored.chars() {
        match character {
            '\u{1b}' => escape = true,
            'm' if escape => escape = false,
            _ if escape => {}
            _ => stripped.push(character),
        }
    }
    assert_eq!(stripped, plain);
}
