//! Refutations in words: the facts that one uses, each with the line that it comes from, and what follows from them.

use crate::{
    deduction::{Added, Reason, Rounding, added},
    labels::Labels,
    naming::Naming,
    replay::{DerivationId, Moment, Move, Obligation},
};
use goatherd_certificates::{
    derivation::{FactId, MemberId, TemplateId},
    program::{Instruction, Location},
    term::Literal,
};
use goatherd_checker::{rejection::Rejection, term::Arena};
use serde::Serialize;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// A fact that an argument begins with.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Debug)]
pub struct Fact {
    /// By what number the argument refers to it, from 1.
    pub number: usize,
    /// In terms of C.
    pub fact: String,
    /// Where it comes from.
    pub from: String,
}

/// A fact that follows.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Debug)]
pub struct Inference {
    /// By what number the argument refers to it.
    pub number: usize,
    /// In terms of C.
    pub fact: String,
    /// From which, and why.
    pub why: String,
    /// In how many suppositions it stands.
    pub depth: usize,
}

/// Why some facts contradict each other.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Debug)]
pub struct Argument {
    /// What is supposed, for the sake of a contradiction.
    pub supposed: Vec<String>,
    /// What is known and used.
    pub facts: Vec<Fact>,
    /// What follows, in order; the last one cannot be.
    pub steps: Vec<Inference>,
}

/// What obligations of a moment add to what is known, step by step: before anything is named, since names are of terms that are there.
pub fn steps(arena: &mut Arena, moment: &Moment, obligations: &[Obligation]) -> Result<Vec<Vec<Added>>, Rejection> {
    let predicate = &moment.configuration.predicate;
    obligations.iter().map(|obligation| added(arena, predicate, &obligation.assumptions, &obligation.refutation)).collect()
}

/// The argument by which something that had to be shown at a moment was shown, in these steps.
pub fn argument(
    naming: &Naming<'_>,
    labels: &Labels<'_>,
    (derivation, moment): (DerivationId, &Arc<Moment>),
    (assumptions, steps): (&[Literal], &[Added]),
) -> Argument {
    let predicate = &moment.configuration.predicate;
    let mut used: BTreeSet<usize> = steps.iter().flat_map(|step| premises(&step.reason)).map(|(fact, _)| fact.index()).collect();
    // What stands in the predicate may be a contradiction by itself.
    used.retain(|position| *position < predicate.len());
    let supposed = assumptions.iter().map(|literal| naming.literal(*literal)).collect();
    let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
    let mut facts = Vec::new();
    for position in used {
        numbers.insert(position, facts.len() + 1);
        let from = origin(labels, (derivation, moment), position);
        facts.push(Fact { number: facts.len() + 1, fact: naming.literal(predicate[position]), from });
    }
    let words = Words { naming, known: predicate.len(), assumed: assumptions.len() };
    let mut inferences: Vec<Inference> = Vec::new();
    for step in steps {
        let number = facts.len() + inferences.len() + 1;
        let why = words.reason(step, &numbers);
        numbers.insert(step.id.index(), number);
        inferences.push(Inference { number, fact: naming.literal(step.literal), why, depth: step.depth });
    }
    Argument { supposed, facts, steps: inferences }
}

/// The facts that a reason names, each with how many times it is taken.
fn premises(reason: &Reason) -> Vec<(FactId, i128)> {
    match reason {
        Reason::Sum(parts, _) => parts.clone(),
        Reason::Bound(left, right) => vec![(*left, 1), (*right, 1)],
        Reason::Equal(facts) | Reason::Value(facts) | Reason::Written(facts) | Reason::Conversion(facts) | Reason::Bits(facts) => {
            facts.iter().map(|fact| (*fact, 1)).collect()
        }
        Reason::Elsewhere(fact) => vec![(*fact, 1)],
        Reason::Definition(_) | Reason::Supposed | Reason::Otherwise => Vec::new(),
    }
}

struct Words<'a> {
    naming: &'a Naming<'a>,
    known: usize,
    assumed: usize,
}

