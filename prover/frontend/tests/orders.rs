//! Random expressions whose parts C evaluates in any order, against what a small evaluator comes to that does one step after the other, whichever it may.

use crate::parameters::PARAMETERS;
use goatherd_frontend::{
    lower::{Lowered, RETURNED, lower},
    source::{Options, from_text},
};
use goatherd_interpreter::{Environment, Machine, Outcome, Question, Tracing, Value, run_machine};
use std::collections::BTreeSet;

const DECLARATIONS: &str = "void abort(void); long trace, spot, x;
    long t(long digit) { trace = trace * 10 + digit; return digit; } long look(void) { return spot; } long one(long x) { return x; }
    long two(long x, long y) { return 3 * x + y; } long leave(long x) { if (x == 0) abort(); return x; }
    long put(long x) { spot = x; return x; }";

/// What has been done to `x` directly on the way to a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
struct Accesses {
    reads: bool,
    writes: bool,
    /// A write that may still be to come: no sequence point is behind it.
    pending: bool,
}

impl Accesses {
    const fn with(self, other: Self) -> Self {
        Self { reads: self.reads || other.reads, writes: self.writes || other.writes, pending: self.pending || other.pending }
    }

    /// Behind a sequence point.
    const fn over(self) -> Self {
        Self { pending: false, ..self }
    }

    /// Are two evaluations without an order between them undefined?
    const fn clash(self, other: Self) -> bool {
        self.writes && (other.reads || other.writes) || other.writes && (self.reads || self.writes)
    }
}

/// An expression, or what is left of it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Part {
    Value(i64, Accesses),
    Trace,
    Read,
    Increase,
    Assign(Box<Part>),
    Call(i64),
    Look,
    Set(i64),
    Truth(Box<Part>),
    /// These accesses have been before.
    Behind(Accesses, Box<Part>),
    One(Box<Part>),
    Leave(Box<Part>),
    Put(Box<Part>),
    Two(Box<Part>, Box<Part>),
    Sum(Box<Part>, Box<Part>),
    Quotient(Box<Part>, Box<Part>),
    Comma(Box<Part>, Box<Part>),
    And(Box<Part>, Box<Part>),
    Or(Box<Part>, Box<Part>),
    Conditional(Box<Part>, Box<Part>, Box<Part>),
}

use Part as P;

/// The state of a run: what is left, and the three variables.
type State = (Part, i64, i64, i64);

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Ending {
    Failed,
    Halted,
    Returned(i128),
}

impl Part {
    fn text(&self) -> String {
        match self {
            P::Value(value, _) => format!("{value}L"),
            P::Trace => "trace".to_owned(),
            P::Call(digit) => format!("t({digit})"),
            P::Look => "look()".to_owned(),
            P::Read => "x".to_owned(),
            P::Increase => "x++".to_owned(),
            P::Assign(inner) => format!("(x = {})", inner.text()),
            P::Set(value) => format!("(spot = {value})"),
            P::Behind(_, inner) => inner.text(),
            P::Truth(inner) => format!("!!{}", inner.text()),
            P::One(inner) => format!("one({})", inner.text()),
            P::Leave(inner) => format!("leave({})", inner.text()),
            P::Put(inner) => format!("put({})", inner.text()),
            P::Two(one, two) => format!("two({}, {})", one.text(), two.text()),
            P::Sum(one, two) => format!("({} + {})", one.text(), two.text()),
            P::Quotient(one, two) => format!("({} / {})", one.text(), two.text()),
            P::Comma(one, two) => format!("({}, {})", one.text(), two.text()),
            P::And(one, two) => format!("({} && {})", one.text(), two.text()),
            P::Or(one, two) => format!("({} || {})", one.text(), two.text()),
            P::Conditional(condition, one, two) => format!("({} ? {} : {})", condition.text(), one.text(), two.text()),
        }
    }

    fn value(&self) -> Option<(i64, Accesses)> {
        if let P::Value(value, accesses) = self { Some((*value, *accesses)) } else { None }
    }

    /// What follows, behind a sequence point that is behind these accesses.
    fn behind(&self, accesses: Accesses) -> Part {
        P::Behind(accesses.over(), Box::new(self.clone()))
    }
}

