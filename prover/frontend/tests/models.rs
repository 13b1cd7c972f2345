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
        let of_elements = models::of_elements(name).map(|_| format!("<model {name} of elements>"));
        // errno is no function that a program may define.
        let is_of_errno = name.starts_with("strto") && name.contains('l');
        let errno = is_of_errno.then(|| "<model __errno_location>".to_owned());
        let own = ["file.c".to_owned(), format!("<model {name}>")];
        let mut expected: Vec<String> = own.into_iter().chain(of_elements).chain(errno).collect();
        expected.dedup();
        assert_eq!(files, expected);
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
    let headers = "#define _GNU_SOURCE\n#include <string.h>\n#include <strings.h>\n#include <wchar.h>\n#include <ctype.h>\n#include <stdlib.h>\n#include <time.h>\n";
    let (_, files) = text_of(&format!("{headers}void test(void)\n{{\n{calls}\n}}\n"));
    let is_whole = |name: &&String| name.starts_with("<model ") && !name.ends_with(" of elements>");
    assert_eq!(files.iter().filter(is_whole).count(), models::names().count());
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

/// The texts of the models of elements, for elements of this type.
fn of_elements(element: &str) -> String {
    let names = ["bsearch", "memcmp", "memcpy", "memmove", "memset", "qsort"];
    let texts = names.map(|name| models::of_elements(name).expect("it has a model of elements"));
    texts.concat().replace("typedef char __element;", &format!("typedef {element} __element;"))
}

#[test]
fn models_of_elements_do_what_the_library_does() {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("models-of-elements");
    std::fs::create_dir_all(&directory).expect("a directory");
    let driver = r"
#include <stdlib.h>
#include <string.h>
static unsigned state = 1;
static unsigned long next(void) { state = state * 1103515245u + 12345u; return state >> 16; }
_Bool __VERIFIER_nondet_bool(void) { return next() % 7 != 0; }
unsigned long __VERIFIER_nondet_ulong(void) { return next() % 4; }
int __VERIFIER_nondet_int(void) { return 1; }
void __VERIFIER_assume(int condition) { if (!condition) exit(0); }
#define CHECK(condition) do { if (!(condition)) abort(); } while (0)
static int compare(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
";
    let main = r"
int main(int count, char **arguments)
{
    int a[8], b[8], c[8];
    for (int from = 0; from < 8; from++)
        for (int to = 0; to < 8; to++)
            for (unsigned long n = 0; n <= 8 - (unsigned)(from > to ? from : to); n++) {
                for (int i = 0; i < 8; i++) a[i] = b[i] = c[i] = 17 * i + 3;
                memmove(a + to, a + from, n * sizeof *a);
                CHECK(__memmove_of_elements(b + to, b + from, n, 1, -1ul / sizeof *b) == b + to);
                CHECK(memcmp(a, b, sizeof a) == 0);
                CHECK(!__memcmp_of_elements(a + to, c + from, n, 1, -1ul / sizeof *a) == !memcmp(a + to, c + from, n * sizeof *a));
                __memcpy_of_elements(c, a, 1, 8, -1ul);
                CHECK(memcmp(a, c, sizeof a) == 0);
            }
    /* So many elements that their bytes wrap around to two of them. */
    __memcpy_of_elements(b, a, (1ul << 62) + 2, 1, -1ul / sizeof *a);
    __memset_of_elements(b, (int)(0x5a * (-1ul / 255)), 4, 2, -1ul / (2 * sizeof *b));
    memset(a, 0x5a, sizeof a);
    CHECK(memcmp(a, b, sizeof a) == 0);
    __zero_of_elements(b, 1, 8, -1ul);
    for (int i = 0; i < 8; i++) CHECK(b[i] == 0);
    for (int i = 0; i < 4; i++) a[i] = i;
    __qsort_of_elements(a, 4, compare);
    CHECK(a[0] + a[1] + a[2] + a[3] == 6);
    int key = 2;
    int *found = __bsearch_of_elements(&key, a, 4, compare);
    CHECK(!found || *found == 2);
    if (count > 1) __memcpy_of_elements(a, a + 1, 2, 1, -1ul / sizeof *a);
    return 0;
}
";
    std::fs::write(directory.join("driver.c"), format!("{driver}{}{main}", of_elements("int"))).expect("a file");
    let program = directory.join("driver");
    let compiled = Command::new("cc")
        .args(["-std=gnu11", "-w", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover", "-o"])
        .args([&program, &directory.join("driver.c")])
        .status();
    assert!(compiled.is_ok_and(|status| status.success()));
    assert!(Command::new(&program).status().is_ok_and(|status| status.success()));
    assert!(Command::new(&program).arg("overlap").stderr(std::process::Stdio::null()).status().is_ok_and(|status| !status.success()));
}
