//! Precisions: which literals are tracked where (`spec/paths.md#precision`).

use goatherd_logic::paths::conjunction::Conjunction;
use goatherd_systems::literal::{Linear, Literal, Residue, Store, Term};
use std::collections::{BTreeMap, BTreeSet};

/// So many literals split the cases of one location.
const SPLITS: usize = 3;

/// What is tracked at one location.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Precision {
    /// Ascending thresholds by term: the tightest that holds is kept.
    pub thresholds: BTreeMap<Term, BTreeSet<i128>>,
    /// Disequalities: all that hold are kept.
    pub disequalities: BTreeSet<(Term, i128)>,
    /// Terms whose remainder is kept, with the modulus.
    pub moduli: BTreeSet<(Term, i128)>,
    /// Literals of which a case holds either each or its negation; at most three.
    pub splits: Vec<Literal>,
    /// Counts the changes.
    pub version: u64,
}

impl Precision {
    /// Splits by the bound from now on, and tracks it and its negation; false if that is so already, or too many do.
    pub fn split(&mut self, bound: &Literal) -> bool {
        let Literal::AtMost(..) = bound else { return false };
        let Ok(opposite) = bound.opposite() else { return false };
        if self.splits.len() >= SPLITS || self.splits.iter().any(|known| known == bound || *known == opposite) {
            return false;
        }
        self.learn(bound);
        self.learn(&opposite);
        self.splits.push(bound.clone());
        self.version += 1;
        true
    }

    /// Tracks the literal from now on; false if it is already.
    pub fn learn(&mut self, literal: &Literal) -> bool {
        let is_new = match literal {
            Literal::True | Literal::False => false,
            Literal::AtMost(term, bound) => self.thresholds.entry(term.clone()).or_default().insert(*bound),
            Literal::Differs(term, value) => self.disequalities.insert((term.clone(), *value)),
            Literal::Residue(Residue { term, modulus, .. }) => self.moduli.insert((term.clone(), *modulus)),
        };
        self.version += u64::from(is_new);
        is_new
    }

    /// The tracked literals that hold after an assignment, where `facts` hold before it: Cartesian predicate abstraction. Of what needs numbers
    /// beyond 128 bits, nothing is known.
    pub fn abstraction(&self, facts: &Conjunction, store: &Store) -> BTreeSet<Literal> {
        let value_of = |term: &Term| Linear { term: term.clone(), constant: 0 }.substitute(store);
        let mut literals = BTreeSet::new();
        for (term, thresholds) in &self.thresholds {
            let Ok(value) = value_of(term) else { continue };
            let greatest = facts.greatest_rounded(&value.term).and_then(|greatest| greatest.checked_add(value.constant));
            let tightest = greatest.and_then(|greatest| thresholds.range(greatest..).next());
            literals.extend(tightest.map(|bound| Literal::AtMost(term.clone(), *bound)));
        }
        for (term, value) in &self.disequalities {
            let literal = Literal::Differs(term.clone(), *value);
            if literal.substitute(store).is_ok_and(|literal| facts.entails(&literal)) {
                literals.insert(literal);
            }
        }
        for (term, modulus) in &self.moduli {
            let Ok(value) = value_of(term) else { continue };
            let reduced: Term =
                value.term.iter().map(|(variable, k)| (*variable, k.rem_euclid(*modulus))).filter(|(_, k)| *k != 0).collect();
            if let Some(remainder) = facts.remainder_by(&reduced, *modulus) {
                let remainder = (remainder.rem_euclid(*modulus) + value.constant.rem_euclid(*modulus)).rem_euclid(*modulus);
                literals.insert(Literal::Residue(Residue { term: term.clone(), modulus: *modulus, remainder }));
            }
        }
        literals
    }
}
