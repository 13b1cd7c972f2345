//! Pointers that a cast gives another type only to compare them (C11 6.5.9p6).

use super::{Elaborator, Outcome};
use crate::lower::{
    tree::{Expression, ExpressionKind},
    types::{CType, Shape},
};
use lang_c::{ast, span::Node};

impl<'a> Elaborator<'a> {
    /// The operand of `==` or `!=`. Where it is a pointer to a struct that a cast makes one to another struct, nothing is accessed through the pointer of
    /// the cast, and whether it equals another one is a question of where it points: so it is taken for a pointer to `void`. Where the other struct may have
    /// to be aligned otherwise, the conversion itself is undefined (6.3.2.3p7), and refused as elsewhere.
    pub(super) fn compared(&mut self, node: &'a Node<ast::Expression>) -> Outcome<Expression> {
        let ast::Expression::Cast(cast) = &node.node else { return self.rvalue(node) };
        let to = self.type_name(&cast.node.type_name)?.unqualified();
        let value = self.rvalue(&cast.node.expression)?;
        let (Some(from), Some(target)) = (value.ctype.pointee(), to.pointee()) else { return self.convert(value, &to, node.span.start) };
        let is_aligned = self.records.alignment(from) >= self.records.alignment(target) && self.records.alignment(target).is_some();
        if from.is_record() && target.is_record() && from.shape != target.shape && is_aligned {
            let anything = CType { shape: Shape::Void, ..from.clone() }.pointer_to();
            return self.convert(value, &anything, node.span.start);
        }
        self.convert(value, &to, node.span.start)
    }

    /// How the object is aligned that the pointer leads to, as far as its type says, or that of the struct whose first member it is: the address of that is
    /// the struct's, read where a pointer to the struct stands.
    pub(super) fn alignment_there(&self, pointer: &Expression, pointee: &CType) -> u64 {
        let own = self.records.alignment(pointee).unwrap_or(1);
        match &pointer.kind {
            ExpressionKind::Read(place) => {
                let around = place.ctype.pointee().filter(|around| around.is_record());
                around.and_then(|around| self.records.alignment(around)).unwrap_or(1).max(own)
            }
            _ => own,
        }
    }
}
