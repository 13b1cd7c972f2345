//! Definitions of functions that the linker does not take where C names them, or not only.
//!
//! ```c
//! int step(void) __asm__("next");
//! int step(void) { return ++count; }            /* is what another file calls as next() */
//! inline long labs(long a) { return a; }        /* stands beside the library's, and either may be called (C11 6.7.4p7): this file alone does not say */
//! ```
//!
//! Calls are told by their names in C here, so such definitions are refused. A declaration with a name for the assembler, which headers are full
//! of, is refused where it is called.

use super::declarator_name;
use crate::diagnostics::{Diagnostic, Kind};
use lang_c::{
    ast::{
        DeclarationSpecifier, Declarator, Extension, ExternalDeclaration, FunctionDefinition, FunctionSpecifier, StorageClassSpecifier,
        TranslationUnit,
    },
    span::{Node, Span},
    visit::{self, Visit},
};
use std::collections::{BTreeMap, BTreeSet};

/// What is wrong with the definitions of a program, in which the entry reaches functions of these names. `is_model` says of an offset whether a library model stands there.
pub(super) fn misnamed(syntax: &TranslationUnit, reached: &BTreeSet<&str>, is_model: impl Fn(usize) -> bool) -> Vec<Diagnostic> {
    let mut labels = Labels::default();
    labels.visit_translation_unit(syntax);
    let external = external(syntax);
    let mut found = Vec::new();
    for definition in syntax.0.iter().filter_map(definition).filter(|definition| !is_model(definition.span.start)) {
        let Some(name) = declarator_name(&definition.node.declarator.node) else { continue };
        if let Some(label) = labels.names.get(name) {
            let message = format!("a name for the assembler of '{name}', which is defined here");
            found.push(Diagnostic { kind: Kind::Unsupported, message, offset: *label, help: None });
        }
        // Which functions there are elsewhere, only the linker knows.
        if reached.contains(name) && !external.contains(name) && !has_storage(&definition.node.specifiers, &StorageClassSpecifier::Static) {
            let message = format!("an inline definition of '{name}' alone, beside which there may be another one");
            let help = Some("make it static, or declare it extern as well".to_owned());
            found.push(Diagnostic { kind: Kind::Unsupported, message, offset: definition.span.start, help });
        }
    }
    found
}

fn definition(external: &Node<ExternalDeclaration>) -> Option<&Node<FunctionDefinition>> {
    match &external.node {
        ExternalDeclaration::FunctionDefinition(definition) => Some(definition),
        _ => None,
    }
}

/// The functions that some declaration in the file's scope declares without `inline`, or with `extern`: a definition is theirs alone.
fn external(syntax: &TranslationUnit) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for external in &syntax.0 {
        let (specifiers, declarators): (_, Vec<&Declarator>) = match &external.node {
            ExternalDeclaration::FunctionDefinition(definition) => (&definition.node.specifiers, vec![&definition.node.declarator.node]),
            ExternalDeclaration::Declaration(declaration) => {
                (&declaration.node.specifiers, declaration.node.declarators.iter().map(|item| &item.node.declarator.node).collect())
            }
            ExternalDeclaration::StaticAssert(_) => continue,
        };
        if !is_inline(specifiers) || has_storage(specifiers, &StorageClassSpecifier::Extern) {
            names.extend(declarators.into_iter().filter_map(declarator_name));
        }
    }
    names
}

fn is_inline(specifiers: &[Node<DeclarationSpecifier>]) -> bool {
    specifiers
        .iter()
        .any(|specifier| matches!(&specifier.node, DeclarationSpecifier::Function(function) if function.node == FunctionSpecifier::Inline))
}

pub(super) fn has_storage(specifiers: &[Node<DeclarationSpecifier>], wanted: &StorageClassSpecifier) -> bool {
    specifiers.iter().any(|specifier| matches!(&specifier.node, DeclarationSpecifier::StorageClass(storage) if storage.node == *wanted))
}

/// The names that are declared with a name for the assembler, in whatever scope, and where.
#[derive(Default)]
struct Labels<'a> {
    names: BTreeMap<&'a str, usize>,
}

impl<'a> Visit<'a> for Labels<'a> {
    fn visit_declarator(&mut self, declarator: &'a Declarator, span: &'a Span) {
        let label = declarator.extensions.iter().find(|extension| matches!(extension.node, Extension::AsmLabel(_)));
        if let (Some(label), Some(name)) = (label, declarator_name(declarator)) {
            self.names.entry(name).or_insert(label.span.start);
        }
        visit::visit_declarator(self, declarator, span);
    }
}
