//! What follows from a path predicate: difference bounds over atoms and sums, disequalities, reads of stores, congruence.
//!
//! A context decides nothing that it cannot explain: each bound goes back to a fact, each fact to older ones ([`crate::facts`]), so that
//! [`crate::explanation`] can write down what the checker replays. It is incomplete: what it does not show may still hold.

use crate::{
    bounds::{Bounds, Change, Kind, Node, ZERO},
    facts::{Disequality, Edge, FactIndex, Ground, Origin, Part, Parts},
    form::{Difference, Form},
    meter::Meter,
    solver::Solver,
};
use goatherd_certificates::{
    program::{IntegerType, Operation},
    term::{Array, ArrayId, ArrayStore, Atom, AtomId, Computation, LinearId, Literal, Sign},
};
use goatherd_checker::{rejection::Rejection, term::Arena};
use std::sync::Arc;

/// A sum of several atoms, as one node.
#[derive(Clone, Debug)]
pub(super) struct Sum {
    pub(super) node: Node,
    pub(super) form: Arc<Form>,
    /// What [`Context::signature`] was when its bounds were last derived.
    pub(super) seen: u64,
}

/// What equal applications have in common beside their arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Function {
    Select(ArrayId),
    Quotient(i128),
    Apply(Operation, IntegerType),
}

/// An atom that is the application of a function.
#[derive(Clone, Debug)]
pub(super) struct Application {
    pub(super) atom: AtomId,
    pub(super) node: Node,
    pub(super) function: Function,
    pub(super) arguments: Arc<[Form]>,
}

impl Application {
    /// Is it known for constants, and not by bounds alone? An entry of a table, or an operation.
    pub(super) fn is_computed(&self, arena: &Arena) -> bool {
        match self.function {
            Function::Select(array) => matches!(arena.array(array), Ok(Array::Table(_))),
            Function::Quotient(_) => false,
            Function::Apply(..) => true,
        }
    }
}

/// A select from a store, as long as it is open whether both are at the same index.
#[derive(Clone, Debug)]
pub(super) struct Read {
    pub(super) atom: AtomId,
    /// Index of the store minus index of the select.
    pub(super) gap: Arc<Form>,
}

/// So many bounds are copied in one step of a meter.
const BOUNDS_OF_STEP: usize = 16;

/// A path predicate, closed under what is cheap to derive.
#[derive(Clone, Debug)]
pub struct Context {
    pub(super) bounds: Arc<Bounds>,
    /// By ascending atom.
    pub(super) atoms: Vec<(AtomId, Node)>,
    pub(super) sums: Vec<Sum>,
    pub(super) applications: Vec<Application>,
    pub(super) reads: Vec<Read>,
    /// The bit operations whose bounds are known.
    pub(super) bounded: Vec<AtomId>,
    /// The operations and tables that have been evaluated for known arguments.
    pub(super) evaluated: Vec<AtomId>,
    pub(super) disequalities: Vec<Disequality>,
    pub(super) facts: Vec<Origin>,
    pub(super) parts: Vec<Part>,
    pub(super) edges: Vec<Edge>,
    /// What was assumed.
    literals: Arc<Vec<Literal>>,
    pub(super) solver: Option<Arc<Solver>>,
    /// A sum of facts that is a positive constant.
    pub(super) conflict: Option<Parts>,
    pub(super) is_saturated: bool,
    /// What reasoning is paid from.
    pub(super) meter: Meter,
}

impl Default for Context {
    fn default() -> Self {
        Self::new()
    }
}

impl Context {
    /// Nothing is assumed.
    pub fn new() -> Self {
        Self {
            bounds: Arc::new(Bounds::new()),
            atoms: Vec::new(),
            sums: Vec::new(),
            applications: Vec::new(),
            reads: Vec::new(),
            bounded: Vec::new(),
            evaluated: Vec::new(),
            disequalities: Vec::new(),
            facts: Vec::new(),
            parts: Vec::new(),
            edges: Vec::new(),
            literals: Arc::default(),
            solver: None,
            conflict: None,
            is_saturated: true,
            meter: Meter::default(),
        }
    }

