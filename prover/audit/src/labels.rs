//! What things are called: registers as the variables of C that they are, and objects by what leads to them.

use crate::replay::Audit;
use goatherd_certificates::{
    certificate::Position,
    configuration::{Address, ObjectState, Slot},
    derivation::MemberId,
    program::{ArrayInput, Location, ObjectId, Origin, Program, RegisterId},
};
use goatherd_checker::{Member, term::Arena};
use goatherd_frontend::{escape::shortened, print::program::Names};
use std::collections::{BTreeMap, HashMap, VecDeque};

/// The longest way to an object that is written out, in characters.
const LONGEST_PATH: usize = 48;

/// How a variable of C is called.
#[derive(Clone, Debug)]
pub struct Label {
    /// The name.
    pub text: String,
    /// Is it one of the front end's own, for a value in between?
    pub is_temporary: bool,
}

/// The names of a program, and where its instructions stand in the source.
#[derive(Debug)]
pub struct Labels<'a> {
    /// The program's own names.
    pub names: Names<'a>,
    audit: &'a Audit<'a>,
    registers: Vec<Label>,
}

impl<'a> Labels<'a> {
    /// Those of a program.
    pub fn new(audit: &'a Audit<'a>) -> Self {
        let program: &'a Program = &audit.program;
        let names = Names::new(program);
        let numbers = (0u32..).map(RegisterId).take(program.registers.len());
        let full: Vec<String> = numbers.map(|register| names.register(register)).collect();
        // `strlen:p` is `p`, where there is one `p` only.
        let short = |name: &str| name.rsplit(':').next().unwrap_or_default().to_owned();
        let mut counts = BTreeMap::new();
        for name in &full {
            *counts.entry(short(name)).or_insert(0u32) += 1;
        }
        let label = |name: &String| {
            let own = short(name);
            let is_temporary = own.starts_with('%');
            let text = if counts.get(&own) == Some(&1) && !own.is_empty() { own } else { name.clone() };
            Label { text, is_temporary }
        };
        let registers = full.iter().map(label).collect();
        Self { names, audit, registers }
    }

    /// The program, with the proof's lemmas.
    pub fn program(&self) -> &'a Program {
        &self.audit.program
    }

    /// The proof.
    pub const fn audit(&self) -> &'a Audit<'a> {
        self.audit
    }

    /// How a register is called in a member: the primary's `i` is `i'` in the first scapegoat.
    pub fn register(&self, register: RegisterId, member: MemberId) -> Label {
        let missing = || Label { text: self.names.register(register), is_temporary: true };
        let Label { text, is_temporary } = self.registers.get(register.index()).cloned().unwrap_or_else(missing);
        Label { text: text + &primes(member), is_temporary }
    }

    /// Where an instruction stands in the source.
    pub fn position(&self, location: Location) -> Option<Position> {
        self.audit.certificate.positions.get(self.audit.original(location).index()).copied()
    }

    /// The name of a file of the source.
    pub fn file(&self, file: u32) -> Option<String> {
        self.audit.certificate.files.get(usize::try_from(file).ok()?).map(|file| shortened(file))
    }

    /// `FILE:LINE`, or the location's number.
    pub fn place(&self, location: Location) -> String {
        let position = self.position(location);
        let place = position.and_then(|Position { file, line, .. }| Some(format!("{}:{line}", self.file(file)?)));
        place.unwrap_or_else(|| format!("location {}", location.0))
    }

    /// `line LINE`, with the file's name where it is not the first file.
    pub fn line(&self, location: Location) -> String {
        match self.position(location) {
            Some(Position { file: 0, line, .. }) => format!("line {line}"),
            _ => self.place(location),
        }
    }
}

/// The mark of a member on what is its own: `'` for the first scapegoat, `''` for the second.
pub fn primes(member: MemberId) -> String {
    match member.0 {
        number @ 0..=3 => "'".repeat(number.try_into().unwrap_or(0)),
        number => format!("'{number}"),
    }
}

/// How the elements of an object are written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Form {
    /// `text[i]`
    Array,
    /// `text`: the only element of a variable.
    Single,
    /// `text->f`: the only element, behind a pointer.
    Node,
}

/// How an object is called.
#[derive(Clone, Debug)]
pub struct ObjectLabel {
    /// Its name, or a pointer to it.
    pub text: String,
    /// How its elements are written.
    pub form: Form,
}

impl ObjectLabel {
    /// A field of one of its elements; the index is that of C.
    pub fn element(&self, index: &str, field: &str) -> String {
        let text = &self.text;
        match (&self.form, field) {
            (Form::Array, "") => format!("{text}[{index}]"),
            (Form::Array, field) => format!("{text}[{index}].{field}"),
            (Form::Single, "") => text.clone(),
            (Form::Single, field) => format!("{text}.{field}"),
            (Form::Node, "") => format!("*{text}"),
            (Form::Node, field) => format!("{text}->{field}"),
        }
    }
}

