//! Replays the derivation of a graph, and records its nodes.

use crate::graph::{Graph, Reached, Unfolding};
use alloc::vec::Vec;
use core::iter;
use goatherd_certificates::*;
use goatherd_checker::{
    Arena, Budget, Configuration, Rejection, Unsupported,
    apply::Premises,
    configuration::Setting,
    decode::{Decoded, Rules},
    ensure,
    error::{self, Failure, Where},
    replay::{arena, define, derivation, templates},
    rules,
};

/// What a derivation shows.
#[derive(Debug)]
pub struct DerivedGraph {
    /// The graph.
    pub graph: Graph,
    /// How many rules were replayed.
    pub rules: u64,
    /// How many templates were proved.
    pub templates: u64,
}

/// Replays the derivation of a graph. Gives back the arena, without terms.
pub fn paths(decoded: &Decoded<'_>, budget: Budget) -> Result<(DerivedGraph, Arena), Failure> {
    let (certificate, mut arena) = (decoded.certificate(), arena(decoded, budget)?);
    let (statement, at_evidence) = (&certificate.statement, error::at(Where::Evidence));
    let (Evidence::Paths { proof, vertices }, Claim::Paths(ends)) =
        (&certificate.evidence, statement.claim)
    else {
        return Err(at_evidence(Rejection::Claim));
    };
    ensure(
        certificate.witnesses.is_empty(),
        at_evidence(Rejection::Claim),
    )?;
    ensure(
        proof.k == 0 && proof.lemmas.is_empty(),
        at_evidence(Rejection::Root),
    )?;
    ensure(
        statement.parameters.arithmetic == Arithmetic::C || statement.program.objects.is_empty(),
        at_evidence(Rejection::Unsupported(Unsupported::Unbounded)),
    )?;
    let setting = Setting {
        program: &statement.program,
        parameters: &statement.parameters,
        k: 0,
        sorts: &proof.sorts,
    };
    let before = arena.mark();
    define(&mut arena, &certificate.terms)?;
    let templates = templates(&mut arena, setting, proof)?;
    let premises = Premises {
        setting,
        templates: &templates,
    };
    let (unfolding, rules) = record(&mut arena, premises, proof)?;
    let graph = unfolding
        .graph(&statement.program, ends, vertices)
        .map_err(at_evidence)?;
    arena.return_to(&before);
    let shown = DerivedGraph {
        graph,
        rules,
        templates: u64::try_from(templates.len()).unwrap_or(u64::MAX),
    };
    Ok((shown, arena))
}

/// Replays all derivations, and records their nodes. Gives the number of rules as well.
fn record(
    arena: &mut Arena,
    premises: Premises<'_>,
    proof: &Proof<Rules<'_>>,
) -> Result<(Unfolding, u64), Failure> {
    let mut unfolding = Unfolding::default();
    unfolding
        .templates(&mut arena.budget, premises.templates)
        .map_err(error::at(Where::Evidence))?;
    let mut rules = 0u64;
    // The nodes of a graph stand in the order of replay.
    let roots = (0u32..).map(|template| Reached::Template(TemplateId(template)));
    let roots = [Reached::Entry].into_iter().chain(roots);
    for (number, root) in (0..=premises.templates.len()).zip(roots) {
        let before = unfolding.bytes();
        let mut recorder = Recorder {
            premises,
            unfolding: &mut unfolding,
            root,
            open: Vec::new(),
        };
        let mut replay = |arena: &mut _, configuration: &mut _, rule: &_, children: &mut _| {
            recorder.replay(arena, configuration, rule, children)
        };
        let count = derivation(arena, premises, proof, number, &mut replay)?;
        rules = rules.saturating_add(count.into());
        // What has been recorded is held on.
        let added = unfolding.bytes().saturating_sub(before);
        arena.budget.take(added)?;
    }
    Ok((unfolding, rules))
}

/// A derivation whose nodes are recorded.
struct Recorder<'a> {
    premises: Premises<'a>,
    unfolding: &'a mut Unfolding,
    /// How the roots are reached.
    root: Reached,
    /// How each open configuration was reached: the kernel's stack.
    open: Vec<Reached>,
}

impl Recorder<'_> {
    /// Replays the rule, and records that it applies to the configuration on top of the stack.
    fn replay(
        &mut self,
        arena: &mut Arena,
        configuration: &mut Configuration,
        rule: &Rule,
        children: &mut Vec<Configuration>,
    ) -> Result<bool, Rejection> {
        let reached = self.open.pop().unwrap_or(self.root);
        let place = configuration.member(MemberId(0))?.place;
        let next = self
            .unfolding
            .visit(&mut arena.budget, reached, place, rule)?;
        // A path of a graph may also end in a failure.
        if *rule == Rule::End && rules::has_failed(self.premises.setting, place) {
            return Ok(false);
        }
        let is_open = self.premises.replay(arena, configuration, rule, children)?;
        // As many as open configurations, each of which is paid for by what a copy takes.
        let left = children.len().saturating_add(usize::from(is_open));
        self.open.extend(iter::repeat_n(next, left));
        Ok(is_open)
    }
}
