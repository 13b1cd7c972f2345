//! Why the checks of a line hold: watches a replay, and notes what each derivation makes of the ways in which they could fail.

use crate::{
    argument::{Argument, argument, facts, herd, steps},
    births::{Ancestry, Births, consumed, origin},
    deduction::Added,
    labels::Labels,
    naming::Naming,
    replay::{Application, DerivationId, Moment, Move, Shown, Watcher},
    state::operands,
};
use goatherd_certificates::{
    certificate::Position,
    derivation::{MemberId, Rule},
    program::{Branch, Instruction, Location},
};
use goatherd_checker::{Effect, Outcome, rejection::Rejection, rules::is_excluded, step::outcomes, term::Arena};
use goatherd_frontend::checks::{Kind, kind};
use serde::Serialize;
use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

/// A line of the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SourceLine {
    /// Position among the certificate's files.
    pub file: u32,
    /// From 1.
    pub line: u32,
}

/// Which checks are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which {
    /// Those of this line.
    Line(SourceLine),
    /// All of the program.
    All,
}

/// A check, and all that the proof makes of it.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Check {
    /// The instruction of the program.
    pub location: u32,
    /// Position of its file among the certificate's.
    pub file: u32,
    /// The line in the source, from 1.
    pub line: u32,
    /// The column, from 1, in bytes.
    pub column: u32,
    /// What is checked.
    pub kind: Kind,
    /// What the program does there.
    pub instruction: String,
    /// The first times that the proof comes there.
    pub visits: Vec<Visit>,
    /// How many times more it does.
    pub omitted: usize,
}

/// A time that the proof comes to a check.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Visit {
    /// Which herd has come there: from where, and through which lines.
    pub herd: String,
    /// The derivation: none for the one from all inputs, else its template.
    pub template: Option<u32>,
    /// The rule's position in the derivation.
    pub rule: u32,
    /// What is done, as the state has it.
    pub state: Vec<String>,
    /// The ways in which it could fail; none where the state leaves no room for that.
    pub failures: Vec<WayToFail>,
}

/// A way in which a check could fail.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct WayToFail {
    /// When that would be.
    pub supposed: Vec<String>,
    /// Why it is not so.
    pub because: Vec<Because>,
}

impl WayToFail {
    /// Does a scapegoat take the blame for it?
    pub fn is_blamed(&self) -> bool {
        self.because.iter().any(|because| matches!(because, Because::Blame(_) | Because::Twin(_)))
    }
}

/// Why a check does not fail in some way.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Because {
    /// It contradicts facts.
    Refuted(Argument),
    /// A scapegoat fails as well.
    Blame(Blamed),
    /// The scapegoat is in the primary's state, so that it goes on as the primary does.
    Twin(Blamed),
    /// A template covers it.
    Covered(u32),
}

/// A scapegoat that takes the blame.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Blamed {
    /// Which one.
    pub scapegoat: u32,
    /// Why its run is smaller.
    pub smaller: Vec<String>,
    /// What it does meanwhile, step by step where something has to be shown.
    pub steps: Vec<Taken>,
    /// Where it fails, or is as the primary.
    pub fails: String,
    /// Where it comes from, until that is known in words.
    #[serde(skip)]
    pub origin: Option<Ancestry>,
}

/// A step of a scapegoat, and why it takes it.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Taken {
    /// Where.
    pub place: String,
    /// What holds there, so that it goes this way.
    pub way: Vec<String>,
    /// The same, in terms of the run at hand.
    pub known: Vec<String>,
    /// Why that holds, where it is not known already.
    pub arguments: Vec<Argument>,
}

/// At most so many times that the proof comes to a check are told.
pub const MOST_VISITS: usize = 12;
/// At most so many lines of the way to a check are told.
const MOST_LINES: usize = 16;

