//! Steps that scapegoats take on several ways of the primary alike.
//!
//! The search runs a scapegoat only where it is needed: at a loop head, or where the primary has failed. By then the primary's derivation
//! has branched, and every branch has the same steps of the scapegoat. Those that are decided before the branch are taken there, once.

use crate::search::derivation::{Derivation, End};
use goatherd_certificates::derivation::{Choice, MemberId, OutcomeId, Rule};

/// A step of a scapegoat.
#[derive(Clone, Copy)]
pub struct DecidedStep<'a> {
    /// Its outcome.
    pub outcome: OutcomeId,
    /// What it chooses.
    pub choice: Option<&'a Choice>,
    /// Is a symbol unfolded before it?
    pub is_behind_unfolding: bool,
}

/// The steps that the member takes first in all children that do not forget it; none where there are not two of them.
pub fn shared_steps(end: &End, member: MemberId) -> Vec<DecidedStep<'_>> {
    let all = below(end, member);
    if all.len() > 1 { common(all) } else { Vec::new() }
}

/// The steps that the member takes on all ways through each child on which it is not forgotten, for the children that do not always forget it.
fn below(end: &End, member: MemberId) -> Vec<Vec<DecidedStep<'_>>> {
    let (children, is_unfolding) = match end {
        End::Step(_, children) | End::Split(_, children) => (children.as_slice(), false),
        End::Unfold(_, _, children) => (children.as_slice(), true),
        End::Descent(_) | End::Twin(_) | End::Subsume(_) | End::Infeasible | End::Ended => (&[][..], false),
    };
    let mut all: Vec<_> = children.iter().filter_map(|child| steps(child, member)).collect();
    if is_unfolding {
        all.iter_mut().flatten().for_each(|step| step.is_behind_unfolding = true);
    }
    all
}

/// The steps that the member takes on all ways through the derivation on which it is not forgotten; nothing where it always is.
fn steps(derivation: &Derivation, mut member: MemberId) -> Option<Vec<DecidedStep<'_>>> {
    let mut steps = Vec::new();
    for rule in &derivation.rules {
        match rule {
            Rule::StepDecided { member: other, outcome, choice, .. } if *other == member => {
                steps.push(DecidedStep { outcome: *outcome, choice: choice.as_ref(), is_behind_unfolding: false });
            }
            Rule::Drop { member: other } if *other == member => return None,
            Rule::Drop { member: other } if *other < member => member.0 -= 1,
            _ => {}
        }
    }
    if let End::Descent(_) | End::Twin(_) | End::Subsume(_) = derivation.end {
        return Some(steps);
    }
    let all = below(&derivation.end, member);
    if all.is_empty() {
        return None;
    }
    steps.extend(common(all));
    Some(steps)
}

/// What all lists begin with.
fn common(all: Vec<Vec<DecidedStep<'_>>>) -> Vec<DecidedStep<'_>> {
    let mut all = all.into_iter();
    let first = all.next().unwrap_or_default();
    all.fold(first, |mut common, other| {
        let is_same = |(left, right): &(&DecidedStep<'_>, &DecidedStep<'_>)| left.outcome == right.outcome && left.choice == right.choice;
        let length = common.iter().zip(&other).take_while(is_same).count();
        common.truncate(length);
        for (step, other) in common.iter_mut().zip(other) {
            step.is_behind_unfolding |= other.is_behind_unfolding;
        }
        common
    })
}

#[cfg(test)]
mod tests {
    use super::{MemberId, OutcomeId, Rule, shared_steps};
    use crate::search::derivation::{Derivation, End};
    use goatherd_certificates::{configuration::TreeId, derivation::SegmentEnd};

    const SCAPEGOAT: MemberId = MemberId(1);

    /// The scapegoat takes steps with these outcomes.
    fn takes(outcomes: &[u32], end: End) -> Derivation {
        let step = |outcome: &u32| Rule::StepDecided { member: SCAPEGOAT, outcome: OutcomeId(*outcome), choice: None, hints: Vec::new() };
        Derivation { rules: outcomes.iter().map(step).collect(), end }
    }

    fn shared(end: &End) -> Vec<(u32, bool)> {
        shared_steps(end, SCAPEGOAT).iter().map(|step| (step.outcome.0, step.is_behind_unfolding)).collect()
    }

    #[test]
    fn what_all_ways_begin_with_is_shared_but_for_those_that_end_without_it() {
        let failed = || End::Descent(SCAPEGOAT);
        let branch = End::Step(Vec::new(), vec![takes(&[0, 1, 2], failed()), takes(&[0, 1, 0], failed()), takes(&[], End::Ended)]);
        assert_eq!(shared(&branch), [(0, false), (1, false)]);
        let alone = End::Step(Vec::new(), vec![takes(&[0], failed()), takes(&[], End::Infeasible)]);
        assert_eq!(shared(&alone), []);
    }

    #[test]
    fn steps_behind_an_unfolding_are_told_apart() {
        let failed = || End::Descent(SCAPEGOAT);
        let inner = End::Unfold(TreeId(0), SegmentEnd::Top, vec![takes(&[1, 2], failed()), takes(&[1], failed())]);
        let branch = End::Step(Vec::new(), vec![takes(&[0], inner), takes(&[0, 1, 2], failed())]);
        assert_eq!(shared(&branch), [(0, false), (1, true)]);
    }
}
