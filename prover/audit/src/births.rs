//! Why the run of a scapegoat is smaller: what its input lacks, found where it joined, however many herds it has been handed through.

use crate::{
    labels::{Labels, primes},
    naming::Naming,
    replay::{Birth, Joined, Moment},
};
use goatherd_certificates::{
    configuration::{InputSize, Slot},
    derivation::{DroppedElement, InputDrop, MemberId, TemplateId},
    term::Scope,
};
use goatherd_checker::{Configuration, Member, term::Arena};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

/// A member of a template.
type Seat = (TemplateId, MemberId);

/// Where the scapegoats of templates come from.
#[derive(Default, Debug)]
pub struct Births {
    own: BTreeMap<Seat, BTreeSet<String>>,
    from: BTreeMap<Seat, BTreeSet<Seat>>,
    /// What has been said of those that joined. They are kept, so that nobody else takes their place.
    said: HashMap<*const Joined, (Arc<Joined>, String)>,
}

/// Why a scapegoat is smaller, as far as its derivation knows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ancestry {
    /// In words.
    Known(String),
    /// As this member of a template is.
    Seat(TemplateId, MemberId),
}

impl Births {
    /// A template covers what is known at a moment.
    pub fn arrive(&mut self, arena: &Arena, labels: &Labels<'_>, template: TemplateId, moment: &Arc<Moment>) {
        for member in (1u32..).map(MemberId).take(moment.births.len()) {
            match &moment.births[member.index() - 1] {
                Birth::Template(other, seat) => {
                    self.from.entry((template, member)).or_default().insert((*other, *seat));
                }
                Birth::Joined(joined) => {
                    let words = || (Arc::clone(joined), joined_words(arena, labels, &moment.configuration.scope, joined));
                    let (_, words) = self.said.entry(Arc::as_ptr(joined)).or_insert_with(words);
                    self.own.entry((template, member)).or_default().insert(words.clone());
                }
            }
        }
    }

    /// In words, wherever it comes from.
    pub fn words(&self, origin: &Ancestry) -> Vec<String> {
        let Ancestry::Seat(template, member) = origin else {
            return if let Ancestry::Known(words) = origin { vec![words.clone()] } else { Vec::new() };
        };
        let (mut words, mut seen, mut open) = (BTreeSet::new(), BTreeSet::new(), vec![(*template, *member)]);
        while let Some(seat) = open.pop() {
            if seen.insert(seat) {
                words.extend(self.own.get(&seat).into_iter().flatten().cloned());
                open.extend(self.from.get(&seat).into_iter().flatten());
            }
        }
        words.into_iter().collect()
    }
}

/// Why a scapegoat is smaller, as far as its derivation knows.
pub fn origin(arena: &Arena, labels: &Labels<'_>, moment: &Arc<Moment>, member: MemberId) -> Option<Ancestry> {
    let birth = moment.births.get(member.index().checked_sub(1)?)?;
    Some(match birth {
        Birth::Template(template, seat) => Ancestry::Seat(*template, *seat),
        Birth::Joined(joined) => Ancestry::Known(joined_words(arena, labels, &moment.configuration.scope, joined)),
    })
}

/// Why the run of a scapegoat that has joined is smaller.
fn joined_words(arena: &Arena, labels: &Labels<'_>, scope: &Scope, Joined { drops, integers, entry }: &Joined) -> String {
    let entry = entry_configuration(entry, scope);
    let naming = Naming::of(arena, labels, &entry);
    let left_out: Vec<String> = drops.iter().map(|drop| dropped(labels, &naming, drop)).collect();
    let name = |input: u32| labels.names.input(usize::try_from(input).unwrap_or(usize::MAX));
    let values: Vec<String> = integers.iter().map(|(input, value)| format!("{} = {}", name(*input), naming.linear(*value))).collect();
    let words = match left_out.as_slice() {
        [] => String::from("it runs on an input of the same size"),
        left_out => format!("its input is the same without {}", left_out.join(" and ")),
    };
    if values.is_empty() { words } else { format!("{words}, with {}", values.join(", ")) }
}

/// The primary's state at the entry as a configuration of its own, so that it has names.
fn entry_configuration(entry: &Member, scope: &Scope) -> Configuration {
    Configuration { scope: *scope, trees: Vec::new(), predicate: Vec::new(), members: vec![entry.clone()], entry: None, progress: true }
}

/// What an input lacks.
fn dropped(labels: &Labels<'_>, naming: &Naming<'_>, drop: &InputDrop) -> String {
    let input = labels.names.input(usize::try_from(drop.input).unwrap_or(usize::MAX));
    match drop.element {
        DroppedElement::First(element) => format!("its element {input}[{element}]"),
        DroppedElement::Last => format!("the last element of {input}"),
        DroppedElement::Node { object, child } => {
            let node = naming.object(object, MemberId(0)).map_or_else(|| labels.names.object(object), |label| label.text.clone());
            match child {
                None => format!("the node at {node}, in whose place is NULL"),
                Some(_) => format!("the node at {node}, in whose place is what hung below it"),
            }
        }
    }
}

/// Is the scapegoat smaller by what it consumes, and how is that known?
pub fn consumed(naming: &Naming<'_>, configuration: &Configuration, member: MemberId) -> Option<String> {
    let scapegoat = configuration.members.get(member.index())?;
    if scapegoat.size == InputSize::Smaller {
        return None;
    }
    let primary = configuration.members.first()?;
    let (Slot::Integer(_), Slot::Integer(_)) = (scapegoat.consumed, primary.consumed) else { return None };
    let values = [(scapegoat, member), (primary, MemberId(0))].map(|(state, member)| naming.slot(state.consumed, member));
    let [own, others] = values;
    Some(format!("it consumes fewer nondeterministic values and rounds of loops: rounds{} = {own}, rounds = {others}", primes(member)))
}
