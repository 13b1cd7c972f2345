//! What a proof had to be shown, as queries for solvers of SMT-LIB 2.6: integers and arrays, as the calculus defines them (`spec/calculus.md#terms`).
//!
//! Types are said of variables, and of elements of array variables where they are read; what follows from that for other terms is for the solver
//! to find. Operations on bits are uninterpreted but for the bounds that the calculus knows, and for what the refutation at hand carries out.

use crate::{
    argument::facts,
    labels::Labels,
    naming::Naming,
    replay::{Application, DerivationId, Shown, Watcher},
};
use goatherd_certificates::{
    derivation::{Deduction, MemberId, Refutation, Rule},
    program::{IntegerType, Operation, Table},
    term::{Array, ArrayId, ArrayStore, Atom, AtomId, Computation, Linear, LinearId, Literal, Sign},
};
use goatherd_checker::{
    arithmetic::{self, period, range},
    rejection::Rejection,
    term::Arena,
};
use serde::Serialize;
use std::{collections::BTreeSet, fmt::Write};

/// A table of more entries is left open: what is shown by its entries cannot be shown again.
const MOST_ENTRIES: usize = 4096;

/// What a solver is to say.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Expected {
    /// The opposite of what was needed contradicts what is known.
    Unsat,
    /// What is known is no contradiction by itself.
    Sat,
}

/// A query, of those in a script.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Query {
    /// Which rule of which derivation, and where in the program.
    pub place: String,
    /// What cannot be, in terms of C; of what is known, all of it.
    pub what: Vec<String>,
    /// What a solver is to say.
    pub expected: Expected,
}

/// Queries, as one script that asks them one after the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Script {
    /// The script.
    pub text: String,
    /// One for each `check-sat`.
    pub queries: Vec<Query>,
}

/// Watches for what has to be shown.
pub struct Asking<'a> {
    labels: &'a Labels<'a>,
    script: Script,
}

impl<'a> Asking<'a> {
    /// Of a proof.
    pub fn new(labels: &'a Labels<'a>) -> Self {
        let text = format!("(set-info :smt-lib-version 2.6)\n(set-logic ALL)\n{}", functions());
        Self { labels, script: Script { text, queries: Vec::new() } }
    }

    /// All of it.
    pub fn script(self) -> Script {
        self.script
    }

    fn line(&mut self, line: &str) {
        self.script.text.push_str(line);
        self.script.text.push('\n');
    }

    fn ask(&mut self, place: &str, what: Vec<String>, expected: Expected) {
        // In one line each, of characters that stand in comments.
        for fact in &what {
            self.line(&format!("; {fact}"));
        }
        self.line(if expected == Expected::Unsat { "; that cannot be: unsat" } else { "; what is known is no contradiction: sat" });
        self.line("(check-sat)");
        self.script.queries.push(Query { place: place.to_owned(), what, expected });
    }

    fn applied(&mut self, arena: &Arena, application: Application<'_>) -> Result<(), Rejection> {
        let Application { before, rule, obligations, .. } = application;
        if obligations.is_empty() {
            return Ok(());
        }
        let place = place(self.labels, application);
        let predicate = &before.configuration.predicate;
        let naming = Naming::at(arena, self.labels, before);
        let mut known = Known::default();
        self.line(&format!("\n; {place}\n(push 1)"));
        self.assert(arena, &mut known, predicate)?;
        if !matches!(rule, Rule::Infeasible { .. }) {
            self.ask(&place, Vec::new(), Expected::Sat);
        }
        for obligation in obligations {
            let mut known = known.clone();
            self.line("(push 1)");
            self.assert(arena, &mut known, &obligation.assumptions)?;
            self.script.text.extend(carried_out(arena, &obligation.refutation)?);
            let what = if obligation.assumptions.is_empty() { facts(&naming, predicate) } else { facts(&naming, &obligation.assumptions) };
            self.ask(&place, what, Expected::Unsat);
            self.line("(pop 1)");
        }
        self.line("(pop 1)");
        Ok(())
    }

    fn assert(&mut self, arena: &Arena, known: &mut Known, literals: &[Literal]) -> Result<(), Rejection> {
        for literal in literals {
            known.define((arena, &self.labels.program().tables), Node::Linear(literal.term), &mut self.script.text)?;
            let term = literal.term.0;
            self.line(&match literal.sign {
                Sign::AtMostZero => format!("(assert (<= l{term} 0))"),
                Sign::Zero => format!("(assert (= l{term} 0))"),
                Sign::NotZero => format!("(assert (not (= l{term} 0)))"),
            });
        }
        Ok(())
    }
}

impl Watcher for Asking<'_> {
    fn event(&mut self, arena: &mut Arena, event: Shown<'_>) -> Result<(), Rejection> {
        if let Shown::Applied(application) = event { self.applied(arena, application) } else { Ok(()) }
    }
}

