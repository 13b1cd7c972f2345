//! Symbolic execution: a store and a path predicate over symbols (red-black graphs Def. 17). What numbers of 128 bits do not hold is unknown,
//! and refutes nothing.

use crate::abstraction::unknown_value;
use goatherd_logic::{
    meter::Meter,
    paths::{conjunction::Conjunction, differences::Side},
};
use goatherd_systems::{
    literal::{Linear, Literal, Residue, Store, Term, Variable, negated},
    lts::{EdgeId, Location, Lts, index},
};
use rustc_hash::FxHashMap;
use std::{collections::BTreeSet, rc::Rc};

/// A location, what the variables hold, and what is known of the symbols. Steps that change neither share them.
#[derive(Clone, Debug)]
pub struct Configuration {
    /// Where.
    pub location: Location,
    /// Linear expressions over symbols, for every variable.
    pub store: Rc<Store>,
    /// The path predicate.
    pub facts: Rc<Conjunction>,
}

/// Position among the configurations of an [`Explorer`].
pub type ConfigurationId = usize;

impl Configuration {
    /// Does the literal, over program variables, hold here? False also where its arithmetic overflows.
    pub fn entails(&self, literal: &Literal) -> bool {
        literal.substitute(&self.store).is_ok_and(|literal| self.facts.entails(&literal))
    }

    /// The literals, over program variables, as literals over symbols; without those that need numbers beyond 128 bits.
    pub fn over_symbols(&self, literals: &[Literal]) -> Vec<Literal> {
        literals.iter().filter_map(|literal| literal.substitute(&self.store).ok()).collect()
    }

    /// The greatest value of the term over program variables.
    pub fn greatest(&self, term: &[(Variable, i128)]) -> Option<i128> {
        let value = Linear { term: term.to_vec(), constant: 0 }.substitute(&self.store).ok()?;
        self.facts.greatest_value(&value)
    }

    /// Disequalities that can be said over program variables: with them, symbols that some variable holds are named by it.
    pub fn homes(&self) -> Store {
        let mut homes = Store::new();
        for (variable, value) in self.store.iter() {
            if let [(symbol, 1)] = *value.term {
                homes.entry(symbol).or_insert_with(|| Linear { term: vec![(*variable, 1)], constant: -value.constant });
            }
        }
        homes
    }
}

/// Configurations at one location that stand for the same states have the same key, except where that is not easily seen.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Key {
    /// The bounds of all variables, their opposites and differences, and the disequalities.
    Bounds(Vec<Option<i128>>, BTreeSet<(Term, i128)>),
    /// The configuration as it is.
    Literal(Vec<Linear>, BTreeSet<(Term, i128)>, BTreeSet<(Term, i128)>),
}

/// Symbolic execution that remembers where it has been.
pub struct Explorer<'a> {
    lts: &'a Lts,
    /// By location.
    live: Vec<BTreeSet<Variable>>,
    /// The last symbol.
    fresh: Variable,
    /// With their keys.
    configurations: Vec<(Rc<Configuration>, Rc<Key>)>,
    known: FxHashMap<(Location, Rc<Key>), ConfigurationId>,
    steps: FxHashMap<(ConfigurationId, EdgeId), Option<ConfigurationId>>,
    parts: Parts,
    /// What reasoning is paid from.
    pub meter: Meter,
}

/// Equal parts of configurations have the same number.
#[derive(Default)]
struct Parts {
    /// Of these variables.
    variables: BTreeSet<Variable>,
    of: FxHashMap<ConfigurationId, PartId>,
    numbers: FxHashMap<(Location, Key), PartId>,
}

/// Number of the part of a configuration that some variables make up.
pub type PartId = usize;

impl<'a> Explorer<'a> {
    /// Of the runs from any values that satisfy the precondition; the first configuration has number 0.
    pub fn new(lts: &'a Lts, precondition: &[Literal], meter: &Meter) -> Self {
        let mut this = Self {
            lts,
            live: lts.live_variables(),
            // Apart from program variables, and from what stands for their unknown values.
            fresh: unknown_value(lts, unknown_value(lts, 0)),
            configurations: Vec::new(),
            known: FxHashMap::default(),
            steps: FxHashMap::default(),
            parts: Parts::default(),
            meter: meter.clone(),
        };
        let root = this.start(lts.initial, &[precondition, &lts.entry].concat());
        let key = Rc::new(key(&root, None));
        this.configurations.push((Rc::new(root), key));
        this
    }

