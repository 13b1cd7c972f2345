//! Values of runs in terms of C.

use goatherd_certificates::program::{ArrayInput, Input, IntegerType, Layout, ObjectId, Origin, Program, RegisterId, Type};
use goatherd_interpreter::{InputValue, LinkedNode, MemoryObject, Pointer, Reference, Value, Write};

/// The inputs of a run, one `name = value` each.
pub fn inputs(program: &Program, values: &[InputValue]) -> Vec<(String, String)> {
    let mut lines = Vec::new();
    let mut nodes_before = 0;
    for (input, value) in program.inputs.iter().zip(values) {
        match (input, value) {
            (Input::Integer { register }, InputValue::Integer(value)) => {
                lines.push((name(program, *register), integer(program, *register, *value)));
            }
            (Input::Array(ArrayInput { pointer, length, object }), InputValue::Array(elements)) => {
                let layout = layout_of(program, *object);
                lines.push((name(program, *length), elements.len().to_string()));
                let elements: Vec<String> = elements.iter().map(|integers| element(layout, integers)).collect();
                lines.push((name(program, *pointer), braces(&elements)));
            }
            (Input::Single { pointer, .. }, InputValue::Single(None)) => lines.push((name(program, *pointer), "NULL".to_owned())),
            (Input::Single { pointer, object }, InputValue::Single(Some(integers))) => {
                lines.push((format!("*{}", name(program, *pointer)), element(layout_of(program, *object), integers)));
            }
            (Input::Linked { pointer, object }, InputValue::Linked(nodes)) => {
                lines.push((name(program, *pointer), tree(program, *object, nodes, nodes_before)));
                nodes_before += nodes.len();
            }
            _ => {}
        }
    }
    lines
}

/// Where a step wrote and what, if a name of the source stands for it.
pub fn write(program: &Program, objects: &[MemoryObject<'_>], write: Write) -> Option<(String, String)> {
    match write {
        Write::Register { register, value: written } => {
            let name = name(program, register);
            let name = plain(&name);
            let kind = program.registers.get(register.index())?.kind;
            is_of_source(name).then(|| (name.to_owned(), value(program, objects, kind, written)))
        }
        Write::Cell { object, index, field, value: written } => {
            let name = cell(program, objects, object, index)?;
            let field = objects.get(object.0)?.layout.fields.get(field)?;
            Some((member(name, &field.name), value(program, objects, field.kind, written)))
        }
    }
}

/// Without the function from whose inlined copy it comes: the line says which one is meant.
pub fn plain(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, name)| name)
}

/// Names that the front end made are none of C.
pub fn is_of_source(name: &str) -> bool {
    let is_word = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '.' | '-' | '>');
    name.starts_with(|first: char| first == '_' || first.is_ascii_alphabetic()) && name.chars().all(is_word)
}

/// A field of an element.
pub fn member(element: String, field: &str) -> String {
    if field.is_empty() { element } else { format!("{element}.{field}") }
}

/// An object: nodes by their number among all nodes, others by their declaration's name, with a number where there are several.
pub fn object(program: &Program, objects: &[MemoryObject<'_>], reference: Reference) -> Option<String> {
    let (earlier, rest) = objects.split_at_checked(reference.0)?;
    let id = rest.first()?.declaration?;
    let declared = program.objects.get(id.index())?;
    if matches!(declared.origin, Origin::Node { .. }) {
        let is_node = |object: &&MemoryObject<'_>| {
            let declared = object.declaration.and_then(|id| program.objects.get(id.index()));
            declared.is_some_and(|declared| matches!(declared.origin, Origin::Node { .. }))
        };
        return Some(format!("node {}", earlier.iter().filter(is_node).count()));
    }
    let same = earlier.iter().filter(|object| object.declaration == Some(id)).count();
    let name = plain(&declared.name);
    Some(if same == 0 { name.to_owned() } else { format!("{name}#{}", same + 1) })
}