/// All that one step may lead to, or how the run ends.
fn steps(state: &State) -> Vec<Result<State, Ending>> {
    let (part, trace, spot, x) = state;
    let (trace, spot, x) = (*trace, *spot, *x);
    let no = Accesses::default();
    let to = |part: Part| vec![Ok((part, trace, spot, x))];
    let one = |inner: &Part, around: &dyn Fn(Box<Part>) -> Part| -> Vec<Result<State, Ending>> {
        let after = |(part, trace, spot, x): State| (around(Box::new(part)), trace, spot, x);
        steps(&(inner.clone(), trace, spot, x)).into_iter().map(|step| step.map(after)).collect()
    };
    let both =
        |left: &Part, right: &Part, around: &dyn Fn(Box<Part>, Box<Part>) -> Part, result: &dyn Fn(i64, i64, Accesses) -> Option<Part>| {
            if let (Some((left, before)), Some((right, behind))) = (left.value(), right.value()) {
                return match result(left, right, before.with(behind)) {
                    Some(part) if !before.clash(behind) => to(part),
                    _ => vec![Err(Ending::Failed)],
                };
            }
            let mut all = one(left, &|left| around(left, Box::new(right.clone())));
            all.extend(one(right, &|right| around(Box::new(left.clone()), right)));
            all
        };
    match part {
        P::Value(..) => Vec::new(),
        P::Trace => to(P::Value(trace, no)),
        P::Look => to(P::Value(spot, no)),
        P::Read => to(P::Value(x, Accesses { reads: true, ..no })),
        P::Increase => vec![Ok((P::Value(x, Accesses { reads: true, writes: true, pending: true }), trace, spot, x + 1))],
        P::Call(digit) => vec![Ok((P::Value(*digit, no), trace * 10 + digit, spot, x))],
        P::Set(value) => vec![Ok((P::Value(*value, no), trace, *value, x))],
        P::Assign(inner) => match inner.value() {
            Some((_, accesses)) if accesses.pending => vec![Err(Ending::Failed)],
            Some((value, accesses)) => {
                vec![Ok((P::Value(value, Accesses { writes: true, pending: true, ..accesses }), trace, spot, value))]
            }
            None => one(inner, &P::Assign),
        },
        P::Behind(before, inner) => match inner.value() {
            Some((value, accesses)) => to(P::Value(value, before.with(accesses))),
            None => one(inner, &|inner| P::Behind(*before, inner)),
        },
        P::Truth(inner) => match inner.value() {
            Some((value, accesses)) => to(P::Value(i64::from(value != 0), accesses)),
            None => one(inner, &P::Truth),
        },
        P::One(inner) => match inner.value() {
            Some((value, accesses)) => to(P::Value(value, accesses.over())),
            None => one(inner, &P::One),
        },
        P::Leave(inner) => match inner.value() {
            Some((0, _)) => vec![Err(Ending::Halted)],
            Some((value, accesses)) => to(P::Value(value, accesses.over())),
            None => one(inner, &P::Leave),
        },
        P::Put(inner) => match inner.value() {
            Some((value, accesses)) => vec![Ok((P::Value(value, accesses.over()), trace, value, x))],
            None => one(inner, &P::Put),
        },
        P::Two(left, right) => both(left, right, &P::Two, &|left, right, accesses| Some(P::Value(3 * left + right, accesses.over()))),
        P::Sum(left, right) => both(left, right, &P::Sum, &|left, right, accesses| Some(P::Value(left + right, accesses))),
        P::Quotient(left, right) => {
            both(left, right, &P::Quotient, &|left, right, accesses| (right != 0).then(|| P::Value(left / right, accesses)))
        }
        P::Comma(left, right) => match left.value() {
            Some((_, accesses)) => to(right.behind(accesses)),
            None => one(left, &|left| P::Comma(left, right.clone())),
        },
        P::And(left, right) => match left.value() {
            Some((0, accesses)) => to(P::Value(0, accesses.over())),
            Some((_, accesses)) => to(P::Truth(right.clone()).behind(accesses)),
            None => one(left, &|left| P::And(left, right.clone())),
        },
        P::Or(left, right) => match left.value() {
            Some((0, accesses)) => to(P::Truth(right.clone()).behind(accesses)),
            Some((_, accesses)) => to(P::Value(1, accesses.over())),
            None => one(left, &|left| P::Or(left, right.clone())),
        },
        P::Conditional(condition, then, otherwise) => match condition.value() {
            Some((0, accesses)) => to(otherwise.behind(accesses)),
            Some((_, accesses)) => to(then.behind(accesses)),
            None => one(condition, &|condition| P::Conditional(condition, then.clone(), otherwise.clone())),
        },
    }
}

/// How an expression may end, by the evaluator.
fn expected(part: &Part) -> BTreeSet<Ending> {
    let mut endings = BTreeSet::new();
    let mut met = BTreeSet::new();
    let mut open = vec![(part.clone(), 0, 0, 0)];
    while let Some(state) = open.pop() {
        if let P::Value(value, _) = state.0 {
            endings.insert(Ending::Returned(i128::from(value * 1_000_000 + state.1 * 10 + state.3)));
        }
        for step in steps(&state) {
            match step {
                Ok(next) if met.insert(next.clone()) => open.push(next),
                Ok(_) => {}
                Err(ending) => drop(endings.insert(ending)),
            }
        }
    }
    endings
}

/// Answers a choice as it is told, and remembers how many there were.
struct Chosen {
    answers: Vec<i128>,
    asked: usize,
}

