//! `goatherd batch` and `goatherd archive verify` from outside: verdicts, archives, exit statuses, and who is killed.

use crate::compilers;
use crate::programs;

use compilers::with_compiler;
use programs::SAFE;
use serde_json::Value;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

/// No run passes the assumption.
const VACUOUS: &str = "\
extern void __VERIFIER_assert(int condition);
extern void __VERIFIER_assume(int condition);
void test(int x)
{
    __VERIFIER_assume(x != x);
    __VERIFIER_assert(0);
}
";

/// The first element is not zeroed.
fn faulty() -> String {
    SAFE.replacen("i = 0", "i = 1", 1)
}

/// A folder of this test with these files, and a list of tasks.
fn project(name: &str, files: &[(&str, &str)], tasks: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("batch").join(name);
    drop(fs::remove_dir_all(&root));
    write(&root, "goatherd.toml", tasks);
    for (file, text) in files {
        write(&root, file, text);
    }
    root
}

fn write(root: &Path, file: &str, text: &str) {
    let path = root.join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

const ALL: &str = "[[task]]\nfiles = \"**/*.c\"\n";

fn command(root: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_goatherd"));
    command.args(arguments).current_dir(root).stdin(Stdio::null());
    command
}

fn goatherd(root: &Path, arguments: &[&str]) -> Output {
    command(root, arguments).output().expect("the command")
}

fn status(output: &Output) -> i32 {
    output.status.code().unwrap_or_else(|| panic!("{output:?}"))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

/// The exit status and the first word of what is printed.
fn verify(root: &Path, arguments: &[&str]) -> (i32, String) {
    let output = goatherd(root, &[&["archive", "verify"], arguments].concat());
    let word = text(&output.stdout).split_whitespace().next().unwrap_or_default().to_owned();
    (status(&output), word)
}

/// All files below a folder with their bytes, but those of runs that go on.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut found, mut folders) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if !path.ends_with("tmp/lock") {
                found.insert(path.clone(), fs::read(path).unwrap());
            }
        }
    }
    found
}

#[test]
fn what_is_proved_is_used_again_and_the_rest_is_tried_again() {
    let odd = "void test(void) { __asm__(\"nop\"); }\n";
    let files = [("a/x.c", SAFE), ("b/x.c", &faulty()), ("b/odd.c", odd), ("vacuous.c", VACUOUS)];
    let root = project("again", &files, ALL);
    let first = goatherd(&root, &["batch"]);
    assert_eq!(status(&first), 3);
    let lines = text(&first.stdout);
    let expected = [
        "proved    a/x.c test",
        "input     b/odd.c test: b/odd.c:1:19: unsupported: an asm statement",
        "unsafe    b/x.c test: b/x.c:8:9: false assertion",
    ];
    for line in expected {
        assert!(lines.contains(line), "{line}: {lines}");
    }
    assert!(lines.ends_with("4 targets: 1 input, 1 unsafe, 1 vacuous, 1 proved\n"), "{lines}");
    assert!(root.join("proofs/counterexamples/b/x.c/test.c").is_file());
    let before = contents(&root.join("proofs"));
    let second = goatherd(&root, &["batch"]);
    assert!(text(&second.stdout).ends_with("; 2 from the archive\n"), "{}", text(&second.stdout));
    assert_eq!(contents(&root.join("proofs")), before);
    assert!(first.stderr.is_empty() && second.stderr.is_empty());
    // What was refuted is proved once it is put right, and what shows that it failed is gone.
    write(&root, "b/x.c", SAFE);
    write(&root, "goatherd.toml", "[[task]]\nfiles = \"*/x.c\"\n");
    let third = goatherd(&root, &["batch"]);
    assert_eq!(
        (status(&third), text(&third.stdout).as_str()),
        (0, "proved    a/x.c test\nproved    b/x.c test\n2 targets: 2 proved; 1 from the archive\n")
    );
    assert!(!root.join("proofs/counterexamples/b/x.c/test.c").exists());
}

