//! Queries of each shape, and random ones: what is called unsatisfiable is shown to the checker, and no small model is overlooked.

use goatherd_certificates::{
    certificate::{Claim, Limits, Origin},
    formula::{Domain, Formula, FormulaCertificate, FormulaEvidence},
};
use goatherd_checker::budget::Budget;
use goatherd_claim_unsatisfiable::replay;
use goatherd_queries::{
    SmtScript,
    evaluate::{ModelValue, evaluate},
    parse,
};
use goatherd_satisfiability::{Decision, decide};
use std::{
    collections::BTreeMap,
    fmt::Write,
    io::Write as _,
    process::{Command, Stdio},
};

/// The steps that a search may take.
const STEPS: usize = 100_000;

fn script(text: &str) -> SmtScript {
    parse(text, "x.smt2").unwrap_or_else(|report| panic!("{report:?}\n{text}"))
}

/// The checker accepts it.
fn check(formula: &Formula, evidence: FormulaEvidence) {
    let limits = Limits { memory: 1 << 28, work: 1 << 32 };
    let origin =
        Origin { file: String::from("x.smt2"), digest: [0; 32], definitions: Vec::new(), includes: Vec::new(), waived: Vec::new() };
    let certificate = FormulaCertificate { limits, claim: Claim::Unsatisfiable, origin, formula: formula.clone(), evidence };
    let replayed = replay(&certificate, Budget::within(limits));
    assert!(replayed.is_ok(), "{:?}: {formula:?}", replayed.err());
}

/// `unsat`, which the checker has accepted, `sat`, or `unknown`.
fn answer(formula: &Formula) -> &'static str {
    match decide(formula, STEPS) {
        Decision::Unsatisfiable(evidence) => {
            check(formula, evidence);
            "unsat"
        }
        Decision::Satisfiable(model) => {
            assert_eq!(evaluate(formula, &model), Some(true));
            "sat"
        }
        Decision::Unknown(_) => "unknown",
    }
}

fn asserted(declarations: &str, assertions: &[&str]) -> &'static str {
    let assertions = assertions.iter().fold(String::new(), |text, assertion| text + "(assert " + assertion + ")\n");
    answer(&script(&format!("{declarations}\n{assertions}(check-sat)")).formula(1).expect("it asks"))
}

const INTEGERS: &str = "(declare-const x Int) (declare-const y Int) (declare-const z Int) (declare-const p Bool) (declare-const q Bool)";
const ARRAYS: &str =
    "(declare-const a (Array Int Int)) (declare-const b (Array Int Int)) (declare-const i Int) (declare-const j Int) (declare-const x Int)";

const FUNCTIONS: &str =
    "(declare-const x Int) (declare-const y Int) (declare-const z Int) (declare-fun f (Int) Int) (declare-fun r (Int) Bool)
     (define-fun sum ((x Int) (z Int)) Int (+ x y z)) (define-fun one ((y Int)) Int (+ y 1)) (define-fun two ((x Int)) Int (one (one x)))";

