//! Labelled transition systems over integer variables: what path analysis works on (red-black graphs Def. 1; `spec/paths.md#lts`).

use crate::literal::{Linear, Literal, Overflow, Variable, negated};
use std::collections::{BTreeSet, VecDeque};

/// A location of a transition system.
pub type Location = u32;

/// Position in [`Lts::edges`].
pub type EdgeId = usize;

/// A transition system. Its runs start at `initial` with any values that lie in the ranges of the variables.
#[derive(Clone, Debug, Default)]
pub struct Lts {
    /// The variables, by number.
    pub variables: Vec<LtsVariable>,
    /// Where runs start.
    pub initial: Location,
    /// Where complete runs end.
    pub finals: BTreeSet<Location>,
    /// In the order of the source.
    pub edges: Vec<Edge>,
    /// What holds of all values that runs start with.
    pub entry: Vec<Literal>,
}

/// A variable: its name and the values that it can have.
#[derive(Clone, Debug)]
pub struct LtsVariable {
    /// In the source.
    pub name: String,
    /// Least and greatest value; none for a mathematical integer.
    pub range: Option<(i128, i128)>,
}

/// One edge: where the guard holds, all assignments are made at once.
#[derive(Clone, Debug)]
pub struct Edge {
    /// From here.
    pub source: Location,
    /// To here.
    pub target: Location,
    /// All of these; empty for an edge that is always open.
    pub guard: Vec<Literal>,
    /// By ascending variable, each at most once.
    pub assignments: Vec<(Variable, Value)>,
}

/// What an assignment stores.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A linear expression, on unbounded integers.
    Exact(Linear),
    /// That of any of the alternatives whose condition holds; any value of the variable's range where none does.
    Where(Vec<Alternative>),
    /// Any value of the range.
    Unknown,
}

/// A value that is stored where a condition holds. Analyses ask whether it is known to hold: they have the first alternative of which it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alternative {
    /// All of these.
    pub condition: Vec<Literal>,
    /// What is stored.
    pub value: Linear,
}

impl LtsVariable {
    /// The same, as far as numbers of 128 bits say it.
    pub fn known_range(&self, value: &Linear) -> Vec<Literal> {
        self.range_of(value).unwrap_or_default()
    }

    /// What its range says of a value.
    pub fn range_of(&self, value: &Linear) -> Result<Vec<Literal>, Overflow> {
        let Some((least, greatest)) = self.range else { return Ok(Vec::new()) };
        let below = greatest.checked_sub(value.constant).ok_or(Overflow)?;
        let above = value.constant.checked_sub(least).ok_or(Overflow)?;
        Ok(vec![Literal::at_most(value.term.clone(), below), Literal::at_most(negated(&value.term), above)])
    }
}

impl Lts {
    /// The edges of each location, ascending; locations without edges that are mentioned have an empty list.
    pub fn edges_by_source(&self) -> Vec<Vec<EdgeId>> {
        let mentioned = self.edges.iter().flat_map(|edge| [edge.source, edge.target]).chain([self.initial]);
        let count = mentioned.max().map_or(0, index) + 1;
        let mut outgoing = vec![Vec::new(); count];
        for (id, edge) in self.edges.iter().enumerate() {
            outgoing[index(edge.source)].push(id);
        }
        outgoing
    }

    /// By location: the variables whose values some path from there depends on.
    pub fn live_variables(&self) -> Vec<BTreeSet<Variable>> {
        let outgoing = self.edges_by_source();
        let mut incoming = vec![Vec::new(); outgoing.len()];
        for (id, edge) in self.edges.iter().enumerate() {
            incoming[index(edge.target)].push(id);
        }
        let mut live: Vec<BTreeSet<Variable>> = vec![BTreeSet::new(); outgoing.len()];
        let mut open: VecDeque<Location> = (0..).take(outgoing.len()).collect::<Vec<_>>().into_iter().rev().collect();
        let mut is_open = vec![true; outgoing.len()];
        while let Some(location) = open.pop_front() {
            is_open[index(location)] = false;
            let mut before = BTreeSet::new();
            for edge in &outgoing[index(location)] {
                let Edge { target, guard, assignments, .. } = &self.edges[*edge];
                let mut own = live[index(*target)].clone();
                for (variable, value) in assignments.iter().filter(|(variable, _)| live[index(*target)].contains(variable)) {
                    own.remove(variable);
                    before.extend(value.variables());
                }
                before.extend(own);
                before.extend(guard.iter().flat_map(Literal::term).map(|(variable, _)| *variable));
            }
            if before != live[index(location)] {
                live[index(location)] = before;
                for edge in &incoming[index(location)] {
                    let source = self.edges[*edge].source;
                    if !std::mem::replace(&mut is_open[index(source)], true) {
                        open.push_back(source);
                    }
                }
            }
        }
        live
    }

