//! The models agree with the C library, as far as C says what it does.

use goatherd_frontend::{
    diagnostics::{Colors, render},
    models,
    source::{Options, from_text},
};
use lang_c::driver::{Config, Flavor, parse_preprocessed};
use std::{path::PathBuf, process::Command};

fn text_of(text: &str) -> (String, Vec<String>) {
    let unit = from_text("file.c", text, &Options::default()).unwrap_or_else(|reports| panic!("{}", render(&reports, Colors::Never)));
    let config = Config { flavor: Flavor::GnuC11, ..Config::default() };
    assert!(parse_preprocessed(&config, unit.text().to_owned()).is_ok(), "{}", unit.text());
    (unit.text().to_owned(), unit.files().to_vec())
}

#[test]
fn models_are_listed_in_order() {
    let names: Vec<&str> = models::names().collect();
    assert!(names.is_sorted());
    assert!(names.iter().all(|name| models::text(name).is_some_and(|text| text.contains(&format!("{name}(")))));
    assert!(models::text("printf").is_none());
}

#[test]
fn models_are_added_for_what_is_called_and_not_defined() {
    let (text, files) = text_of("unsigned long strlen(const char *);\nunsigned long f(const char *s) { return strlen(s); }\n");
    assert_eq!(files, ["file.c", "<model strlen>"]);
    assert!(text.contains("unsigned long strlen ( const char * s )\n{"));
    let (_, files) = text_of("static unsigned long strlen(const char *s) { return 0; }\nunsigned long f(char *s) { return strlen(s); }\n");
    assert_eq!(files, ["file.c"]);
    let (_, files) = text_of("unsigned long strlen(s) const char *s; { return 0; }\nunsigned long f(char *s) { return strlen(s); }\n");
    assert_eq!(files, ["file.c"]);
    let (_, files) = text_of("int index; int f(int abs) { return abs + index; }\n");
    assert_eq!(files, ["file.c"]);
}

/// A program may define any of the others for itself.
#[test]
fn models_call_no_functions() {
    for name in models::names() {
        let (_, files) = text_of(&format!("int f(void) {{ return {name}(); }}\n"));
        assert_eq!(files, ["file.c", &format!("<model {name}>")]);
    }
}

#[test]
fn built_in_functions_are_declared() {
    let (text, files) = text_of("unsigned long f(const char *s) { return __builtin_strlen(s) + __builtin_expect(1, 1); }\n");
    assert_eq!(files, ["file.c", "<model strlen>"]);
    assert!(text.starts_with("unsigned long strlen ( const char * s ) ;\n"), "{text}");
    assert!(text.contains("return strlen ( s ) + __builtin_expect"));
}

#[test]
fn every_model_parses_with_the_headers_that_declare_it() {
    let calls: Vec<String> = models::names().map(|name| format!("(void){name}();")).collect();
    let calls = calls.join("\n");
    let headers =
        "#define _GNU_SOURCE\n#include <string.h>\n#include <strings.h>\n#include <wchar.h>\n#include <ctype.h>\n#include <stdlib.h>\n";
    let (_, files) = text_of(&format!("{headers}void test(void)\n{{\n{calls}\n}}\n"));
    assert_eq!(files.iter().filter(|name| name.starts_with("<model ")).count(), models::names().count());
}

/// Compiles the models under other names, with `models.c`, which runs them beside the library's functions on many small inputs.
fn compiled_models() -> PathBuf {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("models");
    std::fs::create_dir_all(&directory).expect("a directory");
    let mut text = String::new();
    for name in models::names() {
        text.extend(["#define ", name, " model_", name, "\n"]);
    }
    for name in models::names() {
        text.push_str(models::text(name).unwrap_or_default());
    }
    std::fs::write(directory.join("models.c"), text).expect("a file");
    let driver = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/models.c");
    let program = directory.join("models");
    let compiled = Command::new("cc")
        .args(["-std=gnu11", "-w", "-O1", "-fwrapv", "-fno-builtin", "-fsanitize=address,undefined", "-fno-sanitize-recover", "-o"])
        .arg(&program)
        .arg(directory.join("models.c"))
        .arg(driver)
        .status();
    assert!(compiled.is_ok_and(|status| status.success()));
    program
}

#[test]
fn models_agree_with_the_library() {
    let program = compiled_models();
    let run = Command::new(&program).output().expect("it was built");
    assert!(run.status.success(), "{}{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));

    // Each model that has a condition fails where only that is violated.
    let conditional = models::names().filter(|name| models::text(name).is_some_and(|text| text.contains("__builtin_unreachable")));
    for name in conditional {
        let run = Command::new(&program).arg(name).output().expect("it was built");
        let message = String::from_utf8_lossy(&run.stderr).into_owned();
        assert!(!run.status.success() && message.contains("unreachable program point"), "{name}: {message}");
    }
}