/// An element of an object.
fn cell(program: &Program, objects: &[MemoryObject<'_>], reference: Reference, index: i128) -> Option<String> {
    let declared = program.objects.get(objects.get(reference.0)?.declaration?.index())?;
    let is_single = matches!(declared.origin, Origin::Local { count: 1 } | Origin::Static { count: 1, .. } | Origin::Node { .. });
    let name = object(program, objects, reference)?;
    Some(if is_single && index == 0 { name } else { format!("{name}[{index}]") })
}

/// A value that is held, in a register or a cell of the type.
pub fn value(program: &Program, objects: &[MemoryObject<'_>], kind: Type, value: Value) -> String {
    match (value, kind) {
        (Value::Integer(value), Type::Integer(kind)) => integer_of(kind, value),
        (Value::Pointer(Pointer { object: reference, index, byte }), _) => {
            let Some(object) = objects.get(reference.0) else { return value.to_string() };
            let Some(name) = cell(program, objects, reference, index) else { return value.to_string() };
            let field = object.layout.fields.iter().find(|field| field.offset == byte && !field.name.is_empty());
            match (byte, field) {
                (_, Some(field)) if byte > 0 => format!("&{name}.{}", field.name),
                // The node itself, as in inputs.
                (0, _) if name.starts_with("node ") => name,
                (0, _) => format!("&{name}"),
                _ => format!("&{name} + {byte} bytes"),
            }
        }
        _ => value.to_string(),
    }
}

/// The name of a register.
pub fn name(program: &Program, register: RegisterId) -> String {
    program.registers.get(register.index()).map(|register| register.name.clone()).unwrap_or_default()
}

/// The value of an integer register.
pub fn integer(program: &Program, register: RegisterId, value: i128) -> String {
    match program.registers.get(register.index()).map(|register| register.kind) {
        Some(Type::Integer(kind)) => integer_of(kind, value),
        _ => value.to_string(),
    }
}

/// Characters are shown as such too.
fn integer_of(kind: IntegerType, value: i128) -> String {
    let character = u8::try_from(value).ok().filter(|byte| byte.is_ascii_graphic() || *byte == b' ');
    match character {
        Some(byte) if matches!(kind, IntegerType::I8 | IntegerType::U8) => format!("{value} '{}'", char::from(byte)),
        _ => value.to_string(),
    }
}

fn layout_of(program: &Program, object: ObjectId) -> Option<&Layout> {
    program.layouts.get(program.objects.get(object.index())?.layout.index())
}

/// One element with these integer fields.
fn element(layout: Option<&Layout>, integers: &[i128]) -> String {
    let mut values = integers.iter();
    let mut parts = Vec::new();
    for field in layout.map(|layout| layout.fields.as_slice()).unwrap_or_default() {
        let Type::Integer(kind) = field.kind else { continue };
        let Some(value) = values.next() else { break };
        let value = integer_of(kind, *value);
        if field.name.is_empty() {
            return value;
        }
        parts.push(format!(".{} = {value}", field.name));
    }
    braces(&parts)
}

fn braces(parts: &[String]) -> String {
    if parts.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", parts.join(", ")) }
}

/// The nodes of a linked input, each with the numbers of its children; the first has this number.
fn tree(program: &Program, root: ObjectId, nodes: &[LinkedNode], first: usize) -> String {
    if nodes.is_empty() {
        return "NULL".to_owned();
    }
    let declarations = LinkedNode::declarations(program, root, nodes).unwrap_or_default();
    let node = |(number, (node, declaration)): (usize, (&LinkedNode, &ObjectId))| {
        let children: Vec<String> =
            node.children.iter().map(|child| child.map_or("NULL".to_owned(), |child| format!("node {}", first + child))).collect();
        format!("node {}: {} -> {}", first + number, element(layout_of(program, *declaration), &node.integers), children.join(", "))
    };
    nodes.iter().zip(&declarations).enumerate().map(node).collect::<Vec<_>>().join("; ")
}
