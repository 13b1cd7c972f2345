//! Builds derivations rule by rule against the kernel's own rule functions, adventurously.
//!
//! Each configuration is closed if any closing rule is accepted; else a move is chosen from the table in [`moves`] by the weights of a
//! [`Style`], which is drawn anew for each certificate, so that some certificates never split, some add scapegoats everywhere and some forget
//! whatever they can. Where nothing closes a configuration, a rule that was refused stands in its place, and the certificate is checked all the
//! same.

use crate::{
    dice::Dice,
    moves::{self, MOVES, Move},
    programs::Subject,
    prover::{Memory, Prover},
    terms::Known,
};
use goatherd_certificates::{
    configuration::Template,
    derivation::{Lengths, Matching, MemberId, Refutation, Rule, TemplateId},
};
use goatherd_checker::{
    configuration::{Configuration, Setting},
    rules,
    term::Arena,
    twin,
};
use std::rc::Rc;

/// Most rules that are tried for one derivation.
const FUEL: usize = 90;

/// How many moves are tried until the kernel takes one.
const GUESSES: usize = 8;

/// Most templates.
const TEMPLATES: usize = 4;

/// How adventurous a certificate is.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// By move, how often it is chosen.
    pub weights: [usize; MOVES.len()],
    /// In how many of a hundred cases a template forgets a slot.
    pub forget: usize,
    /// In how many of a hundred cases a template folds a pointer.
    pub fold: usize,
    /// In how many of a hundred cases a template keeps an object.
    pub keep: usize,
    /// In how many of a hundred cases something is slightly wrong.
    pub odd: usize,
    /// How often an obligation that nothing shows is claimed to hold: once in so many times.
    pub lies: usize,
    /// How many moves are tried at a configuration.
    pub tries: usize,
    /// Do templates keep the variables of a configuration (or have new ones for its terms)?
    pub keeps_variables: bool,
    /// May templates mention variables that they do not have?
    pub is_loose: bool,
    /// How templates are made.
    pub making: Making,
    /// What scapegoats let values be.
    pub choosing: Choosing,
}

/// How templates are made of configurations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Making {
    /// By forgetting, by new variables and by folding in any way.
    Forgetting,
    /// By folding what is there, and then confusing one thing.
    Confusing,
}

/// What scapegoats let values be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choosing {
    /// Terms of the configuration, and near ones.
    Near,
    /// Often what is beyond the limits of the type, or the variable that is new next.
    Beyond,
}

impl Style {
    /// The style of these decisions for a subject.
    pub fn draw(dice: &mut Dice, subject: Subject) -> Self {
        let mut weight = |entry: Move| match subject {
            Subject::Any | Subject::Twins => entry.weight * dice.one([0, 1, 1, 3, 9]),
            // What the subject is about is hardly ever left out.
            Subject::Choices => entry.choices * dice.one([0, 1, 1, 1, 2, 2, 3, 3]),
            Subject::Folds => entry.folds * dice.one([1, 1, 2, 3]),
        };
        let weights = MOVES.map(&mut weight);
        let drawn = Self {
            weights,
            forget: dice.one([0, 5, 20, 60, 95]),
            fold: dice.one([0, 20, 60, 90]),
            keep: dice.one([0, 50, 90, 100]),
            odd: dice.one([0, 0, 3, 15]),
            lies: dice.one([10, 40, 1000, 1000]),
            tries: dice.one([1, 2, 3, 5]),
            keeps_variables: dice.once_in(2),
            is_loose: dice.once_in(3),
            making: Making::Forgetting,
            choosing: Choosing::Near,
        };
        match subject {
            Subject::Any | Subject::Twins => drawn,
            Subject::Choices => Self { lies: 1000, choosing: Choosing::Beyond, ..drawn },
            Subject::Folds => {
                let tries = dice.one([2, 4, 6, 9]);
                Self { lies: 1000, tries, is_loose: false, making: Making::Confusing, ..drawn }
            }
        }
    }
}

/// A rule that the kernel has taken, and what it leaves open, the first first.
pub struct Applied {
    /// The rule, with its hints.
    pub rule: Rule,
    /// What is to be closed next.
    pub children: Vec<Configuration>,
}

/// A proof being built.
pub struct Builder<'a> {
    /// All decisions.
    pub dice: Dice,
    /// What is proved of.
    pub setting: Setting<'a>,
    /// What is known of the lengths of array inputs at the entry.
    pub lengths: Lengths,
    /// How adventurous it is.
    pub style: Style,
    /// The terms: the table, and what the derivation at hand has made.
    pub arena: Arena,
    /// The terms that rules may name, where these are not all.
    pub known: Option<Known>,
    /// The templates.
    pub templates: Vec<Template>,
    /// What they describe.
    pub targets: Vec<Configuration>,
    /// What has been asked of these terms.
    memory: Memory,
    /// How many rules may still be tried.
    fuel: usize,
}

/// Was everything closed?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Closed {
    /// Yes.
    Yes,
    /// Something was not; a rule that the kernel has refused stands there.
    No,
}