    /// Nothing is assumed; what cannot be paid for is not known.
    pub fn metered(meter: &Meter) -> Self {
        Self { meter: meter.clone(), ..Self::new() }
    }

    /// A context in which all the literals hold.
    pub fn of(arena: &mut Arena, literals: &[Literal]) -> Self {
        let mut context = Self::new();
        context.assume_all(arena, literals);
        context
    }

    /// Nothing is assumed; the solver answers what the closure does not show.
    pub fn with_solver(solver: Arc<Solver>) -> Self {
        Self { solver: Some(solver), ..Self::new() }
    }

    /// Adds a literal. What arithmetic cannot represent is left out, which only weakens the context.
    pub fn assume(&mut self, arena: &mut Arena, literal: Literal) {
        let position = self.literals.len();
        self.leave_out(literal);
        let fact = self.add_fact(Origin::Given { position, sign: literal.sign });
        if self.conflict.is_none() {
            // An error means that a term is too large: the literal is not used.
            let _ = self.assert(arena, fact, literal);
        }
    }

    /// Counts a literal without using it.
    pub(super) fn leave_out(&mut self, literal: Literal) {
        Arc::make_mut(&mut self.literals).push(literal);
    }

    /// Adds literals.
    pub fn assume_all(&mut self, arena: &mut Arena, literals: &[Literal]) {
        for literal in literals {
            self.assume(arena, *literal);
        }
    }

    /// A copy, to be assumed more in; none where it cannot be paid for.
    pub(super) fn copy(&self) -> Option<Self> {
        let lists = self.facts.len() + self.parts.len() + self.edges.len() + self.atoms.len();
        self.meter.pay(lists + self.bounds.size() * self.bounds.size() / BOUNDS_OF_STEP).then(|| self.clone())
    }

    /// How many terms are compared with each other: what it takes to reason grows with the square of that.
    pub fn size(&self) -> usize {
        self.bounds.size()
    }

    /// What was assumed, in order.
    pub fn literals(&self) -> &[Literal] {
        &self.literals
    }

    pub(super) fn add_fact(&mut self, origin: Origin) -> FactIndex {
        self.facts.push(origin);
        self.facts.len() - 1
    }

    pub(super) fn add_parts(&mut self, parts: &[Part]) -> Parts {
        let start = self.parts.len();
        self.parts.extend_from_slice(parts);
        Parts { start, end: self.parts.len() }
    }

    /// Adds what the fact says, the fact being the literal.
    pub(super) fn assert(&mut self, arena: &mut Arena, fact: FactIndex, literal: Literal) -> Result<(), Rejection> {
        let Some(form) = self.form(arena, literal.term) else { return Err(Rejection::Overflow) };
        match literal.sign {
            Sign::AtMostZero => self.bound(&form, fact, 1),
            Sign::Zero => {
                self.bound(&form, fact, 1);
                if let Some(opposite) = form.negated() {
                    self.bound(&opposite, fact, -1);
                }
            }
            Sign::NotZero => self.exclude(&form, literal.term, fact),
        }
        Ok(())
    }

    /// The form is at most 0, by the fact times the factor.
    pub(super) fn bound(&mut self, form: &Form, fact: FactIndex, factor: i128) {
        if form.summands.is_empty() {
            if form.constant > 0 {
                self.contradict(&[Part { ground: Ground::Fact(fact), multiplier: factor }]);
            }
            return;
        }
        let Some(Difference { from, to, factor: scale }) = self.shape(form) else { return };
        let Some(bound) = form.constant.checked_neg().map(|negated| negated.div_euclid(scale)) else { return };
        if scale == 1 {
            self.add_edge(Edge { from, to, bound, fact, factor });
        } else if !self.bounds.is_at_most(from, to, bound) {
            let parts = self.add_parts(&[Part { ground: Ground::Fact(fact), multiplier: factor }]);
            let rounded = self.add_fact(Origin::Sum { parts, is_rounded: true });
            self.add_edge(Edge { from, to, bound, fact: rounded, factor: 1 });
        }
    }

