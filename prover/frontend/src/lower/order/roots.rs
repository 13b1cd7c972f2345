//! Where the pointers of a function may point, as far as its text shows: to its own variables, to globals, or to where its parameters do.
//!
//! One set per pointer for the whole function, whatever the order of its statements. What is not known is [`Region::Anywhere`].

use crate::lower::tree::{
    Base, Builtin, Change, Expression, ExpressionKind, Function, GlobalId, Item, Place, Statement, StatementKind, VariableId,
};
use std::collections::{BTreeMap, BTreeSet};

/// A part of memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Region {
    Anywhere,
    /// A local variable of the function.
    Variable(VariableId),
    Global(GlobalId),
    /// What the pointer at this offset of a parameter points to when the function is called.
    Parameter(VariableId, i64),
    /// What the function allocates.
    Fresh,
}

/// The regions of a function's pointers.
pub(crate) struct Roots {
    parameters: Vec<VariableId>,
    /// Variables in memory: whatever is there may be anything.
    addressed: Vec<bool>,
    /// Per variable in registers and offset of a pointer in it.
    known: BTreeMap<(VariableId, i64), BTreeSet<Region>>,
    /// Variables that are assigned as wholes.
    copied: BTreeSet<VariableId>,
    grown: bool,
}

impl Roots {
    /// Looks at all assignments until nothing is added.
    pub(crate) fn of(function: &Function, body: &[Statement]) -> Self {
        let addressed = function.variables.iter().map(|variable| variable.addressed).collect();
        let parameters = function.parameters.clone();
        let mut roots = Self { parameters, addressed, known: BTreeMap::new(), copied: BTreeSet::new(), grown: true };
        while roots.grown {
            roots.grown = false;
            roots.statements(body);
        }
        roots
    }

    /// A further variable in registers, which holds this value.
    pub(crate) fn introduce(&mut self, value: &Expression) {
        self.addressed.push(false);
        self.add(self.addressed.len() - 1, 0, value);
    }

    /// Where a pointer may point.
    pub(crate) fn regions(&self, pointer: &Expression) -> BTreeSet<Region> {
        match &pointer.kind {
            ExpressionKind::Constant(_) => BTreeSet::new(),
            ExpressionKind::Read(place) | ExpressionKind::Update { place, .. } => self.held(place),
            ExpressionKind::AddressOf(place) => self.around(place),
            ExpressionKind::Convert(inner) if !inner.ctype.is_pointer() => BTreeSet::from([Region::Anywhere]),
            ExpressionKind::Convert(inner)
            | ExpressionKind::Advance { base: inner, .. }
            | ExpressionKind::Element { first: inner, .. }
            | ExpressionKind::Comma(_, inner)
            | ExpressionKind::Then(_, inner) => self.regions(inner),
            ExpressionKind::Conditional(_, then, otherwise) => {
                let mut regions = self.regions(then);
                regions.extend(self.regions(otherwise));
                regions
            }
            ExpressionKind::Assign { value, .. } | ExpressionKind::Statements { value: Some(value), .. } => self.regions(value),
            ExpressionKind::Builtin(Builtin::Allocate(_) | Builtin::AllocateZero(..)) => BTreeSet::from([Region::Fresh]),
            _ => BTreeSet::from([Region::Anywhere]),
        }
    }

    /// Where the pointer that a place holds may point.
    pub(crate) fn held(&self, place: &Place) -> BTreeSet<Region> {
        match place.base {
            Base::Variable(id) if !self.addressed[id] => self.of_variable(id, place.displacement),
            _ => BTreeSet::from([Region::Anywhere]),
        }
    }

    fn of_variable(&self, id: VariableId, displacement: i64) -> BTreeSet<Region> {
        if self.copied.contains(&id) {
            return BTreeSet::from([Region::Anywhere]);
        }
        let mut regions = self.known.get(&(id, displacement)).cloned().unwrap_or_default();
        if self.parameters.contains(&id) {
            regions.insert(Region::Parameter(id, displacement));
        }
        regions
    }

    /// The memory that a place lies in.
    pub(crate) fn around(&self, place: &Place) -> BTreeSet<Region> {
        match &place.base {
            Base::Variable(id) | Base::Literal(id, _) => BTreeSet::from([Region::Variable(*id)]),
            Base::Global(id) => BTreeSet::from([Region::Global(*id)]),
            // Of whatever type: a struct of bytes may lie in an array of bytes, as in `((struct header *)buffer)->length`.
            Base::Pointer(pointer) => self.regions(pointer),
            Base::Value(_) => BTreeSet::new(),
        }
    }

