//! Splits that are of no use: what is left can be derived without the literal (`spec/search.md#what-is-written`).

use super::{
    found::{length, templates},
    trusting::Trusting,
};
use crate::{
    search::derivation::{Derivation, End, Found},
    state::{
        consumption::consumes_less,
        template::{Widened, basis::Basis, key::Key},
        twin::twin,
    },
};
use goatherd_certificates::derivation::Rule;
use goatherd_checker::{configuration::Configuration, outcome::Oracle, rejection::Rejection, rules, subsume, term::Arena, unfold::unfold};
use goatherd_logic::{HintRecorder, Solver};
use std::{collections::BTreeMap, sync::Arc};

/// Looks for splits of no use.
struct Splits<'a> {
    arena: &'a mut Arena,
    basis: Basis<'a>,
    templates: &'a [Widened],
    positions: BTreeMap<Key, usize>,
    recorder: HintRecorder,
}

/// Leaves out splits where one of the two derivations behind them is one without the literal too.
pub fn leave_out(arena: &mut Arena, basis: Basis<'_>, found: &mut Found, solver: &Arc<Solver>) -> Result<(), Rejection> {
    let templates: Vec<Widened> = templates(found);
    let positions = found.templates.iter().map(|(key, ..)| key.clone()).zip(0..).collect();
    let mut splits = Splits { arena, basis, templates: &templates, positions, recorder: HintRecorder::with_solver(Arc::clone(solver)) };
    for (class, derivation) in (0..).zip(&mut found.roots) {
        let root = rules::root(splits.arena, basis.setting, basis.lengths, class)?.ok_or(Rejection::Root)?;
        splits.simplify(root, derivation)?;
    }
    for (template, (_, _, derivation)) in templates.iter().zip(&mut found.templates) {
        splits.simplify(template.configuration.clone(), derivation)?;
    }
    Ok(())
}

impl Splits<'_> {
    /// Leaves out splits, those that are furthest from the root first.
    fn simplify(&mut self, mut configuration: Configuration, derivation: &mut Derivation) -> Result<(), Rejection> {
        if !has_splits(derivation) {
            return Ok(());
        }
        self.follow(&mut configuration, &derivation.rules, &mut Trusting)?;
        let configurations = self.behind(&configuration, &derivation.end, &mut Trusting)?;
        let (End::Step(_, children) | End::Split(_, children) | End::Unfold(_, _, children)) = &mut derivation.end else { return Ok(()) };
        for (configuration, child) in configurations.into_iter().zip(children.iter_mut()) {
            self.simplify(configuration, child)?;
        }
        if let End::Split(_, children) = &mut derivation.end
            && !children.iter().any(is_infeasible)
        {
            let mut order: Vec<usize> = (0..children.len()).collect();
            order.sort_by_key(|position| length(&children[*position]));
            let spare = order.into_iter().find(|position| self.derive(configuration.clone(), &children[*position]).is_ok());
            if let Some(position) = spare {
                let Derivation { rules, end } = children.swap_remove(position);
                derivation.rules.extend(rules);
                derivation.end = end;
            }
        }
        Ok(())
    }

    /// Is this a derivation from the configuration?
    fn derive(&mut self, mut configuration: Configuration, derivation: &Derivation) -> Result<(), Rejection> {
        let mut recorder = std::mem::take(&mut self.recorder);
        let configurations = self
            .follow(&mut configuration, &derivation.rules, &mut recorder)
            .and_then(|()| self.behind(&configuration, &derivation.end, &mut recorder));
        recorder.take();
        self.recorder = recorder;
        let configurations = configurations?;
        let (End::Step(_, children) | End::Split(_, children) | End::Unfold(_, _, children)) = &derivation.end else { return Ok(()) };
        if configurations.len() != children.len() {
            return Err(Rejection::Outcomes);
        }
        configurations.into_iter().zip(children).try_for_each(|(configuration, child)| self.derive(configuration, child))
    }

    /// Applies rules with one child.
    fn follow(&mut self, configuration: &mut Configuration, rules: &[Rule], oracle: &mut dyn Oracle) -> Result<(), Rejection> {
        let setting = self.basis.setting;
        for rule in rules {
            match rule {
                Rule::Step { refuted } => {
                    let refuted = refuted.iter().map(|(outcome, _)| *outcome);
                    let mut others = Vec::new();
                    if !rules::step(self.arena, setting, configuration, refuted, oracle, &mut others)? || !others.is_empty() {
                        return Err(Rejection::Outcomes);
                    }
                }
                Rule::StepDecided { member, outcome, choice, .. } => {
                    configuration.change(self.arena, setting, *member).step_decided(*outcome, choice.as_ref(), oracle)?;
                }
                Rule::AddScapegoat { drops, integers, .. } => {
                    rules::add_scapegoat(self.arena, setting, configuration, drops, integers, oracle)?;
                }
                Rule::Drop { member } => rules::drop_member(configuration, *member)?,
                Rule::Let { term } => drop(rules::name(self.arena, configuration, *term)?),
                _ => return Err(Rejection::Open),
            }
        }
        Ok(())
    }

    /// The configurations that the end of a derivation leads to.
    fn behind(&mut self, configuration: &Configuration, end: &End, oracle: &mut dyn Oracle) -> Result<Vec<Configuration>, Rejection> {
        let setting = self.basis.setting;
        match end {
            End::Step(refuted, _) => {
                let (mut last, mut configurations) = (configuration.clone(), Vec::new());
                let refuted = refuted.iter().copied();
                if rules::step(self.arena, setting, &mut last, refuted, oracle, &mut configurations)? {
                    configurations.push(last);
                }
                Ok(configurations)
            }
            End::Split(literal, _) => Ok(rules::split(self.arena, configuration, *literal)?.into()),
            End::Unfold(tree, side, _) => unfold(self.arena, setting, configuration, *tree, *side),
            End::Infeasible => oracle.refute(self.arena, &configuration.predicate, &[]).map(|()| Vec::new()),
            End::Subsume(leaf) => {
                let position = *self.positions.get(&leaf.key).ok_or(Rejection::Missing)?;
                let template = &self.templates[position];
                let matching = template.matching(self.arena, setting, &leaf.arrival)?;
                subsume::subsume(self.arena, setting, configuration, &template.configuration, &matching, oracle)?;
                Ok(Vec::new())
            }
            End::Twin(member) => twin(self.arena, (setting, self.basis.flow), configuration, *member).map(|()| Vec::new()),
            End::Descent(member) => {
                if let Some(literal) = consumes_less(self.arena, configuration, *member)
                    && self.arena.evident(literal) != Some(true)
                {
                    let [_, other] = rules::split(self.arena, configuration, literal)?;
                    oracle.refute(self.arena, &other.predicate, &[])?;
                }
                Ok(Vec::new())
            }
            End::Ended => Ok(Vec::new()),
        }
    }
}

