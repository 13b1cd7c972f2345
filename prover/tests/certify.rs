//! The command `goatherd certify`.

use goatherd_certificates::certificate::Claim;
use goatherd_checker::{Limits, error::Failure};
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// A folder of its own for a test, with this query.
fn folder(name: &str, query: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("certify-{name}"));
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("q.smt2"), query).expect("a query");
    folder
}

fn certify(folder: &Path, options: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_goatherd")).current_dir(folder).args(["certify", "q.smt2"]).args(options).output().expect("it runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn check(bytes: &[u8]) -> Result<Claim, Failure> {
    goatherd_claims::check(bytes, Limits::of_memory(1 << 28), goatherd::encode::digest).map(|verdict| verdict.claim)
}

/// Two stores at different indices commute.
const COMMUTE: &str = "(set-logic QF_ALIA)\n(declare-fun a () (Array Int Int))\n(declare-fun i () Int)\n(declare-fun j () Int)\n\
                       (assert (< i j))\n(assert (not (= (store (store a i 1) j 2) (store (store a j 2) i 1))))\n(check-sat)\n";

#[test]
fn a_query_without_a_model_is_certified() {
    let folder = folder("unsat", COMMUTE);
    let output = certify(&folder, &[]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(text(&output.stdout).starts_with("unsatisfiable: q.smt2: "), "{output:?}");
    let bytes = fs::read(folder.join("q.goat")).expect("a certificate");
    assert_eq!(check(&bytes), Ok(Claim::Unsatisfiable));
    // The same bytes again; and no flipped bit is accepted.
    assert_eq!(certify(&folder, &[]).status.code(), Some(0));
    assert_eq!(fs::read(folder.join("q.goat")).expect("a certificate"), bytes);
    for position in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[position] ^= 1;
        assert!(check(&damaged).is_err(), "byte {position}");
    }
}

#[test]
fn no_flipped_bit_of_the_evidence_shows_another_statement() {
    let folder = folder("flipped", COMMUTE);
    assert_eq!(certify(&folder, &[]).status.code(), Some(0));
    let bytes = fs::read(folder.join("q.goat")).expect("a certificate");
    let (contents, _) = bytes.split_last_chunk::<32>().expect("a trailer");
    let statement =
        goatherd_claims::check(&bytes, Limits::of_memory(1 << 28), goatherd::encode::digest).expect("accepted").statement_digest;
    let mut accepted = 0;
    for position in 0..contents.len() {
        for bit in 0..8 {
            let mut damaged = contents.to_vec();
            damaged[position] ^= 1 << bit;
            let damaged = [&damaged[..], &goatherd::encode::digest(&damaged)].concat();
            if let Ok(verdict) = goatherd_claims::check(&damaged, Limits::of_memory(1 << 28), goatherd::encode::digest) {
                assert_eq!(verdict.statement_digest, statement, "byte {position}, bit {bit}");
                accepted += 1;
            }
        }
    }
    // Few are other proofs of the same, such as those with other limits.
    assert!(accepted < contents.len() / 2, "{accepted} of {}", 8 * contents.len());
}

#[test]
fn a_query_with_a_model_has_none() {
    let folder = folder("sat", "(declare-const x Int)\n(assert (= (mod x 7) 3))\n(assert (> x 10))\n(check-sat)\n");
    let output = certify(&folder, &["--json"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&report["schema"], &report["questions"][0]["verdict"]), (&"goatherd-certify/1".into(), &"satisfiable".into()));
    let value: i64 = report["questions"][0]["model"][0]["value"].as_str().expect("a value").parse().expect("a number");
    assert!(value > 10 && value % 7 == 3, "{value}");
    assert!(!folder.join("q.goat").exists());
}

#[test]
fn each_question_is_answered() {
    let query = "(declare-const p Bool)\n(push 1)\n(assert p)\n(check-sat)\n(assert (not p))\n(check-sat)\n(pop 1)\n(check-sat)\n(exit)\n";
    let folder = folder("questions", query);
    let output = certify(&folder, &[]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(text(&output.stdout).contains("of 3 questions 1 are unsatisfiable, 2 satisfiable, 0 unknown"), "{output:?}");
    assert!(check(&fs::read(folder.join("q.2.goat")).expect("a certificate")).is_ok());
    assert!(!folder.join("q.1.goat").exists() && !folder.join("q.3.goat").exists());
    assert_eq!(certify(&folder, &["--question", "2"]).status.code(), Some(0));
    assert_eq!(certify(&folder, &["--question", "4"]).status.code(), Some(3));
    assert_eq!(certify(&folder, &["--output", "x.goat"]).status.code(), Some(3));
}

#[test]
fn what_is_not_known_is_unknown() {
    let folder = folder("unknown", COMMUTE);
    let output = certify(&folder, &["--steps", "0"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(!folder.join("q.goat").exists());
}

#[test]
fn what_is_not_understood_is_refused_where_it_stands() {
    let refused = [
        ("(declare-const x Real)", "1:18: unsupported: a sort other than"),
        ("(assert (forall ((x Int)) true))", "1:10: unsupported: a quantifier"),
        ("(declare-const x Int)\n(assert (= (* x x) 2))", "2:12: unsupported: a product"),
        ("(declare-const x Int)\n(assert (= (div x 0) 2))", "2:12: unsupported: a division"),
        ("(declare-fun f (Int Int) Int)\n(assert (= (f 1 1) 2))", "2:12: unsupported: the application of a declared function"),
        ("(declare-fun f (Int) Int)\n(assert (= f 2))", "2:12: unsupported: a function that is no constant"),
        ("(declare-fun f (Int) Int)\n(assert (= (f 1 2) 2))", "2:12: error: too many or too few"),
        ("(declare-fun f (Int) Int)\n(assert (= (f true) 2))", "2:12: error: the operands"),
        ("(define-fun f ((x Int)) Int (+ x y))\n(declare-const y Int)", "1:34: error: a symbol that is not declared"),
        ("(define-fun f ((x Int)) Bool (+ x 1))", "1:30: error: the term is of another sort"),
        ("(define-fun f ((x Int) (x Int)) Int x)", "1:24: error: a name of its own"),
        ("(define-fun f ((x Int)) Bool (! (= x 1) :named n))", "1:30: unsupported: :named inside a function"),
        ("(define-fun f ((x Int)) Int x)\n(assert (f 1 2))", "2:9: error: too many or too few"),
        ("(declare-const x Int)\n(assert (x 1))", "2:9: error: a function is expected"),
        // Readers part these in different ways.
        ("(assert (! p:foo :named q))", "1:12: unsupported: a token with ':' or '#' inside"),
        ("(set-info :a |\\|)", "1:14: unsupported: a symbol with a backslash in it"),
        ("(declare-fun const (Int) (Array Int Int))", "1:14: error: a name of its own is expected"),
        ("; a comment ends with the line, at a carriage return too\r(declare-const x Real)", "1:75: unsupported: a sort other than"),
        ("(set-logic QF_BV)", "1:1: unsupported: the logic QF_BV"),
        ("(set-option :global-declarations true)", "1:1: unsupported: an option"),
        ("(check-sat-assuming (p))", "1:22: error: a symbol that is not declared"),
        ("(declare-const x Int)(reset)(assert (= x 1))", "1:40: error: a symbol that is not declared"),
        ("(assert (! true :weight 3))", "1:17: unsupported: an annotation"),
        ("(assert (= 1.5 2))", "1:12: unsupported: a literal"),
        ("(assert x)", "1:9: error: a symbol that is not declared"),
        ("(assert (= true 1))", "1:9: error: the operands"),
        ("(assert 1)", "1:9: error: the term is of another sort"),
        ("(assert true", "1:1: error: the parenthesis is not closed"),
        ("(declare-const and Bool)", "1:16: error: a name of its own"),
        ("(push 1)(declare-const x Int)(pop 1)(assert (= x 1))", "1:48: error: a symbol that is not declared"),
        ("(pop 1)", "1:1: error: more scopes end"),
    ];
    for (query, message) in refused {
        let folder = folder("refused", &format!("{query}\n(check-sat)\n"));
        let output = certify(&folder, &[]);
        assert_eq!(output.status.code(), Some(3), "{query}: {output:?}");
        assert!(text(&output.stderr).contains(&format!("q.smt2:{message}")), "{query}: {}", text(&output.stderr));
    }
}

#[test]
fn definitions_that_double_are_refused_in_time() {
    let doubling = |number: usize| format!("(define-fun f{} ((x Int)) Int (f{number} (f{number} x)))\n", number + 1);
    let query = String::from("(define-fun f0 ((x Int)) Int (+ x 1))\n") + &(0..40).map(doubling).collect::<String>();
    let folder = folder("doubling", &(query + "(assert (= (f40 0) 0))\n(check-sat)\n"));
    let output = certify(&folder, &[]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(text(&output.stderr).contains("unsupported: definitions that come to so many terms"), "{}", text(&output.stderr));
}

#[test]
fn nothing_recurses_as_deep_as_a_query() {
    // A term of so many parentheses, and as many bindings.
    let depth = 50_000;
    let query = format!(
        "(declare-const p Bool)\n(assert {}p{})\n(assert {}(not p){})\n(check-sat)\n",
        "(and true ".repeat(depth),
        ")".repeat(depth),
        "(let ((q p)) ".repeat(depth),
        ")".repeat(depth)
    );
    let folder = folder("deep", &query);
    let output = certify(&folder, &["--steps", "400000"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn limits_hold_from_before_the_query_is_read() {
    let folder = folder("limits", "(check-sat)");
    let divided =
        |depth: usize| format!("(declare-const x Int)\n(assert (> {}x{} 0))\n(check-sat)\n", "(div ".repeat(depth), " 3)".repeat(depth));
    fs::write(folder.join("q.smt2"), divided(20_000)).expect("a query");
    let output = certify(&folder, &[]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(text(&output.stdout).contains("divisions stand more than 1,000 deep"), "{output:?}");
    fs::write(folder.join("q.smt2"), divided(1_000)).expect("a query");
    assert_eq!(certify(&folder, &["--steps", "1"]).status.code(), Some(2));
    // The script takes more than that alone.
    fs::write(folder.join("q.smt2"), format!("(assert true)\n{}(check-sat)", "(push 1)(declare-const x Int)(pop 1)\n".repeat(400_000)))
        .expect("a query");
    let output = certify(&folder, &["--memory", "30M"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(text(&output.stdout).contains("it takes more than 31457280 bytes of memory (--memory)"), "{output:?}");
}
