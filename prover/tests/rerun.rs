//! Failing runs as C files: each shows the failure, whatever else is chosen on the way to it.

use std::{fs, path::Path, process::Command};

const PRELUDE: &str = "#include <errno.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <time.h>\n\
    extern int __VERIFIER_nondet_int(void);\nextern void __VERIFIER_assert(int condition);\n";

/// What is printed where the program is refuted and the C file of that is run; the report, where there is no such file.
fn shown(name: &str, prelude: &str, body: &str) -> Result<String, String> {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rerun").join(name);
    fs::create_dir_all(&directory).expect("the directory of a test");
    fs::write(directory.join("program.c"), format!("{prelude}void test(int n)\n{{\n{body}\n}}\n")).expect("the program");
    let asked = ["prove", "program.c", "--steps", "500"];
    let output = Command::new(env!("CARGO_BIN_EXE_goatherd")).args(asked).current_dir(&directory).output().expect("the command");
    let report = String::from_utf8(output.stdout).expect("text");
    assert_eq!(output.status.code(), Some(1), "{name}: {report}{}", String::from_utf8_lossy(&output.stderr));
    let command = report.lines().find_map(|line| line.trim().strip_prefix("to run it"));
    let Some(command) = command else { return Err(report) };
    let run = Command::new("sh").args(["-c", command.trim()]).current_dir(&directory).output().expect("a shell");
    assert_eq!(run.status.code(), Some(1), "{name}: {}", String::from_utf8_lossy(&run.stderr));
    Ok(format!("{}{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr)))
}

fn is_shown(name: &str, body: &str, failure: &str) {
    let shown = shown(name, PRELUDE, body).unwrap_or_else(|report| panic!("{name}: no C file\n{report}"));
    assert!(shown.contains(failure), "{name}: {shown}");
}

const ASSERTION: &str = "goatherd: false assertion";

/// What models choose, and what the program form does not know of a value, is not taken for what the calls of the source give.
#[test]
fn values_are_those_of_the_calls() {
    let seven = "__VERIFIER_assert(__VERIFIER_nondet_int() != 7);";
    is_shown(
        "reallocated",
        "char *s = realloc(NULL, 4); if (!s) return; if (__VERIFIER_nondet_int() == 7) s[4] = 0; free(s);",
        "heap-buffer-overflow",
    );
    for (name, before) in [
        ("time", "time_t t = time(NULL); (void)t;"),
        ("printed", "printf(\"%d\\n\", n);"),
        ("line", "puts(\"a\");"),
        ("volatile", "volatile int v = 3; int w = v; (void)w;"),
        ("address", "int x; unsigned long a = (unsigned long)&x; (void)a;"),
        ("flushed", "fflush(stdout);"),
        ("random", "int r = rand(); (void)r;"),
        ("duplicated", "char *s = strdup(\"ab\"); free(s);"),
    ] {
        is_shown(name, &format!("{before} {seven}"), ASSERTION);
    }
}

/// What functions of the library choose is chosen again.
#[test]
fn functions_of_the_library_choose_again() {
    for (name, body) in [
        ("random-five", "__VERIFIER_assert(rand() != 5);"),
        ("character", "int k = __VERIFIER_nondet_int(); __VERIFIER_assert(getchar() != 'x' || k != 3);"),
        ("line-read", "char b[4]; if (fgets(b, 4, stdin)) __VERIFIER_assert(b[0] != 'q');"),
        ("no-copy", "char *s = strdup(\"ab\"); __VERIFIER_assert(s != NULL); free(s);"),
        ("not-flushed", "__VERIFIER_assert(fflush(stdout) == 0);"),
        ("no-memory", "char *s = malloc(4); if (!s) return; char *t = realloc(s, 8); __VERIFIER_assert(t != NULL); free(t);"),
        ("ended", "char *s = malloc(1); if (!s) return; char *t = realloc(s, 0); __VERIFIER_assert(t != NULL); free(t);"),
        ("kept", "char *s = malloc(1); if (!s) return; *s = 4; char *t = realloc(s, 2); if (t) __VERIFIER_assert(*t != 4 || t[1] != 9);"),
    ] {
        is_shown(name, body, ASSERTION);
    }
    // Allocations are counted where a function of the library makes one of them.
    is_shown(
        "second",
        "char *s = strdup(\"ab\"); int *p = malloc(4); __VERIFIER_assert(!s || !p || *p != 9); free(s); free(p);",
        ASSERTION,
    );
}

/// The functions that give values have the types that the source gives them.
#[test]
fn types_of_values_are_those_of_the_source() {
    let prelude = "extern int __VERIFIER_nondet_bool(void);\nextern unsigned char __VERIFIER_nondet_uchar(void);\n\
        extern void __VERIFIER_assert(int condition);\n";
    let shown = shown("types", prelude, "__VERIFIER_assert(__VERIFIER_nondet_bool() != 5 || __VERIFIER_nondet_uchar() != 200);");
    assert!(shown.expect("a C file").contains(ASSERTION));
}

/// What no C code can give again is said in place of a file that shows nothing.
#[test]
fn what_cannot_be_given_again_is_said() {
    let body = "int k = 0; scanf(\"%d\", &k); __VERIFIER_assert(k != 5);";
    let report = shown("scanned", PRELUDE, body).expect_err("no C file");
    assert!(report.contains("not written: at program.c:") && report.contains("no C code can give again"), "{report}");
}
