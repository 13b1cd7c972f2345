//! Replays a proof that the checker has accepted with the kernel's own rules, and shows each of them to somebody: what was before, what had to be
//! shown, and what came of it.
//!
//! Nothing here decides whether a proof is right: that has been done. So hints are handed on and not added up again.

use goatherd_certificates::{
    certificate::{Certificate, Evidence},
    derivation::{InputDrop, MemberId, Proof, Refutation, Rule, TemplateId},
    program::{Location, Program},
    term::{LinearId, Literal},
};
use goatherd_checker::{
    Budget, Configuration, Member, Place, Setting,
    apply::Premises,
    decode::Rules,
    error::{self, Failure, Where},
    outcome::Oracle,
    rejection::Rejection,
    rules, subsume,
    term::Arena,
    wellformed,
};
use std::{borrow::Cow, sync::Arc};

/// Which derivation of a proof.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum DerivationId {
    /// The one from all inputs.
    Roots,
    /// The one from a template.
    Template(TemplateId),
}

/// What led from one moment to the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    /// A member took an instruction.
    Step(MemberId),
    /// A case was distinguished.
    Split,
    /// A tree or a segment was opened.
    Unfold,
    /// A scapegoat joined.
    Added,
    /// This scapegoat was forgotten.
    Dropped(MemberId),
    /// A term got a name.
    Named,
}

/// Where a scapegoat comes from.
#[derive(Clone, Debug)]
pub enum Birth {
    /// It joined in this derivation.
    Joined(Arc<Joined>),
    /// It is this member of the template that the derivation is from.
    Template(TemplateId, MemberId),
}

/// How a scapegoat has joined.
#[derive(Debug)]
pub struct Joined {
    /// What its input lacks.
    pub drops: Vec<InputDrop>,
    /// New values, by the position of the input.
    pub integers: Vec<(u32, LinearId)>,
    /// The primary's state at the entry.
    pub entry: Arc<Member>,
}

/// A configuration of a derivation, and how it has come about.
#[derive(Debug)]
pub struct Moment {
    /// What is known.
    pub configuration: Configuration,
    /// The moment before, if the derivation does not begin here.
    pub before: Option<(Arc<Moment>, Move)>,
    /// Where each scapegoat comes from; the first one is member 1.
    pub births: Vec<Birth>,
}

impl Moment {
    /// Where the member is.
    pub fn location(&self, member: MemberId) -> Option<Location> {
        match self.configuration.members.get(member.index())?.place {
            Place::At(location) => Some(location),
            Place::Failed => None,
        }
    }

    /// This moment and those before it, back to where the derivation begins.
    pub fn past(self: &Arc<Self>) -> impl Iterator<Item = &Arc<Self>> {
        std::iter::successors(Some(self), |moment| moment.before.as_ref().map(|(before, _)| before))
    }
}

/// The past is as long as a certificate likes, so it is not taken apart recursively.
impl Drop for Moment {
    fn drop(&mut self) {
        let mut before = self.before.take();
        while let Some((moment, _)) = before {
            before = Arc::into_inner(moment).and_then(|mut moment| moment.before.take());
        }
    }
}

/// What the checker had to be shown: that the predicate and these literals together have no solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Obligation {
    /// What is assumed beside the predicate: the opposite of what is needed.
    pub assumptions: Vec<Literal>,
    /// How it was shown.
    pub refutation: Refutation,
}

/// A rule that was applied.
#[derive(Clone, Copy, Debug)]
pub struct Application<'a> {
    /// Of which derivation it is.
    pub derivation: DerivationId,
    /// Its position there.
    pub number: u32,
    /// The rule; one of `Steps` is applied for each of its steps.
    pub rule: &'a Rule,
    /// The configuration that it was applied to.
    pub before: &'a Arc<Moment>,
    /// What had to be shown, in the order of the rule.
    pub obligations: &'a [Obligation],
    /// What it leads to; of a step, by ascending outcome.
    pub after: &'a [Arc<Moment>],
}