/// What is being found out.
pub struct Checks<'a> {
    labels: &'a Labels<'a>,
    which: Which,
    most: usize,
    found: BTreeMap<Location, Found>,
    /// The open moments behind failures, each until a rule is applied to it: as long as it is open it is alive, and nothing else has its address.
    open: HashMap<*const Moment, Behind>,
    births: Births,
}

/// What has been found out of a check.
#[derive(Default)]
struct Found {
    visits: Vec<Visit>,
    omitted: usize,
}

/// A moment behind a failure.
struct Behind {
    check: Location,
    visit: usize,
    way: usize,
    /// What scapegoats have done since, as far as it had to be shown.
    taken: Vec<(MemberId, Taken)>,
}

impl<'a> Checks<'a> {
    /// Of these checks: the first so many times that the proof comes to each of them.
    pub fn new(labels: &'a Labels<'a>, which: Which, most: usize) -> Self {
        Self { labels, which, most, found: BTreeMap::new(), open: HashMap::new(), births: Births::default() }
    }

    /// What has been found out.
    pub fn checks(self) -> Vec<Check> {
        let Self { labels, mut found, which, births, .. } = self;
        let program = labels.program();
        let locations = (0u32..).map(Location).zip(&program.instructions);
        let mut checks = Vec::new();
        for (location, instruction) in locations {
            let Some((kind, position)) = check_at(labels, location, which) else { continue };
            let Found { mut visits, omitted } = found.remove(&location).unwrap_or_default();
            for because in visits.iter_mut().flat_map(|visit| &mut visit.failures).flat_map(|failure| &mut failure.because) {
                if let Because::Blame(blame) | Because::Twin(blame) = because {
                    blame.smaller.extend(blame.origin.take().iter().flat_map(|origin| births.words(origin)));
                }
            }
            let instruction = labels.names.instruction(instruction);
            checks.push(Check {
                location: location.0,
                file: position.file,
                line: position.line,
                column: position.column,
                kind,
                instruction,
                visits,
                omitted,
            });
        }
        checks
    }

    fn applied(&mut self, arena: &mut Arena, application: Application<'_>) -> Result<(), Rejection> {
        let behind = self.open.remove(&Arc::as_ptr(application.before));
        if let Some(behind) = &behind {
            self.behind(arena, application, behind)?;
        }
        if let Rule::Subsume { template, .. } = application.rule {
            self.births.arrive(arena, self.labels, *template, application.before);
        }
        if let Rule::Step { .. } | Rule::Steps { member: MemberId(0), .. } = application.rule {
            self.step(arena, application)?;
        }
        Ok(())
    }

    /// The primary takes a step: is it one that is asked for?
    fn step(&mut self, arena: &mut Arena, application: Application<'_>) -> Result<(), Rejection> {
        let Some(location) = application.before.location(MemberId(0)) else { return Ok(()) };
        let program = self.labels.program();
        let Some(instruction) = program.instructions.get(location.index()) else { return Ok(()) };
        let own = check_at(self.labels, location, self.which).map(|_| location);
        let failing = successors(instruction, location).into_iter();
        let calls: Vec<Location> =
            failing.filter(|next| is_fail(self.labels, *next) && check_at(self.labels, *next, self.which).is_some()).collect();
        if own.is_none() && calls.is_empty() {
            return Ok(());
        }
        let member = application.before.configuration.member(MemberId(0))?;
        let all = outcomes(arena, self.labels.audit().setting(), member)?;
        for check in own.into_iter().chain(calls) {
            let found = self.found.entry(check).or_default();
            if found.visits.len() >= self.most {
                found.omitted += 1;
                continue;
            }
            let visit = found.visits.len();
            let steps = steps(arena, application.before, application.obligations)?;
            let naming = Naming::at(arena, self.labels, application.before);
            let failures = self.failures(&naming, application, (&all, &steps), (check, visit));
            let told = Visit {
                herd: self.herd(application),
                template: template(application.derivation),
                rule: application.number,
                state: operands(&naming, self.labels, &application.before.configuration, instruction),
                failures,
            };
            self.found.entry(check).or_default().visits.push(told);
        }
        Ok(())
    }

