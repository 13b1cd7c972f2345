//! `_Generic` (C11 6.5.1.1): the association whose type the controlling expression has, after conversion to a value.

use super::{Elaborator, Outcome, expressions::Designated};
use crate::lower::types::{CType, Shape};
use goatherd_certificates::program::IntegerType;
use lang_c::{
    ast,
    span::Span,
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
        // `char` and `signed char` are one here, and of `long` and `long long` it is not always known which it is.
        (Shape::Integer(kind), Shape::Integer(same)) if kind == same => match kind {
            IntegerType::I8 | IntegerType::I64 | IntegerType::U64 => Compatible::Unclear("a type that has a twin: char, long"),
            _ => Compatible::Yes,
        },
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
    /// The selected expression.
    pub(super) fn generic_selection(&mut self, selection: &'a ast::GenericSelection, offset: usize) -> Outcome<Designated> {
        let designated = self.designated(&selection.expression)?;
        if matches!(&designated, Designated::Place(place) if place.ctype.bits.is_some()) {
            return self.unsupported(offset, "a selection by the type of a bit-field");
        }
        let ctype = self.value(designated)?.ctype.unqualified();
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
            Some(expression) => self.designated(expression),
            None => self.error(offset, "a selection without an association of this type"),
        }
    }
}
