//! Names, in C, for what a configuration knows: for each variable of its terms what holds it, and so for each term and each fact.
//!
//! A configuration says `int#0 + 1 <= x1`; if the primary's `i` holds `int#0`, and its `n` holds `x1`, that is `i < n`. If a scapegoat's `i` holds
//! `int#0 - 1`, then `i' == i - 1`.

use crate::{
    labels::{Form, Label, Labels, ObjectLabel, field_name, index_in_c, objects, primes},
    replay::Moment,
    sum::Sum,
};
use goatherd_certificates::{
    configuration::{Address, ObjectState, Slot},
    derivation::MemberId,
    program::{ObjectId, Operation, RegisterId},
    term::{Array, ArrayId, ArrayStore, ArrayVariable, Atom, AtomId, Computation, Linear, LinearId, Literal, Sign, Variable},
};
use goatherd_checker::{Configuration, Member, Part, term::Arena};
use goatherd_frontend::print::program::{integer_name, operation_name, table_name};
use std::{
    cell::{Cell, OnceCell},
    collections::BTreeMap,
    sync::Arc,
};

/// How many atoms a text mentions at most: terms share parts, so that written out they may be of any length.
const MOST_ATOMS: u32 = 64;
/// How deep terms are written out.
const DEEPEST: u32 = 12;
/// How many moments of the past are looked through for what a variable was.
const LONGEST_PAST: usize = 4096;
/// What stands where a text would be too long.
const OMITTED: &str = "(...)";

/// How good a name is: by whether it is a temporary, whether something has to be added, by member, and by its length.
type Rank = (bool, bool, MemberId, usize);

/// A name for a term: this text holds it.
struct Candidate {
    rank: Rank,
    text: String,
    term: Linear,
}

/// What the elements of an array term are called.
#[derive(Clone, Debug)]
struct ArrayLabel {
    object: ObjectLabel,
    field: String,
    /// The first element's index in the term.
    lower: LinearId,
    /// How many of the first indices stand apart, and are not in the term.
    cells: usize,
}

/// The names of a configuration.
#[derive(Debug)]
pub struct Naming<'a> {
    arena: &'a Arena,
    labels: &'a Labels<'a>,
    configuration: &'a Configuration,
    objects: Vec<BTreeMap<ObjectId, ObjectLabel>>,
    atoms: BTreeMap<AtomId, Sum>,
    arrays: BTreeMap<ArrayId, ArrayLabel>,
    fuel: Cell<u32>,
    /// The moment, if there is one, and what is known of those before it.
    moment: Option<&'a Arc<Moment>>,
    past: OnceCell<Past>,
}

/// Names for what no longer is.
#[derive(Default, Debug)]
struct Past {
    atoms: BTreeMap<AtomId, String>,
    arrays: BTreeMap<ArrayId, ArrayLabel>,
    names: Names,
}

/// Names that have been given.
#[derive(Default, Debug)]
struct Names(BTreeMap<String, u32>);

impl Names {
    /// The name, or one with a number behind it.
    fn fresh(&mut self, name: &str) -> String {
        let count = self.0.entry(name.to_owned()).or_insert(0);
        *count += 1;
        if *count == 1 { name.to_owned() } else { format!("{name}.{count}") }
    }
}

impl<'a> Naming<'a> {
    /// Of what is known at a moment, and of what once was.
    pub fn at(arena: &'a Arena, labels: &'a Labels<'a>, moment: &'a Arc<Moment>) -> Self {
        Self::seen_by(arena, labels, moment, MemberId(0))
    }

    /// As [`Self::at`], in the names of this member where it has any.
    pub fn seen_by(arena: &'a Arena, labels: &'a Labels<'a>, moment: &'a Arc<Moment>, member: MemberId) -> Self {
        let mut naming = Self::preferring(arena, labels, &moment.configuration, member);
        naming.moment = Some(moment);
        naming
    }

    /// Of a configuration.
    pub fn of(arena: &'a Arena, labels: &'a Labels<'a>, configuration: &'a Configuration) -> Self {
        Self::preferring(arena, labels, configuration, MemberId(0))
    }