    /// In which ways the check could fail, and why it does not: what is behind a way that is left open is told later.
    fn failures(
        &mut self,
        naming: &Naming<'_>,
        application: Application<'_>,
        (all, steps): (&[Outcome], &[Vec<Added>]),
        (check, visit): (Location, usize),
    ) -> Vec<WayToFail> {
        let refuted: Vec<usize> = match application.rule {
            Rule::Step { refuted } => refuted.iter().map(|(outcome, _)| outcome.index()).collect(),
            _ => Vec::new(),
        };
        let (mut failures, mut left_open) = (Vec::new(), 0);
        let location = application.before.location(MemberId(0));
        for (position, outcome) in all.iter().enumerate() {
            if is_excluded(naming.arena(), outcome) {
                continue;
            }
            let hint = refuted.iter().position(|refuted| *refuted == position);
            let after = application.after.get(left_open).filter(|_| hint.is_none());
            left_open += usize::from(hint.is_none());
            let fails = match outcome.effect {
                Effect::Fail => location == Some(check),
                Effect::Goto(next) => next == check && location != Some(check),
                _ => false,
            };
            if !fails {
                continue;
            }
            let mut because = Vec::new();
            if let Some((obligation, steps)) = hint.and_then(|hint| Some((application.obligations.get(hint)?, steps.get(hint)?))) {
                let at = (application.derivation, application.before);
                because.push(Because::Refuted(argument(naming, self.labels, at, (&obligation.assumptions, steps))));
            }
            if let Some(moment) = after {
                let behind = Behind { check, visit, way: failures.len(), taken: Vec::new() };
                self.open.insert(Arc::as_ptr(moment), behind);
            }
            failures.push(WayToFail { supposed: facts(naming, &outcome.literals), because });
        }
        failures
    }

