//! What is believed is confirmed, and what is believed wrongly is noticed.

use super::{
    COMPILER, Confirmed, Inquiry,
    claims::{Claim, Says, Site, tags},
    compiler::{Compiler, Message, Said, Warnings},
    judge::{Asked, Judged},
    text::{CONTROL, Page, marker},
};
use crate::{
    lower::{Beliefs, Leaks, beliefs::Believed, lower_and_believe},
    source::{Options, Unit, from_text},
};
use goatherd_certificates::program::IntegerType;
use std::{fs, os::unix::fs::PermissionsExt, path::PathBuf, sync::mpsc};

/// A program with what types, layouts and constants have to do with.
const EVERYTHING: &str = include_str!("tests/everything.c");

const KINDS: [IntegerType; 9] = [
    IntegerType::Bool,
    IntegerType::I8,
    IntegerType::U8,
    IntegerType::I16,
    IntegerType::U16,
    IntegerType::I32,
    IntegerType::U32,
    IntegerType::I64,
    IntegerType::U64,
];

fn read(text: &str) -> (Unit, Beliefs) {
    let unit = from_text("a.c", text, &Options::default()).expect("it is C");
    let (_, beliefs) = lower_and_believe(&unit, "test", &Leaks::Ignored.into()).expect("it is supported");
    (unit, beliefs)
}

fn said(text: String) -> Said {
    let (teller, listener) = mpsc::channel();
    let _compiler =
        Compiler::start(COMPILER, text, Warnings::Off, move |said| teller.send(said).expect("somebody listens")).expect("there is cc");
    listener.recv().expect("it answers").expect("it is read")
}

fn judged(asked: &Asked) -> Judged {
    asked.judge(&said(asked.page.text.clone())).expect("it judges")
}

#[test]
fn everything_is_confirmed() {
    let (unit, beliefs) = read(EVERYTHING);
    match Inquiry::start(&unit, &beliefs).wait() {
        Confirmed::Confirmed { facts, .. } => assert!(facts > 400, "{facts} facts"),
        other => panic!("{other}"),
    }
}

/// Each assertion is one that can fail: with another belief it does, whatever the others say.
#[test]
fn every_false_belief_is_noticed() {
    let (unit, beliefs) = read(EVERYTHING);
    let right = Asked::new(COMPILER, &unit, &beliefs);
    let is_of_program = |claim: &Claim| claim.site != Site::First;
    let wrong: Vec<Vec<Says>> =
        right.claims.iter().map(|claim| if is_of_program(claim) { wrong(&claim.says) } else { Vec::new() }).collect();
    let rounds = wrong.iter().map(Vec::len).max().unwrap_or_default();
    assert!(right.claims.iter().zip(&wrong).filter(|(claim, wrong)| is_of_program(claim) && wrong.is_empty()).count() < 10);
    for round in 0..rounds {
        let mut asked = Asked::new(COMPILER, &unit, &beliefs);
        for (claim, wrong) in asked.claims.iter_mut().zip(&wrong).filter(|(_, wrong)| !wrong.is_empty()) {
            claim.says = wrong[round % wrong.len()].clone();
        }
        asked.page = Page::new(&unit, &asked.claims, tags(&unit, &beliefs));
        let refused = judged(&asked).refused;
        let missed: Vec<&Claim> = (0..)
            .zip(&asked.claims)
            .filter(|(number, _)| !refused.contains(number) && !wrong[*number].is_empty())
            .map(|(_, claim)| claim)
            .collect();
        assert!(missed.is_empty(), "{missed:#?}");
    }
}

/// Beliefs that contradict this one.
fn wrong(says: &Says) -> Vec<Says> {
    match says {
        Says::Type(ctype) => wrong_types(ctype).into_iter().map(Says::Type).collect(),
        Says::Value { value, kind: IntegerType::Bool } => vec![Says::Value { value: 1 - value, kind: IntegerType::Bool }],
        Says::Value { value, kind } => [value + 1, value - 1].map(|value| Says::Value { value, kind: *kind }).to_vec(),
    }
}

/// Of what is wrong with one type in that of a function, so much is tried.
const FEW: usize = 2;