    /// The configuration of that number.
    pub fn get(&self, id: ConfigurationId) -> Rc<Configuration> {
        Rc::clone(&self.configurations[id].0)
    }

    /// The number of the part of a configuration that speaks of these variables. Numbers are kept until other variables are asked for.
    pub fn part(&mut self, id: ConfigurationId, variables: &BTreeSet<Variable>) -> PartId {
        if self.parts.variables != *variables {
            self.parts = Parts { variables: variables.clone(), ..Parts::default() };
        }
        if let Some(known) = self.parts.of.get(&id) {
            return *known;
        }
        let configuration = &self.configurations[id].0;
        self.meter.charge(variables.len() * variables.len());
        let key = (configuration.location, key(configuration, Some(variables)));
        let next = self.parts.numbers.len();
        let part = *self.parts.numbers.entry(key).or_insert(next);
        self.parts.of.insert(id, part);
        part
    }

    fn symbol(&mut self) -> Linear {
        self.fresh += 1;
        Linear::variable(self.fresh)
    }

    /// A configuration in which the precondition holds, and nothing else is known.
    pub fn start(&mut self, location: Location, precondition: &[Literal]) -> Configuration {
        let mut store = Store::new();
        let mut literals = Vec::new();
        let mentioned = precondition.iter().flat_map(Literal::term).map(|(variable, _)| *variable);
        for variable in self.live[index(location)].iter().copied().chain(mentioned).collect::<BTreeSet<_>>() {
            let symbol = self.symbol();
            literals.extend(self.lts.variables[index(variable)].known_range(&symbol));
            store.insert(variable, symbol);
        }
        for literal in precondition {
            match literal {
                // x + rest = r (mod m): x is m q + r - rest, with a new symbol q.
                Literal::Residue(Residue { term, modulus, remainder }) if term.iter().any(|(_, coefficient)| *coefficient == 1) => {
                    let Some((variable, _)) = term.iter().copied().find(|(_, coefficient)| *coefficient == 1) else { continue };
                    let rest = Linear { term: term.iter().copied().filter(|(other, _)| *other != variable).collect(), constant: 0 };
                    let quotient = self.symbol();
                    let value = |rest: &Linear| Linear::constant(*remainder).plus(&quotient, *modulus)?.plus(rest, -1);
                    let Ok(value) = rest.substitute(&store).and_then(|rest| value(&rest)) else { continue };
                    literals.extend(self.lts.variables[index(variable)].known_range(&value));
                    store.insert(variable, value);
                }
                _ => literals.extend(literal.substitute(&store)),
            }
        }
        let facts = Conjunction::metered(&self.meter).with(&literals);
        Configuration { location, store: Rc::new(store), facts: Rc::new(facts) }
    }

    /// The successor along an edge, remembered; none where the guard contradicts what is known.
    pub fn step(&mut self, from: ConfigurationId, edge: EdgeId) -> Option<ConfigurationId> {
        if let Some(known) = self.steps.get(&(from, edge)) {
            return *known;
        }
        let (before, key_before) = self.configurations[from].clone();
        let after = match self.execute(&before, edge) {
            None => None,
            Some(after) => {
                let is_same = Rc::ptr_eq(&before.store, &after.store) && Rc::ptr_eq(&before.facts, &after.facts);
                self.meter.charge(after.store.len() * after.store.len());
                let key = if is_same { key_before } else { Rc::new(key(&after, None)) };
                let next = self.configurations.len();
                let id = *self.known.entry((after.location, Rc::clone(&key))).or_insert(next);
                if id == next {
                    self.configurations.push((Rc::new(after), key));
                }
                Some(id)
            }
        };
        self.steps.insert((from, edge), after);
        after
    }