impl Words<'_> {
    /// How the argument refers to a fact.
    fn fact(&self, fact: FactId, numbers: &BTreeMap<usize, usize>) -> String {
        match (numbers.get(&fact.index()), fact.index().checked_sub(self.known)) {
            (Some(number), _) => format!("({number})"),
            (None, Some(0)) if self.assumed == 1 => String::from("the supposition"),
            (None, Some(position)) => format!("supposition {}", position + 1),
            (None, None) => String::from("what is known"),
        }
    }

    fn list(&self, reason: &Reason, numbers: &BTreeMap<usize, usize>) -> String {
        let facts = premises(reason).into_iter().map(|(fact, times)| {
            let fact = self.fact(fact, numbers);
            if times == 1 { fact } else { format!("{times} times {fact}") }
        });
        facts.collect::<Vec<_>>().join(" + ")
    }

    fn reason(&self, step: &Added, numbers: &BTreeMap<usize, usize>) -> String {
        let list = self.list(&step.reason, numbers);
        match &step.reason {
            Reason::Sum(_, Rounding::Exact) => list,
            Reason::Sum(_, Rounding::Rounded) => format!("{list}, divided and rounded: all numbers are whole"),
            Reason::Bound(..) => format!("{list}: the bound itself is excluded"),
            Reason::Definition(atom) => format!("what {} may be by its type or definition", self.naming.atom(*atom)),
            Reason::Equal(facts) if facts.is_empty() => String::from("equal operands, equal results"),
            Reason::Equal(_) => format!("equal operands, equal results, by {list}"),
            Reason::Value(facts) if facts.is_empty() => String::from("carried out"),
            Reason::Value(_) => format!("carried out on the values that {list} leaves"),
            Reason::Written(_) => format!("what is read is what was written there ({list})"),
            Reason::Elsewhere(_) => format!("what is read is not what was written, as that is elsewhere ({list})"),
            Reason::Conversion(_) => format!("the value fits its type ({list}), so that its conversion changes nothing"),
            Reason::Bits(_) => format!("what the bits of numbers that are not negative may give ({list})"),
            Reason::Supposed => String::from("suppose so; or else see below"),
            Reason::Otherwise => String::from("otherwise, since that was a contradiction"),
        }
    }
}

/// Where a literal of the predicate comes from.
pub fn origin(labels: &Labels<'_>, (derivation, moment): (DerivationId, &Arc<Moment>), position: usize) -> String {
    for present in moment.past() {
        let Some((before, moved)) = &present.before else { break };
        if before.configuration.predicate.len() > position {
            continue;
        }
        return match moved {
            Move::Step(member) => match before.location(*member) {
                Some(location) => step_origin(labels, *member, location),
                None => String::from("a failure"),
            },
            Move::Split => String::from("the case at hand: its opposite is dealt with apart"),
            Move::Unfold => String::from("what a node of this kind holds"),
            Move::Named => String::from("a name for a value"),
            Move::Added | Move::Dropped(_) => String::from("what a smaller input is"),
        };
    }
    match derivation {
        DerivationId::Roots => String::from("every valid input of this size"),
        DerivationId::Template(template) => format!("assumed in {}, shown wherever the proof comes there", herd(labels, template)),
    }
}

fn step_origin(labels: &Labels<'_>, member: MemberId, location: Location) -> String {
    let line = labels.line(location);
    let what = match labels.program().instructions.get(location.index()) {
        Some(Instruction::Branch(_)) => "the way taken at",
        Some(Instruction::Load { .. } | Instruction::Store { .. }) => "the element accessed at",
        _ => "the outcome at",
    };
    if member == MemberId(0) { format!("{what} {line}") } else { format!("{what} {line}, in scapegoat {}", member.0) }
}

/// The herd that a template stands for.
pub fn herd(labels: &Labels<'_>, template: TemplateId) -> String {
    let location = labels.audit().proof.templates.get(template.index()).and_then(|template| template.members.first());
    let line = location.map_or_else(String::new, |member| format!(" ({})", labels.line(member.location)));
    format!("herd {}{line}", template.0)
}

/// Facts, in words, each once.
pub fn facts(naming: &Naming<'_>, literals: &[Literal]) -> Vec<String> {
    let mut facts: Vec<String> = Vec::new();
    for literal in literals {
        let fact = naming.literal(*literal);
        if !facts.contains(&fact) {
            facts.push(fact);
        }
    }
    facts
}
