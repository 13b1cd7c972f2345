//! What auditors are told of certificates: that it is there, that it is true as far as it can be computed anew, and that nothing is said of
//! certificates that the checker does not accept.

use crate::programs;

use goatherd_audit::{
    deduction::added,
    labels::Labels,
    naming::Naming,
    replay::{Audit, Shown, Watcher},
};
use goatherd_certificates::term::Literal;
use goatherd_checker::{Limits, budget::Budget, rejection::Rejection, term::Arena};
use goatherd_claims::{Subject, decode};
use programs::SAFE;
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

/// One bit is set. What a bit less one has in common with it is shown by carrying out operations on each of the 32 values.
const BIT: &str = "\
extern void __VERIFIER_assert(int condition);
void test(unsigned char x)
{
    unsigned bit = 1u << (x & 31);
    __VERIFIER_assert((bit & (bit - 1)) == 0);
}
";

/// An empty directory of this test.
fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("audit").join(name);
    drop(fs::remove_dir_all(&path));
    fs::create_dir_all(&path).expect("the directory of a test");
    path
}

fn goatherd(directory: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_goatherd")).args(arguments).current_dir(directory).stdin(Stdio::null()).output().expect("the command")
}

/// What the command prints, and its status.
fn answer(directory: &Path, arguments: &[&str]) -> (String, Option<i32>) {
    let output = goatherd(directory, arguments);
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("text")).concat();
    (text, output.status.code())
}

/// A directory with this program and its certificate.
fn proved(name: &str, text: &str) -> PathBuf {
    let directory = directory(name);
    fs::write(directory.join("program.c"), text).expect("the program");
    assert_eq!(goatherd(&directory, &["prove", "program.c"]).status.code(), Some(0), "{name}");
    directory
}

/// The examples that are proved.
fn examples() -> Vec<PathBuf> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let files = fs::read_dir(examples).expect("the examples").map(|entry| entry.expect("an example").path());
    let mut files: Vec<_> = files.filter(|path| path.extension().is_some_and(|extension| extension == "c")).collect();
    files.retain(|path| !path.to_string_lossy().contains(".buggy."));
    files.sort();
    files
}

fn lines_have(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
}

#[test]
fn the_first_page_says_what_is_claimed_and_trusted() {
    let directory = proved("page", SAFE);
    let (text, status) = answer(&directory, &["explain", "program.goat"]);
    assert_eq!(status, Some(0), "{text}");
    let parts = [
        "No execution of test from a valid input fails",
        "That executions end.",
        "a.s points to exactly a.n_s elements",
        "allocation may fail",
        "program.c:8:27  reached by a concrete run",
        "by descent",
        "What you have to trust",
        "What you need not trust",
        "in program.c, lines 6, 8",
    ];
    lines_have(&text, &parts);
}

#[test]
fn a_check_is_explained_by_facts_and_by_blame() {
    let directory = proved("blame", SAFE);
    let (text, status) = answer(&directory, &["explain", "program.goat", "--at", "program.c:6", "--source", "program.c"]);
    assert_eq!(status, Some(0), "{text}");
    let parts = ["a.s[i] = 0;", "memory write at 6:9", "Suppose it fails: a.n_s <= 0.", "every valid input of this size", ": impossible"];
    lines_have(&text, &parts);
    let (text, _) = answer(&directory, &["explain", "program.goat", "--at", "8"]);
    lines_have(
        &text,
        &[
            "assertion at 8:",
            "Scapegoat 1 takes the blame",
            "without its element a.s[0]",
            "At line 8 scapegoat 1 fails",
            "the first scapegoat's i",
        ],
    );
    // The words of the calculus are not those of C.
    assert!(!text.contains("int#") && !text.contains("outcome"), "{text}");
    let (json, _) = answer(&directory, &["explain", "program.goat", "--at", "8", "--json"]);
    let value: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(value["page"]["entry"], "test");
    let visits = value["checks"].as_array().expect("checks").iter().flat_map(|check| check["visits"].as_array().expect("visits"));
    let blames = visits
        .flat_map(|visit| visit["failures"].as_array().expect("failures"))
        .flat_map(|failing| failing["because"].as_array().expect("reasons"));
    assert!(
        blames
            .filter_map(|because| because.get("blame"))
            .any(|blame| blame["smaller"][0].as_str().is_some_and(|words| words.contains("a.s[0]")))
    );
}

