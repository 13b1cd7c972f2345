//! Conflict-driven clause learning over comparisons (CDCL(T)). Each clause keeps why it holds, so that what leads to the empty one can be written down.

use crate::arithmetic::{Arithmetic, Checked};
use goatherd_certificates::formula::{ClauseId, ExpressionId, Inference, Signed};
use std::collections::{BTreeMap, BTreeSet};

/// A variable: an expression that is true or false, by position.
type Variable = usize;

/// A variable, or its negation: twice the variable, and one more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Code(usize);

impl Code {
    fn variable(self) -> Variable {
        self.0 / 2
    }

    fn negated(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// A clause, and why it holds.
#[derive(Clone, Debug)]
struct Clause {
    /// Each once; the first two are watched.
    codes: Vec<Code>,
    inference: Inference,
}

/// What comes of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Searched {
    /// The clauses contradict each other.
    Unsatisfiable,
    /// They do not.
    Satisfiable,
    /// Not known.
    Unknown,
}

/// After so many conflicts the search begins again, with what it has learned; each time half as many more.
const FIRST_RESTART: usize = 100;

/// How much less older conflicts weigh in what is decided next, and where weights are made smaller.
const DECAY: f64 = 1.0 / 0.95;
const GREATEST_WEIGHT: f64 = 1e100;

/// The clauses, and what has been decided.
pub struct Clauses {
    expressions: Vec<ExpressionId>,
    variables: BTreeMap<ExpressionId, Variable>,
    known: Vec<Clause>,
    /// By code: the clauses in which its negation is watched.
    watches: Vec<Vec<usize>>,
    values: Vec<Option<bool>>,
    levels: Vec<usize>,
    reasons: Vec<Option<usize>>,
    /// By variable that is decided by the clauses alone: the clause that says so.
    units: BTreeMap<Variable, usize>,
    trail: Vec<Code>,
    /// Where levels begin: on the trail, and among the bounds.
    levels_begin: Vec<(usize, usize)>,
    /// How much of the trail has been propagated, and asserted.
    propagated: usize,
    asserted: usize,
    weights: Vec<f64>,
    weight: f64,
    phases: Vec<bool>,
    /// The empty clause.
    empty: Option<usize>,
    conflicts: usize,
}

impl Clauses {
    /// No clauses.
    pub fn new(expressions: Vec<ExpressionId>) -> Self {
        let count = expressions.len();
        Self {
            variables: expressions.iter().copied().zip(0..).collect(),
            expressions,
            known: Vec::new(),
            watches: vec![Vec::new(); 2 * count],
            values: vec![None; count],
            levels: vec![0; count],
            reasons: vec![None; count],
            units: BTreeMap::new(),
            trail: Vec::new(),
            levels_begin: Vec::new(),
            propagated: 0,
            asserted: 0,
            weights: vec![0.0; count],
            weight: 1.0,
            phases: vec![false; count],
            empty: None,
            conflicts: 0,
        }
    }

    fn code(&self, signed: Signed) -> Code {
        match signed {
            Signed::Holds(id) => Code(2 * self.variables[&id]),
            Signed::Fails(id) => Code(2 * self.variables[&id] + 1),
        }
    }

    fn signed(&self, code: Code) -> Signed {
        let id = self.expressions[code.variable()];
        if code.0.is_multiple_of(2) { Signed::Holds(id) } else { Signed::Fails(id) }
    }

    fn value(&self, code: Code) -> Option<bool> {
        self.values[code.variable()].map(|value| value == code.0.is_multiple_of(2))
    }

    /// Is the expression true in what has been decided?
    pub fn is_true(&self, id: ExpressionId) -> Option<bool> {
        self.values[*self.variables.get(&id)?]
    }

    /// Adds a clause before anything is decided.
    pub fn add(&mut self, clause: &[Signed], inference: Inference) {
        if self.empty.is_some() {
            return;
        }
        let codes: Vec<Code> = clause.iter().map(|signed| self.code(*signed)).collect();
        let number = self.push(codes.into_iter(), inference);
        let codes = self.known[number].codes.clone();
        match *codes {
            [] => self.empty = Some(number),
            [code] => self.attach_unit(code, number),
            _ => self.watch(number),
        }
    }

    fn push(&mut self, codes: impl Iterator<Item = Code>, inference: Inference) -> usize {
        let codes: Vec<Code> = codes.collect::<BTreeSet<_>>().into_iter().collect();
        self.known.push(Clause { codes, inference });
        self.known.len() - 1
    }

    fn watch(&mut self, number: usize) {
        for code in &self.known[number].codes[..2] {
            self.watches[code.negated().0].push(number);
        }
    }

    /// The literal holds whatever is decided.
    fn attach_unit(&mut self, code: Code, number: usize) {
        match self.value(code) {
            Some(true) => {}
            Some(false) => self.close(number),
            None => {
                self.units.insert(code.variable(), number);
                self.assign(code, Some(number));
            }
        }
    }

