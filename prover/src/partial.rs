//! A part of a task: all checks but some assertions, which are waived, where the whole is not decided soon.

use crate::{
    certify::{Accepted, Fault},
    prove::{Answer, Effort, prove},
    task::Task,
};
use goatherd_descent::{Progress, Refinement, Strategy};
use goatherd_frontend::lower::Waiver;
use goatherd_logic::Solver;

/// A proof of all checks but these.
#[derive(Debug)]
pub struct PartialProof {
    /// The certificate, which the checker has accepted.
    pub accepted: Accepted,
    /// How it was found.
    pub strategy: Strategy,
    /// What the search was refined by, from the first one on.
    pub refinements: Vec<Refinement>,
    /// The assertions that do nothing in the program that was proved.
    pub waived: Vec<Waiver>,
}

/// What parts of a task are looked for with.
#[derive(Clone, Copy)]
pub struct PartialSearch<'a> {
    /// The program with these assertions waived; none where there is no such program.
    pub task: &'a dyn Fn(&[Waiver]) -> Option<Task>,
    /// How hard to try the whole; less is done for each part.
    pub effort: &'a Effort,
    /// Who decides which paths are feasible.
    pub solver: &'a Solver,
    /// Who is told what the search is at.
    pub progress: &'a Progress,
}

impl PartialSearch<'_> {
    fn attempt(&self, waived: Vec<Waiver>) -> Result<Option<PartialProof>, Fault> {
        let Some(task) = (self.task)(&waived) else { return Ok(None) };
        Ok(match prove(&task, &self.effort.brief(), self.solver, self.progress, &mut ())? {
            Answer::Proved { accepted, strategy, refinements } => Some(PartialProof { accepted, strategy, refinements, waived }),
            Answer::Unsafe { .. } | Answer::Unconfirmed { .. } | Answer::Unknown { .. } => None,
        })
    }

    /// Proves the program without its assertions, then with as many of them as can be added: halves of what is left, as long as they
    /// can not be added whole. Nothing, if even the first is not proved.
    ///
    /// # Errors
    ///
    /// A fault of the prover itself.
    pub fn prove(&self, assertions: &[Waiver]) -> Result<Option<PartialProof>, Fault> {
        let Some(mut proof) = self.attempt(assertions.to_vec())? else { return Ok(None) };
        // The whole is not proved: it is not tried again.
        let mut open: Vec<&[Waiver]> = halves(assertions).collect();
        while let Some(added) = open.pop() {
            let waived = proof.waived.iter().filter(|waiver| !added.contains(waiver)).cloned().collect();
            match self.attempt(waived)? {
                Some(greater) => proof = greater,
                None => open.extend(halves(added)),
            }
        }
        Ok(Some(proof))
    }
}

/// The second half and the first one; of a single assertion there are none.
fn halves(assertions: &[Waiver]) -> impl Iterator<Item = &[Waiver]> {
    let (first, second) = assertions.split_at(assertions.len() / 2);
    [second, first].into_iter().filter(|half| !first.is_empty() && !half.is_empty())
}
