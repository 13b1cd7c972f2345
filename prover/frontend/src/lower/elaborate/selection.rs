//! `_Generic` (C11 6.5.1.1): the association whose type the controlling expression has, after conversion to a value.

use super::{Elaborator, Outcome, believing::is_of_bits, expressions::Designated};
use crate::lower::types::{CType, Shape};
use lang_c::{
    ast,
    span::{Node, Span},
    visit::{self, Visit},
};

/// Are two types compatible (C11 6.2.7)?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Compatible {
    Yes,
    No,
    /// What is kept of types here does not tell.
    Unclear(&'static str),
}

/// Neither is qualified itself.
fn compare(one: &CType, other: &CType) -> Compatible {
    match (&one.shape, &other.shape) {
        (Shape::Integer(kind), Shape::Integer(same)) if kind == same => {
            let is_same = (one.long_long, one.signed_char) == (other.long_long, other.signed_char);
            if is_same { Compatible::Yes } else { Compatible::No }
        }
        (Shape::Pointer(one), Shape::Pointer(other)) => compare_qualified(one, other),
        (Shape::Array(one, count), Shape::Array(other, same)) => match (count, same) {
            (Some(count), Some(same)) if count != same => Compatible::No,
            (Some(_), Some(_)) => compare_qualified(one, other),
            _ => Compatible::Unclear("an array of unknown length"),
        },
        (Shape::Function(one), Shape::Function(other)) if one != other => Compatible::Unclear("the type of a function"),
        (one, other) if one == other => Compatible::Yes,
        _ => Compatible::No,
    }
}

/// Are two types surely not compatible, whatever their own qualifiers?
pub(super) fn are_incompatible(one: &CType, other: &CType) -> bool {
    compare(one, other) == Compatible::No
}

/// What is pointed to, and elements, have qualifiers.
fn compare_qualified(one: &CType, other: &CType) -> Compatible {
    if (one.constant, one.volatile) == (other.constant, other.volatile) { compare(one, other) } else { Compatible::No }
}

/// Does a name of a type say `restrict`, which types here do not keep?
struct Restrict(bool);

impl<'ast> Visit<'ast> for Restrict {
    fn visit_type_qualifier(&mut self, qualifier: &'ast ast::TypeQualifier, span: &'ast Span) {
        self.0 |= *qualifier == ast::TypeQualifier::Restrict;
        visit::visit_type_qualifier(self, qualifier, span);
    }
}

impl<'a> Elaborator<'a> {
    /// The type of the controlling expression, which is not evaluated; nothing if it is not known which of two twins.
    fn controlling_type(&mut self, node: &'a Node<ast::Expression>, offset: usize) -> Outcome<Option<CType>> {
        self.unevaluated += 1;
        let designated = self.designated(node);
        let is_bits = matches!(&designated, Ok(Designated::Place(place)) if place.ctype.bits.is_some());
        let value = designated.and_then(|designated| self.value(designated));
        self.unevaluated -= 1;
        let value = value?;
        if is_bits || is_of_bits(&value) {
            return self.unsupported(offset, "a selection by the type of a bit-field");
        }
        self.told_apart(node, value.ctype.unqualified())
    }

    /// The selected expression.
    pub(super) fn selected(&mut self, selection: &'a ast::GenericSelection, offset: usize) -> Outcome<&'a Node<ast::Expression>> {
        let Some(ctype) = self.controlling_type(&selection.expression, offset)? else {
            return self
                .unsupported(offset, "a selection by a type that has a twin, char or long, of an expression that does not tell which");
        };
        let (mut found, mut default) = (None, None);
        for association in &selection.associations {
            match &association.node {
                ast::GenericAssociation::Default(expression) => default = Some(&**expression),
                ast::GenericAssociation::Type(association) => {
                    let name = &association.node.type_name;
                    let mut restrict = Restrict(false);
                    restrict.visit_type_name(&name.node, &name.span);
                    if restrict.0 {
                        return self.unsupported(offset, "a selection by a type with 'restrict'");
                    }
                    let other = self.type_name(name)?;
                    // A value has no qualifiers of its own.
                    if other.constant || other.volatile {
                        continue;
                    }
                    match compare(&ctype, &other) {
                        Compatible::Yes if found.is_none() => found = Some(&*association.node.expression),
                        Compatible::Unclear(what) => return self.unsupported(offset, &format!("a selection by {what}")),
                        Compatible::Yes | Compatible::No => {}
                    }
                }
            }
        }
        match found.or(default) {
            Some(expression) => Ok(expression),
            None => self.error(offset, "a selection without an association of this type"),
        }
    }
}
