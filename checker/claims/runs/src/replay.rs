//! Replays the runs of a certificate, and notes what they pass.

use crate::{passed::Passed, run};
use goatherd_certificates::*;
use goatherd_checker::{
    Arena, Budget, Place, Rejection,
    decode::Decoded,
    ensure,
    error::{self, Failure, Where},
    replay::arena,
};

/// How many ground runs a certificate may have for the vacuity flag.
const WITNESSES: usize = 4;

/// Replays the run that fails. Gives back the arena, without terms.
pub fn fails(decoded: &Decoded<'_>, budget: Budget, passed: &mut Passed) -> Result<Arena, Failure> {
    let (certificate, mut arena) = (decoded.certificate(), arena(decoded, budget)?);
    let statement = &certificate.statement;
    let (Evidence::Run(ground), Claim::Unsafe, Arithmetic::C, []) = (
        &certificate.evidence,
        statement.claim,
        statement.parameters.arithmetic,
        certificate.terms.as_slice(),
    ) else {
        return Err(error::at(Where::Evidence)(Rejection::Claim));
    };
    let (before, at_run) = (arena.mark(), error::at(Where::Run));
    let end = run::replay(&mut arena, statement, ground, passed).map_err(&at_run)?;
    ensure(end == Place::Failed, at_run(Rejection::Run))?;
    arena.return_to(&before);
    Ok(arena)
}

/// Replays the runs that show what the claim is about: none of them fails. The program has a meaning.
pub fn witnesses(
    decoded: &Decoded<'_>,
    arena: &mut Arena,
    passed: &mut Passed,
) -> Result<(), Failure> {
    let certificate = decoded.certificate();
    ensure(
        certificate.witnesses.len() <= WITNESSES,
        error::at(Where::Evidence)(Rejection::Run),
    )?;
    let before = arena.mark();
    for (position, ground) in (0u32..).zip(&certificate.witnesses) {
        let at_witness = error::at(Where::Witness(position));
        let end =
            run::replay(arena, &certificate.statement, ground, passed).map_err(&at_witness)?;
        ensure(end != Place::Failed, at_witness(Rejection::Run))?;
        arena.return_to(&before);
    }
    Ok(())
}