#[test]
fn a_line_without_checks_and_lines_that_do_not_exist() {
    let directory = proved("lines", SAFE);
    let (text, status) = answer(&directory, &["explain", "program.goat", "--at", "3"]);
    assert_eq!(status, Some(0));
    lines_have(&text, &["Nothing is checked on this line."]);
    for wrong in ["other.c:8", "0", "x", "program.c:-1"] {
        assert_eq!(answer(&directory, &["explain", "program.goat", "--at", wrong]).1, Some(3), "{wrong}");
    }
    fs::write(directory.join("other.c"), "int x;\n").expect("another file");
    let (text, status) = answer(&directory, &["explain", "program.goat", "--at", "8", "--source", "other.c"]);
    assert_eq!(status, Some(3));
    lines_have(&text, &["is not the file that the certificate was made from"]);
}

#[test]
fn nothing_is_explained_that_is_not_accepted() {
    let directory = proved("tampered", SAFE);
    let mut bytes = fs::read(directory.join("program.goat")).expect("the certificate");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(directory.join("tampered.goat"), bytes).expect("another certificate");
    let (text, status) = answer(&directory, &["explain", "tampered.goat"]);
    assert_eq!((status, text.contains("What is claimed")), (Some(1), false), "{text}");
    assert_eq!(answer(&directory, &["explain", "program.c"]).1, Some(1));
    assert_eq!(answer(&directory, &["explain", "missing.goat"]).1, Some(3));
}

#[test]
fn no_more_memory_is_taken_than_is_allowed() {
    let directory = proved("memory", SAFE);
    // A header of a certificate, before as many bytes as a disk holds.
    let mut header = fs::read(directory.join("program.goat")).expect("the certificate");
    header.truncate(64);
    fs::write(directory.join("huge.goat"), header).expect("another certificate");
    let huge = fs::File::options().write(true).open(directory.join("huge.goat")).expect("the file");
    huge.set_len(1 << 40).expect("a file with holes");
    for command in
        [&["explain", "huge.goat"] as &[&str], &["diff", "program.goat", "huge.goat"], &["crosscheck", "huge.goat", "--out", "."]]
    {
        let (text, status) = answer(&directory, command);
        assert!(matches!(status, Some(1 | 3)), "{command:?}: {status:?}");
        assert!(text.contains("declines the certificate: checking it takes more than"), "{command:?}: {text}");
    }
    let (text, status) = answer(&directory, &["explain", "program.goat", "--memory", "1K"]);
    // Declined, or ended where the whole process holds more, whichever comes first.
    assert!(matches!(status, Some(1 | 2)) && text.contains("--memory allows more"), "{status:?}: {text}");
}

#[test]
fn a_closed_pipe_for_errors_is_no_fault() {
    let directory = directory("closed");
    for arguments in
        [&["explain", "missing.goat"] as &[&str], &["prove", "missing.c"], &["diff", "missing.goat", "missing.goat"], &["prove"]]
    {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = Command::new(env!("CARGO_BIN_EXE_goatherd"));
        let status = command.current_dir(&directory).args(arguments).stdout(writer.try_clone().expect("it")).stderr(writer).status();
        assert_eq!(status.expect("it runs").code(), Some(3), "{arguments:?}");
    }
}