    /// A clause is false before anything is decided.
    fn close(&mut self, number: usize) {
        let mut hints = self.units_of(&self.known[number].codes, None);
        hints.push(number);
        self.empty = Some(self.derive(Vec::new(), &hints));
    }

    fn derive(&mut self, codes: Vec<Code>, hints: &[usize]) -> usize {
        let clause = codes.iter().map(|code| self.signed(*code)).collect();
        let hints = hints.iter().map(|hint| id(*hint)).collect();
        self.push(codes.into_iter(), Inference::Propagation { clause, hints })
    }

    /// The clauses that decide the literals' variables, but for one.
    fn units_of(&self, codes: &[Code], but: Option<Code>) -> Vec<usize> {
        let others = codes.iter().filter(|code| Some(**code) != but);
        let units: BTreeSet<usize> = others.filter_map(|code| self.units.get(&code.variable())).copied().collect();
        units.into_iter().collect()
    }

    fn assign(&mut self, code: Code, reason: Option<usize>) {
        let variable = code.variable();
        self.values[variable] = Some(code.0.is_multiple_of(2));
        self.levels[variable] = self.levels_begin.len();
        self.reasons[variable] = reason;
        self.trail.push(code);
        if let (true, Some(number)) = (self.levels_begin.is_empty(), reason)
            && !self.units.contains_key(&variable)
        {
            let mut hints = self.units_of(&self.known[number].codes, Some(code));
            hints.push(number);
            let unit = self.derive(vec![code], &hints);
            self.units.insert(variable, unit);
        }
    }

