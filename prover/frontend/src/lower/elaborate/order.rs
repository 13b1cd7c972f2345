//! Expressions whose meaning depends on the order of evaluation (C11 6.5p2) are refused.
//!
//! C leaves the order of most operands open. Lowering picks one; that is right only where every order does the same. So for each pair of
//! operands without an order between them, what one writes the other neither reads nor writes. Memory is told apart by where a pointer may
//! point ([`super::roots`]) and by the width of its cells: accesses of different width never meet, because the program form has no access
//! to a part of a cell.

use super::roots::{Region, Roots};
use crate::{
    diagnostics::{Diagnostic, Kind},
    lower::{
        tree::{
            Base, Builtin, Change, Expression, ExpressionKind, Function, FunctionId, Global, GlobalId, Item, Place, Statement,
            StatementKind, Unit, VariableId,
        },
        types::{CType, Shape, width},
    },
};
use goatherd_certificates::program::Operation;
use std::collections::BTreeSet;

/// Something that an expression reads or writes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Cell {
    Variable(VariableId),
    Global(GlobalId),
    Memory(Width, Region),
    /// Whether the program goes on: written by what may end it without failure, read by what may fail.
    End,
}

/// What a cell of memory is wide.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Width {
    Bits(u32),
    Pointer,
}

/// All kinds of cells, for structs as a whole and for `free`.
const ALL_WIDTHS: [Width; 5] = [Width::Bits(8), Width::Bits(16), Width::Bits(32), Width::Bits(64), Width::Pointer];

/// What evaluating an expression does.
#[derive(Clone, Default, Debug)]
struct Effects {
    reads: BTreeSet<Cell>,
    /// Writes that are over when the value is there.
    completed: BTreeSet<Cell>,
    /// Writes that may come later, until the next sequence point.
    pending: BTreeSet<Cell>,
}

impl Effects {
    fn writes(&self) -> impl Iterator<Item = &Cell> {
        self.completed.iter().chain(&self.pending)
    }

    fn touched(&self) -> impl Iterator<Item = &Cell> {
        self.reads.iter().chain(self.writes())
    }

    fn add(&mut self, other: Self) {
        self.reads.extend(other.reads);
        self.completed.extend(other.completed);
        self.pending.extend(other.pending);
    }

    /// A sequence point.
    fn complete(&mut self) {
        self.completed.append(&mut self.pending);
    }
}

/// The diagnostics of all functions.
pub(crate) fn check(unit: &Unit) -> Vec<Diagnostic> {
    let Some(first) = unit.functions.get(unit.entry) else { return Vec::new() };
    let mut checker = Checker {
        functions: &unit.functions,
        addressed: &unit.addressed,
        globals: &unit.globals,
        summaries: vec![Summary::Unknown; unit.functions.len()],
        current: unit.entry,
        roots: Roots::of(first),
        entry: unit.entry,
        conflicts: BTreeSet::new(),
    };
    for function in 0..unit.functions.len() {
        checker.summary(function);
    }
    let diagnostic = |offset| Diagnostic {
        kind: Kind::Unsupported,
        message: "an expression that depends on the order of evaluation".to_owned(),
        offset,
        help: Some("C does not say which part comes first; write it as several statements".to_owned()),
    };
    checker.conflicts.into_iter().map(diagnostic).collect()
}

/// What a call of a function does to what its caller can see.
#[derive(Clone)]
enum Summary {
    Unknown,
    InProgress,
    Known(Effects),
}

struct Checker<'a> {
    functions: &'a [Function],
    addressed: &'a BTreeSet<FunctionId>,
    globals: &'a [Global],
    summaries: Vec<Summary>,
    current: FunctionId,
    /// Where the pointers of the current function point.
    roots: Roots<'a>,
    entry: FunctionId,
    conflicts: BTreeSet<usize>,
}