#[test]
fn the_exit_status_is_the_worst_that_fails() {
    let root = project("worst", &[("a.c", SAFE), ("vacuous.c", VACUOUS)], ALL);
    assert_eq!(status(&goatherd(&root, &["batch"])), 2);
    assert_eq!(status(&goatherd(&root, &["batch", "--fail-on", "unsafe"])), 0);
    write(&root, "a.c", &faulty());
    assert_eq!(status(&goatherd(&root, &["batch", "--fail-on", "unsafe"])), 1);
    write(&root, "goatherd.toml", "[[task]]\nfiles = \"vacuous.c\"\nvacuity = \"allowed\"\n");
    assert_eq!(status(&goatherd(&root, &["batch"])), 0);
    assert_eq!(verify(&root, &[]), (0, String::from("unlisted")));
    fs::remove_file(root.join("vacuous.c")).unwrap();
    let refused = goatherd(&root, &["batch"]);
    assert_eq!(status(&refused), 3);
    assert_eq!(text(&refused.stderr), "goatherd: goatherd.toml:2:9: no file is named by `vacuous.c`\n");
}

#[test]
fn an_archive_does_not_depend_on_jobs() {
    let files = [("a.c", SAFE), ("b.c", &faulty()), ("c.c", SAFE), ("d/a.c", SAFE), ("vacuous.c", VACUOUS)];
    let (one, four) = (project("one", &files, ALL), project("four", &files, ALL));
    let arguments = |jobs| ["batch", "--jobs", jobs, "--json", "--junit", "junit.xml", "--sarif", "results.sarif"];
    let (first, second) = (goatherd(&one, &arguments("1")), goatherd(&four, &arguments("4")));
    assert_eq!(text(&first.stdout), text(&second.stdout));
    let relative = |root: &Path| {
        let with_root = contents(root).into_iter();
        // The failing run names the file that it includes.
        let shown = root.to_string_lossy().into_owned();
        let bytes = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).replace(&shown, "ROOT");
        with_root.map(|(path, contents)| (path.strip_prefix(root).unwrap().to_owned(), bytes(contents))).collect::<BTreeMap<_, _>>()
    };
    assert_eq!(relative(&one), relative(&four));
}