#[test]
fn what_has_no_model_is_shown() {
    let shapes: [&[&str]; 16] = [
        &["false"],
        &["p", "(not p)"],
        &["(xor p q)", "(= p q)"],
        &["(or p q)", "(=> p q)", "(=> q (not p))", "(=> p (not q))", "(=> q p)"],
        &["(< x y)", "(< y z)", "(< z x)"],
        &["(distinct x y z)", "(<= 0 x 1)", "(<= 0 y 1)", "(<= 0 z 1)"],
        &["(= (* 2 x) (+ (* 2 y) 1))"],
        &["(= (+ (* 2 x) (* 3 y)) 1)", "(<= 0 x)", "(<= 0 y)"],
        &["(> (+ x y) 3)", "(< x 2)", "(< y 2)", "(or p (not p))"],
        &["(= (mod x 3) 1)", "(= (mod x 3) 2)"],
        &["(= (mod x 2) 0)", "(= (mod y 2) 0)", "(= (+ x y) 7)"],
        &["(not (= (div x 4) (div (div x 2) 2)))"],
        &["(not (= (+ (* (- 3) (div x (- 3))) (mod x (- 3))) x))"],
        &["(< (abs x) 0)"],
        &["(= z (ite p x y))", "(< z x)", "(< z y)"],
        &["(let ((s (+ x y)) (x 3)) (and (= s x) (< s 3)))"],
    ];
    for assertions in shapes {
        assert_eq!(asserted(INTEGERS, assertions), "unsat", "{assertions:?}");
    }
    let arrays: [&[&str]; 11] = [
        &["(not (= (select (store a i x) i) x))"],
        &["(= i j)", "(not (= (select a i) (select a j)))"],
        &["(not (= i j))", "(not (= (select (store a i x) j) (select a j)))"],
        &["(= a b)", "(not (= (select a i) (select b i)))"],
        &["(not (= (store a i (select a i)) a))"],
        &["(not (= (store (store a i 1) j 2) (store (store a j 2) i 1)))", "(< i j)"],
        &["(= (store a i x) b)", "(not (= (select b i) x))"],
        &["(= (store a i 1) (store b i 2))"],
        &["(not (= (select ((as const (Array Int Int)) x) i) x))"],
        &["(< (select (ite (< i j) a b) i) x)", "(<= x (select a i))", "(<= x (select b i))"],
        &["(= (select a (select a i)) i)", "(= (select a i) j)", "(not (= (select a j) i))"],
    ];
    for assertions in arrays {
        assert_eq!(asserted(ARRAYS, assertions), "unsat", "{assertions:?}");
    }
    let functions: [&[&str]; 6] = [
        &["(= x y)", "(not (= (f x) (f y)))"],
        &["(r x)", "(= x y)", "(not (r y))"],
        &["(= (f (f (f x))) x)", "(= (f (f (f (f (f x))))) x)", "(not (= (f x) x))"],
        // What is bound where a function is applied is not what its body means.
        &["(let ((y 7)) (not (= (sum 1 y) (+ 8 z))))", "(= y z)"],
        &["(let ((x 5)) (not (= (sum (sum 1 2) x) (+ 8 (* 2 y)))))"],
        &["(not (= (two x) (+ x 2)))"],
    ];
    for assertions in functions {
        assert_eq!(asserted(FUNCTIONS, assertions), "unsat", "{assertions:?}");
    }
    assert_eq!(asserted(FUNCTIONS, &["(not (= (f x) (f y)))", "(r x)", "(not (r y))", "(= (sum x x) (sum y 3))"]), "sat");
}

#[test]
fn assumptions_are_of_one_question() {
    let script = script(
        "(declare-const p Bool)(declare-const q Bool)(assert (or p q))(check-sat-assuming ((not p) (not q)))(check-sat-assuming (p))
         (check-sat)(reset)(declare-const p Bool)(assert (not p))(check-sat)",
    );
    let answers: Vec<_> = (1..=4).map(|question| answer(&script.formula(question).expect("it asks"))).collect();
    assert_eq!(answers, ["unsat", "sat", "sat", "sat"]);
}

#[test]
fn what_has_a_model_is_given_one() {
    let shapes: [&[&str]; 6] = [
        &[],
        &["(or p q)", "(not p)"],
        &["(= (+ (* 2 x) (* 3 y)) 1)", "(<= 0 x)"],
        &["(distinct x y z)", "(<= 0 x 2)", "(<= 0 y 2)", "(<= 0 z 2)"],
        &["(= (mod x 3) 1)", "(= (mod x 5) 2)", "(> x 100)"],
        &["(> x 340282366920938463463374607431768211)"],
    ];
    for assertions in shapes {
        assert_eq!(asserted(INTEGERS, assertions), "sat", "{assertions:?}");
    }
    assert_eq!(asserted(ARRAYS, &["(not (= a b))", "(= (select a i) (select b i))", "(= (store a i x) (store b j 3))"]), "sat");
}

