//! A herd in words, for reports on where a search got stuck.

use goatherd_certificates::{
    configuration::{Address, Folded, Life, Slot},
    program::{IntegerType, ObjectId, Program, RegisterId},
    term::{Array, ArrayId, ArrayStore, Atom, AtomId, Computation, LinearId, Literal, Sign},
};
use goatherd_checker::{
    configuration::{Configuration, Member, Place},
    term::Arena,
};

/// Describes the configuration, one line per fact: for each member its location and what its registers and objects hold, then the predicate.
pub fn describe(arena: &Arena, program: &Program, configuration: &Configuration) -> Vec<String> {
    let words = Words { arena, program };
    let mut lines = Vec::new();
    for (number, member) in configuration.members.iter().enumerate() {
        words.member(number, member, &mut lines);
    }
    lines.extend(configuration.predicate.iter().map(|literal| format!("where {}", words.literal(*literal))));
    lines
}

struct Words<'a> {
    arena: &'a Arena,
    program: &'a Program,
}

/// What is not there is written like this; it cannot happen to terms of the arena.
const UNKNOWN: &str = "?";

impl Words<'_> {
    fn member(&self, number: usize, member: &Member, lines: &mut Vec<String>) {
        let who = if number == 0 { "primary".to_owned() } else { format!("scapegoat {number}") };
        let place = match member.place {
            Place::At(location) => format!("at instruction {}", location.0),
            Place::Failed => "has failed".to_owned(),
        };
        lines.push(format!("{who} {place}"));
        for (register, slot) in (0..).map(RegisterId).zip(&member.registers) {
            if !matches!(slot, Slot::Forgotten | Slot::Uninitialised) {
                let name = self.program.registers.get(register.index()).map_or(UNKNOWN, |register| &register.name);
                lines.push(format!("  {name} = {}", self.slot(member, *slot)));
            }
        }
        for state in member.objects.iter().flatten() {
            let life = if state.life == Life::Live { "" } else { ", dead" };
            let (lower, upper) = (self.linear(state.lower), self.linear(state.upper));
            let mut line = format!("  {}[{lower} .. {upper}){life}:", self.object(member, state.object));
            for field in &state.fields {
                for cell in &field.cells {
                    line.push(' ');
                    line += &self.slot(member, *cell);
                }
                if let Some(rest) = field.rest {
                    line += " rest ";
                    line += &self.array(rest);
                }
            }
            lines.push(line);
        }
        for (id, Folded { tree, above, same, below }) in (0u32..).zip(&member.folded).filter_map(|(id, part)| Some((id, (*part)?))) {
            let (above, below) = (self.slot(member, above), self.slot(member, below));
            let same = if same == Slot::Forgotten { String::new() } else { format!(", same {}", self.slot(member, same)) };
            lines.push(format!("  part {id}: symbol {}, above it {above}{same}, below it {below}", tree.0));
        }
    }

    /// What the declaration is called; the number too, if it is not the first object of its declaration.
    fn object(&self, member: &Member, object: ObjectId) -> String {
        let declaration = member.object(object).map_or(object, |state| state.declaration);
        let name = self.program.objects.get(declaration.index()).map_or(UNKNOWN, |object| &object.name);
        if declaration == object { name.to_owned() } else { format!("{name} #{}", object.0) }
    }

    fn slot(&self, member: &Member, slot: Slot) -> String {
        match slot {
            Slot::Forgotten => "anything".to_owned(),
            Slot::Uninitialised => "uninitialised".to_owned(),
            Slot::Null => "NULL".to_owned(),
            Slot::Integer(term) => self.linear(term),
            Slot::Pointer(Address { object, index, byte: 0 }) => format!("&{}[{}]", self.object(member, object), self.linear(index)),
            Slot::Pointer(Address { object, index, byte }) => {
                format!("&{}[{}] + {byte} bytes", self.object(member, object), self.linear(index))
            }
            Slot::Folded(id) => format!("root of part {}", id.0),
            Slot::Last(id) => format!("last cell of part {}", id.0),
        }
    }

    fn literal(&self, literal: Literal) -> String {
        let sign = match literal.sign {
            Sign::AtMostZero => "<=",
            Sign::Zero => "==",
            Sign::NotZero => "!=",
        };
        let Ok(linear) = self.arena.linear(literal.term) else { return UNKNOWN.to_owned() };
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for (atom, coefficient) in &linear.summands {
            let side = if *coefficient > 0 { &mut left } else { &mut right };
            side.push(self.summand(*atom, coefficient.abs()));
        }
        match linear.constant {
            0 => {}
            constant if constant > 0 => left.push(constant.to_string()),
            constant => right.push(constant.abs().to_string()),
        }
        let sum = |side: Vec<String>| if side.is_empty() { "0".to_owned() } else { side.join(" + ") };
        format!("{} {sign} {}", sum(left), sum(right))
    }

    fn summand(&self, atom: AtomId, coefficient: i128) -> String {
        if coefficient == 1 { self.atom(atom) } else { format!("{coefficient}*{}", self.atom(atom)) }
    }

    fn linear(&self, id: LinearId) -> String {
        let Ok(linear) = self.arena.linear(id) else { return UNKNOWN.to_owned() };
        let mut parts: Vec<String> = linear.summands.iter().map(|(atom, coefficient)| self.summand(*atom, *coefficient)).collect();
        if linear.constant != 0 || parts.is_empty() {
            parts.push(linear.constant.to_string());
        }
        parts.join(" + ").replace("+ -", "- ")
    }

    fn atom(&self, id: AtomId) -> String {
        match self.arena.atom(id) {
            Ok(Atom::Variable(variable)) => format!("{}{}", variable.sort.map_or("x", letter), variable.number),
            Ok(Atom::Select { array, index }) => format!("{}[{}]", self.array(*array), self.linear(*index)),
            Ok(Atom::Quotient { divisor, argument }) => format!("floor(({}) / {divisor})", self.linear(*argument)),
            Ok(Atom::Apply(Computation { operation, left, right, .. })) => {
                format!("{operation:?}({}, {})", self.linear(*left), self.linear(*right))
            }
            Err(_) => UNKNOWN.to_owned(),
        }
    }

    fn array(&self, id: ArrayId) -> String {
        match self.arena.array(id) {
            Ok(Array::Variable(variable)) => format!("A{}{}", letter(variable.sort), variable.number),
            Ok(Array::Store(ArrayStore { array, index, value })) => {
                format!("{}{{[{}] := {}}}", self.array(*array), self.linear(*index), self.linear(*value))
            }
            Ok(Array::Constant(value)) => format!("all {}", self.linear(*value)),
            Ok(Array::Table(table)) => format!("table {}", table.0),
            Err(_) => UNKNOWN.to_owned(),
        }
    }
}

/// A letter for the variables of a type.
fn letter(kind: IntegerType) -> &'static str {
    match kind {
        IntegerType::Bool => "b",
        IntegerType::I8 => "c",
        IntegerType::U8 => "uc",
        IntegerType::I16 => "s",
        IntegerType::U16 => "us",
        IntegerType::I32 => "i",
        IntegerType::U32 => "u",
        IntegerType::I64 => "l",
        IntegerType::U64 => "ul",
    }
}