/// Which rule it is, and where.
fn place(labels: &Labels<'_>, Application { derivation, number, rule, before, .. }: Application<'_>) -> String {
    let derivation = match derivation {
        DerivationId::Roots => String::from("from the entry"),
        DerivationId::Template(template) => format!("from herd {}", template.0),
    };
    let (name, member) = match rule {
        Rule::Step { .. } => ("Step", MemberId(0)),
        Rule::StepDecided { member, .. } => ("StepDecided", *member),
        Rule::AddScapegoat { .. } => ("AddScapegoat", MemberId(0)),
        Rule::Subsume { .. } => ("Subsume", MemberId(0)),
        _ => ("Infeasible", MemberId(0)),
    };
    let line = before.location(member).map_or_else(String::new, |location| format!(", {}", labels.place(location)));
    format!("{derivation}, rule {number}, {name}{line}")
}

/// A term of any kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Node {
    Linear(LinearId),
    Atom(AtomId),
    Array(ArrayId),
}

/// What has been defined.
#[derive(Clone, Default)]
struct Known(BTreeSet<Node>);

impl Known {
    /// Defines a term, after those that it mentions. Terms may be of any depth, so nothing recurses.
    fn define(&mut self, (arena, tables): (&Arena, &[Table]), node: Node, text: &mut String) -> Result<(), Rejection> {
        let mut open = vec![node];
        while let Some(node) = open.last().copied() {
            let mentioned = mentioned(arena, node)?;
            let before = open.len();
            open.extend(mentioned.into_iter().filter(|part| !self.0.contains(part)));
            if open.len() == before {
                open.pop();
                if self.0.insert(node) {
                    text.push_str(&definition(arena, tables, node)?);
                }
            }
        }
        Ok(())
    }
}

/// What a term mentions.
fn mentioned(arena: &Arena, node: Node) -> Result<Vec<Node>, Rejection> {
    Ok(match node {
        Node::Linear(term) => arena.linear(term)?.summands.iter().map(|(atom, _)| Node::Atom(*atom)).collect(),
        Node::Atom(atom) => match *arena.atom(atom)? {
            Atom::Variable(_) => Vec::new(),
            Atom::Select { array, index } => vec![Node::Array(array), Node::Linear(index)],
            Atom::Quotient { argument, .. } => vec![Node::Linear(argument)],
            Atom::Apply(Computation { left, right, .. }) => vec![Node::Linear(left), Node::Linear(right)],
        },
        Node::Array(array) => match *arena.array(array)? {
            Array::Variable(_) | Array::Table(_) => Vec::new(),
            Array::Store(ArrayStore { array, index, value }) => vec![Node::Array(array), Node::Linear(index), Node::Linear(value)],
            Array::Constant(value) => vec![Node::Linear(value)],
        },
    })
}

fn number(value: i128) -> String {
    if value < 0 { format!("(- {})", value.unsigned_abs()) } else { value.to_string() }
}

/// The value of the type that is equal modulo its period.
fn reduced(kind: IntegerType, term: &str) -> Result<String, Rejection> {
    let (least, period) = (range(kind).0, period(kind)?);
    Ok(if least == 0 {
        format!("(mod {term} {period})")
    } else {
        format!("(+ (mod (- {term} {}) {period}) {})", number(least), number(least))
    })
}

fn between(term: &str, (least, greatest): (i128, i128)) -> String {
    format!("(assert (and (<= {} {term}) (<= {term} {})))\n", number(least), number(greatest))
}

fn definition(arena: &Arena, tables: &[Table], node: Node) -> Result<String, Rejection> {
    match node {
        Node::Linear(id) => Ok(format!("(define-fun l{} () Int {})\n", id.0, sum(arena.linear(id)?))),
        Node::Atom(id) => atom(arena, tables, id),
        Node::Array(id) => array(arena, tables, id),
    }
}

fn sum(Linear { constant, summands }: &Linear) -> String {
    let parts = summands.iter().map(|(atom, factor)| match factor {
        1 => format!("a{}", atom.0),
        _ => format!("(* {} a{})", number(*factor), atom.0),
    });
    let mut parts: Vec<String> = parts.collect();
    if *constant != 0 || parts.is_empty() {
        parts.push(number(*constant));
    }
    if parts.len() == 1 { parts.remove(0) } else { format!("(+ {})", parts.join(" ")) }
}

fn atom(arena: &Arena, tables: &[Table], id: AtomId) -> Result<String, Rejection> {
    let name = format!("a{}", id.0);
    Ok(match *arena.atom(id)? {
        Atom::Variable(variable) => {
            let sort = variable.sort.map_or_else(String::new, |kind| between(&name, range(kind)));
            format!("(declare-const {name} Int)\n{sort}")
        }
        Atom::Select { array, index } => {
            format!("(define-fun {name} () Int (select A{} l{}))\n{}", array.0, index.0, read(arena, tables, array, index)?)
        }
        Atom::Quotient { divisor, argument } => format!("(define-fun {name} () Int (div l{} {divisor}))\n", argument.0),
        Atom::Apply(Computation { operation, kind, left, right }) => {
            let (left, right) = (reduced(kind, &format!("l{}", left.0))?, reduced(kind, &format!("l{}", right.0))?);
            apply(&name, (operation, kind), &left, &right)?
        }
    })
}

