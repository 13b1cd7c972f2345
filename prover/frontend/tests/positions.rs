//! Every byte of a unit's text knows the line and column of the user's file that it comes from.

use goatherd_frontend::{
    diagnostics::{Colors, Report, render},
    source::{Options, Unit, from_text, load},
};
use std::path::{Path, PathBuf};

fn unit_with(text: &str, options: &Options) -> Unit {
    from_text("file.c", text, options).unwrap_or_else(|reports| panic!("{}", render(&reports, Colors::Never)))
}

fn unit(text: &str) -> Unit {
    unit_with(text, &Options::default())
}

fn refused(text: &str) -> Vec<Report> {
    from_text("file.c", text, &Options::default()).err().unwrap_or_default()
}

/// Line, column and macro of the n-th occurrence of a token (from 0).
fn place(unit: &Unit, token: &str, occurrence: usize) -> (String, u32, u32, Option<String>) {
    let (offset, _) = unit
        .text()
        .match_indices(token)
        .filter(|(at, _)| {
            let word =
                |index: Option<usize>| index.and_then(|index| unit.text().as_bytes().get(index)).is_some_and(u8::is_ascii_alphanumeric);
            !word(at.checked_sub(1)) && !word(Some(at + token.len()))
        })
        .nth(occurrence)
        .unwrap_or_else(|| panic!("no {token} in {}", unit.text()));
    let position = unit.position(offset);
    let file = unit.files()[usize::try_from(position.file).expect("small")].clone();
    (file, position.line, position.column, unit.macro_at(offset).map(str::to_owned))
}

fn in_file(line: u32, column: u32, name: Option<&str>) -> (String, u32, u32, Option<String>) {
    ("file.c".to_owned(), line, column, name.map(str::to_owned))
}

/// The same text twice: preprocessed here, and, with an `#include`, by the C compiler.
fn both_ways(text: &str, check: impl Fn(&Unit, u32)) {
    check(&unit(text), 0);
    check(&unit(&format!("#include <stddef.h>\n{text}")), 1);
}

#[test]
fn plain_text_keeps_lines_and_columns() {
    both_ways("/* one\n two */ int x; // three\n\tint\ty ;\n", |unit, shift| {
        assert_eq!(place(unit, "x", 0), in_file(2 + shift, 13, None));
        assert_eq!(place(unit, "y", 0), in_file(3 + shift, 6, None));
    });
}

#[test]
fn spliced_lines_keep_lines_and_columns() {
    both_ways("int a\\\nb; int \\\n  c;\n", |unit, shift| {
        assert_eq!(place(unit, "ab", 0), in_file(1 + shift, 5, None));
        assert_eq!(place(unit, "c", 0), in_file(3 + shift, 3, None));
    });
}

#[test]
fn windows_line_ends_are_white_space() {
    both_ways("int a;\r\nint b;\r\n", |unit, shift| {
        assert_eq!(place(unit, "b", 0), in_file(2 + shift, 5, None));
    });
}

#[test]
fn an_object_like_macro_is_named_and_placed_at_its_use() {
    both_ways("#define SIZE (4 + 1)\nint a[ SIZE ], b;\n", |unit, shift| {
        assert_eq!(place(unit, "4", 0), in_file(2 + shift, 8, Some("SIZE")));
        assert_eq!(place(unit, "b", 0), in_file(2 + shift, 16, None));
    });
}

#[test]
fn an_argument_keeps_its_own_place_and_names_the_macro() {
    both_ways(
        "#define likely(x) __builtin_expect(!!(x), 1)\nint f(int a, int b) { if (likely(a < b)) return 7; return a; }\n",
        |unit, shift| {
            assert_eq!(place(unit, "__builtin_expect", 0), in_file(2 + shift, 27, Some("likely")));
            assert_eq!(place(unit, "<", 0), in_file(2 + shift, 36, Some("likely")));
            assert_eq!(place(unit, "7", 0), in_file(2 + shift, 49, None));
        },
    );
}

#[test]
fn nested_macros_are_named_by_the_one_in_the_file() {
    both_ways("#define ONE 1\n#define TWO (ONE + ONE)\n#define CALL(f, x) f(x, TWO)\nint y = CALL(g, ONE) + 3;\n", |unit, shift| {
        assert_eq!(place(unit, "g", 0), in_file(4 + shift, 14, Some("CALL")));
        assert_eq!(place(unit, "1", 0), in_file(4 + shift, 17, Some("ONE")));
        assert_eq!(place(unit, "1", 1), in_file(4 + shift, 9, Some("CALL")));
        assert_eq!(place(unit, "3", 0), in_file(4 + shift, 24, None));
    });
}