#[test]
fn each_trouble_has_its_word_and_exit_status() {
    let word = |status: i32, word: &str| (status, word.to_owned());
    let header = "#define N a.n_s\n";
    let program = SAFE.replace("a.n_s; i++)\n        a", "N; i++)\n        a");
    let program = format!("#include \"n.h\"\n{program}");
    let root = project("troubles", &[("x.c", &program), ("n.h", header)], ALL);
    assert_eq!(verify(&root, &[]), word(2, "missing"));
    assert_eq!(status(&goatherd(&root, &["batch"])), 0);
    for arguments in [&[][..], &["--frozen"], &["--source"], &["--source", "--frozen"]] {
        assert_eq!(verify(&root, arguments), word(0, "1"), "{arguments:?}");
    }
    // Other bytes, the same program.
    write(&root, "n.h", &format!("/* All of them. */\n{header}"));
    assert_eq!(verify(&root, &[]), word(6, "stale-bytes"));
    assert_eq!(verify(&root, &["--source"]), word(0, "stale-bytes"));
    assert_eq!(verify(&root, &["--source", "--frozen"]), word(6, "stale-bytes"));
    // Another program, through a header alone.
    write(&root, "n.h", "#define N (a.n_s - 1)\n");
    assert_eq!(verify(&root, &["--source"]), word(5, "stale-program"));
    write(&root, "n.h", "#error no\n");
    assert_eq!(verify(&root, &["--source"]), word(5, "stale-program"));
    write(&root, "n.h", header);
    // Another question.
    for more in ["checks = \"overflow\"", "allocation = \"succeeds\"", "define = \"N\"", "checks = \"leak\"", "waive = \"9\""] {
        write(&root, "goatherd.toml", &format!("{ALL}{more}\n"));
        assert_eq!(verify(&root, &[]), word(4, "stale-claim"), "{more}");
        assert_eq!(verify(&root, &["--source"]), word(4, "stale-claim"), "{more}");
    }
    write(&root, "goatherd.toml", ALL);
    let record = root.join("proofs/tasks/x.c/test.json");
    let whole = fs::read_to_string(&record).unwrap();
    let field = |name: &str| serde_json::from_str::<Value>(&whole).unwrap()[name].as_str().unwrap().to_owned();
    // Another kernel.
    fs::write(&record, whole.replace(&field("kernel"), &"0".repeat(64))).unwrap();
    assert_eq!(verify(&root, &[]), word(0, "kernel-changed"));
    assert_eq!(verify(&root, &["--frozen"]), word(8, "kernel-changed"));
    // Records that are none.
    fs::write(&record, &whole[..whole.len() / 2]).unwrap();
    assert_eq!(verify(&root, &[]), word(1, "damaged"));
    fs::write(&record, &whole).unwrap();
    // A record without a target.
    fs::rename(root.join("x.c"), root.join("y.c")).unwrap();
    assert_eq!(verify(&root, &[]), word(2, "missing"));
    fs::rename(root.join("y.c"), root.join("x.c")).unwrap();
    write(&root, "proofs/tasks/gone.c/test.json", &whole);
    assert_eq!(verify(&root, &[]), word(0, "unlisted"));
    assert_eq!(verify(&root, &["--frozen"]), word(9, "unlisted"));
    fs::remove_dir_all(root.join("proofs/tasks/gone.c")).unwrap();
    // Damaged certificates, with and without a name that fits.
    let certificate = field("certificate");
    let object = root.join("proofs/objects").join(&certificate[..2]).join(format!("{}.goat", &certificate[2..]));
    let bytes = fs::read(&object).unwrap();
    let mut damaged = bytes.clone();
    damaged[bytes.len() / 2] ^= 1;
    fs::write(&object, &damaged).unwrap();
    assert_eq!(verify(&root, &[]), word(1, "damaged"));
    fs::remove_file(&object).unwrap();
    assert_eq!(verify(&root, &[]), word(2, "missing"));
    fs::write(&object, &bytes).unwrap();
    // More work than is allowed.
    assert_eq!(verify(&root, &["--work", "10"]), word(10, "declined"));
    assert_eq!(verify(&root, &["--frozen", "--source"]), word(0, "1"));
    // Two that are wrong: the worse one decides.
    write(&root, "new.c", VACUOUS);
    goatherd(&root, &["batch"]);
    assert_eq!(verify(&root, &[]), word(7, "vacuous"));
    fs::write(&object, &damaged).unwrap();
    assert_eq!(verify(&root, &[]).0, 1);
    // The next batch repairs what it can.
    goatherd(&root, &["batch"]);
    assert_eq!(verify(&root, &[]), word(7, "vacuous"));
}

#[test]
fn a_certificate_of_another_file_is_not_believed() {
    let root = project("forged", &[("x.c", SAFE), ("y.c", &faulty())], ALL);
    assert_eq!(status(&goatherd(&root, &["batch"])), 1);
    let record = fs::read_to_string(root.join("proofs/tasks/x.c/test.json")).unwrap();
    let digest = |output: Output| text(&output.stdout).split_whitespace().next().unwrap().to_owned();
    let bytes = digest(Command::new("sha256sum").arg(root.join("y.c")).output().unwrap());
    let mut forged: Value = serde_json::from_str(&record).unwrap();
    forged["inputs"] = serde_json::json!([{ "path": "y.c", "sha256": bytes }]);
    write(&root, "proofs/tasks/y.c/test.json", &forged.to_string());
    assert_eq!(verify(&root, &["--source"]), (5, String::from("stale-program")));
    let again = goatherd(&root, &["batch"]);
    assert_eq!(status(&again), 1, "{}", text(&again.stdout));
}

#[test]
fn who_is_killed_loses_nothing() {
    let files: Vec<(String, String)> =
        (0..8).map(|number| (format!("{number}.c"), SAFE.replace("== 0", &format!("< {}", number + 1)))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(file, text)| (file.as_str(), text.as_str())).collect();
    let root = project("killed", &files, ALL);
    let whole = |root: &Path| match fs::read_dir(root.join("proofs/tasks")) {
        Ok(records) => records.count(),
        Err(_) => 0,
    };
    let (mut least, mut rounds) = (0, 0);
    while whole(&root) < files.len() && rounds < 200 {
        rounds += 1;
        let mut child = command(&root, &["batch", "--jobs", "2"]).stdout(Stdio::null()).spawn().unwrap();
        // Each time at another point.
        thread::sleep(Duration::from_millis(20 + 17 * rounds % 150));
        child.kill().unwrap();
        child.wait().unwrap();
        let now = whole(&root);
        assert!(now >= least, "{now} records, and {least} before");
        least = now;
        let output = goatherd(&root, &["archive", "verify", "--json"]);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let counts = report["counts"].as_object().unwrap();
        assert!(counts.keys().all(|word| word == "current" || word == "missing"), "{counts:?}");
    }
    assert_eq!(status(&goatherd(&root, &["batch"])), 0);
    assert_eq!(verify(&root, &["--frozen", "--source"]), (0, String::from("8")));
    let left: Vec<_> = fs::read_dir(root.join("proofs/tmp")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["lock"]);
}

