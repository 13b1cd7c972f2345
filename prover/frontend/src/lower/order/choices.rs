//! What C evaluates only sometimes: the right of `&&` and `||`, two parts of `?:`.

use crate::lower::{
    tree::{Base, Expression, ExpressionKind, Place, Variable},
    types::CType,
};

/// When a part is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    /// Where the condition holds.
    Then,
    /// Where it does not.
    Otherwise,
}

impl Side {
    /// What has to hold of the variable that the condition is kept in.
    pub(super) fn guard(self, flag: &Place) -> Expression {
        let read = Expression::new(ExpressionKind::Read(Box::new(flag.clone())), flag.ctype.clone(), flag.offset);
        match self {
            Self::Then => read,
            Self::Otherwise => Expression::new(ExpressionKind::Not(Box::new(read)), CType::int(), flag.offset),
        }
    }
}

/// An expression of which some parts are evaluated only sometimes.
pub(super) struct Choice<'e> {
    pub(super) condition: &'e mut Expression,
    /// The other parts, of which at most one is evaluated.
    pub(super) arms: Vec<(&'e mut Box<Expression>, Side)>,
}

/// The parts of `&&`, `||` and `?:`.
pub(super) fn choice(expression: &mut Expression) -> Option<Choice<'_>> {
    let (condition, arms) = match &mut expression.kind {
        ExpressionKind::And(left, right) => (left, vec![(right, Side::Then)]),
        ExpressionKind::Or(left, right) => (left, vec![(right, Side::Otherwise)]),
        ExpressionKind::Conditional(condition, then, otherwise) => (condition, vec![(then, Side::Then), (otherwise, Side::Otherwise)]),
        _ => return None,
    };
    Some(Choice { condition, arms })
}

/// The variables that keep parts of expressions: some of those of the function, and all further ones.
#[derive(Clone, Copy)]
pub(super) struct Keepers<'a> {
    variables: &'a [Variable],
}

impl<'a> Keepers<'a> {
    /// With the variables of a function.
    pub(super) const fn new(variables: &'a [Variable]) -> Self {
        Self { variables }
    }

    /// Is a place such a variable?
    pub(super) fn has(self, place: &Place) -> bool {
        matches!(place.base, Base::Variable(id) if self.variables.get(id).is_none_or(|variable| variable.keeps_part))
    }
}

/// The variable that a condition is kept in.
pub(super) fn flag<'e>(condition: &'e Expression, keepers: Keepers<'_>) -> Option<&'e Place> {
    match &condition.kind {
        ExpressionKind::Assign { place, .. } if keepers.has(place) => Some(place),
        _ => None,
    }
}