    /// The locations that edges lead to from the initial one, whatever their guards, and that one itself.
    pub fn reachable(&self) -> BTreeSet<Location> {
        let outgoing = self.edges_by_source();
        let mut reached = BTreeSet::from([self.initial]);
        let mut open = vec![self.initial];
        while let Some(location) = open.pop() {
            for edge in outgoing.get(index(location)).into_iter().flatten() {
                let target = self.edges[*edge].target;
                if reached.insert(target) {
                    open.push(target);
                }
            }
        }
        reached
    }

    /// The names of the variables.
    pub fn names(&self) -> Vec<String> {
        self.variables.iter().map(|variable| variable.name.clone()).collect()
    }
}

/// A location or variable as a position.
pub fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

impl Value {
    /// A linear expression where it lies in the range of the variable. Elsewhere it wraps around: where it lies at most one period away, by
    /// `extent`, its least and greatest value, that period is subtracted or added; else it is any value of the range.
    pub fn in_range(value: Linear, variable: &LtsVariable, extent: Option<(i128, i128)>) -> Result<Self, Overflow> {
        let inside: Vec<Literal> = variable.range_of(&value)?.into_iter().filter(|literal| *literal != Literal::True).collect();
        let (Some((least, greatest)), false) = (variable.range, inside.is_empty()) else { return Ok(Self::Exact(value)) };
        let mut alternatives = Vec::new();
        if let (Some((lowest, highest)), Some(period)) = (extent, greatest.checked_sub(least).and_then(|span| span.checked_add(1)))
            && lowest >= least.checked_sub(period).ok_or(Overflow)?
            && highest <= greatest.checked_add(period).ok_or(Overflow)?
        {
            for (is_possible, limit, shift) in [(highest > greatest, greatest, -1), (lowest < least, least, 1)] {
                if is_possible {
                    let (limit, shifted) = (Linear::constant(limit), value.plus(&Linear::constant(period), shift)?);
                    let (smaller, greater) = if shift < 0 { (&limit, &value) } else { (&value, &limit) };
                    let condition = Literal::less_or_equal(&smaller.plus(&Linear::constant(1), 1)?, greater)?;
                    alternatives.push(Alternative { condition: vec![condition], value: shifted });
                }
            }
        }
        alternatives.insert(0, Alternative { condition: inside, value });
        Ok(Self::Where(alternatives))
    }

    /// The value and the condition of the first alternative of which `is_known` says that its condition holds.
    pub fn known(&self, mut is_known: impl FnMut(&Literal) -> bool) -> Option<(&Linear, &[Literal])> {
        match self {
            Self::Exact(value) => Some((value, &[])),
            Self::Where(alternatives) => {
                let mut alternatives = alternatives.iter();
                let known = alternatives.find(|alternative| alternative.condition.iter().all(&mut is_known))?;
                Some((&known.value, &known.condition))
            }
            Self::Unknown => None,
        }
    }

    /// What may be stored, beside any value.
    pub fn values(&self) -> impl Iterator<Item = &Linear> {
        let (exact, alternatives) = match self {
            Self::Exact(value) => (Some(value), &[][..]),
            Self::Where(alternatives) => (None, alternatives.as_slice()),
            Self::Unknown => (None, &[][..]),
        };
        exact.into_iter().chain(alternatives.iter().map(|alternative| &alternative.value))
    }

    /// The variables that it depends on.
    fn variables(&self) -> BTreeSet<Variable> {
        let conditions = match self {
            Self::Where(alternatives) => alternatives.as_slice(),
            Self::Exact(_) | Self::Unknown => &[],
        };
        let terms = conditions.iter().flat_map(|alternative| &alternative.condition).map(Literal::term);
        terms.chain(self.values().map(|value| value.term.as_slice())).flatten().map(|(variable, _)| *variable).collect()
    }

    /// For people, with these names for the variables.
    pub fn show(&self, names: &[String]) -> String {
        let values: Vec<String> = self.values().map(|value| value.show(names)).collect();
        match (self, &*values) {
            (Self::Exact(_), [value]) => value.clone(),
            (Self::Where(_), [value]) => format!("{value}, in range"),
            (Self::Where(_), [_, _, ..]) => values.join(" or "),
            _ => "*".to_owned(),
        }
    }
}