#[test]
fn a_run_that_fails_has_a_page_and_no_checks() {
    let directory = directory("unsafe");
    fs::write(directory.join("program.c"), SAFE.replacen("i = 0", "i = 1", 1)).expect("the program");
    assert_eq!(goatherd(&directory, &["prove", "program.c"]).status.code(), Some(1));
    let (text, status) = answer(&directory, &["explain", "program.goat"]);
    assert_eq!(status, Some(0));
    lines_have(&text, &["An execution of test fails", "which the checker has executed"]);
    assert_eq!(answer(&directory, &["explain", "program.goat", "--at", "8"]).1, Some(3));
}

/// Computes anew what each refutation adds.
struct Recomputed<'a> {
    labels: &'a Labels<'a>,
    refutations: usize,
}

impl Watcher for Recomputed<'_> {
    fn event(&mut self, arena: &mut Arena, event: Shown<'_>) -> Result<(), Rejection> {
        let Shown::Applied(application) = event else { return Ok(()) };
        let predicate = &application.before.configuration.predicate;
        for obligation in application.obligations {
            let steps = added(arena, predicate, &obligation.assumptions, &obligation.refutation)?;
            let last = steps.last().expect("a refutation has a step");
            assert_eq!(arena.evident(last.literal), Some(false), "the last step cannot be");
            let is_number = |literal: Literal| arena.value(literal.term).is_some() && arena.evident(literal) == Some(false);
            assert!(steps[..steps.len() - 1].iter().all(|step| step.depth > 0 || !is_number(step.literal)));
            let naming = Naming::at(arena, self.labels, application.before);
            assert!(!naming.literal(last.literal).is_empty());
            self.refutations += 1;
        }
        Ok(())
    }
}

#[test]
fn what_follows_is_computed_anew_and_ends_in_what_cannot_be() {
    let directory = directory("examples");
    let mut refutations = 0;
    for example in examples() {
        let certificate = directory.join("example.goat");
        let output = goatherd(&directory, &["prove", &example.to_string_lossy(), "-o", "example.goat"]);
        assert_eq!(output.status.code(), Some(0), "{}", example.display());
        let bytes = fs::read(&certificate).expect("the certificate");
        let memory = 1 << 30;
        let decoded = decode(&bytes, &mut Budget::new(memory), Limits::of_memory(memory), goatherd::encode::digest).expect("a certificate");
        let Subject::Program(decoded) = &decoded else { panic!("a program") };
        let certificate = decoded.certificate();
        let audit = Audit::new(certificate).expect("accepted").expect("a proof");
        let labels = Labels::new(&audit);
        let mut watcher = Recomputed { labels: &labels, refutations: 0 };
        audit.replay(&mut watcher).unwrap_or_else(|failure| panic!("{}: {failure:?}", example.display()));
        refutations += watcher.refutations;
    }
    assert!(refutations > 1000, "{refutations}");
}

/// Names in C that would do harm in a page or on a terminal, if a file were called so.
const HARMFUL: &str = "</script><img src=x onerror=alert(1)>.c";

/// A browser, if there is one.
fn browser() -> Option<&'static str> {
    ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| Command::new(name).arg("--version").output().is_ok())
}

/// A page as a browser shows it, and what it complains of.
fn shown(browser: &str, directory: &Path, page: &str) -> (String, Vec<String>) {
    let flags = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--enable-logging=stderr",
        "--dump-dom",
    ];
    let profile = format!("--user-data-dir={}", directory.join("profile").display());
    let page = format!("file://{}/{page}", directory.display());
    let output = Command::new(browser).args(flags).args([&profile, &page]).stdin(Stdio::null()).output().expect("the browser");
    let [dom, log] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    (dom, log.lines().filter(|line| line.contains("CONSOLE")).map(ToOwned::to_owned).collect())
}