/// Is there nothing to derive? Then the split states what follows, which makes what comes behind it easier to derive.
const fn is_infeasible(derivation: &Derivation) -> bool {
    derivation.rules.is_empty() && matches!(derivation.end, End::Infeasible)
}

/// Is there a split in it?
fn has_splits(derivation: &Derivation) -> bool {
    match &derivation.end {
        End::Split(..) => true,
        End::Step(_, children) | End::Unfold(_, _, children) => children.iter().any(has_splits),
        End::Infeasible | End::Ended | End::Descent(_) | End::Twin(_) | End::Subsume(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::leave_out;
    use crate::{
        search::derivation::{Derivation, End, Found},
        state::{
            folding::folds::Folds,
            template::basis::{Basis, Direction},
        },
    };
    use goatherd_certificates::{
        configuration::Slot,
        derivation::{Lengths, MemberId, Rule},
        program::RegisterId,
        term::{Literal, Sign},
    };
    use goatherd_checker::{budget::Budget, configuration::Setting, rules, term::Arena};
    use goatherd_flow::{
        Flow,
        testing::{PARAMETERS, program},
    };
    use goatherd_logic::Solver;
    use std::sync::Arc;

    /// A split on the sign of an integer input, with these derivations behind it, and what becomes of it.
    fn left(name: &str, children: [Derivation; 2]) -> End {
        let program = program(name, "void test(int a) { }");
        let flow = Flow::new(&program);
        let setting = Setting { program: &program, parameters: &PARAMETERS, k: 1, sorts: &[] };
        let basis = Basis {
            setting,
            flow: &flow,
            lengths: Lengths::Classes,
            direction: Direction::Up,
            folds: Folds::Whole,
            states: None,
            wanted: None,
        };
        let mut arena = Arena::new(&program.tables, Budget::new(u64::MAX)).unwrap();
        let root = rules::root(&mut arena, setting, Lengths::Classes, 0).unwrap().unwrap();
        let Slot::Integer(term) = root.members[0].register(RegisterId(0)).unwrap() else { panic!("{root:?}") };
        let end = End::Split(Literal { sign: Sign::AtMostZero, term }, children.into());
        let mut found = Found { roots: vec![Derivation { rules: Vec::new(), end }], ..Found::default() };
        leave_out(&mut arena, basis, &mut found, &Arc::new(Solver::default())).unwrap();
        found.roots.pop().unwrap().end
    }

    fn ended() -> Derivation {
        Derivation { rules: Vec::new(), end: End::Ended }
    }

    /// Holds nowhere: there is no such scapegoat.
    fn dropping() -> Derivation {
        Derivation { rules: vec![Rule::Drop { member: MemberId(1) }], end: End::Ended }
    }

    fn infeasible() -> Derivation {
        Derivation { rules: Vec::new(), end: End::Infeasible }
    }

    #[test]
    fn a_split_goes_where_one_side_is_enough() {
        assert!(matches!(left("spare", [ended(), ended()]), End::Ended));
        assert!(matches!(left("other", [dropping(), ended()]), End::Ended));
    }

    #[test]
    fn a_split_stays_where_both_sides_use_it() {
        assert!(matches!(left("used", [dropping(), dropping()]), End::Split(..)));
    }

    #[test]
    fn a_split_stays_that_states_what_follows() {
        assert!(matches!(left("stating", [infeasible(), ended()]), End::Split(..)));
    }
}