    fn add(&mut self, id: VariableId, displacement: i64, value: &Expression) {
        if value.ctype.is_record() {
            self.grown |= self.copied.insert(id);
        }
        if value.ctype.is_pointer() {
            let regions = self.regions(value);
            let known = self.known.entry((id, displacement)).or_default();
            let before = known.len();
            known.extend(regions);
            self.grown |= known.len() != before;
        }
    }

    fn items(&mut self, id: VariableId, items: &[Item]) {
        for item in items {
            self.expression(&item.value);
            self.add(id, i64::try_from(item.offset).unwrap_or(i64::MAX), &item.value);
        }
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Expression(value) | StatementKind::Return(Some(value)) => self.expression(value),
                StatementKind::Initialise(variable, items) => self.items(*variable, items),
                StatementKind::Block(_, body) => self.statements(body),
                StatementKind::If { condition, then, otherwise } => {
                    self.expression(condition);
                    self.statements(then);
                    self.statements(otherwise);
                }
                StatementKind::Loop { condition, step, body } => {
                    condition.iter().chain(step).for_each(|expression| self.expression(expression));
                    self.statements(body);
                }
                StatementKind::DoWhile { condition, body } | StatementKind::Switch { value: condition, body, .. } => {
                    self.expression(condition);
                    self.statements(body);
                }
                StatementKind::Declare(_)
                | StatementKind::Label(_)
                | StatementKind::Goto(_)
                | StatementKind::Break
                | StatementKind::Continue
                | StatementKind::Return(None) => {}
            }
        }
    }

    fn place(&mut self, place: &Place) {
        match &place.base {
            Base::Variable(_) | Base::Global(_) => {}
            Base::Pointer(inner) | Base::Value(inner) => self.expression(inner),
            Base::Literal(id, items) => self.items(*id, items),
        }
    }

    /// The assignments inside an expression.
    fn expression(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Constant(_) | ExpressionKind::Function(_) => {}
            ExpressionKind::Read(place) | ExpressionKind::AddressOf(place) => self.place(place),
            ExpressionKind::Convert(inner) | ExpressionKind::Not(inner) => self.expression(inner),
            ExpressionKind::Binary(_, left, right)
            | ExpressionKind::Compare(_, left, right)
            | ExpressionKind::And(left, right)
            | ExpressionKind::Or(left, right)
            | ExpressionKind::Comma(left, right)
            | ExpressionKind::Then(left, right)
            | ExpressionKind::Advance { base: left, index: right, .. }
            | ExpressionKind::Element { first: left, index: right, .. }
            | ExpressionKind::Distance { left, right, .. } => {
                self.expression(left);
                self.expression(right);
            }
            ExpressionKind::Assign { place, value } => {
                self.place(place);
                self.expression(value);
                if let Base::Variable(id) = place.base {
                    self.add(id, place.displacement, value);
                }
            }
            ExpressionKind::Update { place, change, .. } => {
                self.place(place);
                match change {
                    Change::Integer { operand, .. } | Change::Pointer { index: operand, .. } => self.expression(operand),
                }
            }
            ExpressionKind::Conditional(condition, then, otherwise) => {
                for part in [condition, then, otherwise] {
                    self.expression(part);
                }
            }
            ExpressionKind::Call { arguments, .. } => arguments.iter().for_each(|argument| self.expression(argument)),
            ExpressionKind::CallThrough { pointer, arguments } => {
                [&**pointer].into_iter().chain(arguments).for_each(|part| self.expression(part));
            }
            ExpressionKind::Builtin(builtin) => match builtin {
                Builtin::Assume(inner) | Builtin::Assert(inner) | Builtin::Allocate(inner) | Builtin::Free(inner) => {
                    self.expression(inner);
                }
                Builtin::AllocateZero(count, size) => {
                    self.expression(count);
                    self.expression(size);
                }
                Builtin::Replace { to, from, bytes } => [to, from, bytes].into_iter().for_each(|part| self.expression(part)),
                Builtin::Halt(parts) => parts.iter().for_each(|part| self.expression(part)),
                Builtin::Ignore
                | Builtin::Fail(_)
                | Builtin::Undefined(_)
                | Builtin::Arbitrary
                | Builtin::Unspecified
                | Builtin::Numbers => {}
            },
            ExpressionKind::Either(first, second) => {
                self.expression(first);
                self.expression(second);
            }
            ExpressionKind::Statements { statements, value, .. } => {
                self.statements(statements);
                if let Some(value) = value {
                    self.expression(value);
                }
            }
        }
    }
}
