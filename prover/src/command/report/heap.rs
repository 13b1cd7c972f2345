//! The heap at one point of a run: objects that hold pointers, what they lead to, and the variables that point there. As data, as lines of text
//! and as a graph.

use super::values;
use goatherd::picture::Graph;
use goatherd_certificates::program::{Access, Type};
use goatherd_interpreter::{Life, Machine, Pointer, Reference, Value};
use serde::Serialize;
use std::collections::BTreeSet;

/// Elements of one object that are shown.
const ELEMENTS: u64 = 8;

/// A heap.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Debug)]
pub struct Heap {
    /// The variables that point to these objects.
    pub variables: Vec<Cell>,
    /// The objects, in the order in which they came to be.
    pub objects: Vec<Object>,
}

/// An object.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Object {
    /// `node 3`, or the variable's name.
    pub name: String,
    /// The type of its elements.
    pub layout: String,
    /// Freed, or out of scope.
    pub dead: bool,
    /// What it holds; of many elements the first ones.
    pub cells: Vec<Cell>,
}

/// A variable, or a field of an object, and what it holds.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Cell {
    /// The name of the variable or field.
    pub name: String,
    /// What it holds.
    pub value: String,
    /// The object to which it points, by position in [`Heap::objects`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<usize>,
}

impl Heap {
    /// The machine's heap; nothing where no object holds pointers.
    pub fn of(machine: &Machine<'_>) -> Self {
        let shown: Vec<Reference> = shown(machine).into_iter().map(Reference).collect();
        let (program, objects) = (machine.program(), machine.objects());
        let cell = |name: String, kind: Type, value: Value| {
            let target = match value {
                Value::Pointer(pointer) => shown.binary_search_by_key(&pointer.object.0, |reference| reference.0).ok(),
                _ => None,
            };
            Cell { name, value: values::value(program, objects, kind, value), target }
        };
        let object = |reference: &Reference| {
            let object = objects.get(reference.0)?;
            let mut cells = Vec::new();
            for index in 0..object.count.min(ELEMENTS) {
                for (position, field) in object.layout.fields.iter().enumerate() {
                    let element = if object.count == 1 { String::new() } else { format!("[{index}]") };
                    let name = values::member(element, &field.name);
                    cells.push(cell(name.trim_start_matches('.').to_owned(), field.kind, object.cell(i128::from(index), position)));
                }
            }
            let name = values::object(program, objects, *reference).unwrap_or_default();
            Some(Object { name, layout: object.layout.name.clone(), dead: object.life == Life::Dead, cells })
        };
        let variables = program
            .registers
            .iter()
            .zip(machine.registers())
            .filter(|(register, value)| matches!(value, Value::Pointer(_)) && values::is_of_source(values::plain(&register.name)));
        let variables = variables.map(|(register, value)| cell(register.name.clone(), register.kind, *value));
        Self { variables: variables.filter(|cell| cell.target.is_some()).collect(), objects: shown.iter().filter_map(object).collect() }
    }

    /// Is nothing to be seen in it?
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// The variables in one line, then a line per object.
    pub fn lines(&self) -> Vec<String> {
        let cells = |cells: &[Cell]| {
            let cell = |cell: &Cell| if cell.name.is_empty() { cell.value.clone() } else { format!("{} = {}", cell.name, cell.value) };
            cells.iter().map(cell).collect::<Vec<_>>().join(", ")
        };
        let variables = Some(cells(&self.variables)).filter(|variables| !variables.is_empty());
        let object = |object: &Object| {
            let dead = if object.dead { ", dead" } else { "" };
            format!("{} ({}{dead}): {}", object.name, object.layout, cells(&object.cells))
        };
        variables.into_iter().chain(self.objects.iter().map(object)).collect()
    }

    /// Where in an object a pointer ends, if not at its start.
    fn end(&self, cell: &Cell) -> String {
        let object = cell.target.and_then(|target| self.objects.get(target));
        let part = object.and_then(|object| cell.value.strip_prefix('&')?.strip_prefix(object.name.as_str()));
        part.filter(|part| !part.is_empty()).map_or_else(String::new, |part| format!(" to {part}"))
    }

    /// A graph: objects as boxes, dead ones filled, with an edge for each pointer.
    pub fn picture(&self) -> String {
        let mut graph = Graph::default();
        for (number, object) in self.objects.iter().enumerate() {
            let mut label = format!("{} ({})", object.name, object.layout);
            for cell in object.cells.iter().filter(|cell| cell.target.is_none()) {
                label = format!("{label}\n{}{}{}", cell.name, if cell.name.is_empty() { "" } else { " = " }, cell.value);
            }
            let style = if object.dead { ", shape=box, style=filled, fillcolor=\"#d0d0d0\"" } else { ", shape=box" };
            graph.node(format_args!("o{number}"), label, style);
            for cell in &object.cells {
                if let Some(target) = cell.target {
                    graph.edge(format_args!("o{number}"), format_args!("o{target}"), format_args!("{}{}", cell.name, self.end(cell)));
                }
            }
        }
        for (number, cell) in self.variables.iter().enumerate() {
            graph.node(format_args!("v{number}"), &cell.name, ", shape=ellipse");
            if let Some(target) = cell.target {
                graph.edge(format_args!("v{number}"), format_args!("o{target}"), self.end(cell).trim_start());
            }
        }
        graph.finish()
    }
}

/// The objects that are shown, ascending: those that can be written and hold pointers, and all that these lead to.
fn shown(machine: &Machine<'_>) -> BTreeSet<usize> {
    let objects = machine.objects();
    let holds_pointers = |reference: usize| objects[reference].layout.fields.iter().any(|field| field.kind == Type::Pointer);
    let is_constant = |reference: usize| objects[reference].access == Access::ReadOnly;
    let mut shown: BTreeSet<usize> =
        (0..objects.len()).filter(|reference| holds_pointers(*reference) && !is_constant(*reference)).collect();
    let mut open: Vec<usize> = shown.iter().copied().collect();
    while let Some(reference) = open.pop() {
        let object = &objects[reference];
        for index in 0..object.count.min(ELEMENTS) {
            for field in 0..object.layout.fields.len() {
                if let Value::Pointer(Pointer { object: target, .. }) = object.cell(i128::from(index), field)
                    && target.0 < objects.len()
                    && shown.insert(target.0)
                {
                    open.push(target.0);
                }
            }
        }
    }
    shown
}
