//! Configurations of symbolic execution as the thesis has them: a store of indices and a list of constraints (red-black graphs Def. 3).

use super::elimination::eliminate;
use goatherd_flow::graph::loop_heads;
use goatherd_logic::paths::conjunction::Conjunction;
use goatherd_systems::{
    literal::{Linear, Literal, Overflow, Residue, Store, Variable, negated},
    lts::{EdgeId, Location, Lts, index},
};
use std::{
    cell::{Cell, OnceCell},
    collections::BTreeSet,
    rc::Rc,
};

/// What one conjunct of a guard or an assignment says of symbols; an equality is two bounds.
pub type Constraint = Rc<[Literal]>;

/// What the variables may hold.
#[derive(Clone, Debug)]
pub struct Configuration {
    /// Where.
    location: Location,
    /// By variable: the index of its symbol.
    pub store: Vec<u32>,
    /// By variable: the greatest index in use.
    last: Vec<u32>,
    /// The path predicate, in the order of the path.
    pub predicate: Vec<Constraint>,
    /// What the predicate says of the symbols that live variables have.
    facts: Conjunction,
    /// Of look-ahead, once it has been asked for.
    pub(super) future: OnceCell<Rc<[EdgeId]>>,
}

impl Configuration {
    /// Does it stand for no state?
    pub fn is_contradictory(&self) -> bool {
        self.facts.is_contradictory()
    }
}

/// Symbolic execution of a transition system.
#[derive(Debug)]
pub struct Execution<'a> {
    lts: &'a Lts,
    /// By location: the variables of which something is known there. Of the others no path from there reads the value.
    live: Vec<BTreeSet<Variable>>,
    /// Grows with each conjunction, and with the square of what is not a difference in it: about as its time does.
    work: Cell<usize>,
}

/// Constraints between which symbols are eliminated.
const CHUNK: usize = 2;

fn symbols_of(constraint: &[Literal]) -> impl Iterator<Item = Variable> {
    constraint.iter().flat_map(Literal::term).map(|(symbol, _)| *symbol)
}

/// The literals, with pairs of bounds that are an equality together.
fn constraints(literals: &[Literal]) -> Vec<Vec<Literal>> {
    let mut constraints = Vec::new();
    let mut literals = literals.iter().peekable();
    while let Some(literal) = literals.next() {
        let mut constraint = vec![literal.clone()];
        if let Literal::AtMost(term, bound) = literal {
            let opposite = bound.checked_neg().map(|bound| Literal::AtMost(negated(term), bound));
            constraint.extend(opposite.and_then(|opposite| literals.next_if(|next| **next == opposite)).cloned());
        }
        constraints.push(constraint);
    }
    constraints
}

fn over_symbols(literals: &[Literal], symbols: &Store) -> Result<Vec<Constraint>, Overflow> {
    let substitute = |constraint: Vec<Literal>| constraint.iter().map(|literal| literal.substitute(symbols)).collect();
    constraints(literals).into_iter().map(substitute).collect()
}

impl<'a> Execution<'a> {
    /// Of this system.
    pub fn new(lts: &'a Lts) -> Self {
        Self { lts, live: lts.live_variables(), work: Cell::new(0) }
    }

    /// What has been done so far: a number that grows about as the time does, and is the same each time.
    pub fn work(&self) -> usize {
        self.work.get()
    }