fn wrong_types(ctype: &Believed) -> Vec<Believed> {
    let integer = |kind| Believed::Integer { kind, long_long: false };
    match ctype {
        Believed::Any | Believed::Record { name: None, size: None } => Vec::new(),
        Believed::Void => vec![integer(IntegerType::I32)],
        Believed::Integer { kind, .. } => {
            let others = KINDS.into_iter().filter(|other| other != kind).map(integer);
            others.chain([Believed::Pointer { target: Box::new(Believed::Any), constant: false }]).collect()
        }
        Believed::Pointer { target, constant } => {
            let mut found: Vec<Believed> =
                wrong_types(target).into_iter().map(|target| Believed::Pointer { target: Box::new(target), constant: *constant }).collect();
            if !matches!(**target, Believed::Any | Believed::Function { .. }) {
                found.push(Believed::Pointer { target: target.clone(), constant: !constant });
            }
            if !matches!(**target, Believed::Void | Believed::Any | Believed::Function { .. }) {
                found.push(Believed::Array { element: target.clone(), length: Some(1) });
            }
            found.push(integer(IntegerType::U64));
            found
        }
        Believed::Array { element, length } => {
            let mut found: Vec<Believed> =
                wrong_types(element).into_iter().map(|element| Believed::Array { element: Box::new(element), length: *length }).collect();
            found.extend(length.map(|length| Believed::Array { element: element.clone(), length: Some(length + 1) }));
            found.push(Believed::Pointer { target: element.clone(), constant: false });
            found
        }
        Believed::Record { name, size } => {
            let mut found = vec![integer(IntegerType::I32)];
            found.extend(name.is_some().then(|| Believed::Record { name: Some("struct something_else".to_owned()), size: *size }));
            found.extend(size.filter(|_| name.is_none()).map(|size| Believed::Record { name: None, size: Some(size + 1) }));
            found
        }
        Believed::Function { result, parameters } => {
            let mut found: Vec<Believed> = wrong_types(result)
                .into_iter()
                .filter(|result| !matches!(result, Believed::Array { .. }))
                .take(FEW)
                .map(|result| Believed::Function { result: Box::new(result), parameters: parameters.clone() })
                .collect();
            for (position, parameter) in parameters.iter().enumerate() {
                for other in wrong_types(parameter).into_iter().filter(|other| !matches!(other, Believed::Array { .. })).take(FEW) {
                    let mut parameters = parameters.clone();
                    parameters[position] = other;
                    found.push(Believed::Function { result: result.clone(), parameters });
                }
            }
            let more = parameters.iter().cloned().chain([integer(IntegerType::I32)]).collect();
            found.push(Believed::Function { result: result.clone(), parameters: more });
            // What has a part without a name says nothing.
            found.retain(|function| !function.is_open());
            found
        }
    }
}

impl Believed {
    fn is_open(&self) -> bool {
        match self {
            Self::Any => true,
            Self::Pointer { target, .. } => target.is_open(),
            Self::Array { element, .. } => element.is_open(),
            Self::Function { result, parameters } => result.is_open() || parameters.iter().any(Self::is_open),
            _ => false,
        }
    }
}

#[test]
fn another_machine_confirms_nothing() {
    let (unit, beliefs) = read("int test(int n) { return n + 1; }");
    for flag in ["-funsigned-char", "-fshort-enums", "-fshort-wchar"] {
        let compiler = Script::new(&format!("machine{flag}"), &format!("#!/bin/sh\nexec cc {flag} \"$@\"\n"));
        match Inquiry::start_with(&compiler.0.to_string_lossy(), &unit, &beliefs).wait() {
            Confirmed::Unconfirmed { reason } => assert!(reason.contains("compiles for another machine: "), "{flag}: {reason}"),
            other => panic!("{flag}: {other}"),
        }
    }
}

#[test]
fn both_sides_are_named() {
    let (unit, mut beliefs) = read("struct s { int a; char b; };\nstruct s g;\nvoid test(int n) { n = n + 1; g.a = n * 2; }");
    let start = unit.text().find("n + 1").expect("it is there");
    let sum = beliefs.expressions.range_mut((start, start + 3)..).next().expect("it is believed").1;
    sum.ctype = Believed::Integer { kind: IntegerType::U64, long_long: false };
    let layout = beliefs.layouts.values_mut().next().expect("there is one");
    layout.size = 12;
    layout.offsets[1].1 = 5;
    let Confirmed::Contradicted { contradictions, .. } = Inquiry::start(&unit, &beliefs).wait() else { panic!("it is contradicted") };
    assert_eq!(
        contradictions,
        [
            "a.c:3:24: the type of (n + 1) is unsigned long for Goatherd, int for cc",
            "a.c:1:1: sizeof(struct s) is 12 for Goatherd, 8 for cc",
            "a.c:1:1: __builtin_offsetof(struct s, b) is 5 for Goatherd, 4 for cc",
        ]
    );
}