#[test]
fn the_compiler_is_asked_where_programs_are_compared() {
    let root = project("types", &[("a.c", &SAFE.replace("int n_s;", "int n_s; char c; long l;"))], ALL);
    assert_eq!(status(&goatherd(&root, &["batch"])), 0);
    assert_eq!(text(&goatherd(&root, &["archive", "verify"]).stdout), "1 target: 1 current\n");
    let said = |arguments: &[&str]| text(&goatherd(&root, &[&["archive", "verify", "--source"], arguments].concat()).stdout);
    assert_eq!(said(&[]), "1 target: 1 current\ntypes of 1 confirmed by cc\n");
    let unasked = "types of 0 of 1 confirmed by cc; of a.c test not confirmed: nobody asked (--no-confirm)\n";
    assert_eq!(said(&["--no-confirm"]), format!("1 target: 1 current\n{unasked}"));
    let other = with_compiler(&root, "exec cc -fpack-struct=1 \"$@\"", &["archive", "verify", "--source", "--json"]);
    let report: Value = serde_json::from_slice(&other.stdout).unwrap();
    assert_eq!((status(&other), &report["verdict"]), (11, &Value::from("contradicted")));
    assert_eq!(report["targets"][0]["types"]["verdict"], "contradicted");
}

#[test]
fn two_who_write_at_once_lose_nothing() {
    let files: Vec<(String, String)> =
        (0..6).map(|number| (format!("{number}.c"), SAFE.replace("== 0", &format!("< {}", number + 1)))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(file, text)| (file.as_str(), text.as_str())).collect();
    let root = project("writers", &files, ALL);
    write(&root, "half.toml", "[[task]]\nfiles = \"[0-3].c\"\n");
    let batch = |arguments: &[&str]| command(&root, arguments).stdout(Stdio::null()).spawn().unwrap();
    let writers = [batch(&["batch", "--jobs", "2"]), batch(&["batch", "--tasks", "half.toml"]), batch(&["batch"])];
    for mut writer in writers {
        assert_eq!(writer.wait().unwrap().code(), Some(0));
    }
    assert_eq!(verify(&root, &["--frozen", "--source"]), (0, String::from("6")));
}

#[test]
fn limits_are_kept() {
    // A pipe that nobody writes to: the preprocessor waits for ever.
    let root =
        project("limits", &[("x.c", &format!("#include \"pipe.h\"\n{SAFE}")), ("y.c", SAFE)], "[[task]]\nfiles = \"*.c\"\ntimeout = 0.5\n");
    assert!(Command::new("mkfifo").arg(root.join("pipe.h")).status().unwrap().success());
    let start = Instant::now();
    let output = goatherd(&root, &["batch"]);
    assert_eq!(status(&output), 2, "{}", text(&output.stdout));
    assert!(text(&output.stdout).starts_with("unknown   x.c test: "), "{}", text(&output.stdout));
    assert!(start.elapsed() < Duration::from_secs(30));
}