/// What is read below all stores is of the variable's type, or one of the table's entries, or 0.
fn read(arena: &Arena, tables: &[Table], array: ArrayId, index: LinearId) -> Result<String, Rejection> {
    let mut below = array;
    loop {
        match *arena.array(below)? {
            Array::Store(ArrayStore { array, .. }) => below = array,
            Array::Variable(variable) => return Ok(between(&format!("(select A{} l{})", below.0, index.0), range(variable.sort))),
            Array::Table(table) => {
                let values = tables.get(table.index()).map_or(&[][..], |table| &table.values);
                let bounds = values.iter().fold((0, 0), |(least, greatest), value| (least.min(*value), greatest.max(*value)));
                return Ok(between(&format!("(select A{} l{})", below.0, index.0), bounds));
            }
            Array::Constant(_) => return Ok(String::new()),
        }
    }
}

/// An operation on two values of a type.
fn apply(name: &str, (operation, kind): (Operation, IntegerType), left: &str, right: &str) -> Result<String, Rejection> {
    let sign = match operation {
        Operation::Add => "+",
        Operation::Subtract => "-",
        Operation::Multiply => "*",
        _ => return Ok(opaque(name, (operation, kind), left, right)),
    };
    Ok(format!("(define-fun {name} () Int {})\n", reduced(kind, &format!("({sign} {left} {right})"))?))
}

/// An operation of which only the type of the result is known, and of `|` and `^` of numbers that are not negative what bits allow.
fn opaque(name: &str, (operation, kind): (Operation, IntegerType), left: &str, right: &str) -> String {
    let mut text = format!("(declare-const {name} Int)\n{}", between(name, range(kind)));
    // Equal operands, equal results: of one function, which is declared where it is first used.
    let function = function(operation, kind);
    // Writing to a string does not fail.
    let _ = writeln!(text, "(assert (= {name} ({function} {left} {right})))");
    let low = match operation {
        Operation::Or => [left.to_owned(), right.to_owned()],
        Operation::Xor => [format!("(- {left} {right})"), format!("(- {right} {left})")],
        _ => return text,
    };
    let [first, second] = low;
    let _ = writeln!(
        text,
        "(assert (=> (and (>= {left} 0) (>= {right} 0)) (and (<= 0 {name}) (<= {name} (+ {left} {right})) (<= {first} {name}) (<= {second} {name}))))"
    );
    text
}

/// The functions that stand for operations of which little is known.
fn functions() -> String {
    let operations = [
        Operation::Divide,
        Operation::Remainder,
        Operation::And,
        Operation::Or,
        Operation::Xor,
        Operation::ShiftLeft,
        Operation::ShiftRight,
    ];
    let functions = operations.into_iter().flat_map(|operation| goatherd_checker::term::SORTS.map(|kind| (operation, kind)));
    functions.fold(String::new(), |text, (operation, kind)| text + &format!("(declare-fun {} (Int Int) Int)\n", function(operation, kind)))
}

/// Stands for an operation of which little is known.
fn function(operation: Operation, kind: IntegerType) -> String {
    format!("{operation:?}_{kind:?}").to_lowercase()
}

/// What a refutation carries out of these operations, such as `1 << 5` in U32: that this is 32.
fn carried_out(arena: &Arena, refutation: &Refutation) -> Result<BTreeSet<String>, Rejection> {
    let mut results = BTreeSet::new();
    for deduction in &refutation.deductions {
        let Deduction::Evaluate { atom, values } = deduction else { continue };
        let Atom::Apply(Computation { operation, kind, left, right }) = *arena.atom(*atom)? else { continue };
        if matches!(operation, Operation::Add | Operation::Subtract | Operation::Multiply) {
            continue;
        }
        let mut values = values.iter().map(|(value, _)| *value);
        let mut operand = |term| arithmetic::reduce(arena.value(term).or_else(|| values.next()).ok_or(Rejection::Deduction)?, kind);
        let (left, right) = (operand(left)?, operand(right)?);
        let result = arithmetic::apply(operation, kind, left, right)?;
        results.insert(format!("(assert (= ({} {} {}) {}))\n", function(operation, kind), number(left), number(right), number(result)));
    }
    Ok(results)
}

fn array(arena: &Arena, tables: &[Table], id: ArrayId) -> Result<String, Rejection> {
    let name = format!("A{}", id.0);
    let whole = "(Array Int Int)";
    Ok(match *arena.array(id)? {
        Array::Variable(_) => format!("(declare-const {name} {whole})\n"),
        Array::Store(ArrayStore { array, index, value }) => {
            format!("(define-fun {name} () {whole} (store A{} l{} l{}))\n", array.0, index.0, value.0)
        }
        Array::Constant(value) => format!("(define-fun {name} () {whole} ((as const {whole}) l{}))\n", value.0),
        Array::Table(table) => {
            let mut text = format!("(declare-const {name} {whole})\n");
            let values = tables.get(table.index()).map(|table| &table.values).filter(|values| values.len() <= MOST_ENTRIES);
            for (position, value) in values.into_iter().flatten().enumerate() {
                let _ = writeln!(text, "(assert (= (select {name} {position}) {}))", number(*value));
            }
            text
        }
    })
}