    /// The form, which is that of the term, is not 0, by the fact.
    fn exclude(&mut self, form: &Form, term: LinearId, fact: FactIndex) {
        let Some(Difference { from, to, factor }) = self.shape(form) else { return };
        if from == to && form.constant != 0 || form.constant % factor != 0 {
            return;
        }
        let fact = if factor == 1 { fact } else { self.add_fact(Origin::Divided { fact, term, divisor: factor }) };
        self.disequalities.push(Disequality { from, to, constant: form.constant / factor, fact });
        self.is_saturated = false;
    }

    pub(super) fn contradict(&mut self, parts: &[Part]) {
        if self.conflict.is_none() {
            self.conflict = Some(self.add_parts(parts));
        }
    }

    pub(super) fn add_edge(&mut self, edge: Edge) {
        if self.conflict.is_some() {
            return;
        }
        if edge.from == edge.to {
            if edge.bound < 0 {
                self.contradict(&[Part { ground: Ground::Fact(edge.fact), multiplier: edge.factor }]);
            }
            return;
        }
        let is_given = matches!(self.facts[edge.fact], Origin::Given { .. } | Origin::Lower(_) | Origin::Upper(_));
        if !is_given && self.bounds.is_at_most(edge.from, edge.to, edge.bound) {
            return;
        }
        self.edges.push(edge);
        if self.bounds.is_at_most(edge.from, edge.to, edge.bound) {
            return;
        }
        match Arc::make_mut(&mut self.bounds).tighten(edge.from, edge.to, edge.bound, &self.meter) {
            Change::None => {}
            Change::Tightened => self.is_saturated = false,
            Change::Contradiction => self.contradict(&[
                Part { ground: Ground::Fact(edge.fact), multiplier: edge.factor },
                Part { ground: Ground::Path { from: edge.to, to: edge.from, bound: -edge.bound - 1 }, multiplier: 1 },
            ]),
        }
    }

    /// The term over nodes; its atoms, and the atoms that they mention, get nodes.
    pub(super) fn form(&mut self, arena: &mut Arena, term: LinearId) -> Option<Form> {
        let linear = arena.linear(term).ok()?.clone();
        if linear.summands.iter().any(|(atom, _)| self.node(*atom).is_none()) {
            self.register(arena, term)?;
        }
        let mut form = Form { constant: linear.constant, summands: Vec::with_capacity(linear.summands.len()) };
        for (atom, coefficient) in &linear.summands {
            form.add_node(self.node(*atom)?, *coefficient)?;
        }
        Some(form)
    }

    pub(super) fn node(&self, atom: AtomId) -> Option<Node> {
        self.atoms.binary_search_by_key(&atom, |(other, _)| *other).ok().map(|position| self.atoms[position].1)
    }

    /// Gives nodes to the atoms of the term and to those that they mention, innermost first.
    fn register(&mut self, arena: &mut Arena, term: LinearId) -> Option<()> {
        let mut open: Vec<AtomId> = arena.linear(term).ok()?.summands.iter().map(|(atom, _)| *atom).collect();
        while let Some(atom) = open.last().copied() {
            if self.node(atom).is_some() {
                open.pop();
                continue;
            }
            let mut needed = Vec::new();
            for term in mentioned(arena, atom)? {
                needed.extend(arena.linear(term).ok()?.summands.iter().map(|(atom, _)| *atom).filter(|atom| self.node(*atom).is_none()));
            }
            if needed.is_empty() {
                open.pop();
                self.add_atom(arena, atom)?;
            } else {
                open.append(&mut needed);
            }
        }
        Some(())
    }