#[test]
fn reports_have_what_their_readers_expect() {
    let root = project("reports", &[("a b.c", &faulty()), ("ok.c", SAFE), ("vacuous.c", VACUOUS)], ALL);
    let arguments = ["batch", "--json", "--junit", "junit.xml", "--sarif", "results.sarif"];
    let output = goatherd(&root, &arguments);
    assert_eq!(status(&output), 1);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["schema"], "goatherd-batch/1");
    assert_eq!(report["targets"][0]["counterexample"]["line"], 8);
    assert_eq!(report["targets"][1]["proof"]["reused"], false);
    let junit = fs::read_to_string(root.join("junit.xml")).unwrap();
    assert!(junit.contains("<testsuites name=\"goatherd\" tests=\"3\" skipped=\"1\" failures=\"1\" errors=\"0\""), "{junit}");
    assert!(junit.contains("type=\"vacuous\"/>"), "{junit}");
    goatherd(&root, &[&arguments[..], &["--junit-unknown", "failed"]].concat());
    assert!(fs::read_to_string(root.join("junit.xml")).unwrap().contains("failures=\"2\""));
    let sarif: Value = serde_json::from_str(&fs::read_to_string(root.join("results.sarif")).unwrap()).unwrap();
    let run = &sarif["runs"][0];
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.iter().map(|result| result["ruleId"].as_str().unwrap()).collect::<Vec<_>>(), ["assertion", "vacuous"]);
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(run["tool"]["driver"]["rules"][index]["id"], result["ruleId"]);
    }
    let place = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!((&place["artifactLocation"]["uri"], &place["region"]["startLine"]), (&Value::from("a%20b.c"), &Value::from(8)));
    assert!(results[0]["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap().len() > 1);
    let fingerprint = results[0]["partialFingerprints"]["goatherd/v1"].clone();
    // Lines above change the place, and not the fingerprint.
    write(&root, "a b.c", &format!("\n\n{}", faulty()));
    goatherd(&root, &arguments);
    let sarif: Value = serde_json::from_str(&fs::read_to_string(root.join("results.sarif")).unwrap()).unwrap();
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startLine"], 10);
    assert_eq!(result["partialFingerprints"]["goatherd/v1"], fingerprint);
}

#[test]
fn a_statement_is_about_what_was_verified() {
    let root = project("statement", &[("a.c", SAFE)], ALL);
    let arguments = ["archive", "verify", "--statement", "statement.json"];
    assert_eq!(status(&goatherd(&root, &arguments)), 2);
    assert!(!root.join("statement.json").exists());
    goatherd(&root, &["batch"]);
    assert_eq!(status(&goatherd(&root, &arguments)), 0);
    let statement: Value = serde_json::from_str(&fs::read_to_string(root.join("statement.json")).unwrap()).unwrap();
    let sum = text(&Command::new("sha256sum").arg(root.join("a.c")).output().unwrap().stdout);
    assert_eq!(statement["_type"], "https://in-toto.io/Statement/v1");
    assert_eq!(statement["subject"][0]["digest"]["sha256"], sum.split_whitespace().next().unwrap());
    assert_eq!(statement["predicate"]["proofs"][0]["claim"], "Safe");
    assert_eq!(statement["predicate"]["verifier"]["programsCompared"], false);
}

#[test]
fn headers_are_dependencies() {
    let files = [
        ("x.c", "#include \"inc/macros.h\"\n#include \"empty.h\"\n"),
        ("inc/macros.h", "#include \"deep er.h\"\n#define ZERO 0\n"),
        ("inc/deep er.h", ""),
        ("empty.h", ""),
    ];
    let root = project("headers", &files, ALL);
    let program = format!("{}{}", files[0].1, SAFE.replace("== 0", "== ZERO"));
    write(&root, "x.c", &program);
    assert_eq!(status(&goatherd(&root, &["prove", "x.c", "--depfile", "x.d"])), 0);
    let rule = fs::read_to_string(root.join("x.d")).unwrap();
    let expected = "x.goat: x.c";
    assert!(rule.starts_with(expected), "{rule}");
    for header in ["inc/macros.h", "inc/deep\\ er.h", "empty.h"] {
        assert!(rule.contains(&format!(" {header}")) && rule.contains(&format!("\n{header}:")), "{header}: {rule}");
    }
    // What make reads it as: nothing is to be done, until a header is newer.
    write(&root, "Makefile", "x.goat:\n\techo again\n-include x.d\n");
    let make = || text(&Command::new("make").arg("-s").current_dir(&root).output().unwrap().stdout);
    assert_eq!(make(), "");
    let later = fs::metadata(root.join("x.goat")).unwrap().modified().unwrap() + Duration::from_secs(5);
    fs::File::options().write(true).open(root.join("inc/deep er.h")).unwrap().set_modified(later).unwrap();
    assert_eq!(make(), "again\n");
}