/// What is shown to whoever watches.
#[derive(Clone, Copy, Debug)]
pub enum Shown<'a> {
    /// A derivation begins; the one from all inputs does once for each size class.
    Begins(DerivationId, &'a Arc<Moment>),
    /// A rule was applied.
    Applied(Application<'a>),
}

/// Somebody who watches a replay.
pub trait Watcher {
    /// Is shown what happens next.
    fn event(&mut self, arena: &mut Arena, event: Shown<'_>) -> Result<(), Rejection>;
}

/// Both of them watch.
impl<A: Watcher, B: Watcher> Watcher for (A, B) {
    fn event(&mut self, arena: &mut Arena, event: Shown<'_>) -> Result<(), Rejection> {
        self.0.event(arena, event)?;
        self.1.event(arena, event)
    }
}

/// A proof, and the program that it is about: with its lemmas, if it has any.
#[derive(Debug)]
pub struct Audit<'a> {
    /// The whole certificate.
    pub certificate: &'a Certificate<Rules<'a>>,
    /// Its proof.
    pub proof: &'a Proof<Rules<'a>>,
    /// The program, with the proof's lemmas.
    pub program: Cow<'a, Program>,
}

impl<'a> Audit<'a> {
    /// Of a certificate that the checker has accepted; none where its evidence is a run.
    pub fn new(certificate: &'a Certificate<Rules<'a>>) -> Result<Option<Self>, Failure> {
        let (Evidence::Proof(proof) | Evidence::Paths { proof, .. }) = &certificate.evidence else { return Ok(None) };
        let mut program = Cow::Borrowed(&certificate.statement.program);
        if !proof.lemmas.is_empty() {
            wellformed::add_lemmas(program.to_mut(), &proof.lemmas)?;
        }
        Ok(Some(Self { certificate, proof, program }))
    }

    /// What the kernel's rules read beside a configuration.
    pub fn setting(&self) -> Setting<'_> {
        let parameters = &self.certificate.statement.parameters;
        Setting { program: &self.program, parameters, k: self.proof.k, sorts: &self.proof.sorts }
    }

    /// Where in the statement's program a location stands: that of a lemma's instructions is what the lemma stands before.
    pub fn original(&self, location: Location) -> Location {
        let mut location = location;
        // A lemma may stand before what another one, further up in the list, has added.
        while let Some(added) = location.index().checked_sub(self.certificate.statement.program.instructions.len()) {
            let Some(lemma) = self.proof.lemmas.get(added / 3) else { break };
            location = lemma.location;
        }
        location
    }

    /// Is the location of an instruction that a lemma has added?
    pub fn is_lemma(&self, location: Location) -> bool {
        location.index() >= self.certificate.statement.program.instructions.len()
            || self.proof.lemmas.iter().any(|lemma| lemma.location == location)
    }

    /// Replays all derivations, in the order of the file. A rejection is a fault of whoever has accepted the certificate, or of the watcher.
    pub fn replay(&self, watcher: &mut dyn Watcher) -> Result<(), Failure> {
        let setting = self.setting();
        let mut arena = Arena::new(&self.program.tables, Budget::new(u64::MAX)).map_err(Failure::Declined)?;
        let mut terms = (0u32..).zip(&self.certificate.terms);
        terms.try_for_each(|(position, term)| arena.define(term).map_err(error::at(Where::Term(position))))?;
        let mut templates = Vec::new();
        for (position, template) in (0u32..).zip(&self.proof.templates) {
            templates.push(subsume::template(&arena, setting, template).map_err(error::at(Where::Template(position)))?);
        }
        let mut walk = Walk { premises: Premises { setting, templates: &templates }, arena, watcher };
        walk.roots(self.proof)?;
        for ((position, root), rules) in (0u32..).zip(&templates).zip(&self.proof.derivations) {
            let template = TemplateId(position);
            let births = (1..root.members.len()).filter_map(|member| u32::try_from(member).ok());
            let births = births.map(|member| Birth::Template(template, MemberId(member))).collect();
            let moment = Moment { configuration: root.clone(), before: None, births };
            let at = |rule| Where::Derivation { template: position, rule };
            walk.derivation(DerivationId::Template(template), moment, &mut Numbered { rules: *rules, next: 0 }, &at)?;
        }
        Ok(())
    }
}

/// The rules of a derivation that are still to come.
struct Numbered<'a> {
    rules: Rules<'a>,
    next: u32,
}

impl Numbered<'_> {
    fn take(&mut self) -> Result<Option<(u32, Rule)>, Failure> {
        // The certificate has been accepted, so its rules have been paid for.
        let rule = self.rules.next(&mut Budget::new(u64::MAX))?;
        let number = self.next;
        self.next = number.saturating_add(1);
        Ok(rule.map(|rule| (number, rule)))
    }
}

struct Walk<'a> {
    premises: Premises<'a>,
    arena: Arena,
    watcher: &'a mut dyn Watcher,
}