/// A generator of pseudorandom numbers (xorshift64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).expect("it is below")
    }

    fn number(&mut self) -> String {
        let number = i64::try_from(self.below(7)).expect("small") - 3;
        if number < 0 { format!("(- {})", -number) } else { number.to_string() }
    }

    fn integer(&mut self, depth: usize) -> String {
        match self.below(if depth == 0 { 3 } else { 9 }) {
            0 => self.number(),
            1 | 2 => ["x", "y", "z"][self.below(3)].to_owned(),
            3 => format!("(+ {} {})", self.integer(depth - 1), self.integer(depth - 1)),
            4 => format!("(- {} {})", self.integer(depth - 1), self.integer(depth - 1)),
            5 => format!("(* {} {})", self.number(), self.integer(depth - 1)),
            6 => format!("({} {} {})", ["div", "mod"][self.below(2)], self.integer(depth - 1), ["2", "3", "(- 2)"][self.below(3)]),
            7 => format!("(ite {} {} {})", self.boolean(depth - 1), self.integer(depth - 1), self.integer(depth - 1)),
            _ => format!("(select {} {})", self.array(depth - 1), self.integer(depth - 1)),
        }
    }

    fn array(&mut self, depth: usize) -> String {
        match self.below(if depth == 0 { 3 } else { 6 }) {
            0..=2 => ["a", "b"][self.below(2)].to_owned(),
            3 | 4 => format!("(store {} {} {})", self.array(depth - 1), self.integer(depth - 1), self.integer(depth - 1)),
            _ => format!("(ite {} {} {})", self.boolean(depth - 1), self.array(depth - 1), self.array(depth - 1)),
        }
    }

    fn boolean(&mut self, depth: usize) -> String {
        let comparison = ["<=", "<", "=", ">", "distinct"][self.below(5)];
        match self.below(if depth == 0 { 3 } else { 9 }) {
            0 => ["p", "q"][self.below(2)].to_owned(),
            1 | 2 => format!("({comparison} {} {})", self.integer(depth), self.integer(depth)),
            3 => format!("(not {})", self.boolean(depth - 1)),
            4 => format!("({} {} {})", ["and", "or", "xor", "=>", "="][self.below(5)], self.boolean(depth - 1), self.boolean(depth - 1)),
            5 => format!("(ite {} {} {})", self.boolean(depth - 1), self.boolean(depth - 1), self.boolean(depth - 1)),
            6 => format!("(= {} {})", self.array(depth - 1), self.array(depth - 1)),
            _ => format!("({comparison} {} {})", self.integer(depth - 1), self.integer(depth - 1)),
        }
    }
}

/// So many random questions, as one script.
fn questions(count: usize, seed: u64) -> String {
    let mut random = Random(seed);
    let mut text = String::from(
        "(declare-const x Int) (declare-const y Int) (declare-const z Int) (declare-const p Bool) (declare-const q Bool)\n\
         (declare-const a (Array Int Int)) (declare-const b (Array Int Int))\n",
    );
    for _ in 0..count {
        text.push_str("(push 1)\n");
        for _ in 0..2 + random.below(4) {
            writeln!(text, "(assert {})", random.boolean(2)).expect("it is written");
        }
        text.push_str("(check-sat)\n(pop 1)\n");
    }
    text
}

/// Is the formula true for values that are chosen at random, many times?
fn has_small_model(formula: &Formula, random: &mut Random) -> bool {
    let number = |random: &mut Random| i128::try_from(random.below(9)).expect("small") - 4;
    (0..300).any(|_| {
        let constants = formula.constants.iter().map(|constant| match constant.domain {
            Domain::Boolean => ModelValue::Boolean(random.below(2) == 0),
            Domain::Integer => ModelValue::Integer(number(random)),
            Domain::Array => {
                let other = number(random);
                let entries = (0..random.below(4)).map(|_| (number(random), number(random)));
                let entries: BTreeMap<i128, i128> = entries.collect();
                ModelValue::Array(entries.into_iter().filter(|(_, value)| *value != other).collect(), other)
            }
        });
        let constants: Vec<ModelValue> = constants.collect();
        evaluate(formula, &constants) == Some(true)
    })
}

/// What Z3 says, where there is the command: it is for tests alone.
fn z3(text: &str) -> Option<Vec<String>> {
    let mut process = Command::new("z3").arg("-in").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
    let mut input = process.stdin.take()?;
    let text = text.to_owned();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = process.wait_with_output().ok()?;
    writer.join().ok()?.ok()?;
    Some(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}

#[test]
fn random_questions_are_answered_rightly() {
    const COUNT: usize = 1000;
    let text = questions(COUNT, 0x9e37_79b9_7f4a_7c15);
    let script = script(&text);
    assert_eq!(script.questions(), COUNT);
    let others = z3(&text);
    let mut counts: BTreeMap<(&str, String), usize> = BTreeMap::new();
    let mut random = Random(7);
    for question in 1..=COUNT {
        let formula = script.formula(question).expect("it asks");
        let own = answer(&formula);
        assert!(own != "unsat" || !has_small_model(&formula, &mut random), "question {question} has a model");
        let other = others.as_ref().map_or("not asked", |answers| answers[question - 1].as_str());
        assert!(!matches!((own, other), ("unsat", "sat") | ("sat", "unsat")), "question {question}: {own}, and Z3 says {other}");
        *counts.entry((own, other.to_owned())).or_default() += 1;
    }
    println!("{counts:?}");
    let own = |answer: &str| counts.iter().filter(|((own, _), _)| *own == answer).map(|(_, count)| count).sum::<usize>();
    // Few are left open, and there are many of both kinds.
    assert!(own("unknown") <= COUNT / 20 && own("unsat") >= COUNT / 10 && own("sat") >= COUNT / 10, "{counts:?}");
}
