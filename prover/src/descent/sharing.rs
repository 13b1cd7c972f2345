//! Steps that scapegoats take on several ways of the primary alike.
//!
//! The search runs a scapegoat only where it is needed: at a loop head, or where the primary has failed. By then the primary's derivation
//! has branched, and every branch has the same steps of the scapegoat. Those that are decided before the branch are taken there, once.

use super::search::{Derivation, End};
use goatherd_certificates::derivation::{Choice, MemberId, OutcomeId, Rule};

/// A step of a scapegoat: its outcome, and what it chooses.
pub type DecidedStep<'a> = (OutcomeId, Option<&'a Choice>);

/// The steps that the member takes first in all children that do not forget it; none where there are not two of them.
pub fn shared_steps(children: &[Derivation], member: MemberId) -> Vec<DecidedStep<'_>> {
    let all: Vec<Vec<DecidedStep<'_>>> = children.iter().filter_map(|child| steps(child, member)).collect();
    if all.len() > 1 { common(all) } else { Vec::new() }
}

/// The steps that the member takes on all ways through the derivation on which it is not forgotten; nothing where it always is.
fn steps(derivation: &Derivation, mut member: MemberId) -> Option<Vec<DecidedStep<'_>>> {
    let mut steps = Vec::new();
    for rule in &derivation.rules {
        match rule {
            Rule::StepDecided { member: other, outcome, choice, .. } if *other == member => steps.push((*outcome, choice.as_ref())),
            Rule::Drop { member: other } if *other == member => return None,
            Rule::Drop { member: other } if *other < member => member.0 -= 1,
            _ => {}
        }
    }
    match &derivation.end {
        End::Step(_, children) | End::Split(_, children) => {
            let all: Vec<Vec<DecidedStep<'_>>> = children.iter().filter_map(|child| self::steps(child, member)).collect();
            if all.is_empty() {
                return None;
            }
            steps.extend(common(all));
        }
        // An object that is made before a symbol is unfolded has another name than one that is made behind.
        End::Unfold(..) | End::Descent(_) | End::Subsume(_) => {}
        End::Infeasible | End::Ended => return None,
    }
    Some(steps)
}

/// What all lists begin with.
fn common(all: Vec<Vec<DecidedStep<'_>>>) -> Vec<DecidedStep<'_>> {
    let mut all = all.into_iter();
    let first = all.next().unwrap_or_default();
    all.fold(first, |mut common, other| {
        let length = common.iter().zip(&other).take_while(|(left, right)| left == right).count();
        common.truncate(length);
        common
    })
}