/// How the objects of a member are called.
pub fn objects(labels: &Labels<'_>, arena: &Arena, member: &Member, number: MemberId) -> BTreeMap<ObjectId, ObjectLabel> {
    let mut found = BTreeMap::new();
    let mut pointers = VecDeque::from(pointer_registers(labels, member, number));
    let by_name: HashMap<String, Slot> = pointers.iter().cloned().collect();
    for state in member.objects.iter().flatten() {
        if let Some(label) = declared(labels, arena, &by_name, state, number) {
            found.insert(state.object, label);
        }
    }
    // The shortest ways come first.
    while let Some((path, slot)) = pointers.pop_front() {
        let Slot::Pointer(Address { object, index, byte: 0 }) = slot else { continue };
        let Some(state) = member.object(object).filter(|state| state.lower == index || is_node(labels, state)) else { continue };
        let is_new = !found.contains_key(&object);
        let label = found.entry(object).or_insert_with(|| ObjectLabel { text: path, form: form(labels, arena, state) }).clone();
        if is_new && label.text.chars().count() < LONGEST_PATH {
            for (position, field) in state.fields.iter().enumerate() {
                let name = field_name(labels, state.declaration, position);
                let cells = (0..).zip(&field.cells).filter_map(|(cell, slot)| Some((index_in_c(arena, state, cell)?, *slot)));
                pointers.extend(cells.map(|(cell, slot)| (label.element(&cell, &name), slot)));
            }
        }
    }
    for state in member.objects.iter().flatten() {
        found.entry(state.object).or_insert_with(|| {
            let text = format!("{}#{}{}", labels.names.object(state.declaration), state.object.0, primes(number));
            ObjectLabel { text, form: form(labels, arena, state) }
        });
    }
    found
}

/// The index that C has for a cell: from the first element, wherever the object begins; none where there is no such element.
pub fn index_in_c(arena: &Arena, state: &ObjectState, cell: i128) -> Option<String> {
    let index = cell.checked_sub(arena.value(state.lower)?)?;
    (index >= 0).then(|| index.to_string())
}

/// The registers that hold pointers, those of C first, short names first.
fn pointer_registers(labels: &Labels<'_>, member: &Member, number: MemberId) -> Vec<(String, Slot)> {
    let registers = (0u32..).map(RegisterId).zip(&member.registers);
    let mut pointers: Vec<_> = registers
        .filter(|(_, slot)| matches!(slot, Slot::Pointer(_)))
        .map(|(register, slot)| (labels.register(register, number), *slot))
        .collect();
    pointers.sort_by(|(left, _), (right, _)| {
        let key = |label: &Label| (label.is_temporary, label.text.len());
        key(left).cmp(&key(right)).then_with(|| left.text.cmp(&right.text))
    });
    pointers.into_iter().map(|(label, slot)| (label.text, slot)).collect()
}

/// The label of an object that the program declares by a name: not one that only pointers lead to.
fn declared(
    labels: &Labels<'_>,
    arena: &Arena,
    pointers: &HashMap<String, Slot>,
    state: &ObjectState,
    number: MemberId,
) -> Option<ObjectLabel> {
    let object = labels.program().objects.get(state.declaration.index())?;
    let form = match object.origin {
        Origin::Node { .. } | Origin::Heap => return None,
        Origin::Input if is_single(arena, state) && !names_array(labels, state.declaration) => return None,
        _ => form(labels, arena, state),
    };
    let number_of = if state.object == state.declaration { String::new() } else { format!("#{}", state.object.0) };
    let mut text = labels.names.object(state.declaration) + &number_of + &primes(number);
    // A variable of that name may have moved on.
    if let Some(Slot::Pointer(Address { object, index, byte })) = pointers.get(&text)
        && (*object, *index, *byte) != (state.object, state.lower, 0)
    {
        text = format!("start({text})");
    }
    Some(ObjectLabel { text, form })
}

/// Is the declaration that of an array input?
fn names_array(labels: &Labels<'_>, declaration: ObjectId) -> bool {
    use goatherd_certificates::program::Input;
    labels.program().inputs.iter().any(|input| matches!(input, Input::Array(ArrayInput { object, .. }) if *object == declaration))
}

fn is_node(labels: &Labels<'_>, state: &ObjectState) -> bool {
    labels.program().objects.get(state.declaration.index()).is_some_and(|object| matches!(object.origin, Origin::Node { .. }))
}

/// Has the object one element, as far as is evident?
fn is_single(arena: &Arena, state: &ObjectState) -> bool {
    arena.value(state.lower) == Some(0) && arena.value(state.upper) == Some(1)
}

fn form(labels: &Labels<'_>, arena: &Arena, state: &ObjectState) -> Form {
    let origin = labels.program().objects.get(state.declaration.index()).map(|object| &object.origin);
    match origin {
        Some(Origin::Node { .. }) => Form::Node,
        Some(Origin::Heap) if is_single(arena, state) => Form::Node,
        Some(Origin::Input) if is_single(arena, state) && !names_array(labels, state.declaration) => Form::Node,
        Some(Origin::Local { count: 1 } | Origin::Static { count: 1, .. }) => Form::Single,
        _ => Form::Array,
    }
}

/// The name of a field, empty where elements have one without a name.
pub fn field_name(labels: &Labels<'_>, declaration: ObjectId, position: usize) -> String {
    let program = labels.program();
    let layout = program.objects.get(declaration.index()).and_then(|object| program.layouts.get(object.layout.index()));
    layout.and_then(|layout| layout.fields.get(position)).map_or_else(|| format!("field.{position}"), |field| shortened(&field.name))
}