#[test]
fn macro_uses_over_several_lines_keep_what_follows_in_place() {
    both_ways("#define ADD(a, b) ((a) + (b))\nint x = ADD(1,\n   2) + 5;\nint z;\n", |unit, shift| {
        assert_eq!(place(unit, "1", 0), in_file(2 + shift, 13, Some("ADD")));
        assert_eq!(place(unit, "2", 0), in_file(3 + shift, 4, Some("ADD")));
        assert_eq!(place(unit, "5", 0), in_file(3 + shift, 9, None));
        assert_eq!(place(unit, "z", 0), in_file(4 + shift, 5, None));
    });
}

#[test]
fn the_rules_of_expansion_are_those_of_the_standard() {
    // C11 6.10.3.5, examples 3, 4, 5 and 7, adapted.
    let text = "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n#define h g(~\n#define m(a) a(w)\n\
        #define w 0,1\n#define t(a) a\n#define p() int\n#define q(x) x\n#define r(x,y) x ## y\n#define str(x) # x\n\
        f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);\ng(x+(3,4)-w) | h 5) & m\n  (f)^m(m);\np() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };\n\
        char c[2][6] = { str(hello), str() };\nstr(\"a\\n\" 'b'  c)\n\
        #define v(f, ...) f(0, ## __VA_ARGS__)\n#define n(f, rest...) f(0, ## rest)\nv(a) v(a, 1, 2) n(b) n(b, 3)\n";
    let ours = unit(text);
    let theirs = unit(&format!("#include <stddef.h>\n{text}"));
    let words = |unit: &Unit, from: &str| {
        let start = unit.text().find(from).unwrap_or_default();
        unit.text()[start..].split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(words(&ours, "f ( 2 *"), words(&theirs, "f ( 2 *"));
}

#[test]
fn skipped_groups_and_included_files_do_not_shift_places() {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("positions");
    std::fs::create_dir_all(&directory).expect("a directory");
    std::fs::write(directory.join("own.h"), "#define FIRST 1\nstatic inline int  own(int i)\n{ return i + FIRST; }\n").expect("a file");
    let file = directory.join("user.c");
    std::fs::write(&file, "#include \"own.h\"\n#if 0\nit's skipped\n#elif FIRST\nint  a;\n#else\nint b;\n#endif\nint  c = FIRST;\n")
        .expect("a file");
    let unit = load(&file, &Options::default()).unwrap_or_else(|reports| panic!("{}", render(&reports, Colors::Never)));
    assert!(!unit.text().contains("skipped"));
    let name = |path: &Path| path.to_string_lossy().into_owned();
    assert_eq!(place(&unit, "own", 0), (name(&directory.join("own.h")), 2, 20, None));
    assert_eq!(place(&unit, "1", 0), (name(&directory.join("own.h")), 3, 14, Some("FIRST".to_owned())));
    assert_eq!(place(&unit, "a", 0), (name(&file), 5, 6, None));
    assert_eq!(place(&unit, "c", 0), (name(&file), 9, 6, None));
    assert_eq!(
        unit.source_line(unit.position(unit.text().find("own").expect("it is there"))).as_deref(),
        Some("static inline int  own(int i)")
    );
}

#[test]
fn include_directories_are_relative_to_the_working_directory() {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("include");
    std::fs::create_dir_all(directory.join("headers")).expect("a directory");
    std::fs::write(directory.join("headers/there.h"), "int there;\n").expect("a file");
    let file = directory.join("user.c");
    std::fs::write(&file, "#include <there.h>\n").expect("a file");
    let missing = load(&file, &Options::default()).err().unwrap_or_default();
    assert!(missing[0].message.contains("there.h"), "{missing:?}");
    assert_eq!((missing[0].line, missing[0].column), (Some(1), Some(10)));
    let options = Options { include_directories: vec![directory.join("headers")], ..Options::default() };
    assert!(load(&file, &options).is_ok_and(|unit| unit.text().contains("there")));
}

#[test]
fn the_name_of_the_file_has_no_directories_in_the_program() {
    assert!(unit("const char *name = __FILE__;\nint line = __LINE__;\n").text().contains("\"file.c\" ;\nint line = 2"));
    let options = Options::default();
    let elsewhere = from_text("a/b/file.c", "const char *name = __FILE__;\n", &options);
    assert!(elsewhere.is_ok_and(|unit| unit.text().contains("\"file.c\"")));
}

#[test]
fn names_with_any_characters_are_the_users_file() {
    let text = "#include <stddef.h>\nint  x;\n";
    for name in ["caf\u{e9}.c", "a \"b\"\\.c", "-.c", "x\ny.c"] {
        let unit = from_text(name, text, &Options::default()).unwrap_or_else(|reports| panic!("{}", render(&reports, Colors::Never)));
        assert_eq!(place(&unit, "x", 0), (name.to_owned(), 2, 6, None));
    }
}

#[test]
fn line_and_file_macros_do_not_cost_the_columns_around_them() {
    let unit = unit("#include <stddef.h>\nint a = __LINE__ +  b; const char *n = __FILE__; int d;\n");
    assert_eq!(place(&unit, "b", 0), in_file(2, 21, None));
    assert_eq!(place(&unit, "d", 0), in_file(2, 54, None));
}

#[test]
fn assertions_name_their_macro() {
    let unit = unit("#include <assert.h>\nvoid test(int n)\n{\n    n++; assert(n > 0);  n--;\n}\n");
    assert_eq!(place(&unit, ">", 0), in_file(4, 19, Some("assert")));
    assert_eq!(place(&unit, "__assert_fail", 1), in_file(4, 10, Some("assert")));
    assert_eq!(place(&unit, "\"n > 0\"", 0), in_file(4, 10, Some("assert")));
    assert_eq!(place(&unit, "--", 0), in_file(4, 27, None));
}

#[test]
fn definitions_of_the_command_line_are_used() {
    let options = Options { definitions: vec!["N=4 + 1".to_owned(), "YES".to_owned(), "TWICE(x)=x x".to_owned()], ..Options::default() };
    let plain = unit_with("int a = N - YES; TWICE(int;)\n", &options);
    assert_eq!(plain.text(), "int a = 4 + 1 - 1 ; int ; int ;\n");
    assert_eq!(place(&plain, "4", 0), in_file(1, 9, Some("N")));
    let included = unit_with("#ifdef YES\nint a = N;\n#endif\n", &options);
    assert_eq!(place(&included, "4", 0), in_file(2, 9, Some("N")));
    let wrong = Options { definitions: vec!["1=2".to_owned()], ..Options::default() };
    assert!(from_text("file.c", "int x;", &wrong).is_err());
}

#[test]
fn bytes_that_are_no_utf_8_keep_their_values_and_columns() {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("latin1.c");
    std::fs::write(&file, b"/* \xe9\xff */ char s[] = \"\xe9t\xe9\", c = '\xff'; int  after;\n").expect("a file");
    let unit = load(&file, &Options::default()).expect("it is C");
    assert!(unit.text().starts_with(r#"char s [ ] = "\351t\351" , c = '\377' ;"#), "{}", unit.text());
    assert_eq!(unit.position(unit.text().find("after").expect("it is there")).column, 42);
    assert!(unit.source_line(unit.position(0)).is_some_and(|line| line.starts_with("/* ?? */ char")));
}

#[test]
fn a_byte_order_mark_is_no_text() {
    both_ways("int x;", |unit, _| assert!(unit.text().ends_with("int x ;\n")));
    let marked = unit("\u{feff}int x;");
    assert_eq!(place(&marked, "x", 0), in_file(1, 5, None));
    let included = unit("\u{feff}#include <stddef.h>\nint x;");
    assert_eq!(place(&included, "x", 0), in_file(2, 5, None));
}

#[test]
fn system_headers_come_last_among_the_files() {
    let unit = unit("#include <string.h>\nunsigned long f(char *s) { return strlen(s); }\n");
    assert_eq!(unit.files()[..2], ["file.c", "<model strlen>"]);
    assert!(unit.files()[2..].iter().all(|name| name.starts_with('/')), "{:?}", unit.files());
    assert_eq!(place(&unit, "p", 0), ("<model strlen>".to_owned(), 4, 17, None));
}

#[test]
fn hostile_macros_are_refused_in_time() {
    let mut text = String::from("#define A0 x x x x x x x x x x\n");
    for level in 1..12 {
        let previous = format!("A{} ", level - 1).repeat(10);
        text.extend(["#define A", &level.to_string(), " ", &previous, "\n"]);
    }
    text.push_str("int A11;\n");
    let reports = refused(&text);
    assert_eq!(reports.len(), 1);
    assert!(reports[0].message.contains("too large"), "{reports:?}");
    let text = format!("#define f(x) x\nint y = {}1{};\n", "f(".repeat(5000), ")".repeat(5000));
    assert!(refused(&text)[0].message.contains("too deeply"));
    assert!(refused("#define f(x) x\nint y = f(1;\n")[0].message.contains("no closing parenthesis"));
    assert!(refused("#define f(x) x\nint y = f(1, 2);\n")[0].message.contains("takes 1 argument"));
    assert!(refused("#define\n")[0].message.contains("no macro definition"));
}

#[test]
fn an_empty_file_is_an_empty_unit() {
    let unit = unit("");
    assert_eq!(unit.text(), "\n");
    assert_eq!(unit.position(0).line, 1);
    assert_eq!(unit.position(1000).line, 1);
    assert_eq!(unit.files(), ["file.c"]);
}
