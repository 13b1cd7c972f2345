//! Memory that is allocated and then set to zeros, as by `calloc` (`spec/program.md#zeroed`).
//!
//! `void *p = malloc(n); memset(p, 0, n);` says nothing of the type of the memory, so that `memset` would set bytes, which a struct is not made of. Nobody
//! sees the memory in between: so it has zeros from the start, of whatever type it turns out to be.

use super::tree::{
    Base, Builtin, Comparison, Expression, ExpressionKind, FunctionId, Item, Place, Statement, StatementKind, Unit, VariableId,
};
use super::types::CType;
use goatherd_certificates::program::IntegerType;
use std::collections::BTreeSet;

/// Makes one of each allocation and the `memset` behind it.
pub(crate) fn combine(unit: &mut Unit, is_model: &dyn Fn(usize) -> bool) {
    let is_fill = |id: &FunctionId| unit.functions[*id].name == "memset" && is_model(unit.functions[*id].offset);
    let fills: BTreeSet<FunctionId> = (0..unit.functions.len()).filter(is_fill).collect();
    if !fills.is_empty() {
        unit.functions.iter_mut().for_each(|function| in_list(&mut function.body, &fills));
    }
}

/// An allocation whose result a variable holds from here on.
struct Allocation {
    variable: VariableId,
    bytes: Expression,
}

/// What a condition says of the variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tested {
    Null,
    NotNull,
}

fn in_list(statements: &mut [Statement], fills: &BTreeSet<FunctionId>) {
    for first in 0..statements.len() {
        let (before, behind) = statements.split_at_mut(first + 1);
        let Some(statement) = before.last_mut() else { continue };
        if let Some(allocation) = allocation(statement)
            && fill_behind(behind, &allocation, fills)
            && let Some(expression) = allocated(statement)
        {
            let one = Expression::constant(1, CType::integer(IntegerType::U64), expression.offset);
            expression.kind = ExpressionKind::Builtin(Builtin::AllocateZero(Box::new(one), Box::new(allocation.bytes)));
        }
        for part in parts(statement) {
            in_list(part, fills);
        }
    }
}

/// Takes out the `memset` that comes next wherever memory has been allocated. Is there one?
fn fill_behind(statements: &mut [Statement], allocation: &Allocation, fills: &BTreeSet<FunctionId>) -> bool {
    let mut possible = Possible::Null;
    for statement in statements {
        if let Some(call) = fill(statement, allocation, fills) {
            possible.replace(call);
            return true;
        }
        let StatementKind::If { condition, then, otherwise } = &mut statement.kind else { return false };
        match tested(condition, allocation.variable) {
            Some(Tested::Null) if otherwise.is_empty() && leaves(then) => possible = Possible::MemoryAlone,
            Some(Tested::NotNull) => {
                let Some(call) = first_of(then).and_then(|first| fill(first, allocation, fills)) else { return false };
                Possible::MemoryAlone.replace(call);
                return true;
            }
            _ => return false,
        }
    }
    false
}

/// What the variable may hold where the `memset` is.
#[derive(Clone, Copy)]
enum Possible {
    Null,
    MemoryAlone,
}

impl Possible {
    /// The call gives its first argument, and NULL is none that it may have.
    fn replace(self, call: &mut Expression) {
        let ExpressionKind::Call { arguments, .. } = &call.kind else { return };
        let Some(pointer) = arguments.first().cloned() else { return };
        let offset = call.offset;
        let kind = match self {
            Self::MemoryAlone => pointer.kind,
            Self::Null => {
                let null = Expression::constant(0, pointer.ctype.clone(), offset);
                let kind = ExpressionKind::Compare(Comparison::NotEqual, Box::new(pointer.clone()), Box::new(null));
                let is_memory = Expression::new(kind, CType::int(), offset);
                ExpressionKind::Conditional(Box::new(is_memory), Box::new(pointer), Box::new(call.clone()))
            }
        };
        call.kind = kind;
    }
}

/// The allocation of a statement that does nothing else.
fn allocation(statement: &mut Statement) -> Option<Allocation> {
    let variable = match &statement.kind {
        StatementKind::Initialise(variable, _) => *variable,
        StatementKind::Expression(Expression { kind: ExpressionKind::Assign { place, .. }, .. }) => variable_of(place)?,
        _ => return None,
    };
    match &allocated(statement)?.kind {
        ExpressionKind::Builtin(Builtin::Allocate(bytes)) => Some(Allocation { variable, bytes: (**bytes).clone() }),
        _ => None,
    }
}

/// The value of which a pointer is made, in a statement that gives it to a variable.
fn allocated(statement: &mut Statement) -> Option<&mut Expression> {
    let mut value = match &mut statement.kind {
        StatementKind::Initialise(_, items) => match &mut items[..] {
            [Item { offset: 0, value, .. }] => value,
            _ => return None,
        },
        StatementKind::Expression(Expression { kind: ExpressionKind::Assign { value, .. }, .. }) => value,
        _ => return None,
    };
    while value.ctype.is_pointer() && matches!(&value.kind, ExpressionKind::Convert(inner) if inner.ctype.is_pointer()) {
        let ExpressionKind::Convert(inner) = &mut value.kind else { return None };
        value = inner;
    }
    value.ctype.is_pointer().then_some(value)
}

