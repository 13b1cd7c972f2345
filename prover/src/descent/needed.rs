//! Which literals of its templates a proof needs (`spec/search.md#what-is-written`).
//!
//! A template lists all that its arrivals have in common, since nobody knows beforehand what of it will be of use. Once the proof is found, it
//! is known: what a refutation in its own derivation uses, and what is used to show the needed literals of a template that covers a herd there.

use std::collections::BTreeSet;

/// Literals of a template, by their positions in its predicate.
pub type Literals = BTreeSet<usize>;

/// What a derivation uses of the literals of the template at its root.
#[derive(Default)]
pub struct Demand {
    /// For its own steps, and so that slots of covering templates are matched.
    pub own: Literals,
    /// Where templates cover herds.
    pub leaves: Vec<Leaf>,
}

/// What is used where a template covers a herd.
pub struct Leaf {
    /// The template.
    pub template: usize,
    /// By literal of its predicate.
    pub literals: Vec<Literals>,
}

/// The literals of each template that are needed: the least solution.
pub fn needed(demands: &[Demand]) -> Vec<Literals> {
    let mut needed: Vec<Literals> = demands.iter().map(|demand| demand.own.clone()).collect();
    loop {
        let mut is_stable = true;
        for (number, demand) in demands.iter().enumerate() {
            for leaf in &demand.leaves {
                let Some(targets) = needed.get(leaf.template) else { continue };
                let used: Literals = targets.iter().filter_map(|target| leaf.literals.get(*target)).flatten().copied().collect();
                let before = needed[number].len();
                needed[number].extend(used);
                is_stable &= needed[number].len() == before;
            }
        }
        if is_stable {
            return needed;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Demand, Leaf, Literals, needed};

    #[test]
    fn what_a_covering_template_needs_is_needed_before_it() {
        let first = Demand {
            own: Literals::from([0]),
            leaves: vec![Leaf { template: 1, literals: vec![Literals::from([2]), Literals::from([1])] }],
        };
        let second = Demand {
            own: Literals::new(),
            leaves: vec![Leaf { template: 0, literals: vec![Literals::from([1]), Literals::new(), Literals::from([0])] }],
        };
        assert_eq!(needed(&[first, second]), [Literals::from([0, 1]), Literals::from([1])]);
    }
}