    /// Makes true what is the last literal of a clause; the clause that has none, if there is one.
    fn propagate(&mut self) -> Option<usize> {
        while let Some(code) = self.trail.get(self.propagated).copied() {
            self.propagated += 1;
            let watching = std::mem::take(&mut self.watches[code.0]);
            let mut kept = Vec::with_capacity(watching.len());
            let mut conflict = None;
            for (position, number) in watching.iter().enumerate() {
                let false_code = code.negated();
                let codes = &mut self.known[*number].codes;
                if codes[0] == false_code {
                    codes.swap(0, 1);
                }
                let first = codes[0];
                let values = &self.values;
                let is_false = |code: &Code| values[code.variable()].is_some_and(|value| value != code.0.is_multiple_of(2));
                let is_true = values[first.variable()].is_some_and(|value| value == first.0.is_multiple_of(2));
                if !is_true && let Some(other) = (2..codes.len()).find(|other| !is_false(&codes[*other])) {
                    codes.swap(1, other);
                    let watched = codes[1].negated().0;
                    self.watches[watched].push(*number);
                    continue;
                }
                kept.push(*number);
                match self.value(first) {
                    Some(true) => {}
                    None => self.assign(first, Some(*number)),
                    Some(false) => {
                        kept.extend_from_slice(&watching[position + 1..]);
                        conflict = Some(*number);
                        break;
                    }
                }
            }
            self.watches[code.0] = kept;
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// Goes back to a level.
    fn back_to(&mut self, level: usize, arithmetic: &mut Arithmetic) {
        let Some((length, mark)) = self.levels_begin.get(level).copied() else { return };
        self.levels_begin.truncate(level);
        for code in self.trail.drain(length..) {
            self.phases[code.variable()] = code.0.is_multiple_of(2);
            self.values[code.variable()] = None;
        }
        arithmetic.return_to(mark);
        self.propagated = length;
        self.asserted = self.asserted.min(length);
    }

    /// Propagates, and asserts comparisons, until nothing follows: a clause that is false, if there is one.
    fn consequences(&mut self, arithmetic: &mut Arithmetic) -> Result<Option<usize>, Searched> {
        if let Some(conflict) = self.propagate() {
            return Ok(Some(conflict));
        }
        let is_new = self.asserted < self.trail.len();
        while let Some(code) = self.trail.get(self.asserted).copied() {
            self.asserted += 1;
            let checked = arithmetic.assert(self.signed(code));
            if let Some(conflict) = self.taken(checked)? {
                return Ok(Some(conflict));
            }
        }
        if is_new { self.taken(arithmetic.check()) } else { Ok(None) }
    }

    /// The clause that arithmetic has found to be false.
    fn taken(&mut self, checked: Checked) -> Result<Option<usize>, Searched> {
        match checked {
            Checked::Open => Ok(None),
            Checked::Unknown => Err(Searched::Unknown),
            Checked::Impossible(lemma) => {
                let inference = Inference::Arithmetic { clause: lemma.clause.clone(), refutation: lemma.refutation };
                let codes: Vec<Code> = lemma.clause.into_iter().map(|signed| self.code(signed)).collect();
                Ok(Some(self.push(codes.into_iter(), inference)))
            }
        }
    }

    /// Learns from a clause that is false.
    fn learn(&mut self, conflict: usize, arithmetic: &mut Arithmetic) {
        self.conflicts += 1;
        let level = self.known[conflict].codes.iter().map(|code| self.levels[code.variable()]).max().unwrap_or(0);
        self.back_to(level, arithmetic);
        if level == 0 {
            self.close(conflict);
            return;
        }
        let (mut seen, mut codes, mut units, mut reasons) = (BTreeSet::new(), Vec::new(), BTreeSet::new(), vec![conflict]);
        let (mut open, mut clause, mut resolved, mut place) = (0, conflict, None, self.trail.len());
        let first = loop {
            for code in self.known[clause].codes.clone() {
                if Some(code) == resolved || !seen.insert(code.variable()) {
                    continue;
                }
                self.weights[code.variable()] += self.weight;
                match self.levels[code.variable()] {
                    0 => units.extend(self.units.get(&code.variable()).copied()),
                    other if other == level => open += 1,
                    _ => codes.push(code),
                }
            }
            // The last one that was seen; one is, since a literal of the level is left.
            while place > 0 && !seen.contains(&self.trail[place - 1].variable()) {
                place -= 1;
            }
            place -= 1;
            let code = self.trail[place];
            open -= 1;
            match self.reasons[code.variable()] {
                Some(reason) if open > 0 => {
                    reasons.push(reason);
                    (clause, resolved) = (reason, Some(code));
                }
                _ => break code.negated(),
            }
        };
        self.rescale();
        let back = codes.iter().map(|code| self.levels[code.variable()]).max().unwrap_or(0);
        // Watched: the one that becomes true, and one of the last level.
        codes.sort_by_key(|code| std::cmp::Reverse((self.levels[code.variable()], *code)));
        codes.insert(0, first);
        let hints: Vec<usize> = units.into_iter().chain(reasons.into_iter().rev()).collect();
        let learned = self.derive(codes.clone(), &hints);
        self.known[learned].codes = codes;
        self.back_to(back, arithmetic);
        if self.known[learned].codes.len() == 1 {
            self.attach_unit(first, learned);
        } else {
            self.watch(learned);
            self.assign(first, Some(learned));
        }
    }

    fn rescale(&mut self) {
        self.weight *= DECAY;
        if self.weight > GREATEST_WEIGHT {
            self.weights.iter_mut().for_each(|weight| *weight /= GREATEST_WEIGHT);
            self.weight /= GREATEST_WEIGHT;
        }
    }

    /// Searches until the clauses contradict each other, or everything is decided and arithmetic has a solution; no longer than so many steps.
    pub fn search(&mut self, arithmetic: &mut Arithmetic, steps: usize) -> Searched {
        let mut until_restart = FIRST_RESTART;
        let mut restart_at = until_restart;
        let mut decisions = 0usize;
        while self.empty.is_none() {
            if decisions + self.conflicts + arithmetic.work() > steps {
                return Searched::Unknown;
            }
            match self.consequences(arithmetic) {
                Err(unknown) => return unknown,
                Ok(Some(conflict)) => {
                    self.learn(conflict, arithmetic);
                    if self.conflicts >= restart_at && self.empty.is_none() {
                        until_restart += until_restart / 2;
                        restart_at += until_restart;
                        self.back_to(0, arithmetic);
                    }
                    continue;
                }
                Ok(None) => {}
            }
            let undecided = (0..self.values.len()).filter(|variable| self.values[*variable].is_none());
            let next = undecided.max_by(|left, right| self.weights[*left].total_cmp(&self.weights[*right]).then(right.cmp(left)));
            if let Some(variable) = next {
                decisions += 1;
                self.levels_begin.push((self.trail.len(), arithmetic.mark()));
                self.assign(Code(2 * variable + usize::from(!self.phases[variable])), None);
                continue;
            }
            let solved = arithmetic.solve();
            match self.taken(solved) {
                Err(unknown) => return unknown,
                Ok(None) => return Searched::Satisfiable,
                Ok(Some(conflict)) => self.learn(conflict, arithmetic),
            }
        }
        Searched::Unsatisfiable
    }

    /// The inferences that lead to the empty clause, each after those that it names.
    pub fn proof(&self) -> Vec<Inference> {
        let mut needed = BTreeSet::new();
        let mut open: Vec<usize> = self.empty.into_iter().collect();
        while let Some(number) = open.pop() {
            if needed.insert(number)
                && let Inference::Propagation { hints, .. } = &self.known[number].inference
            {
                open.extend(hints.iter().map(|hint| hint.index()));
            }
        }
        let places: BTreeMap<usize, usize> = needed.iter().copied().zip(0..).collect();
        let inference = |number: &usize| {
            let mut inference = self.known[*number].inference.clone();
            if let Inference::Propagation { hints, .. } = &mut inference {
                for hint in hints {
                    *hint = id(places[&hint.index()]);
                }
            }
            inference
        };
        needed.iter().map(inference).collect()
    }
}

/// No more clauses are learned than memory has room for.
fn id(number: usize) -> ClauseId {
    ClauseId(u32::try_from(number).unwrap_or(u32::MAX))
}