#[test]
fn a_page_holds_all_and_executes_nothing_of_others() {
    let directory = directory("html");
    fs::write(directory.join("program.c"), SAFE).expect("the program");
    // What a file is called comes from others as well.
    let line = format!("#line 1 \"{}\"\n", HARMFUL.replace('/', "_"));
    fs::write(directory.join("named.c"), line + SAFE).expect("the program");
    for (source, beside, file) in [("program.c", true, 0), ("named.c", false, 1)] {
        assert_eq!(goatherd(&directory, &["prove", source, "-o", "proof.goat"]).status.code(), Some(0));
        let mut arguments = vec!["explain", "proof.goat", "--html", "page.html"];
        arguments.extend(if beside { vec!["--source", source] } else { Vec::new() });
        let (text, status) = answer(&directory, &arguments);
        assert_eq!(status, Some(0), "{text}");
        let page = fs::read_to_string(directory.join("page.html")).expect("the page");
        assert!(page.len() < 1 << 20);
        assert_eq!(page.matches("</script>").count(), 2);
        assert!(!page.contains("<img"));
        // A name of XML, and no address.
        assert_eq!(page.matches("http").count(), page.matches("http://www.w3.org/2000/svg").count());
        let Some(browser) = browser() else {
            eprintln!("skipped: no chromium to show the page");
            continue;
        };
        let (dom, complaints) = shown(browser, &directory, "page.html#herd-0");
        assert_eq!(complaints, [""; 0]);
        lines_have(&dom, &["<h2>Herd 0, at ", "The run at hand, at ", "Comes from", "class=\"head"]);
        let (dom, complaints) = shown(browser, &directory, &format!("page.html#line-{file}-8"));
        assert_eq!(complaints, [""; 0]);
        assert!(!dom.contains("<img"));
        lines_have(&dom, &["<h2>Line 8: ", "takes the blame"]);
    }
}

#[test]
fn certificates_about_models_and_formulas_have_a_page() {
    let directory = directory("subjects");
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/trees");
    for (file, certificate, claim) in [
        (
            "last-cell.trees",
            "safe.goat",
            "No run of the model, from a tree of init, comes to a bad configuration, however large its trees.",
        ),
        ("last-cell.buggy.trees", "trace.goat", "A run of the model, from a tree of init, comes to a bad configuration"),
    ] {
        goatherd(&directory, &["trees", &model.join(file).to_string_lossy(), "-o", certificate]);
        let (text, status) = answer(&directory, &["explain", certificate]);
        assert_eq!(status, Some(0), "{text}");
        lines_have(&text, &[claim, "What you have to trust", "checker/claims/trees", file]);
    }
    fs::write(directory.join("q.smt2"), "(declare-const n Int)(assert (< n 0))(assert (> n 0))(check-sat)").expect("a query");
    goatherd(&directory, &["certify", "q.smt2", "-o", "formula.goat"]);
    let (text, status) = answer(&directory, &["explain", "formula.goat"]);
    assert_eq!(status, Some(0), "{text}");
    lines_have(
        &text,
        &["The assertions have no model", "integers: 1; arrays: 0", "by arithmetic", "checker/claims/unsatisfiable", "q.smt2"],
    );
    for option in [&["--at", "1"][..], &["--html", "page.html"], &["--source", "q.smt2"]] {
        let (text, status) = answer(&directory, &[&["explain", "formula.goat"], option].concat());
        assert_eq!(status, Some(3), "{text}");
        lines_have(&text, &["--at, --html and --source are for certificates about programs"]);
    }
}

