//! What a declarator says without knowing types: the name that it declares, and whether it makes a function of it.

use lang_c::{
    ast::{Declarator, DeclaratorKind, DerivedDeclarator},
    span::Node,
};

/// The name that a declarator declares.
pub(crate) fn declarator_name(declarator: &Declarator) -> Option<&str> {
    match &declarator.kind.node {
        DeclaratorKind::Identifier(name) => Some(&name.node.name),
        DeclaratorKind::Declarator(inner) => declarator_name(&inner.node),
        DeclaratorKind::Abstract => None,
    }
}

/// Does a declarator declare a function? `int *f(void)` and `int ((f))(void)` do, `int (*f)(void)` does not: it is the part nearest to the
/// name that counts.
pub(crate) fn is_function(declarator: &Declarator) -> bool {
    let is_pointer = |derived: &DerivedDeclarator| matches!(derived, DerivedDeclarator::Pointer(_));
    // Pointers of the same part are what the function returns.
    let nearest = nearest_part(declarator).iter().map(|derived| &derived.node).find(|derived| !is_pointer(derived));
    matches!(nearest, Some(DerivedDeclarator::Function(_) | DerivedDeclarator::KRFunction(_)))
}

/// Does it leave the type as the specifiers have it, as in `type name` and `type (name)`?
pub(crate) fn is_plain(declarator: &Declarator) -> bool {
    nearest_part(declarator).is_empty()
}

/// What stands beside the name, inside the innermost parentheses where something does.
fn nearest_part(declarator: &Declarator) -> &[Node<DerivedDeclarator>] {
    let inner = match &declarator.kind.node {
        DeclaratorKind::Declarator(inner) => nearest_part(&inner.node),
        DeclaratorKind::Identifier(_) | DeclaratorKind::Abstract => &[],
    };
    if inner.is_empty() { &declarator.derived } else { inner }
}
