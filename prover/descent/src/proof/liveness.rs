//! Which scapegoats are blamed later on, and the derivation without the others.
//!
//! The search keeps every scapegoat as long as it is in step with the primary. Most are never blamed: they are forgotten here as soon as
//! that is known, templates included, so that certificates are small and quick to check (`spec/search.md#shape`).

use crate::{
    search::derivation::{Derivation, End, Found},
    state::template::key::Key,
};
use goatherd_certificates::derivation::{MemberId, Rule};
use std::collections::{BTreeMap, BTreeSet};

/// A member, by a number that no other one on the path has; that of the primary is 0.
type Name = usize;

const PRIMARY: Name = 0;

/// The members that are still blamed, the primary among them.
type Live = BTreeSet<Name>;

/// The members of a configuration.
#[derive(Clone, Debug)]
struct Members {
    names: Vec<Name>,
    /// How many there have been on the path.
    count: usize,
}

impl Members {
    fn new(count: usize) -> Self {
        Self { names: (0..count).collect(), count }
    }

    fn name(&self, member: MemberId) -> Name {
        self.names.get(member.index()).copied().unwrap_or(PRIMARY)
    }

    fn apply(&mut self, rule: &Rule) {
        match rule {
            Rule::AddScapegoat { .. } => {
                self.names.push(self.count);
                self.count += 1;
            }
            Rule::Drop { member } => {
                let name = self.name(*member);
                self.names.retain(|other| *other != name);
            }
            _ => {}
        }
    }

    fn after(mut self, rules: &[Rule]) -> Self {
        for rule in rules {
            self.apply(rule);
        }
        self
    }

    /// Those that are live.
    fn kept(&self, live: &Live) -> Self {
        let names = self.names.iter().copied().filter(|name| live.contains(name)).collect();
        Self { names, count: self.count }
    }

    fn position(&self, name: Name) -> MemberId {
        let position = self.names.iter().position(|other| *other == name).unwrap_or_default();
        MemberId(u32::try_from(position).unwrap_or(u32::MAX))
    }

    /// Those of the set.
    fn intersection(&self, live: &Live) -> Live {
        self.names.iter().copied().filter(|name| live.contains(name)).collect()
    }
}

/// The same derivations without the steps of scapegoats that are not blamed any more. Nothing is changed where a scapegoat has taken a
/// value of its own: later variables are numbered behind it.
#[must_use]
pub fn without_dead(found: Found) -> Found {
    if found.has_own_values {
        return found;
    }
    let liveness = Liveness::new(&found);
    let roots = found.roots.into_iter().map(|root| liveness.derivation(root, &Members::new(1)).1).collect();
    let mut templates = Vec::new();
    for ((key, mut template, derivation), live) in found.templates.into_iter().zip(&liveness.templates) {
        let derivation = liveness.derivation(derivation, &Members::new(template.tags.len())).1;
        template.retain(live);
        templates.push((key, template, derivation));
    }
    Found { roots, templates, has_own_values: false }
}

struct Liveness {
    numbers: BTreeMap<Key, usize>,
    /// Which members of each template are live, by their positions.
    templates: Vec<Live>,
}

impl Liveness {
    /// The least solution: what a derivation blames itself, or a template that it leads to.
    fn new(found: &Found) -> Self {
        let numbers = found.templates.iter().zip(0..).map(|((key, ..), number)| (key.clone(), number)).collect();
        let mut liveness = Self { numbers, templates: vec![Live::from([PRIMARY]); found.templates.len()] };
        loop {
            let mut is_stable = true;
            for (number, (_, template, derivation)) in found.templates.iter().enumerate() {
                let live = liveness.at_start(derivation, &Members::new(template.tags.len()));
                is_stable &= live == liveness.templates[number];
                liveness.templates[number] = live;
            }
            if is_stable {
                return liveness;
            }
        }
    }

    /// The members that are live where a derivation starts.
    fn at_start(&self, derivation: &Derivation, members: &Members) -> Live {
        let end = members.clone().after(&derivation.rules);
        let live = match &derivation.end {
            End::Step(_, children) | End::Split(_, children) | End::Unfold(_, _, children) => {
                children.iter().flat_map(|child| self.at_start(child, &end)).chain([PRIMARY]).collect()
            }
            leaf => self.at_leaf(leaf, &end),
        };
        members.intersection(&live)
    }

    fn at_leaf(&self, leaf: &End, members: &Members) -> Live {
        let mut live = Live::from([PRIMARY]);
        match leaf {
            End::Descent(member) | End::Twin(member) => drop(live.insert(members.name(*member))),
            End::Subsume(leaf) => {
                let template = self.numbers.get(&leaf.key).map(|number| &self.templates[*number]);
                live.extend(template.into_iter().flatten().filter_map(|position| members.names.get(*position)));
            }
            End::Step(..) | End::Split(..) | End::Unfold(..) | End::Infeasible | End::Ended => {}
        }
        live
    }

    /// The members that are live where a derivation starts, and the derivation for just these.
    fn derivation(&self, derivation: Derivation, members: &Members) -> (Live, Derivation) {
        let at_end = members.clone().after(&derivation.rules);
        let (live, end) = match derivation.end {
            End::Step(refuted, children) => {
                let (live, children) = self.children(children, &at_end);
                (live, End::Step(refuted, children))
            }
            End::Split(literal, children) => {
                let (live, children) = self.children(children, &at_end);
                (live, End::Split(literal, children))
            }
            End::Unfold(tree, side, children) => {
                let (live, children) = self.children(children, &at_end);
                (live, End::Unfold(tree, side, children))
            }
            leaf => {
                let live = self.at_leaf(&leaf, &at_end);
                let end = match leaf {
                    End::Descent(member) => End::Descent(at_end.kept(&live).position(at_end.name(member))),
                    End::Twin(member) => End::Twin(at_end.kept(&live).position(at_end.name(member))),
                    other => other,
                };
                (live, end)
            }
        };
        let rules = retained(derivation.rules, members.clone(), &live);
        (members.intersection(&live), Derivation { rules, end })
    }

    /// The derivations of the children of a configuration that has what is live in one of them; each forgets what is not live in it.
    fn children(&self, children: Vec<Derivation>, members: &Members) -> (Live, Vec<Derivation>) {
        let children: Vec<(Live, Derivation)> = children.into_iter().map(|child| self.derivation(child, members)).collect();
        let live: Live = children.iter().flat_map(|(live, _)| live).copied().chain([PRIMARY]).collect();
        let forgetting = |(own, mut child): (Live, Derivation)| {
            let mut left = members.kept(&live);
            let mut rules = Vec::new();
            for name in live.difference(&own) {
                let rule = Rule::Drop { member: left.position(*name) };
                left.apply(&rule);
                rules.push(rule);
            }
            rules.append(&mut child.rules);
            Derivation { rules, end: child.end }
        };
        let children = children.into_iter().map(forgetting).collect();
        (live, children)
    }
}

/// The rules without those about members that are not live behind them.
fn retained(rules: Vec<Rule>, mut members: Members, live: &Live) -> Vec<Rule> {
    let mut retained = Vec::new();
    for mut rule in rules {
        let is_retained = match &mut rule {
            Rule::StepDecided { member, .. } => {
                let name = members.name(*member);
                *member = members.kept(live).position(name);
                live.contains(&name)
            }
            Rule::AddScapegoat { .. } => live.contains(&members.count),
            Rule::Drop { .. } => false,
            _ => true,
        };
        members.apply(&rule);
        if is_retained {
            retained.push(rule);
        }
    }
    retained
}