impl Checker<'_> {
    fn summary(&mut self, id: FunctionId) -> Effects {
        match &self.summaries[id] {
            Summary::Known(effects) => return effects.clone(),
            // The effects of a recursive call are those that are being collected.
            Summary::InProgress => return Effects::default(),
            Summary::Unknown => {}
        }
        self.summaries[id] = Summary::InProgress;
        let functions = self.functions;
        let caller = std::mem::replace(&mut self.current, id);
        let caller_roots = std::mem::replace(&mut self.roots, Roots::of(&functions[id]));
        let mut effects = self.statements(&functions[id].body);
        self.current = caller;
        self.roots = caller_roots;
        effects.complete();
        for cells in [&mut effects.reads, &mut effects.completed] {
            cells.retain(|cell| !matches!(cell, Cell::Variable(_) | Cell::Memory(_, Region::Variable(_))));
        }
        if functions[id].recursive {
            // A call by itself may hand on one parameter's pointer as another's.
            for cells in [&mut effects.reads, &mut effects.completed] {
                *cells = cells
                    .iter()
                    .map(|cell| if let Cell::Memory(width, _) = cell { Cell::Memory(*width, Region::Anywhere) } else { *cell })
                    .collect();
            }
        }
        self.summaries[id] = Summary::Known(effects.clone());
        effects
    }

    fn statements(&mut self, statements: &[Statement]) -> Effects {
        let mut effects = Effects::default();
        for statement in statements {
            let mut inner = self.statement(statement);
            inner.complete();
            effects.add(inner);
        }
        effects
    }

    fn statement(&mut self, statement: &Statement) -> Effects {
        match &statement.kind {
            StatementKind::Expression(value) | StatementKind::Return(Some(value)) => self.expression(value),
            StatementKind::Initialise(variable, items) => {
                let mut effects = self.items(items, statement.offset);
                effects.completed.insert(Cell::Variable(*variable));
                effects
            }
            StatementKind::Block(_, body) => self.statements(body),
            StatementKind::If { condition, then, otherwise } => {
                let mut effects = self.expression(condition);
                effects.add(self.statements(then));
                effects.add(self.statements(otherwise));
                effects
            }
            StatementKind::Loop { condition, step, body } => {
                let mut effects = self.statements(body);
                for expression in condition.iter().chain(step) {
                    effects.add(self.expression(expression));
                }
                effects
            }
            StatementKind::DoWhile { condition, body } | StatementKind::Switch { value: condition, body, .. } => {
                let mut effects = self.expression(condition);
                effects.add(self.statements(body));
                effects
            }
            StatementKind::Declare(_)
            | StatementKind::Label(_)
            | StatementKind::Goto(_)
            | StatementKind::Break
            | StatementKind::Continue
            | StatementKind::Return(None) => Effects::default(),
        }
    }

    fn items(&mut self, items: &[Item], offset: usize) -> Effects {
        let parts = items.iter().map(|item| self.expression(&item.value)).collect();
        self.unordered(parts, offset)
    }

    /// Does the order of two evaluations matter?
    fn conflict(&self, one: &Effects, two: &Effects) -> bool {
        let meets = |one: &Effects, two: &Effects| one.writes().any(|cell| two.touched().any(|other| self.overlap(*cell, *other)));
        meets(one, two) || meets(two, one)
    }

    /// May two cells be one?
    fn overlap(&self, one: Cell, two: Cell) -> bool {
        let (Cell::Memory(one_width, one), Cell::Memory(two_width, two)) = (one, two) else { return one == two };
        one_width == two_width
            && match (one, two) {
                (Region::Anywhere, _) | (_, Region::Anywhere) => true,
                (Region::Structs, other) | (other, Region::Structs) => self.may_be_in_struct(other),
                // The inputs of the program are apart from each other and from globals; other parameters may point to the same.
                (Region::Parameter(..), Region::Parameter(..) | Region::Global(_)) | (Region::Global(_), Region::Parameter(..)) => {
                    one == two || self.current != self.entry || self.functions[self.entry].recursive
                }
                _ => one == two,
            }
    }

    /// May a struct lie in this part of memory? In a variable only where its type has one.
    fn may_be_in_struct(&self, region: Region) -> bool {
        let ctype = match region {
            Region::Variable(id) => &self.functions[self.current].variables[id].ctype,
            Region::Global(id) => &self.globals[id].ctype,
            Region::Anywhere | Region::Structs | Region::Parameter(..) => return true,
        };
        !ctype.base_element().is_scalar()
    }

    /// The effects of a called function, in the caller's terms.
    fn called(&mut self, function: FunctionId, arguments: &[Expression]) -> Effects {
        let summary = self.summary(function);
        let parameters = &self.functions[function].parameters;
        let translate = |cell: &Cell| match *cell {
            Cell::Memory(width, Region::Parameter(id, displacement)) => {
                let argument = parameters.iter().position(|parameter| *parameter == id).and_then(|position| arguments.get(position));
                let regions = match argument {
                    Some(argument) => self.argument_regions(argument, displacement),
                    None => BTreeSet::from([Region::Anywhere]),
                };
                regions.into_iter().map(|region| Cell::Memory(width, region)).collect()
            }
            cell => vec![cell],
        };
        Effects {
            reads: summary.reads.iter().flat_map(translate).collect(),
            completed: summary.completed.iter().flat_map(translate).collect(),
            pending: BTreeSet::new(),
        }
    }

    /// Where the pointer at an offset of an argument points.
    fn argument_regions(&self, argument: &Expression, displacement: i64) -> BTreeSet<Region> {
        match &argument.kind {
            _ if argument.ctype.is_pointer() => self.roots.regions(argument),
            ExpressionKind::Read(place) => {
                let part = Place { displacement: place.displacement.saturating_add(displacement), ..(**place).clone() };
                self.roots.held(&part)
            }
            _ => BTreeSet::from([Region::Anywhere]),
        }
    }

    /// The effects of operands without an order between them.
    fn unordered(&mut self, parts: Vec<Effects>, offset: usize) -> Effects {
        let mut total = Effects::default();
        for part in parts {
            if self.conflict(&part, &total) {
                self.conflicts.insert(offset);
            }
            total.add(part);
        }
        total
    }

    /// The parts in their order, with a sequence point after each but the last.
    fn ordered(&mut self, parts: &[&Expression]) -> Effects {
        let mut total = Effects::default();
        for part in parts {
            total.complete();
            total.add(self.expression(part));
        }
        total
    }

    fn expression(&mut self, expression: &Expression) -> Effects {
        let offset = expression.offset;
        match &expression.kind {
            ExpressionKind::Constant(_) | ExpressionKind::Function(_) => Effects::default(),
            ExpressionKind::Read(place) => {
                let mut effects = self.place(place);
                effects.reads.extend(self.cells(place));
                effects
            }
            ExpressionKind::AddressOf(place) => self.place(place),
            ExpressionKind::Convert(inner) | ExpressionKind::Not(inner) => self.expression(inner),
            ExpressionKind::Binary(operation, left, right) => {
                let parts = vec![self.expression(left), self.expression(right)];
                let mut effects = self.unordered(parts, offset);
                let checked = matches!(operation, Operation::Divide | Operation::Remainder | Operation::ShiftLeft | Operation::ShiftRight);
                if checked && right.as_constant().is_none() {
                    effects.reads.insert(Cell::End);
                }
                effects
            }
            ExpressionKind::Compare(_, left, right) | ExpressionKind::Distance { left, right, .. } => {
                let parts = vec![self.expression(left), self.expression(right)];
                self.unordered(parts, offset)
            }
            ExpressionKind::Advance { base, index, .. } | ExpressionKind::Element { first: base, index, .. } => {
                let parts = vec![self.expression(base), self.expression(index)];
                self.unordered(parts, offset)
            }
            ExpressionKind::And(left, right) | ExpressionKind::Or(left, right) | ExpressionKind::Comma(left, right) => {
                self.ordered(&[left, right])
            }
            ExpressionKind::Conditional(condition, then, otherwise) => {
                let mut effects = self.expression(condition);
                effects.complete();
                let parts = [self.expression(then), self.expression(otherwise)];
                for part in parts {
                    effects.add(part);
                }
                effects
            }
            ExpressionKind::Assign { place, value } => self.assign(place, value, offset),
            ExpressionKind::Update { place, change, .. } => self.update(place, change, offset),
            ExpressionKind::Call { function, arguments } => {
                let parts = arguments.iter().map(|argument| self.expression(argument)).collect();
                let mut effects = self.unordered(parts, offset);
                effects.complete();
                effects.add(self.called(*function, arguments));
                effects
            }
            ExpressionKind::CallThrough { pointer, arguments } => {
                let parts = [&**pointer].into_iter().chain(arguments).map(|part| self.expression(part)).collect();
                let mut effects = self.unordered(parts, offset);
                effects.complete();
                effects.reads.insert(Cell::End);
                let functions = self.functions;
                for function in self.addressed.iter().filter(|id| functions[**id].accepts(arguments, &expression.ctype)) {
                    effects.add(self.called(*function, arguments));
                }
                effects
            }
            ExpressionKind::Builtin(builtin) => self.builtin(builtin, offset),
            ExpressionKind::Statements { statements, value, .. } => {
                let mut effects = self.statements(statements);
                if let Some(value) = value {
                    effects.add(self.expression(value));
                }
                effects
            }
        }
    }

    fn assign(&mut self, place: &Place, value: &Expression, offset: usize) -> Effects {
        let parts = vec![self.place(place), self.expression(value)];
        let mut effects = self.unordered(parts, offset);
        let written = self.cells(place);
        // In `*p = *q = 0` both writes store the same value, so their order does not matter.
        let chained = is_assignment(value) && written.iter().all(|cell| matches!(cell, Cell::Memory(..)));
        if !chained && written.iter().any(|cell| effects.pending.iter().any(|pending| self.overlap(*cell, *pending))) {
            self.conflicts.insert(offset);
        }
        effects.pending.extend(written);
        effects
    }

    fn update(&mut self, place: &Place, change: &Change, offset: usize) -> Effects {
        let operand = match change {
            Change::Integer { operand, .. } => operand,
            Change::Pointer { index, .. } => index,
        };
        let mut address = self.place(place);
        let written = self.cells(place);
        address.reads.extend(written.iter().copied());
        let parts = vec![address, self.expression(operand)];
        let mut effects = self.unordered(parts, offset);
        effects.pending.extend(written);
        effects
    }

    fn builtin(&mut self, builtin: &Builtin, offset: usize) -> Effects {
        match builtin {
            Builtin::Assume(condition) => {
                let mut effects = self.expression(condition);
                effects.complete();
                effects.completed.insert(Cell::End);
                effects
            }
            Builtin::Assert(condition) => {
                let mut effects = self.expression(condition);
                effects.complete();
                effects.reads.insert(Cell::End);
                effects
            }
            Builtin::Ignore => Effects { completed: BTreeSet::from([Cell::End]), ..Effects::default() },
            Builtin::Halt(parts) => {
                let parts = parts.iter().map(|part| self.expression(part)).collect();
                let mut effects = self.unordered(parts, offset);
                effects.completed.insert(Cell::End);
                effects
            }
            Builtin::Fail(_) => Effects { reads: BTreeSet::from([Cell::End]), ..Effects::default() },
            Builtin::Arbitrary => Effects::default(),
            Builtin::Allocate(bytes) => self.expression(bytes),
            Builtin::AllocateZero(count, bytes) => {
                let parts = vec![self.expression(count), self.expression(bytes)];
                self.unordered(parts, offset)
            }
            Builtin::Free(pointer) => {
                let mut effects = self.expression(pointer);
                effects.complete();
                let regions = self.roots.regions(pointer);
                effects.completed.extend(memory(&ALL_WIDTHS, &regions));
                effects.reads.insert(Cell::End);
                effects
            }
        }
    }

    /// What finding a place does.
    fn place(&mut self, place: &Place) -> Effects {
        match &place.base {
            Base::Variable(_) | Base::Global(_) => Effects::default(),
            Base::Pointer(pointer) => {
                let mut effects = self.expression(pointer);
                effects.reads.insert(Cell::End);
                effects
            }
            Base::Value(value) => self.expression(value),
            Base::Literal(variable, items) => {
                let mut effects = self.items(items, place.offset);
                effects.completed.insert(Cell::Variable(*variable));
                effects
            }
        }
    }

    /// What reading or writing a place touches.
    fn cells(&self, place: &Place) -> Vec<Cell> {
        match &place.base {
            Base::Variable(id) if !self.functions[self.current].variables[*id].addressed => vec![Cell::Variable(*id)],
            Base::Literal(id, _) => vec![Cell::Variable(*id)],
            Base::Global(id) if !self.globals[*id].addressed => vec![Cell::Global(*id)],
            Base::Value(_) => Vec::new(),
            Base::Variable(_) | Base::Global(_) | Base::Pointer(_) => memory(&widths(&place.ctype), &self.roots.around(place)),
        }
    }
}

fn memory(widths: &[Width], regions: &BTreeSet<Region>) -> Vec<Cell> {
    widths.iter().flat_map(|width| regions.iter().map(|region| Cell::Memory(*width, *region))).collect()
}

/// The widths of the cells of a type.
fn widths(ctype: &CType) -> Vec<Width> {
    match &ctype.base_element().shape {
        Shape::Integer(kind) => vec![Width::Bits(width(*kind))],
        Shape::Pointer(_) => vec![Width::Pointer],
        _ => ALL_WIDTHS.to_vec(),
    }
}

fn is_assignment(value: &Expression) -> bool {
    match &value.kind {
        ExpressionKind::Assign { .. } => true,
        ExpressionKind::Convert(inner) => is_assignment(inner),
        _ => false,
    }
}
