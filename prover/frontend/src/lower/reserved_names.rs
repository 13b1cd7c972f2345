//! Functions and objects of the program under names that are reserved for the implementation (C11 7.1.3): whatever compilers and the library have of
//! their own may be called so, and no list is of all of them.
//!
//! ```c
//! int __popcountdi2(long x) { return 9; }         /* what __builtin_popcountl() calls */
//! int _end = 5;                                   /* where the linker says that the program's data end */
//! ```

use super::{declarator_name, is_function, is_of_harness, linker_names::has_storage};
use crate::source::{Unit, known};
use lang_c::ast::{ExternalDeclaration, StorageClassSpecifier, TranslationUnit};

/// Does the user's own text define some? Inside of a file compilers call what is static, too; what begins with one underscore and a small letter the
/// library and the linker have outside of files.
pub(super) fn are_defined(syntax: &TranslationUnit, unit: &Unit) -> bool {
    let own = syntax.0.iter().filter(|external| unit.is_own(external.span.start));
    own.flat_map(|external| {
        let is_static = is_static(&external.node);
        defined(&external.node).into_iter().map(move |name| (name, is_static))
    })
    .any(|(name, is_static)| is_for_implementation(name) || !is_static && name.starts_with('_') && !is_of_verifier(name))
}

/// The functions and objects that are defined here, or may be.
fn defined(external: &ExternalDeclaration) -> Vec<&str> {
    match external {
        ExternalDeclaration::FunctionDefinition(definition) => declarator_name(&definition.node.declarator.node).into_iter().collect(),
        ExternalDeclaration::Declaration(declaration) => {
            let has = |storage| has_storage(&declaration.node.specifiers, &storage);
            let (is_type, is_extern) = (has(StorageClassSpecifier::Typedef), has(StorageClassSpecifier::Extern));
            let items = declaration
                .node
                .declarators
                .iter()
                .map(|item| &item.node)
                .filter(|item| !is_type && !is_function(&item.declarator.node) && (!is_extern || item.initializer.is_some()));
            items.filter_map(|item| declarator_name(&item.declarator.node)).collect()
        }
        ExternalDeclaration::StaticAssert(_) => Vec::new(),
    }
}

fn is_static(external: &ExternalDeclaration) -> bool {
    let specifiers = match external {
        ExternalDeclaration::FunctionDefinition(definition) => &definition.node.specifiers,
        ExternalDeclaration::Declaration(declaration) => &declaration.node.specifiers,
        ExternalDeclaration::StaticAssert(_) => return false,
    };
    has_storage(specifiers, &StorageClassSpecifier::Static)
}

fn is_for_implementation(name: &str) -> bool {
    known::is_reserved(name) && !is_of_verifier(name)
}

/// The harness has names of that form, too.
fn is_of_verifier(name: &str) -> bool {
    name.starts_with("__VERIFIER_") || is_of_harness(name)
}
