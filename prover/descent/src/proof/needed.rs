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
    /// By literal of its predicate; none where it does not hold there.
    pub literals: Vec<Option<Literals>>,
}

/// The literals of each template that are needed: the least solution.
pub fn needed(demands: &[Demand]) -> Vec<Literals> {
    let mut needed: Vec<Literals> = demands.iter().map(|demand| demand.own.clone()).collect();
    loop {
        let mut is_stable = true;
        for (number, demand) in demands.iter().enumerate() {
            for leaf in &demand.leaves {
                let Some(targets) = needed.get(leaf.template) else { continue };
                let used: Literals = targets.iter().filter_map(|target| leaf.literals.get(*target)?.as_ref()).flatten().copied().collect();
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

/// The templates from which others are led to that need what does not hold there.
pub fn unmet(demands: &[Demand], needed: &[Literals]) -> BTreeSet<usize> {
    let is_unmet = |leaf: &Leaf| {
        let mut targets = needed.get(leaf.template).into_iter().flatten();
        targets.any(|target| leaf.literals.get(*target).is_none_or(Option::is_none))
    };
    (0..).zip(demands).filter(|(_, demand)| demand.leaves.iter().any(is_unmet)).map(|(number, _)| number).collect()
}

#[cfg(test)]
mod tests {
    use super::{Demand, Leaf, Literals, needed, unmet};

    #[test]
    fn what_a_covering_template_needs_is_needed_before_it() {
        let first = Demand {
            own: Literals::from([0]),
            leaves: vec![Leaf { template: 1, literals: vec![Some(Literals::from([2])), Some(Literals::from([1]))] }],
        };
        let second = Demand {
            own: Literals::new(),
            leaves: vec![Leaf { template: 0, literals: vec![Some(Literals::from([1])), Some(Literals::new()), Some(Literals::from([0]))] }],
        };
        assert_eq!(needed(&[first, second]), [Literals::from([0, 1]), Literals::from([1])]);
    }

    #[test]
    fn what_does_not_hold_matters_where_it_is_needed() {
        let leading = |literals| Demand { own: Literals::new(), leaves: vec![Leaf { template: 2, literals }] };
        let demands = || {
            let first = leading(vec![None, Some(Literals::new())]);
            let second = leading(vec![Some(Literals::new()), None]);
            [first, second, Demand { own: Literals::from([0]), leaves: Vec::new() }]
        };
        assert_eq!(unmet(&demands(), &needed(&demands())), [0].into());
    }
}