impl Environment for Chosen {
    fn answer(&mut self, question: Question) -> Option<i128> {
        if question != Question::Direction {
            return None;
        }
        self.asked += 1;
        Some(self.answers.get(self.asked - 1).copied().unwrap_or(0))
    }
}

/// How the program ends in all its orders.
fn found(lowered: &Lowered) -> BTreeSet<Ending> {
    // There is no such register where it never returns.
    let returned = lowered.program.registers.iter().position(|register| register.name == RETURNED);
    let mut endings = BTreeSet::new();
    let mut open = vec![Vec::new()];
    while let Some(answers) = open.pop() {
        let known = answers.len();
        let mut chosen = Chosen { answers, asked: 0 };
        let mut machine = Machine::new(&lowered.program, PARAMETERS, &[]).expect("it has no inputs");
        let outcome = run_machine(&mut machine, &mut chosen, 10_000, Tracing::Off).outcome;
        endings.extend(match (outcome, returned.map(|returned| machine.registers()[returned])) {
            (Outcome::Failed { .. }, _) => Some(Ending::Failed),
            (Outcome::Halted, Some(Value::Integer(value))) => Some(Ending::Returned(value)),
            (Outcome::Halted, _) => Some(Ending::Halted),
            // An order that goes no further than what may fail: the rest is that of another one.
            (Outcome::Ignored, _) => None,
            (outcome, _) => panic!("{outcome:?}"),
        });
        for first in known..chosen.asked {
            let mut other = chosen.answers.clone();
            other.resize(first, 0);
            other.push(1);
            open.push(other);
        }
    }
    endings
}

/// What expressions have beside calls. Not both: where an end comes between two accesses it is hard to say whether they are undefined.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Calls that may end the program.
    Ending,
    /// Accesses to a variable that may be undefined.
    Accessing,
}

/// Random expressions.
struct Source {
    kind: Kind,
    number: u64,
}

impl Source {
    fn below(&mut self, end: u64) -> u64 {
        self.number = self.number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.number >> 33) % end
    }

    /// An expression of so many levels. The variable `spot` is written directly at most once, since two such writes would be undefined.
    fn part(&mut self, levels: u64, digit: &mut i64, may_set: &mut bool) -> Part {
        if levels == 0 || self.below(8) == 0 {
            *digit += 1;
            let no = Accesses::default();
            return match self.below(12) {
                0 => P::Value(0, no),
                1 => P::Value(*digit, no),
                5 if self.kind == Kind::Accessing => P::Read,
                6 if self.kind == Kind::Accessing => P::Increase,
                2 => P::Trace,
                3 => P::Look,
                4 if std::mem::take(may_set) => P::Set(*digit),
                _ => P::Call(*digit),
            };
        }
        let mut next = || Box::new(self.part(levels - 1, digit, may_set));
        let (one, two, three) = (next(), next(), next());
        match self.below(15) {
            14 if self.kind == Kind::Accessing => P::Assign(one),
            0 => P::One(one),
            1 if self.kind == Kind::Ending => P::Leave(one),
            2 => P::Put(one),
            3 => P::Two(one, two),
            4 => P::Quotient(one, two),
            5 => P::Comma(one, two),
            6 | 7 => P::And(one, two),
            8 => P::Or(one, two),
            9 => P::Conditional(one, two, three),
            _ => P::Sum(one, two),
        }
    }
}

#[test]
fn expressions_that_may_end_the_program_come_to_what_their_orders_do() {
    compare(Kind::Ending);
}

#[test]
fn expressions_that_may_be_undefined_come_to_what_their_orders_do() {
    compare(Kind::Accessing);
}

fn compare(kind: Kind) {
    let mut source = Source { kind, number: 1 };
    let mut ordered = 0;
    for number in 0..PROGRAMS {
        let part = source.part(2 + number % 2, &mut 0, &mut true);
        let text = format!("{DECLARATIONS} long test(void) {{ long r = {}; return r * 1000000 + trace * 10 + x; }}", part.text());
        let unit = from_text("f.c", &text, &Options::default()).expect("it is C");
        let Ok(lowered) = lower(&unit, "test") else { continue };
        let (expected, found) = (expected(&part), found(&lowered));
        assert!(found.is_subset(&expected), "{}: {found:?}, of which C allows {expected:?}", part.text());
        let is_needed = |ending: &&Ending| match ending {
            Ending::Failed => true,
            // Behind a failure nothing else has to be seen, and an end is none.
            Ending::Returned(_) => !expected.contains(&Ending::Failed),
            Ending::Halted => false,
        };
        let missing: Vec<_> = expected.iter().filter(is_needed).filter(|ending| !found.contains(ending)).collect();
        assert!(missing.is_empty(), "{}: {missing:?} is missing of {expected:?}", part.text());
        ordered += usize::from(expected.len() > 1);
    }
    assert!(ordered * 4 > usize::try_from(PROGRAMS).unwrap_or(0), "only {ordered} expressions have several orders");
}

const PROGRAMS: u64 = 300;
