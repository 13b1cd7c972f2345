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

use super::{declarator_name, elaborate::literals};
use crate::{
    diagnostics::{Diagnostic, Kind},
    source::{Unit, known::is_redirection},
};
use lang_c::{
    ast::{
        DeclarationSpecifier, Declarator, Extension, ExternalDeclaration, FunctionDefinition, FunctionSpecifier, StorageClassSpecifier,
        TranslationUnit,
    },
    span::{Node, Span},
    visit::{self, Visit},
};
use std::collections::BTreeSet;

/// What is wrong with the names of a program, in which the entry reaches functions of these names.
pub(super) fn misnamed(syntax: &TranslationUnit, reached: &BTreeSet<&str>, unit: &Unit) -> Vec<Diagnostic> {
    let mut labels = Labels::default();
    labels.visit_translation_unit(syntax);
    let external = external(syntax);
    let mut found = Vec::new();
    let declared: BTreeSet<&str> = syntax.0.iter().flat_map(|external| declared(external, unit)).collect();
    for Renamed { name, label, offset } in &labels.found {
        // Compilers call functions of the library by the names that declarations give them, also where the source does not.
        let is_redirected = is_redirection(name, label);
        // Headers have more of these, such as `tmpfile64`.
        let is_of_header = unit.is_in_header(*offset) && is_name(label) && (label.contains(name) || name.contains(label.as_str()));
        let is_other = unit.is_own(*offset) && label != name && !is_redirected && !is_of_header;
        if is_other || declared.contains(label.as_str()) && label != name {
            let message = format!("a name for the assembler of '{name}', which may be another one's");
            found.push(Diagnostic { kind: Kind::Unsupported, message, offset: *offset, help: None });
        }
    }
    for definition in syntax.0.iter().filter_map(definition).filter(|definition| !unit.is_model(definition.span.start)) {
        let Some(name) = declarator_name(&definition.node.declarator.node) else { continue };
        if let Some(label) = labels.found.iter().find(|label| label.name == name) {
            let message = format!("a name for the assembler of '{name}', which is defined here");
            found.push(Diagnostic { kind: Kind::Unsupported, message, offset: label.offset, help: None });
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

/// What the user's own text declares outside of functions, with whatever linkage: it may be defined there.
fn declared<'a>(external: &'a Node<ExternalDeclaration>, unit: &Unit) -> Vec<&'a str> {
    let declarators: Vec<&Declarator> = match &external.node {
        _ if !unit.is_own(external.span.start) => Vec::new(),
        ExternalDeclaration::FunctionDefinition(definition) => vec![&definition.node.declarator.node],
        ExternalDeclaration::Declaration(declaration) => {
            declaration.node.declarators.iter().map(|item| &item.node.declarator.node).collect()
        }
        ExternalDeclaration::StaticAssert(_) => Vec::new(),
    };
    declarators.into_iter().filter_map(declarator_name).collect()
}

/// What has a name for the assembler: its own, that one, and where it stands.
struct Renamed<'a> {
    name: &'a str,
    label: String,
    offset: usize,
}

/// The names for the assembler in all declarations, in whatever scope.
#[derive(Default)]
struct Labels<'a> {
    found: Vec<Renamed<'a>>,
}

fn is_name(label: &str) -> bool {
    label.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
}

impl<'a> Visit<'a> for Labels<'a> {
    fn visit_declarator(&mut self, declarator: &'a Declarator, span: &'a Span) {
        for extension in &declarator.extensions {
            if let (Extension::AsmLabel(literal), Some(name)) = (&extension.node, declarator_name(declarator)) {
                let label = literals::characters(&literal.node);
                self.found.push(Renamed { name, label, offset: extension.span.start });
            }
        }
        visit::visit_declarator(self, declarator, span);
    }
}
