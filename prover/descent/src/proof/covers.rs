//! Templates that cover others: what arrives there is covered by them at once (`spec/search.md#what-is-written`).

use super::{
    cover::{Cover, Covers},
    emitter::Emitter,
    plan::{Plan, Sharing},
};
use crate::state::template::{Widened, basis::Basis, covering::Images};
use goatherd_certificates::program::Location;
use goatherd_checker::{configuration::Configuration, rejection::Rejection, rules, subsume, term::Arena};
use goatherd_logic::{ContextOracle, Solver};
use std::{collections::BTreeMap, sync::Arc};

/// Which of the templates cover which others.
pub fn covers(
    arena: &mut Arena,
    basis: Basis<'_>,
    solver: &Arc<Solver>,
    templates: Vec<Widened>,
) -> Result<(Vec<Widened>, Covers), Rejection> {
    let plan = Plan { templates: vec![None; templates.len()], ..Plan::default() };
    Emitter::new(arena, basis, &plan, templates, solver, Sharing::Apart).covers()
}

impl Emitter<'_> {
    /// Which of the templates cover which others.
    fn covers(mut self) -> Result<(Vec<Widened>, Covers), Rejection> {
        let mut order: Vec<usize> = (0..self.templates.len()).collect();
        order.sort_by_key(|position| {
            let template = &self.templates[*position].template;
            (template.tags.len(), template.stored.predicate.len())
        });
        let mut covers = Covers::new();
        let mut kept: BTreeMap<Option<Location>, Vec<usize>> = BTreeMap::new();
        for position in order {
            let others = kept.entry(self.templates[position].template.location()).or_default();
            match self.covered_by(position, others)? {
                Some(cover) => drop(covers.insert(position, cover)),
                None => others.push(position),
            }
        }
        Ok((self.templates.into_iter().map(|source| source.template).collect(), covers))
    }

    /// Which of these templates covers the one at the position.
    fn covered_by(&mut self, position: usize, others: &[usize]) -> Result<Option<Cover>, Rejection> {
        let template = self.templates[position].template.clone();
        let configuration = Configuration { progress: true, ..template.configuration.clone() };
        let arrival = self.arrival(&configuration, template.kept_indices())?;
        let positions: Vec<usize> = (0..template.tags.len()).collect();
        let mut context = self.facts.context(self.arena, &configuration.predicate);
        for other in others {
            let candidate = &self.templates[*other].template;
            let covering = candidate.covering(self.arena, &template.tags, &positions, &arrival, Images::default())?;
            let Some((dropped, matching)) = covering else { continue };
            let mut smaller = configuration.clone();
            dropped.iter().try_for_each(|member| rules::drop_member(&mut smaller, *member))?;
            let mut oracle = ContextOracle(&mut context);
            if subsume::subsume(self.arena, self.basis.setting, &smaller, &candidate.configuration, &matching, &mut oracle).is_ok() {
                return Ok(Some(Cover { position: *other, dropped, matching }));
            }
        }
        Ok(None)
    }
}