/// For compilers `f()` is an int where nothing declares f.
#[test]
fn what_is_not_declared_is_confirmed() {
    for text in [
        "void test(int n) { assert(n == n); n++, assert(1); reach_error(), assume_abort_if_not(n); }",
        "void test(int n) { g(n); } int g(int n) { return n; }",
        "int reach_error(void) { return 1; } void test(int n) { reach_error(); n, reach_error(); }",
        "f(a) char *a; { return *a; } void test(void) { char c = 1; f(&c); }",
    ] {
        let (unit, beliefs) = read(text);
        match Inquiry::start(&unit, &beliefs).wait() {
            Confirmed::Confirmed { .. } => {}
            other => panic!("{text}: {other}"),
        }
    }
}

#[test]
fn only_what_is_marked_is_a_contradiction() {
    let (unit, beliefs) = read("int test(int n) { return n + 1; }");
    let asked = Asked::new(COMPILER, &unit, &beliefs);
    let (line, claim) = asked.page.claims.iter().next_back().map(|(line, claim)| (*line, *claim)).expect("there is one");
    let message = |line: usize, text: String| Message { line, text };
    let control = message(asked.page.control, format!("static assertion failed: \"{CONTROL}\""));
    let judge = |version: Option<&str>, errors: Vec<Message>| {
        asked.judge(&Said { version: version.map(str::to_owned), errors, first_line: String::new() })
    };
    let of_gcc = |text: String| judge(Some("gcc 1"), vec![message(line, text), control.clone()]).map(|judged| judged.refused);
    assert_eq!(of_gcc(format!("static assertion failed: \"{}\"", marker(claim))), Ok([claim].into()));
    assert_eq!(of_gcc(format!("static_assert failed due to requirement 'x' \"{}\"", marker(claim))), Ok([claim].into()));
    assert!(of_gcc("expression in static assertion is not constant".to_owned()).is_err());
    assert!(of_gcc(format!("static assertion failed: \"{}\"", marker(claim + 1))).is_err());
    // The user's own assertion, with the same words.
    assert!(
        judge(Some("gcc 1"), vec![message(line + 1, format!("static assertion failed: \"{}\"", marker(claim))), control.clone()]).is_err()
    );
    // Who does not notice the assertion that is false, or is not known, says nothing by his silence.
    assert!(judge(Some("gcc 1"), Vec::new()).is_err());
    assert!(judge(None, vec![control.clone()]).is_err());
    assert!(judge(Some("gcc 1"), vec![control]).is_ok());
}

/// Another program in the place of the compiler, ended with the test.
struct Script(PathBuf);

impl Script {
    fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("goatherd-{}-{name}", std::process::id()));
        fs::write(&path, text).expect("it can be written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).expect("it is ours");
        Self(path)
    }
}

impl Drop for Script {
    fn drop(&mut self) {
        drop(fs::remove_file(&self.0));
    }
}

#[test]
fn without_a_compiler_that_judges_nothing_is_confirmed() {
    let (unit, beliefs) = read("int test(int n) { return n + 1; }");
    let reason = |compiler: &str| match Inquiry::start_with(compiler, &unit, &beliefs).wait() {
        Confirmed::Unconfirmed { reason } => reason,
        other => panic!("{compiler}: {other}"),
    };
    assert_eq!(reason("no-such-compiler"), "there is no program no-such-compiler");
    for program in ["true", "false", "cat"] {
        assert!(reason(program).starts_with(&format!("{program} is no compiler that is known here")), "{}", reason(program));
    }
    let silent = Script::new("silent", "#!/bin/sh\necho 'gcc version 99.0 (silent)' >&2\n");
    assert!(reason(&silent.0.to_string_lossy()).ends_with("(gcc 99.0) judges no assertions"));
    let crashing = Script::new("crashing", "#!/bin/sh\necho 'gcc version 99.0 (crashing)' >&2\nkill -SEGV $$\n");
    assert!(reason(&crashing.0.to_string_lossy()).ends_with("(gcc 99.0) judges no assertions"));
}

#[test]
fn a_limit_waits_for_no_compiler() {
    let (unit, beliefs) = read("int test(int n) { return n + 1; }");
    let slow = Script::new("slow", "#!/bin/sh\nexec sleep 10\n");
    match Inquiry::start_with(&slow.0.to_string_lossy(), &unit, &beliefs).by_now() {
        Confirmed::Unconfirmed { reason } => assert!(reason.ends_with("was not ready when the search ended"), "{reason}"),
        other => panic!("{other}"),
    }
}

#[test]
fn what_the_compiler_refuses_is_not_confirmed() {
    // In a function that nothing calls.
    let (unit, beliefs) = read("int test(int n) { return n + 1; }\nint other(void) { _Static_assert(0, \"goatherd 40\"); return 0; }");
    match Inquiry::start(&unit, &beliefs).wait() {
        Confirmed::Unconfirmed { reason } => assert!(reason.contains("refuses the file"), "{reason}"),
        other => panic!("{other}"),
    }
}