    /// The successor along an edge; none where the guard contradicts what is known.
    pub fn execute(&mut self, from: &Configuration, edge: EdgeId) -> Option<Configuration> {
        let edge = &self.lts.edges[edge];
        let guard = from.over_symbols(&edge.guard);
        let mut facts = if from.facts.says(&guard) { Rc::clone(&from.facts) } else { Rc::new(from.facts.with(&guard)) };
        self.meter.charge(1 + from.store.len() + facts.size());
        if facts.is_contradictory() {
            return None;
        }
        let live = &self.live[index(edge.target)];
        let mut assigned = edge.assignments.iter().filter(|(variable, _)| live.contains(variable)).peekable();
        let is_dying = from.store.keys().any(|variable| !live.contains(variable));
        if assigned.peek().is_none() && !is_dying {
            return Some(Configuration { location: edge.target, store: Rc::clone(&from.store), facts });
        }
        let mut store = Store::clone(&from.store);
        let mut ranges = Vec::new();
        for (variable, value) in assigned {
            let is_known = |literal: &Literal| literal.substitute(&from.store).is_ok_and(|literal| facts.entails(&literal));
            let known = value.known(is_known).and_then(|(value, _)| value.substitute(&from.store).ok());
            let value = if let Some(value) = known {
                value
            } else {
                self.fresh += 1;
                let symbol = Linear::variable(self.fresh);
                ranges.extend(self.lts.variables[index(*variable)].known_range(&symbol));
                symbol
            };
            store.insert(*variable, value);
        }
        store.retain(|variable, _| live.contains(variable));
        if is_dying || !ranges.is_empty() {
            let mut kept: BTreeSet<Variable> = store.values().flat_map(|value| &value.term).map(|(symbol, _)| *symbol).collect();
            let facts = Rc::make_mut(&mut facts);
            if ranges.is_empty() {
                facts.connect(&mut kept);
            } else {
                *facts = facts.with(&ranges);
            }
            facts.retain(&kept);
        }
        Some(Configuration { location: edge.target, store: Rc::new(store), facts })
    }
}

/// The key of a configuration, or of its part on some of the variables.
pub fn key(configuration: &Configuration, only: Option<&BTreeSet<Variable>>) -> Key {
    let Configuration { store, facts, .. } = configuration;
    let is_plain = |value: &Linear| matches!(*value.term, [] | [(_, 1)]);
    if !facts.general().is_empty() || !store.values().all(is_plain) {
        let rows = facts.rows().into_iter().collect();
        return Key::Literal(store.values().cloned().collect(), rows, facts.disequalities().clone());
    }
    // Of each value the symbol, if it has one, and what is added to it.
    let values: Vec<(Side, i128)> = store
        .iter()
        .filter(|(variable, _)| only.is_none_or(|only| only.contains(variable)))
        .map(|(_, value)| (value.term.first().map(|(symbol, _)| *symbol), value.constant))
        .collect();
    let mut bounds = Vec::with_capacity(values.len() * (values.len() + 1));
    for (position, (left, added)) in values.iter().enumerate() {
        for (right, subtracted) in values[position + 1..].iter().copied().chain([(None, 0)]) {
            let constant = added.checked_sub(subtracted);
            let greatest = |from: Side, to: Side| if from == to { Some(0) } else { facts.differences().bound(from, to) };
            bounds.push(greatest(*left, right).and_then(|bound| bound.checked_add(constant?)));
            bounds.push(greatest(right, *left).and_then(|bound| constant?.checked_sub(bound)));
        }
    }
    if facts.disequalities().is_empty() {
        return Key::Bounds(bounds, BTreeSet::new());
    }
    let homes = configuration.homes();
    let visible = facts.disequalities().iter().filter(|(term, value)| {
        term.iter().all(|(symbol, _)| homes.contains_key(symbol))
            && facts.greatest(term).is_none_or(|greatest| greatest >= *value)
            && facts.greatest(&negated(term)).is_none_or(|opposite| opposite >= -value)
    });
    let disequalities = visible.filter_map(|(term, value)| match Literal::differs(term.clone(), *value).substitute(&homes) {
        Ok(Literal::Differs(term, value)) => Some((term, value)),
        _ => None,
    });
    Key::Bounds(bounds, disequalities.collect())
}