/// The call that sets all of the allocation to zeros, where a statement begins with it.
fn fill<'s>(statement: &'s mut Statement, allocation: &Allocation, fills: &BTreeSet<FunctionId>) -> Option<&'s mut Expression> {
    let (StatementKind::Expression(value) | StatementKind::Return(Some(value))) = &mut statement.kind else { return None };
    let mut value = value;
    while matches!(&value.kind, ExpressionKind::Convert(inner) if inner.ctype.is_pointer()) {
        let ExpressionKind::Convert(inner) = &mut value.kind else { return None };
        value = inner;
    }
    let ExpressionKind::Call { function, arguments } = &value.kind else { return None };
    let [pointer, zero, bytes] = &arguments[..] else { return None };
    let is_whole = fills.contains(function)
        && is_held(pointer, allocation.variable)
        && zero.as_constant() == Some(0)
        && is_same_number(bytes, &allocation.bytes, allocation.variable);
    is_whole.then_some(value)
}

/// What the condition says of the variable, if nothing else.
fn tested(condition: &Expression, variable: VariableId) -> Option<Tested> {
    let opposite = |tested| if tested == Tested::Null { Tested::NotNull } else { Tested::Null };
    match &condition.kind {
        _ if is_held(condition, variable) => Some(Tested::NotNull),
        ExpressionKind::Not(inner) => tested(inner, variable).map(opposite),
        // 0 or 1 in another type.
        ExpressionKind::Convert(inner) if !inner.ctype.is_pointer() => tested(inner, variable),
        ExpressionKind::Compare(comparison @ (Comparison::Equal | Comparison::NotEqual), left, right) => {
            let is_with_null = is_held(left, variable) && right.is_null() || left.is_null() && is_held(right, variable);
            let tested = if *comparison == Comparison::Equal { Tested::Null } else { Tested::NotNull };
            is_with_null.then_some(tested)
        }
        _ => None,
    }
}

/// Is it the pointer that the variable holds?
fn is_held(pointer: &Expression, variable: VariableId) -> bool {
    match &pointer.kind {
        ExpressionKind::Convert(inner) => pointer.ctype.is_pointer() && is_held(inner, variable),
        ExpressionKind::Read(place) => pointer.ctype.is_pointer() && variable_of(place) == Some(variable),
        _ => false,
    }
}

/// The variable, if the place is all of one.
fn variable_of(place: &Place) -> Option<VariableId> {
    match place.base {
        Base::Variable(id) if place.displacement == 0 && place.ctype.is_pointer() && !place.ctype.volatile => Some(id),
        _ => None,
    }
}

/// Are they one number before and behind a change of the variable alone?
fn is_same_number(one: &Expression, two: &Expression, variable: VariableId) -> bool {
    let is_same = match (&one.kind, &two.kind) {
        (ExpressionKind::Constant(one), ExpressionKind::Constant(two)) => one == two,
        (ExpressionKind::Convert(one), ExpressionKind::Convert(two)) => is_same_number(one, two, variable),
        (ExpressionKind::Binary(one, left, right), ExpressionKind::Binary(two, other_left, other_right)) => {
            one == two && is_same_number(left, other_left, variable) && is_same_number(right, other_right, variable)
        }
        (ExpressionKind::Read(one), ExpressionKind::Read(two)) => is_same_place(one, two, variable),
        _ => false,
    };
    is_same && one.ctype.as_integer().is_some() && one.ctype.shape == two.ctype.shape
}

fn is_same_place(one: &Place, two: &Place, variable: VariableId) -> bool {
    let is_same = match (&one.base, &two.base) {
        (Base::Variable(one), Base::Variable(two)) => one == two && *one != variable,
        (Base::Global(one), Base::Global(two)) => one == two,
        _ => false,
    };
    is_same && one.displacement == two.displacement && one.ctype == two.ctype && !one.ctype.volatile
}

/// Does no way go on behind the statements?
fn leaves(statements: &[Statement]) -> bool {
    statements.last().is_some_and(|last| match &last.kind {
        StatementKind::Return(_) | StatementKind::Goto(_) | StatementKind::Break | StatementKind::Continue => true,
        StatementKind::Block(_, inner) => leaves(inner),
        StatementKind::Expression(value) => {
            // Behind a failure that is waived the program goes on.
            matches!(value.kind, ExpressionKind::Builtin(Builtin::Halt(_) | Builtin::Ignore))
        }
        _ => false,
    })
}

/// The statement that is first, however many blocks begin with it.
fn first_of(statements: &mut [Statement]) -> Option<&mut Statement> {
    let first = statements.first_mut()?;
    if !matches!(first.kind, StatementKind::Block(..)) {
        return Some(first);
    }
    let StatementKind::Block(_, inner) = &mut first.kind else { return None };
    first_of(inner)
}

/// The lists of statements inside one.
fn parts(statement: &mut Statement) -> Vec<&mut Vec<Statement>> {
    match &mut statement.kind {
        StatementKind::Block(_, body)
        | StatementKind::Loop { body, .. }
        | StatementKind::DoWhile { body, .. }
        | StatementKind::Switch { body, .. } => vec![body],
        StatementKind::If { then, otherwise, .. } => vec![then, otherwise],
        StatementKind::Expression(_)
        | StatementKind::Declare(_)
        | StatementKind::Initialise(..)
        | StatementKind::Label(_)
        | StatementKind::Goto(_)
        | StatementKind::Break
        | StatementKind::Continue
        | StatementKind::Return(_) => Vec::new(),
    }
}