#[test]
fn what_solvers_say_is_compared() {
    let directory = proved("crosscheck", SAFE);
    for (said, status, words) in
        [("unsat", Some(0), "0 differ, 0 unknown"), ("sat", Some(1), "differs: from "), ("unknown", Some(2), "0 agreed, 0 differ")]
    {
        // A solver that says the same of every query, but that nothing is void.
        let script = format!(
            "#!/bin/sh\nwhile read -r line; do case $line in *': sat') said=sat;; *': unsat') said={said};; *check-sat*) echo $said;; esac; done < \"$1\"\n"
        );
        fs::write(directory.join("solver.sh"), script).expect("a solver");
        let (text, found) = answer(&directory, &["crosscheck", "program.goat", "--command", "sh solver.sh", "--out", "queries"]);
        assert_eq!(found, status, "{text}");
        lines_have(&text, &[words]);
    }
    let queries = fs::read_to_string(directory.join("queries/program.smt2")).expect("the queries");
    lines_have(&queries, &["(set-info :smt-lib-version 2.6)", "(check-sat)", "; from the entry, rule ", "a.n_s"]);
    // Answers that are missing are no agreement.
    let (text, found) = answer(&directory, &["crosscheck", "program.goat", "--command", "true"]);
    assert_eq!(found, Some(2), "{text}");
    assert_eq!(answer(&directory, &["crosscheck", "program.goat"]).1, Some(3));
    assert_eq!(answer(&directory, &["crosscheck", "program.goat", "--command", "no-such-solver"]).1, Some(3));
}

/// The solvers that there are to ask.
fn installed() -> Vec<&'static str> {
    let solvers: Vec<_> = ["z3", "cvc5"].into_iter().filter(|name| Command::new(name).arg("--version").output().is_ok()).collect();
    if solvers.is_empty() {
        eprintln!("skipped: neither z3 nor cvc5 is installed");
    }
    solvers
}

#[test]
fn solvers_are_told_what_is_carried_out() {
    let directory = proved("carried-out", BIT);
    let (text, status) = answer(&directory, &["crosscheck", "program.goat", "--command", "true", "--out", "queries"]);
    assert_eq!(status, Some(2), "{text}");
    let queries = fs::read_to_string(directory.join("queries/program.smt2")).expect("the queries");
    lines_have(&queries, &["(assert (= (shiftleft_u32 1 31) 2147483648))", "(assert (= (and_u32 2147483648 2147483647) 0))"]);
    for solver in installed() {
        let (text, status) = answer(&directory, &["crosscheck", "program.goat", "--solver", solver]);
        assert_eq!(status, Some(0), "{text}");
        lines_have(&text, &["0 differ, 0 unknown"]);
    }
}

#[test]
fn solvers_agree_on_examples() {
    let directory = directory("solvers");
    let solvers = installed();
    for example in examples()
        .iter()
        .filter(|path| ["strlen.c", "memchr.c", "list-insert-sorted.c", "zero-then-check.c"].iter().any(|name| path.ends_with(name)))
    {
        assert_eq!(goatherd(&directory, &["prove", &example.to_string_lossy(), "-o", "example.goat"]).status.code(), Some(0));
        for solver in &solvers {
            let (text, status) = answer(&directory, &["crosscheck", "example.goat", "--solver", solver, "--json"]);
            assert_eq!(status, Some(0), "{}: {text}", example.display());
            let value: Value = serde_json::from_str(&text).expect("JSON");
            assert_eq!(value["solvers"][0]["agreed"], value["obligations"], "{}: {text}", example.display());
            assert_eq!(value["solvers"][0]["void"].as_array().map(Vec::len), Some(0), "{}: {text}", example.display());
        }
    }
}

#[test]
fn a_changed_statement_is_a_screenful() {
    let directory = proved("diff", SAFE);
    fs::write(directory.join("changed.c"), SAFE.replacen("a.s[i] = 0", "a.s[i] = i - i", 1)).expect("a program");
    assert_eq!(goatherd(&directory, &["prove", "changed.c"]).status.code(), Some(0));
    let (text, status) = answer(&directory, &["diff", "program.goat", "changed.goat"]);
    assert_eq!(status, Some(1), "{text}");
    lines_have(&text, &["The program: ", "+ ", "i - i", "Herds: ", "source"]);
    assert!(text.lines().count() < 60, "{text}");
    let (text, status) = answer(&directory, &["diff", "program.goat", "program.goat"]);
    assert_eq!(status, Some(0), "{text}");
    assert_eq!(answer(&directory, &["diff", "program.goat", "program.c"]).1, Some(3));
}