    /// The atoms that it mentions have nodes.
    fn add_atom(&mut self, arena: &mut Arena, atom: AtomId) -> Option<()> {
        let term = arena.atom(atom).ok()?.clone();
        let range = if matches!(term, Atom::Quotient { .. }) { None } else { arena.atom_range(atom) };
        let node = Arc::make_mut(&mut self.bounds).push(Kind::Atom, range);
        let position = self.atoms.partition_point(|(other, _)| *other < atom);
        self.atoms.insert(position, (atom, node));
        self.is_saturated = false;
        if let Some((least, greatest)) = range {
            let fact = self.add_fact(Origin::Lower(atom));
            self.edges.push(Edge { from: ZERO, to: node, bound: least.checked_neg()?, fact, factor: 1 });
            let fact = self.add_fact(Origin::Upper(atom));
            self.edges.push(Edge { from: node, to: ZERO, bound: greatest, fact, factor: 1 });
        }
        let (function, arguments) = match term {
            Atom::Variable(_) => return Some(()),
            Atom::Select { array, index } => {
                let index = self.form(arena, index)?;
                if let Array::Store(ArrayStore { index: at, .. }) = *arena.array(array).ok()? {
                    let gap = Arc::new(self.form(arena, at)?.plus(&index, -1)?);
                    self.reads.push(Read { atom, gap });
                }
                (Function::Select(array), vec![index])
            }
            Atom::Quotient { divisor, argument } => {
                let argument = self.form(arena, argument)?;
                // 0 <= argument - divisor * quotient <= divisor - 1
                let rest = argument.plus(&Form::node(node), divisor.checked_neg()?)?;
                let fact = self.add_fact(Origin::Lower(atom));
                self.bound(&rest.negated()?, fact, 1);
                let mut above = rest;
                above.constant = above.constant.checked_sub(divisor - 1)?;
                let fact = self.add_fact(Origin::Upper(atom));
                self.bound(&above, fact, 1);
                (Function::Quotient(divisor), vec![argument])
            }
            Atom::Apply(Computation { operation, kind, left, right }) => {
                (Function::Apply(operation, kind), vec![self.form(arena, left)?, self.form(arena, right)?])
            }
        };
        self.applications.push(Application { atom, node, function, arguments: arguments.into() });
        Some(())
    }

    /// The form as a factor times a difference of nodes; a sum of several atoms gets a node of its own.
    pub(super) fn shape(&mut self, form: &Form) -> Option<Difference> {
        if let Some(difference) = form.difference() {
            return Some(difference);
        }
        if let Some(difference) = self.known_shape(form) {
            return Some(difference);
        }
        let (sum, _) = primitive(form)?;
        let node = Arc::make_mut(&mut self.bounds).push(Kind::Sum, None);
        self.sums.push(Sum { node, form: Arc::new(sum), seen: 0 });
        self.is_saturated = false;
        self.known_shape(form)
    }

    /// As a factor times a difference of nodes that exist.
    pub(super) fn known_shape(&self, form: &Form) -> Option<Difference> {
        if let Some(difference) = form.difference() {
            return Some(difference);
        }
        let (primitive, factor) = primitive(form)?;
        let node = self.sums.iter().find(|sum| *sum.form == primitive)?.node;
        if factor > 0 {
            Some(Difference { from: node, to: ZERO, factor })
        } else {
            Some(Difference { from: ZERO, to: node, factor: factor.checked_neg()? })
        }
    }
}

/// The form without its constant, divided so that its coefficients have no common divisor and the first is positive; and what it was
/// divided by.
fn primitive(form: &Form) -> Option<(Form, i128)> {
    let (_, leading) = form.summands.first()?;
    let factor = form.divisor().checked_mul(leading.signum())?;
    let summands = form.summands.iter().map(|(node, coefficient)| Some((*node, coefficient.checked_div(factor)?)));
    Some((Form { constant: 0, summands: summands.collect::<Option<_>>()? }, factor))
}

/// The terms that an atom mentions; of a select from a store, also index and value of the store.
fn mentioned(arena: &Arena, atom: AtomId) -> Option<Vec<LinearId>> {
    Some(match *arena.atom(atom).ok()? {
        Atom::Variable(_) => Vec::new(),
        Atom::Select { array, index } => match *arena.array(array).ok()? {
            Array::Store(ArrayStore { index: at, value, .. }) => vec![index, at, value],
            _ => vec![index],
        },
        Atom::Quotient { argument, .. } => vec![argument],
        Atom::Apply(Computation { left, right, .. }) => vec![left, right],
    })
}
