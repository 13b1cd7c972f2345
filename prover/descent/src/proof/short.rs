//! Derivations that are shorter than what a template costs: they are written where herds come to it (`spec/search.md#what-is-written`).

use crate::search::derivation::{Derivation, End};
use goatherd_certificates::derivation::Rule;

/// Where heaps are matched, so many rules take no longer to check than that a template covers a herd.
const SHORT: usize = 20;

/// Can the derivation be written for any herd that its template covers, and is it short?
pub fn is_short(derivation: &Derivation) -> bool {
    length(derivation, SHORT).is_some()
}

/// How many rules it has, if these are no more than the limit, lead to no template, have nothing to show, and name nothing that another
/// configuration calls otherwise.
fn length(derivation: &Derivation, limit: usize) -> Option<usize> {
    let is_plain = |rule: &Rule| match rule {
        Rule::Step { refuted } => refuted.is_empty(),
        rule => matches!(rule, Rule::Drop { .. }),
    };
    let children = match &derivation.end {
        End::Step(refuted, children) if refuted.is_empty() => children.as_slice(),
        End::Ended => &[],
        _ => return None,
    };
    let own = derivation.rules.len() + 1;
    if own > limit || !derivation.rules.iter().all(is_plain) {
        return None;
    }
    children.iter().try_fold(own, |sum, child| Some(sum + length(child, limit - sum)?))
}

#[cfg(test)]
mod tests {
    use super::{SHORT, is_short};
    use crate::search::derivation::{Derivation, End};
    use goatherd_certificates::derivation::{MemberId, OutcomeId, Refutation, Rule};

    fn steps(count: usize, end: End) -> Derivation {
        Derivation { rules: (0..count).map(|_| Rule::Step { refuted: Vec::new() }).collect(), end }
    }

    #[test]
    fn all_ways_count() {
        assert!(is_short(&steps(SHORT - 1, End::Ended)));
        assert!(!is_short(&steps(SHORT, End::Ended)));
        let branch = |count| steps(1, End::Step(Vec::new(), (0..2).map(|_| steps(count, End::Ended)).collect()));
        assert!(is_short(&branch(SHORT / 2 - 2)));
        assert!(!is_short(&branch(SHORT / 2 - 1)));
    }

    #[test]
    fn what_has_to_be_shown_stays_with_its_template() {
        assert!(!is_short(&steps(1, End::Infeasible)));
        assert!(!is_short(&steps(1, End::Descent(MemberId(1)))));
        let refuting = Rule::Step { refuted: vec![(OutcomeId(1), Refutation::default())] };
        assert!(!is_short(&Derivation { rules: vec![refuting], end: End::Ended }));
    }
}