impl Walk<'_> {
    fn roots(&mut self, proof: &Proof<Rules<'_>>) -> Result<(), Failure> {
        let mut rules = Numbered { rules: proof.roots, next: 0 };
        for class in 0.. {
            let at = |rule| Where::Root { class, rule };
            let root = rules::root(&mut self.arena, self.premises.setting, proof.lengths, class).map_err(error::at(at(rules.next)))?;
            let Some(configuration) = root else { break };
            let moment = Moment { configuration, before: None, births: Vec::new() };
            self.derivation(DerivationId::Roots, moment, &mut rules, &at)?;
        }
        Ok(())
    }

    /// Replays rules until the root, and all that it leads to, is closed.
    fn derivation(
        &mut self,
        derivation: DerivationId,
        root: Moment,
        rules: &mut Numbered<'_>,
        at: &dyn Fn(u32) -> Where,
    ) -> Result<(), Failure> {
        let root = Arc::new(root);
        self.watcher.event(&mut self.arena, Shown::Begins(derivation, &root)).map_err(error::at(at(rules.next)))?;
        let mut stack = vec![root];
        while let Some(mut moment) = stack.pop() {
            let (number, rule) = rules.take()?.ok_or_else(|| error::at(at(u32::MAX))(Rejection::Open))?;
            let (times, rule) = match rule {
                // One step after the other, so that each can be watched.
                Rule::Steps { member, count } => (count, Rule::Steps { member, count: 1 }),
                rule => (1, rule),
            };
            let mut after = Vec::new();
            for _ in 0..times {
                after = self.apply((derivation, number), &moment, &rule).map_err(error::at(at(number)))?;
                if let [next] = after.as_slice() {
                    moment = Arc::clone(next);
                }
            }
            // A rule of no steps leaves everything as it is.
            if times == 0 {
                after.push(moment);
            }
            stack.extend(after.into_iter().rev());
        }
        Ok(())
    }

    fn apply(
        &mut self,
        (derivation, number): (DerivationId, u32),
        before: &Arc<Moment>,
        rule: &Rule,
    ) -> Result<Vec<Arc<Moment>>, Rejection> {
        let mut configuration = before.configuration.clone();
        let (mut children, mut shown) = (Vec::new(), Noting { hints: hints(rule).into_iter(), obligations: Vec::new() });
        // A path of a graph may also end in a failure.
        let has_failed = |member: &Member| rules::has_failed(self.premises.setting, member.place);
        let is_end = *rule == Rule::End && configuration.members.first().is_some_and(has_failed);
        if !is_end && self.premises.apply(&mut self.arena, &mut configuration, rule, &mut shown, &mut children)? {
            children.push(configuration);
        }
        let (moved, births) = successor(before, rule);
        let after = children.into_iter().map(|configuration| {
            let before = Some((Arc::clone(before), moved));
            Arc::new(Moment { configuration, before, births: births.clone() })
        });
        let after: Vec<_> = after.collect();
        let application = Application { derivation, number, rule, before, obligations: &shown.obligations, after: &after };
        self.watcher.event(&mut self.arena, Shown::Applied(application))?;
        Ok(after)
    }
}

/// What a rule is as a move, and where the scapegoats behind it come from.
fn successor(before: &Moment, rule: &Rule) -> (Move, Vec<Birth>) {
    let mut births = before.births.clone();
    let moved = match rule {
        Rule::Step { .. } => Move::Step(MemberId(0)),
        Rule::StepDecided { member, .. } | Rule::Steps { member, .. } => Move::Step(*member),
        Rule::Unfold { .. } => Move::Unfold,
        Rule::Let { .. } => Move::Named,
        Rule::Drop { member } => {
            if let Some(position) = member.index().checked_sub(1).filter(|position| *position < births.len()) {
                births.remove(position);
            }
            Move::Dropped(*member)
        }
        Rule::AddScapegoat { drops, integers, .. } => {
            let entry = before.configuration.entry.clone();
            let joined = entry.map(|entry| Joined { drops: drops.clone(), integers: integers.clone(), entry });
            births.extend(joined.map(|joined| Birth::Joined(Arc::new(joined))));
            Move::Added
        }
        _ => Move::Split,
    };
    (moved, births)
}

/// Hands the hints on, and notes what for.
struct Noting<'a> {
    hints: std::vec::IntoIter<&'a Refutation>,
    obligations: Vec<Obligation>,
}

impl Oracle for Noting<'_> {
    fn refute(&mut self, _: &mut Arena, _: &[Literal], assumptions: &[Literal]) -> Result<(), Rejection> {
        let refutation = self.hints.next().ok_or(Rejection::Hints)?.clone();
        self.obligations.push(Obligation { assumptions: assumptions.to_vec(), refutation });
        Ok(())
    }
}

/// The hints of a rule, in the order of its obligations.
fn hints(rule: &Rule) -> Vec<&Refutation> {
    match rule {
        Rule::Step { refuted } => refuted.iter().map(|(_, refutation)| refutation).collect(),
        Rule::Infeasible { refutation } => vec![refutation],
        Rule::StepDecided { hints, .. } | Rule::AddScapegoat { hints, .. } | Rule::Subsume { hints, .. } => hints.iter().collect(),
        _ => Vec::new(),
    }
}
