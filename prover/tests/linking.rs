//! Programs of several files, and of functions that nothing defines, from outside.

use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

const HEADER: &str = "\
struct node { struct node *next; int data; };
struct node *push(struct node *list, int data);
int length(const struct node *list);
extern int pushed;
";

/// Pushes any number of values, and counts them.
const MAIN: &str = "\
#include \"list.h\"
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);
static int count;
int main(void)
{
    struct node *list = 0;
    while (__VERIFIER_nondet_int()) {
        list = push(list, count);
        count = list != 0;
    }
    __VERIFIER_assert(list == 0 || count == 1);
    return 0;
}
";

const LIST: &str = "\
#include \"list.h\"
extern void *malloc(unsigned long size);
static int count;
int pushed;
struct node *push(struct node *list, int data)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return list;
    node->next = list;
    node->data = data;
    count = 2;
    pushed = 1;
    return node;
}
";

fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("linking").join(name);
    drop(fs::remove_dir_all(&path));
    fs::create_dir_all(&path).expect("the directory of a test");
    for (file, text) in files {
        fs::write(path.join(file), text).expect("a file");
    }
    path
}

fn prove(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_goatherd"));
    command.args(["prove", "--entry", "main", "--json"]).args(arguments).current_dir(directory).stdin(Stdio::null());
    command.output().expect("the command")
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}

#[test]
fn files_are_linked() {
    let directory = folder("list", &[("list.h", HEADER), ("main.c", MAIN), ("list.c", LIST)]);
    let output = prove(&directory, &["main.c", "list.c", "--depfile", "main.d"]);
    let report = json(&output);
    assert_eq!(
        (output.status.code(), &report["verdict"], &report["file"]),
        (Some(0), &"proved".into(), &"main.c list.c".into()),
        "{report}"
    );
    assert_eq!(report["types"]["verdict"], "confirmed");
    let rule = fs::read_to_string(directory.join("main.d")).expect("a rule");
    assert!(
        rule.starts_with("main.goat: main.c \\\n list.c \\\n") && rule.contains("\nlist.c:\n") && rule.contains("\nlist.h:\n"),
        "{rule}"
    );
    // One file alone is no program.
    assert_eq!(prove(&directory, &["main.c"]).status.code(), Some(3));
}

/// What is wrong in the second file is shown there, and by a C file that can be run.
#[test]
fn a_failure_is_shown_in_its_file() {
    let wrong = LIST.replacen("node->next = list;", "node->next = list->next;", 1);
    let directory = folder("wrong", &[("list.h", HEADER), ("main.c", MAIN), ("list.c", &wrong)]);
    let output = prove(&directory, &["main.c", "list.c", "--allocation", "succeeds", "--witness", "witness.yml"]);
    let report = json(&output);
    assert_eq!((output.status.code(), &report["verdict"]), (Some(1), &"unsafe".into()), "{report}");
    let run = &report["counterexample"];
    assert_eq!((&run["file"], &run["line"]), (&"list.c".into(), &10.into()));
    let witness = fs::read_to_string(directory.join("witness.yml")).expect("a witness");
    assert!(witness.contains("main.c") && witness.contains("list.c"), "{witness}");
    let command = run["command"].as_str().expect("a command");
    let shown = Command::new("sh").args(["-c", command]).current_dir(&directory).output().expect("a shell");
    assert!(!shown.status.success());
    let said = String::from_utf8_lossy(&shown.stderr);
    assert!(said.contains("null pointer") || said.contains("AddressSanitizer") || said.contains("runtime error"), "{said}");
}

#[test]
fn a_name_of_the_harness_that_is_defined_in_several_files_is_refused_with_advice() {
    let own = "extern void abort(void);\nstatic void __VERIFIER_assert(int c)\n{\n    if (!c)\n        abort();\n}\n";
    let main = format!("{own}int f(void);\nint main(void)\n{{\n    __VERIFIER_assert(f() == 1);\n    return 0;\n}}\n");
    let other = format!("{own}int f(void)\n{{\n    __VERIFIER_assert(1);\n    return 1;\n}}\n");
    let directory = folder("harness", &[("main.c", &main), ("other.c", &other)]);
    let report = json(&prove(&directory, &["main.c", "other.c"]));
    let diagnostic = &report["diagnostics"][0];
    assert_eq!((&report["verdict"], &diagnostic["line"]), (&"input".into(), &2.into()), "{report}");
    let help = diagnostic["help"].as_str().unwrap_or_default();
    assert!(help.contains("declare it in each file, without 'static' and without a body"), "{report}");
    // The advice helps.
    let plain = |text: &str| text.replacen(own, "extern void __VERIFIER_assert(int);\n", 1);
    let directory = folder("harness-declared", &[("main.c", &plain(&main)), ("other.c", &plain(&other))]);
    assert_eq!(json(&prove(&directory, &["main.c", "other.c"]))["verdict"], "proved");
}

#[test]
fn undefined_functions_are_refused_or_return_any_value() {
    let text = "extern int input(int channel);\nextern void __VERIFIER_assert(int condition);\nint mode;\nstatic int calls;\n\
        int main(void)\n{\n    int value = input(1);\n    calls++;\n    if (value > 5)\n        __VERIFIER_assert(value != 5 && calls == 1);\n    return mode;\n}\n";
    let directory = folder("undefined", &[("main.c", text), ("wrong.c", &text.replacen("value != 5", "mode == 0", 1))]);
    let refused = json(&prove(&directory, &["main.c"]));
    assert_eq!((&refused["verdict"], &refused["diagnostics"][0]["line"]), (&"input".into(), &7.into()));
    let output = prove(&directory, &["main.c", "--undefined", "havoc"]);
    let report = json(&output);
    assert_eq!(report["verdict"], "proved", "{report}");
    let under = report["statement"]["under"].to_string();
    assert!(under.contains("input, which is not defined, returns any value"), "{under}");
    // What another file can name may be another value after the call.
    let report = json(&prove(&directory, &["wrong.c", "--undefined", "havoc"]));
    assert_eq!(report["verdict"], "unsafe", "{report}");
    assert!(report["counterexample"]["unwritten"].as_str().is_some_and(|why| why.contains("'input'")), "{report}");
}