    fn preferring(arena: &'a Arena, labels: &'a Labels<'a>, configuration: &'a Configuration, preferred: MemberId) -> Self {
        let members = (0u32..).map(MemberId).zip(&configuration.members);
        let objects: Vec<_> = members.map(|(number, member)| objects(labels, arena, member, number)).collect();
        let (atoms, arrays, fuel) = (BTreeMap::new(), BTreeMap::new(), Cell::new(MOST_ATOMS));
        let mut this = Self { arena, labels, configuration, objects, atoms, arrays, fuel, moment: None, past: OnceCell::new() };
        let mut candidates = Vec::new();
        // The first one to say what an array is called is heard.
        let mut members: Vec<_> = (0u32..).map(MemberId).zip(&configuration.members).collect();
        members.sort_by_key(|(number, _)| *number != preferred);
        for (number, member) in members {
            this.registers(number, member, &mut candidates);
            for state in member.objects.iter().flatten() {
                this.elements(number, state, &mut candidates);
            }
            let held = format!("rounds{}", primes(number));
            Self::offer((true, false, number, 0), held, this.integer(member.consumed), &mut candidates);
        }
        // A name of another member comes after all of the preferred one.
        let is_other = |candidate: &Candidate| preferred != MemberId(0) && candidate.rank.2 != preferred;
        candidates.sort_by(|left, right| {
            let order = (is_other(left), left.rank).cmp(&(is_other(right), right.rank));
            order.then_with(|| left.text.cmp(&right.text))
        });
        // A term of several variables names one where the others have names.
        for candidate in candidates.iter().chain(&candidates) {
            this.take(candidate);
        }
        this
    }