    /// Something happens behind a failure.
    fn behind(&mut self, arena: &mut Arena, application: Application<'_>, behind: &Behind) -> Result<(), Rejection> {
        let Application { derivation, before, rule, obligations, after, .. } = application;
        let mut taken = behind.taken.clone();
        let steps = steps(arena, before, obligations)?;
        let argument_of = |naming: &Naming<'_>, number: usize| {
            let obligation = obligations.get(number).zip(steps.get(number));
            obligation.map(|(obligation, steps)| argument(naming, self.labels, (derivation, before), (&obligation.assumptions, steps)))
        };
        if let Rule::StepDecided { member, outcome, .. } = rule {
            let all = outcomes(arena, self.labels.audit().setting(), before.configuration.member(*member)?)?;
            let literals = all.get(outcome.index()).map_or(&[][..], |outcome| &outcome.literals);
            let literals: Vec<_> = literals.iter().filter(|literal| arena.evident(**literal) != Some(true)).copied().collect();
            if !literals.is_empty() {
                let naming = Naming::at(arena, self.labels, before);
                let arguments = (0..obligations.len()).filter_map(|number| argument_of(&naming, number)).collect();
                let way = facts(&Naming::seen_by(arena, self.labels, before, *member), &literals);
                let place = before.location(*member).map_or_else(String::new, |location| self.labels.line(location));
                taken.push((*member, Taken { place, way, known: facts(&naming, &literals), arguments }));
            }
        }
        for moment in after {
            let behind = Behind { taken: taken.clone(), ..*behind };
            self.open.insert(Arc::as_ptr(moment), behind);
        }
        let because = match rule {
            Rule::Descent { member } => Because::Blame(self.blame(arena, *member, before, taken)),
            Rule::Twin { member } => Because::Twin(self.blame(arena, *member, before, taken)),
            Rule::Infeasible { .. } => {
                let Some(argument) = argument_of(&Naming::at(arena, self.labels, before), 0) else { return Ok(()) };
                Because::Refuted(argument)
            }
            Rule::Subsume { template, .. } => Because::Covered(template.0),
            _ => return Ok(()),
        };
        let visit = self.found.get_mut(&behind.check).and_then(|found| found.visits.get_mut(behind.visit));
        if let Some(failing) = visit.and_then(|visit| visit.failures.get_mut(behind.way)) {
            failing.because.push(because);
        }
        Ok(())
    }

    fn blame(&self, arena: &Arena, member: MemberId, moment: &Arc<Moment>, taken: Vec<(MemberId, Taken)>) -> Blamed {
        let steps = taken.into_iter().filter(|(other, _)| *other == member).map(|(_, taken)| taken).collect();
        let last = moment.past().find_map(|present| {
            let (before, moved) = present.before.as_ref()?;
            (*moved == Move::Step(member)).then(|| before.location(member))?
        });
        let place = moment.location(member).or(last);
        let fails = place.map_or_else(String::new, |location| self.labels.line(location));
        let naming = Naming::at(arena, self.labels, moment);
        let smaller = consumed(&naming, &moment.configuration, member).into_iter().collect();
        Blamed { scapegoat: member.0, smaller, steps, fails, origin: origin(arena, self.labels, moment, member) }
    }

    /// Which herd it is, and what way it has come.
    fn herd(&self, application: Application<'_>) -> String {
        let start = match application.derivation {
            DerivationId::Roots => String::from("from the entry"),
            DerivationId::Template(template) => format!("from {}", herd(self.labels, template)),
        };
        let mut lines: Vec<String> = Vec::new();
        for moment in application.before.past() {
            let line = moment.location(MemberId(0)).map_or_else(String::new, |location| self.labels.line(location));
            if lines.last() != Some(&line) {
                lines.push(line);
            }
        }
        let is_cut = lines.len() > MOST_LINES;
        lines.truncate(MOST_LINES);
        lines.reverse();
        let lines: Vec<&str> = lines.iter().map(|line| line.strip_prefix("line ").unwrap_or(line)).collect();
        format!("{start}, by lines {}{}", if is_cut { "..., " } else { "" }, lines.join(", "))
    }
}

impl Watcher for Checks<'_> {
    fn event(&mut self, arena: &mut Arena, event: Shown<'_>) -> Result<(), Rejection> {
        match event {
            Shown::Begins(..) => Ok(()),
            Shown::Applied(application) => self.applied(arena, application),
        }
    }
}

const fn template(derivation: DerivationId) -> Option<u32> {
    match derivation {
        DerivationId::Roots => None,
        DerivationId::Template(template) => Some(template.0),
    }
}

/// What is checked at a location, if it is asked for.
fn check_at(labels: &Labels<'_>, location: Location, which: Which) -> Option<(Kind, Position)> {
    let is_asked = |position: &Position| match which {
        Which::All => true,
        Which::Line(SourceLine { file, line }) => (position.file, position.line) == (file, line),
    };
    let position = labels.position(location).filter(is_asked)?;
    let program = labels.program();
    let instruction = program.instructions.get(location.index())?;
    kind(program, labels.audit().certificate.statement.parameters, instruction).map(|kind| (kind, position))
}

fn is_fail(labels: &Labels<'_>, location: Location) -> bool {
    matches!(labels.program().instructions.get(location.index()), Some(Instruction::Fail { .. }))
}

/// Where an instruction may go on, unless it fails.
fn successors(instruction: &Instruction, location: Location) -> Vec<Location> {
    match instruction {
        Instruction::Jump { target } => vec![*target],
        Instruction::Branch(Branch { then, otherwise, .. }) | Instruction::Choose { then, otherwise } => vec![*then, *otherwise],
        Instruction::Halt | Instruction::Ignore | Instruction::Fail { .. } => Vec::new(),
        _ => vec![Location(location.0.saturating_add(1))],
    }
}