impl<'a> Builder<'a> {
    /// Nothing is built yet.
    pub fn new(dice: Dice, (setting, lengths): (Setting<'a>, Lengths), style: Style, arena: Arena, known: Option<Known>) -> Self {
        Self {
            dice,
            setting,
            lengths,
            style,
            arena,
            known,
            templates: Vec::new(),
            targets: Vec::new(),
            memory: Memory::default(),
            fuel: FUEL,
        }
    }

    /// An oracle for one rule.
    pub fn prover(&mut self) -> Prover {
        Prover::new(Dice::new(self.dice.bits()), self.style.lies, Rc::clone(&self.memory))
    }

    /// May another template be added?
    pub fn has_room(&self) -> bool {
        self.templates.len() < TEMPLATES
    }

    /// Writes the derivation from all size classes.
    pub fn roots(&mut self, written: &mut Vec<Rule>) -> Closed {
        let mut closed = Closed::Yes;
        self.fuel = FUEL;
        for class in 0.. {
            match rules::root(&mut self.arena, self.setting, self.lengths, class) {
                Ok(Some(root)) => {
                    if self.close(&root, written) == Closed::No {
                        // The other classes are not worth the time.
                        (closed, self.fuel) = (Closed::No, 0);
                    }
                }
                Ok(None) => break,
                Err(_) => return Closed::No,
            }
        }
        closed
    }

    /// Goes on with these terms.
    pub fn begin_with(&mut self, arena: Arena) {
        (self.arena, self.memory) = (arena, Memory::default());
    }

    /// Writes the derivation from a template.
    pub fn derivation(&mut self, template: usize, written: &mut Vec<Rule>) -> Closed {
        self.fuel = FUEL;
        let Some(target) = self.targets.get(template).cloned() else { return Closed::No };
        self.close(&target, written)
    }

    /// Closes a configuration, with all that comes of it.
    fn close(&mut self, configuration: &Configuration, written: &mut Vec<Rule>) -> Closed {
        if self.fuel > 0
            && let Some(rule) = self.closing(configuration)
        {
            written.push(rule);
            return Closed::Yes;
        }
        let start = written.len();
        // Where the primary alone has failed everything hangs on what is tried here.
        let has_failed = matches!(configuration.members.as_slice(), [primary] if rules::has_failed(self.setting, primary.place));
        let tries = if has_failed { 4 * self.style.tries } else { self.style.tries };
        for left in (0..tries).rev() {
            let Some(applied) = self.any_move(configuration) else { break };
            self.fuel -= 1;
            written.push(applied.rule);
            if self.close_all(applied.children, written) == Closed::Yes {
                return Closed::Yes;
            }
            // The last try stays, so that the checker gets far, too.
            if left == 0 {
                return Closed::No;
            }
            written.truncate(start);
        }
        let refused = self.refused(configuration);
        written.push(refused);
        Closed::No
    }

    /// Closes all of these; first those whose primary has failed, since they are the hardest.
    fn close_all(&mut self, children: Vec<Configuration>, written: &mut Vec<Rule>) -> Closed {
        let mut order: Vec<(bool, usize, Configuration)> = children
            .into_iter()
            .enumerate()
            .map(|(position, child)| {
                let has_failed = child.members.first().is_some_and(|primary| rules::has_failed(self.setting, primary.place));
                (!has_failed, position, child)
            })
            .collect();
        order.sort_by_key(|(is_easy, position, _)| (*is_easy, *position));
        let mut parts = Vec::new();
        let mut closed = Closed::Yes;
        for (_, position, child) in order {
            let mut part = Vec::new();
            if closed == Closed::No {
                part.push(self.refused(&child));
            } else {
                closed = self.close(&child, &mut part);
            }
            parts.push((position, part));
        }
        parts.sort_by_key(|(position, _)| *position);
        written.extend(parts.into_iter().flat_map(|(_, part)| part));
        closed
    }

    /// A rule that closes it, if the kernel takes one.
    fn closing(&mut self, configuration: &Configuration) -> Option<Rule> {
        if rules::end(self.setting, configuration).is_ok() {
            return Some(Rule::End);
        }
        let members = u32::try_from(configuration.members.len()).unwrap_or(0);
        if let Some(member) =
            (0..members).map(MemberId).find(|member| rules::descent(&mut self.arena, self.setting, configuration, *member).is_ok())
        {
            return Some(Rule::Descent { member });
        }
        if let Some(member) =
            (0..members).map(MemberId).find(|member| twin::twin(&mut self.arena, self.setting, configuration, *member).is_ok())
        {
            return Some(Rule::Twin { member });
        }
        let mut prover = self.prover();
        if let Some(refutation) = prover.find(&mut self.arena, &configuration.predicate, &[]) {
            let rule = Rule::Infeasible { refutation };
            if self.is_known(&rule) {
                return Some(rule);
            }
        }
        (0..self.targets.len()).find_map(|template| moves::cover(self, configuration, template).map(|applied| applied.rule))
    }

    /// A move that the kernel takes, of several that are tried.
    fn any_move(&mut self, configuration: &Configuration) -> Option<Applied> {
        if self.fuel == 0 {
            return None;
        }
        (0..GUESSES).find_map(|_| self.try_move(configuration))
    }

    /// A move, if the kernel takes it.
    fn try_move(&mut self, configuration: &Configuration) -> Option<Applied> {
        let position = self.dice.weighted(&self.style.weights)?;
        let applied = (MOVES.get(position)?.make)(self, configuration)?;
        self.is_known(&applied.rule).then_some(applied)
    }

    /// May the rule be written down: are all of its terms in the table?
    pub fn is_known(&self, rule: &Rule) -> bool {
        self.known.is_none_or(|known| known.has(rule))
    }

    /// A closing rule that is wrong here.
    fn refused(&mut self, configuration: &Configuration) -> Rule {
        let member = MemberId(self.dice.id(configuration.members.len() + 1));
        let refutation = Refutation::default();
        match self.dice.below(6) {
            0 => Rule::End,
            1 => Rule::Descent { member },
            2 => Rule::Step { refuted: Vec::new() },
            3 => Rule::Drop { member },
            4 => Rule::Subsume { template: TemplateId(self.dice.id(TEMPLATES)), matching: Matching::default(), hints: Vec::new() },
            _ => Rule::Infeasible { refutation },
        }
    }
}