    /// The arena that its terms are in.
    pub const fn arena(&self) -> &'a Arena {
        self.arena
    }

    fn integer(&self, slot: Slot) -> Option<Linear> {
        if let Slot::Integer(term) = slot { self.arena.linear(term).ok().cloned() } else { None }
    }

    fn offer(rank: Rank, text: String, term: Option<Linear>, candidates: &mut Vec<Candidate>) {
        let Some(term) = term.filter(|term| !term.summands.is_empty()) else { return };
        let (is_temporary, _, member, length) = rank;
        candidates.push(Candidate { rank: (is_temporary, term.constant != 0, member, length), text, term });
    }

    fn registers(&self, number: MemberId, member: &Member, candidates: &mut Vec<Candidate>) {
        for (register, slot) in (0u32..).map(RegisterId).zip(&member.registers) {
            let Label { text, is_temporary } = self.labels.register(register, number);
            let rank = |text: &str| (is_temporary, false, number, text.len());
            match *slot {
                Slot::Integer(_) => Self::offer(rank(&text), text, self.integer(*slot), candidates),
                Slot::Pointer(Address { object, index, byte: 0 }) => {
                    let Some((label, state)) = self.objects[number.index()].get(&object).zip(member.object(object)) else { continue };
                    if label.form == Form::Array {
                        let text = format!("({text} - {})", label.text);
                        Self::offer(rank(&text), text, self.difference(index, state.lower), candidates);
                    }
                }
                _ => {}
            }
        }
    }

    /// The difference of two terms.
    fn difference(&self, left: LinearId, right: LinearId) -> Option<Linear> {
        let (left, right) = (self.arena.linear(left).ok()?, self.arena.linear(right).ok()?);
        let mut factors: BTreeMap<AtomId, i128> = left.summands.iter().copied().collect();
        for (atom, factor) in &right.summands {
            let sum = factors.entry(*atom).or_insert(0);
            *sum = sum.checked_sub(*factor)?;
        }
        let summands = factors.into_iter().filter(|(_, factor)| *factor != 0).collect();
        Some(Linear { constant: left.constant.checked_sub(right.constant)?, summands })
    }

    /// What an object's cells hold, and how many there are.
    fn elements(&mut self, number: MemberId, state: &ObjectState, candidates: &mut Vec<Candidate>) {
        let Some(label) = self.objects[number.index()].get(&state.object).cloned() else { return };
        for (position, field) in state.fields.iter().enumerate() {
            let name = field_name(self.labels, state.declaration, position);
            for (cell, slot) in (0..).zip(&field.cells) {
                let Some(index) = index_in_c(self.arena, state, cell) else { continue };
                let text = label.element(&index, &name);
                Self::offer((false, false, number, text.len()), text, self.integer(*slot), candidates);
            }
            if let Some(rest) = field.rest {
                let array = ArrayLabel { object: label.clone(), field: name, lower: state.lower, cells: field.cells.len() };
                self.arrays.entry(rest).or_insert(array);
            }
        }
        let length = format!("len({})", label.text);
        Self::offer((true, false, number, 0), length, self.difference(state.upper, state.lower), candidates);
    }

    /// Takes a name for the one atom of its term that has none.
    fn take(&mut self, Candidate { text, term, .. }: &Candidate) {
        let unnamed: Vec<_> = term.summands.iter().filter(|(atom, _)| !self.atoms.contains_key(atom)).collect();
        let [(atom, factor @ (1 | -1))] = unnamed.as_slice() else { return };
        let is_variable = matches!(self.arena.atom(*atom), Ok(Atom::Variable(_)));
        // What is computed from others is better called by that, unless a variable of C holds it.
        if !is_variable && (term.constant != 0 || term.summands.len() > 1 || text.starts_with('%') || !is_word(text)) {
            return;
        }
        // text = constant + others + factor * atom
        let mut sum = Sum::default();
        let done = (|| {
            sum.add(*factor, text)?;
            sum.constant = term.constant.checked_mul(-factor)?;
            let others = term.summands.iter().filter(|(other, _)| other != atom);
            others.into_iter().try_for_each(|(other, times)| sum.add_sum(times.checked_mul(-factor)?, self.atoms.get(other)?))
        })();
        if done.is_some() {
            self.atoms.insert(*atom, sum);
        }
    }

    /// What variables that nothing holds any more were held by: `i@24` is the value of `i` just before line 24 changed it. It is looked for only
    /// where a text needs it.
    fn past(&self) -> &Past {
        self.past.get_or_init(|| {
            let mut past = Past::default();
            let moments = self.moment.into_iter().flat_map(Moment::past).skip(1).take(LONGEST_PAST);
            for moment in moments {
                for (number, member) in (0u32..).map(MemberId).zip(&moment.configuration.members) {
                    if let Some(location) = moment.location(number) {
                        let line = self.labels.position(location).map_or(0, |position| position.line);
                        self.remember(&mut past, (number, member), line);
                    }
                }
            }
            past
        })
    }

    fn remember(&self, past: &mut Past, (number, member): (MemberId, &Member), line: u32) {
        for (register, slot) in (0u32..).map(RegisterId).zip(&member.registers) {
            let Slot::Integer(term) = *slot else { continue };
            let Ok(Linear { constant: 0, summands }) = self.arena.linear(term) else { continue };
            let [(atom, 1)] = summands.as_slice() else { continue };
            if self.atoms.contains_key(atom) || past.atoms.contains_key(atom) || !matches!(self.arena.atom(*atom), Ok(Atom::Variable(_))) {
                continue;
            }
            let Label { text, is_temporary } = self.labels.register(register, number);
            if !is_temporary {
                past.atoms.insert(*atom, past.names.fresh(&format!("{text}@{line}")));
            }
        }
        for state in member.objects.iter().flatten() {
            for (position, field) in state.fields.iter().enumerate() {
                let is_new = |rest: &ArrayId| !self.arrays.contains_key(rest) && !past.arrays.contains_key(rest);
                let Some(rest) = field.rest.filter(is_new) else { continue };
                let known = self.objects.get(number.index()).and_then(|objects| objects.get(&state.object));
                let text = known.map_or_else(|| self.labels.names.object(state.declaration), |label| label.text.clone());
                let object = ObjectLabel { text: past.names.fresh(&format!("{text}@{line}")), form: Form::Array };
                let field_name = field_name(self.labels, state.declaration, position);
                past.arrays.insert(rest, ArrayLabel { object, field: field_name, lower: state.lower, cells: field.cells.len() });
            }
        }
    }

    /// A term, as C has it.
    pub fn linear(&self, term: LinearId) -> String {
        self.refuel();
        self.sum(term, 0).text()
    }

    /// A fact.
    pub fn literal(&self, literal: Literal) -> String {
        self.refuel();
        self.sum(literal.term, 0).compared(literal.sign)
    }

    /// A fact on a term that has not been made.
    pub fn compared(&self, term: &Linear, sign: Sign) -> String {
        self.refuel();
        self.sum_of(term, 0).compared(sign)
    }

    /// An atom.
    pub fn atom(&self, atom: AtomId) -> String {
        self.refuel();
        self.atom_sum(atom, 0).text()
    }

    /// What a slot of a member holds.
    pub fn slot(&self, slot: Slot, number: MemberId) -> String {
        match slot {
            Slot::Forgotten => String::from("anything"),
            Slot::Uninitialised => String::from("no value"),
            Slot::Integer(term) => self.linear(term),
            Slot::Null => String::from("NULL"),
            Slot::Pointer(Address { object, index, byte }) => self.pointer((object, index, byte), number),
            Slot::Folded(part) => format!("the root of {}", part_name(part.0, number)),
            Slot::Last(part) => format!("the last node of {}", part_name(part.0, number)),
        }
    }

    fn pointer(&self, (object, index, byte): (ObjectId, LinearId, u64), number: MemberId) -> String {
        self.refuel();
        let label = self.objects.get(number.index()).and_then(|objects| objects.get(&object));
        let state = self.configuration.members.get(number.index()).and_then(|member| member.object(object));
        let Some((label, state)) = label.zip(state) else { return format!("a pointer to {}", self.labels.names.object(object)) };
        let index = self.difference(index, state.lower).map(|index| self.sum_of(&index, 0).text());
        let text = match (&label.form, index.as_deref()) {
            (Form::Node, Some("0")) => label.text.clone(),
            (Form::Single, Some("0")) => format!("&{}", label.text),
            (Form::Array, Some(index)) => format!("&{}[{index}]", label.text),
            (_, Some(index)) => format!("{} + {index}", label.text),
            (_, None) => format!("a pointer into {}", label.text),
        };
        if byte == 0 { text } else { format!("(char *) {text} + {byte}") }
    }

    /// How many elements an object has.
    pub fn length(&self, state: &ObjectState) -> String {
        self.refuel();
        self.difference(state.upper, state.lower).map_or_else(|| OMITTED.to_owned(), |length| self.sum_of(&length, 0).text())
    }

    /// How an object of a member is called.
    pub fn object(&self, object: ObjectId, number: MemberId) -> Option<&ObjectLabel> {
        self.objects.get(number.index())?.get(&object)
    }

    fn refuel(&self) {
        self.fuel.set(MOST_ATOMS);
    }

    fn sum(&self, term: LinearId, depth: u32) -> Sum {
        self.arena
            .linear(term)
            .map_or_else(|_| Sum { constant: 0, parts: vec![(1, format!("t{}", term.0))] }, |term| self.sum_of(term, depth))
    }

    fn sum_of(&self, term: &Linear, depth: u32) -> Sum {
        let mut sum = Sum::of(term.constant);
        let whole = term.summands.iter().try_for_each(|(atom, factor)| sum.add_sum(*factor, &self.atom_sum(*atom, depth)));
        if whole.is_some() {
            return sum;
        }
        // Numbers get too large: the atoms as they are.
        let parts = term.summands.iter().map(|(atom, factor)| (*factor, format!("a{}", atom.0))).collect();
        Sum { constant: term.constant, parts }
    }

    fn atom_sum(&self, atom: AtomId, depth: u32) -> Sum {
        if let Some(sum) = self.atoms.get(&atom) {
            return sum.clone();
        }
        let text = match (self.arena.atom(atom), self.fuel.get().checked_sub(1)) {
            (Ok(structure), Some(fuel)) if depth < DEEPEST => {
                self.fuel.set(fuel);
                self.structure(atom, structure, depth + 1)
            }
            _ => OMITTED.to_owned(),
        };
        Sum { constant: 0, parts: vec![(1, text)] }
    }

    /// A variable that nothing holds at present.
    fn variable(&self, atom: AtomId, Variable { sort, number }: Variable) -> String {
        let raw = || sort.map_or_else(|| format!("x{number}"), |sort| format!("{}#{number}", integer_name(sort)));
        self.past().atoms.get(&atom).cloned().unwrap_or_else(raw)
    }

    /// What an array is called, or was.
    fn array_label(&self, array: ArrayId) -> Option<&ArrayLabel> {
        self.arrays.get(&array).or_else(|| self.past().arrays.get(&array))
    }

    fn structure(&self, id: AtomId, atom: &Atom, depth: u32) -> String {
        let operand = |term: LinearId| self.sum(term, depth).operand();
        match *atom {
            Atom::Variable(variable) => self.variable(id, variable),
            Atom::Select { array, index } => self.element(array, index, depth),
            Atom::Quotient { divisor, argument } => format!("floor({} / {divisor})", operand(argument)),
            Atom::Apply(Computation { operation: Operation::Add, kind, left, right }) if self.arena.value(right) == Some(0) => {
                format!("({}) {}", integer_name(kind), operand(left))
            }
            Atom::Apply(Computation { operation, kind, left, right }) => {
                format!("({}) ({} {} {})", integer_name(kind), operand(left), operation_name(operation), operand(right))
            }
        }
    }

    /// An element of an array term.
    fn element(&self, array: ArrayId, index: LinearId, depth: u32) -> String {
        let Some(ArrayLabel { object, field, lower, cells }) = self.array_label(array) else {
            return format!("{}[{}]", self.array(array, depth), self.sum(index, depth).text());
        };
        let in_c = self.difference(index, *lower).map_or_else(|| OMITTED.to_owned(), |index| self.sum_of(&index, depth).text());
        let text = object.element(&in_c, field);
        // The first elements stand apart, so that it is one only behind them.
        if self.is_behind(index, *cells) { text } else { format!("rest({text})") }
    }

    /// Is it evident, or known, that the index is not one of the first so many, nor negative?
    fn is_behind(&self, index: LinearId, cells: usize) -> bool {
        let Ok(cells) = i128::try_from(cells) else { return false };
        let is_above = self.arena.range(index).is_some_and(|(least, _)| least >= cells);
        let Ok(index) = self.arena.linear(index) else { return false };
        let says = |literal: &Literal| {
            // constant - index <= 0, up to the index's own constant
            let Ok(known) = self.arena.linear(literal.term) else { return false };
            let opposite = known.summands.len() == index.summands.len()
                && known
                    .summands
                    .iter()
                    .zip(&index.summands)
                    .all(|(left, right)| left.0 == right.0 && left.1.checked_neg() == Some(right.1));
            let least = known.constant.checked_add(index.constant);
            literal.sign == Sign::AtMostZero && opposite && least.is_some_and(|least| least >= cells)
        };
        is_above || self.configuration.predicate.iter().any(says)
    }

    fn array(&self, array: ArrayId, depth: u32) -> String {
        if let Some(ArrayLabel { object, field, .. }) = self.array_label(array) {
            return if field.is_empty() { object.text.clone() } else { format!("{}.{field}", object.text) };
        }
        let fuel = self.fuel.get().checked_sub(1).filter(|_| depth < DEEPEST);
        let Some(fuel) = fuel else { return OMITTED.to_owned() };
        self.fuel.set(fuel);
        match self.arena.array(array) {
            Ok(Array::Variable(ArrayVariable { sort, number })) => format!("{}[]#{number}", integer_name(*sort)),
            Ok(Array::Store(ArrayStore { array, index, value })) => {
                let (index, value) = (self.sum(*index, depth + 1).text(), self.sum(*value, depth + 1).text());
                format!("({} with [{index}] = {value})", self.array(*array, depth + 1))
            }
            Ok(Array::Constant(value)) => format!("(all {})", self.sum(*value, depth + 1).text()),
            Ok(Array::Table(table)) => table_name(*table),
            Err(_) => format!("A{}", array.0),
        }
    }

    /// The variables that a term mentions exist, so that it has a meaning here.
    pub fn has_meaning(&self, term: LinearId) -> bool {
        self.arena.exists(&self.configuration.scope, Part::Linear(term)).is_ok()
    }
}

/// A part of a heap that is not looked at.
fn part_name(part: u32, number: MemberId) -> String {
    format!("part {part}{}", primes(number))
}

/// One word, with the marks that names have.
fn is_word(text: &str) -> bool {
    text.chars().all(|character| character.is_alphanumeric() || "_.'".contains(character))
}