    fn conjunction<'b>(&self, facts: &Conjunction, literals: impl IntoIterator<Item = &'b Literal>) -> Conjunction {
        let facts = facts.with(literals);
        self.work.set(self.work.get().saturating_add(facts.effort()));
        facts
    }

    /// The symbol of a variable with an index.
    fn symbol(&self, variable: usize, index: u32) -> Result<Variable, Overflow> {
        let count = u32::try_from(self.lts.variables.len()).map_err(|_| Overflow)?;
        let variable = u32::try_from(variable).map_err(|_| Overflow)?;
        index.checked_mul(count).and_then(|base| base.checked_add(variable)).ok_or(Overflow)
    }

    fn symbols(&self, store: &[u32]) -> Result<Store, Overflow> {
        let symbols = store.iter().enumerate().map(|(variable, index)| self.symbol(variable, *index));
        (0..).zip(symbols).map(|(variable, symbol)| Ok((variable, Linear::variable(symbol?)))).collect()
    }

    /// What the ranges of the variables say of symbols.
    fn ranges(&self, symbols: impl IntoIterator<Item = Variable>) -> Result<Vec<Literal>, Overflow> {
        let count = self.lts.variables.len().max(1);
        let mut literals = Vec::new();
        for symbol in symbols {
            literals.extend(self.lts.variables[index(symbol) % count].range_of(&Linear::variable(symbol))?);
        }
        Ok(literals)
    }

    /// The symbols that live variables have in a store.
    fn kept(&self, location: Location, store: &[u32]) -> Result<BTreeSet<Variable>, Overflow> {
        self.live[index(location)].iter().map(|variable| self.symbol(index(*variable), store[index(*variable)])).collect()
    }

    /// All that a configuration with these parts says, of the symbols that are kept.
    fn configuration(
        &self,
        location: Location,
        store: Vec<u32>,
        last: Vec<u32>,
        predicate: Vec<Constraint>,
    ) -> Result<Configuration, Overflow> {
        // By constraint: the symbols that are still needed after it.
        let mut needed = self.kept(location, &store)?;
        let mut needs = Vec::new();
        for constraint in predicate.iter().rev() {
            needs.push(needed.clone());
            needed.extend(symbols_of(constraint));
        }
        let mut facts = self.conjunction(&Conjunction::default(), &self.ranges(needed)?);
        for (chunk, needed) in predicate.chunks(CHUNK).zip(0..) {
            let last = needed * CHUNK + chunk.len();
            facts = self.conjunction(&facts, chunk.iter().flat_map(|constraint| constraint.iter()));
            facts = eliminate(facts, &needs[predicate.len() - last]);
        }
        Ok(Configuration { location, store, last, predicate, facts, future: OnceCell::new() })
    }

    /// All states in which the precondition holds.
    pub fn initial(&self, precondition: &[Literal]) -> Result<Configuration, Overflow> {
        let store = vec![0; self.lts.variables.len()];
        let predicate = over_symbols(&[precondition, &self.lts.entry].concat(), &self.symbols(&store)?)?;
        self.configuration(self.lts.initial, store.clone(), store, predicate)
    }

    /// The successor along an edge; contradictory where that cannot be gone.
    pub fn step(&self, from: &Configuration, edge: EdgeId) -> Result<Configuration, Overflow> {
        let edge = &self.lts.edges[edge];
        let location = edge.target;
        let before = self.symbols(&from.store)?;
        let Configuration { mut store, mut last, mut predicate, mut facts, .. } = from.clone();
        let guard = over_symbols(&edge.guard, &before)?;
        facts = self.conjunction(&facts, guard.iter().flat_map(|constraint| constraint.iter()));
        predicate.extend(guard);
        let mut added = Vec::new();
        for (variable, value) in &edge.assignments {
            let position = index(*variable);
            let declared = &self.lts.variables[position];
            let is_known = |literal: &Literal| literal.substitute(&before).is_ok_and(|literal| facts.entails(&literal));
            let exact = value.known(is_known).map(|(linear, _)| linear.substitute(&before)).transpose()?;
            last[position] = last[position].checked_add(1).ok_or(Overflow)?;
            store[position] = last[position];
            let symbol = Linear::variable(self.symbol(position, last[position])?);
            added.extend(declared.range_of(&symbol)?);
            if let Some(value) = exact {
                let constraint = [Literal::less_or_equal(&symbol, &value)?, Literal::less_or_equal(&value, &symbol)?];
                added.extend(constraint.iter().cloned());
                predicate.push(Rc::new(constraint));
            }
        }
        if !edge.assignments.is_empty() {
            facts = self.conjunction(&facts, &added);
        }
        if !edge.assignments.is_empty() || self.live[index(from.location)] != self.live[index(location)] {
            facts = eliminate(facts, &self.kept(location, &store)?);
        }
        Ok(Configuration { location, store, last, predicate, facts, future: OnceCell::new() })
    }

    /// Can the path be gone from here?
    pub fn is_feasible(&self, from: &Configuration, path: &[EdgeId]) -> Result<bool, Overflow> {
        Ok(self.shortest_infeasible(from, path)?.is_none())
    }

    /// The length of the shortest infeasible prefix of a path from here.
    pub fn shortest_infeasible(&self, from: &Configuration, path: &[EdgeId]) -> Result<Option<usize>, Overflow> {
        let mut here = from.clone();
        for (position, edge) in path.iter().enumerate() {
            if here.is_contradictory() {
                return Ok(Some(position));
            }
            here = self.step(&here, *edge)?;
        }
        Ok(here.is_contradictory().then_some(path.len()))
    }

    /// Is every state of `small` one of `large` (Def. 6)? False where that is not seen.
    pub fn subsumes(&self, large: &Configuration, small: &Configuration) -> Result<bool, Overflow> {
        if small.is_contradictory() {
            return Ok(true);
        }
        if large.is_contradictory() {
            return Ok(false);
        }
        let own = self.variables(large)?;
        let symbols = self.symbols(&small.store)?;
        for literal in large.facts.literals() {
            if !small.facts.entails(&literal.substitute(&own)?.substitute(&symbols)?) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// By symbol in the store: its variable.
    fn variables(&self, configuration: &Configuration) -> Result<Store, Overflow> {
        let symbols = configuration.store.iter().enumerate().map(|(variable, index)| self.symbol(variable, *index));
        (0..).zip(symbols).map(|(variable, symbol)| Ok((symbol?, Linear::variable(variable)))).collect()
    }

    /// What can be said of it with literals over program variables, beside their ranges; none of them follows from the others.
    pub fn literals(&self, configuration: &Configuration) -> Result<BTreeSet<Literal>, Overflow> {
        let own = self.variables(configuration)?;
        let ranges = self.ranges(own.values().flat_map(|value| &value.term).map(|(variable, _)| *variable))?;
        let known = Conjunction::default().with(&ranges);
        let literals = configuration.facts.literals().iter().map(|literal| literal.substitute(&own)).collect::<Result<Vec<_>, _>>()?;
        // Residues first: bounds may follow from others only by rounding.
        let (residues, others): (Vec<Literal>, Vec<Literal>) =
            literals.into_iter().partition(|literal| matches!(literal, Literal::Residue(Residue { .. })));
        let mut literals = BTreeSet::new();
        // Most follow from those before: then there are few to be left out because of those behind.
        let mut facts = known.clone();
        for literal in residues.into_iter().chain(others) {
            if !facts.entails(&literal) {
                facts = facts.with([&literal]);
                literals.insert(literal);
            }
        }
        let candidates: Vec<Literal> =
            literals.iter().filter(|literal| !matches!(literal, Literal::Residue(Residue { .. }))).rev().cloned().collect();
        for literal in candidates {
            literals.remove(&literal);
            if !known.with(&literals).entails(&literal) {
                literals.insert(literal);
            }
        }
        Ok(literals)
    }

    /// Without all occurrences of constraints from the predicate.
    pub fn without(&self, configuration: &Configuration, removed: &BTreeSet<Constraint>) -> Result<Configuration, Overflow> {
        let predicate = configuration.predicate.iter().filter(|constraint| !removed.contains(*constraint)).cloned().collect();
        self.configuration(configuration.location, configuration.store.clone(), configuration.last.clone(), predicate)
    }

    /// With only those constraints that the other one has, too.
    pub fn common(&self, configuration: &Configuration, other: &Configuration) -> Result<Configuration, Overflow> {
        let theirs: BTreeSet<&Constraint> = other.predicate.iter().collect();
        let predicate: Vec<Constraint> = configuration.predicate.iter().filter(|constraint| theirs.contains(constraint)).cloned().collect();
        if predicate.len() == configuration.predicate.len() {
            return Ok(configuration.clone());
        }
        self.configuration(configuration.location, configuration.store.clone(), configuration.last.clone(), predicate)
    }

    /// Does a constraint speak of the symbol that the variable has?
    pub fn is_constrained(&self, configuration: &Configuration, variable: usize) -> Result<bool, Overflow> {
        let symbol = self.symbol(variable, configuration.store[variable])?;
        let mut terms = configuration.predicate.iter().flat_map(|constraint| constraint.iter()).map(Literal::term);
        Ok(terms.any(|term| term.iter().any(|(other, _)| *other == symbol)))
    }

    /// The variable may hold any value.
    pub fn with_new_symbol(&self, configuration: &Configuration, variable: usize) -> Result<Configuration, Overflow> {
        let Configuration { location, mut store, mut last, predicate, facts, .. } = configuration.clone();
        last[variable] = last[variable].checked_add(1).ok_or(Overflow)?;
        store[variable] = last[variable];
        let range = self.ranges([self.symbol(variable, last[variable])?])?;
        let facts = eliminate(self.conjunction(&facts, &range), &self.kept(location, &store)?);
        Ok(Configuration { location, store, last, predicate, facts, future: OnceCell::new() })
    }

    /// The locations that a depth-first search comes back to.
    pub fn loop_headers(&self) -> BTreeSet<Location> {
        let target = |edge: &EdgeId| index(self.lts.edges[*edge].target);
        let outgoing = self.lts.edges_by_source();
        let successors = outgoing.iter().map(|edges| edges.iter().map(target).collect());
        let heads = loop_heads(index(self.lts.initial), &successors.collect::<Vec<_>>());
        heads.into_iter().filter_map(|head| Location::try_from(head).ok()).collect()
    }
}
