//! The proof as a graph: herds, where each leads, and where a scapegoat takes the blame.

use crate::{
    births::{Ancestry, Births, origin},
    labels::Labels,
    replay::{Application, DerivationId, Shown, Watcher},
    state::{HerdWords, herd},
};
use goatherd_certificates::{derivation::Rule, program::Location};
use goatherd_checker::{rejection::Rejection, term::Arena};
use serde::Serialize;
use std::collections::BTreeMap;

/// A derivation: the entry, or a herd.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct ProofVertex {
    /// The template; none for the entry.
    pub template: Option<u32>,
    /// Where its runs are: `line LINE`.
    pub place: String,
    /// The line.
    pub line: u32,
    /// What is known where it begins: of the entry, of each size class.
    pub begins: Vec<HerdWords>,
    /// By template, how often its derivation leads there.
    pub leads: BTreeMap<u32, usize>,
    /// By why the scapegoat is smaller, how often one takes the blame.
    pub blames: BTreeMap<String, usize>,
    /// How often a run ends well.
    pub ends: usize,
    /// How often what would be is excluded by facts.
    pub excluded: usize,
    /// Its rules, by name.
    pub rules: BTreeMap<&'static str, usize>,
}

/// Watches for the graph.
pub struct Graphing<'a> {
    labels: &'a Labels<'a>,
    vertices: Vec<(DerivationId, ProofVertex)>,
    blames: Vec<(usize, Ancestry, &'static str)>,
    births: Births,
}

impl<'a> Graphing<'a> {
    /// Of a proof.
    pub fn new(labels: &'a Labels<'a>) -> Self {
        Self { labels, vertices: Vec::new(), blames: Vec::new(), births: Births::default() }
    }

    /// The graph: the entry, then the herds.
    pub fn vertices(self) -> Vec<ProofVertex> {
        let Self { mut vertices, blames, births, .. } = self;
        for (position, ancestry, how) in &blames {
            let words = births.words(ancestry).join("; or ");
            *vertices[*position].1.blames.entry(format!("{how}: {words}")).or_insert(0) += 1;
        }
        vertices.into_iter().map(|(_, vertex)| vertex).collect()
    }

    fn applied(&mut self, arena: &mut Arena, application: Application<'_>) {
        let Application { before, rule, obligations, .. } = application;
        let position = self.vertices.len().saturating_sub(1);
        let Some((_, vertex)) = self.vertices.last_mut() else { return };
        *vertex.rules.entry(rule_name(rule)).or_insert(0) += 1;
        match rule {
            Rule::Subsume { template, .. } => {
                *vertex.leads.entry(template.0).or_insert(0) += 1;
                self.births.arrive(arena, self.labels, *template, before);
            }
            Rule::End => vertex.ends += 1,
            Rule::Infeasible { .. } => vertex.excluded += 1,
            Rule::Step { .. } => vertex.excluded += obligations.len(),
            Rule::Descent { member } | Rule::Twin { member } => {
                let how = if matches!(rule, Rule::Twin { .. }) { "comes to the same state" } else { "fails as well" };
                let ancestry = origin(arena, self.labels, before, *member);
                self.blames.extend(ancestry.map(|ancestry| (position, ancestry, how)));
            }
            _ => {}
        }
    }
}

impl Watcher for Graphing<'_> {
    fn event(&mut self, arena: &mut Arena, event: Shown<'_>) -> Result<(), Rejection> {
        match event {
            Shown::Begins(derivation, moment) => {
                let begins = herd(arena, self.labels, moment);
                if let Some((_, vertex)) = self.vertices.last_mut().filter(|(last, _)| *last == derivation) {
                    vertex.begins.push(begins);
                    return Ok(());
                }
                let location = moment.location(goatherd_certificates::derivation::MemberId(0)).unwrap_or(Location(0));
                let template = if let DerivationId::Template(template) = derivation { Some(template.0) } else { None };
                let vertex = ProofVertex {
                    template,
                    place: template.map_or_else(|| String::from("the entry"), |_| self.labels.line(location)),
                    line: self.labels.position(location).map_or(0, |position| position.line),
                    begins: vec![begins],
                    leads: BTreeMap::new(),
                    blames: BTreeMap::new(),
                    ends: 0,
                    excluded: 0,
                    rules: BTreeMap::new(),
                };
                self.vertices.push((derivation, vertex));
            }
            Shown::Applied(application) => self.applied(arena, application),
        }
        Ok(())
    }
}

/// A rule's name, as in `spec/calculus.md`.
const fn rule_name(rule: &Rule) -> &'static str {
    match rule {
        Rule::Step { .. } => "Step",
        Rule::StepDecided { .. } => "StepDecided",
        Rule::Split { .. } => "Split",
        Rule::Infeasible { .. } => "Infeasible",
        Rule::AddScapegoat { .. } => "AddScapegoat",
        Rule::Drop { .. } => "Drop",
        Rule::Subsume { .. } => "Subsume",
        Rule::Descent { .. } => "Descent",
        Rule::Twin { .. } => "Twin",
        Rule::End => "End",
        Rule::Let { .. } => "Let",
        Rule::Unfold { .. } => "Unfold",
        Rule::Steps { .. } => "Steps",
    }
}
