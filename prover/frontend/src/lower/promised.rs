//! What declarations promise to a compiler of functions that nobody here checks it of: attributes, and `_Noreturn`, of functions that the source
//! does not define, and of those that it does where the entry does not come by.
//!
//! ```c
//! char *strcpy(char *, const char *) __attribute__((pure));              /* so a compiler may leave calls of it out */
//! static void unused(void) { _Noreturn extern void step(int); }          /* so behind any call of step() there is nothing */
//! ```

use super::{declarator_name, is_function};
use crate::{
    diagnostics::{Diagnostic, Kind},
    models,
    source::{Unit, known::attribute_name},
};
use lang_c::{
    ast::{
        AsmStatement, Declaration, DeclarationSpecifier, Declarator, Extension, ExternalDeclaration, FunctionSpecifier, StringLiteral,
        TranslationUnit, TypeQualifier, TypeSpecifier,
    },
    span::{Node, Span},
    visit::{self, Visit},
};
use std::collections::BTreeSet;

/// Functions that do not return.
const ENDS: [&str; 12] = [
    "_Exit",
    "__VERIFIER_error",
    "__assert",
    "__assert_fail",
    "__assert_perror_fail",
    "__assert_rtn",
    "_exit",
    "abort",
    "exit",
    "longjmp",
    "quick_exit",
    "reach_error",
];

/// Functions that return memory of their own, or NULL.
const ALLOCATE: [&str; 4] = ["calloc", "malloc", "strdup", "strndup"];

/// What is found in declarations.
#[derive(Default)]
pub(super) struct Promised {
    /// Something is promised of a function that the source does not define, and is not known to be so.
    pub(super) is_assumed: bool,
    /// What may change what a compiler makes of functions that the entry reaches.
    pub(super) refused: Vec<Diagnostic>,
}

/// Looks through the user's own declarations. The functions that the entry reaches have been read otherwise: `reached` are their names.
pub(super) fn promised(syntax: &TranslationUnit, unit: &Unit, reached: &BTreeSet<&str>) -> Promised {
    let definition = |external: &Node<ExternalDeclaration>| match &external.node {
        ExternalDeclaration::FunctionDefinition(definition) if !unit.is_model(definition.span.start) => {
            declarator_name(&definition.node.declarator.node).map(ToOwned::to_owned)
        }
        _ => None,
    };
    let defined = syntax.0.iter().filter_map(definition).collect();
    let mut reader = Reader { unit, defined, reads: Reads::Elsewhere, found: Promised::default() };
    for external in &syntax.0 {
        reader.reads = match &external.node {
            ExternalDeclaration::FunctionDefinition(function) => {
                let name = declarator_name(&function.node.declarator.node).unwrap_or_default();
                if reached.contains(name) { Reads::Elsewhere } else { Reads::Here }
            }
            _ => Reads::Elsewhere,
        };
        reader.visit_external_declaration(&external.node, &external.span);
    }
    reader.found
}

/// Who reads what stands there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reads {
    /// Nobody else: the entry does not come by.
    Here,
    /// The lowering, as far as it is about functions of the source.
    Elsewhere,
}

struct Reader<'a> {
    unit: &'a Unit,
    /// The functions that the source defines.
    defined: BTreeSet<String>,
    reads: Reads,
    found: Promised,
}

impl Reader<'_> {
    fn note(&mut self, declaration: &Declaration, declarator: &Declarator, offset: usize) {
        let Some(name) = declarator_name(declarator) else { return };
        let own = declarator.extensions.iter().map(|extension| &extension.node);
        let before = declaration.specifiers.iter().filter_map(|specifier| match &specifier.node {
            DeclarationSpecifier::Extension(extensions) => Some(extensions.iter().map(|extension| &extension.node)),
            _ => None,
        });
        let mut promises: BTreeSet<String> = own.chain(before.flatten()).filter_map(attribute).collect();
        let says = |wanted: fn(&DeclarationSpecifier) -> bool| declaration.specifiers.iter().any(|specifier| wanted(&specifier.node));
        if says(|specifier| matches!(specifier, DeclarationSpecifier::Function(function) if function.node == FunctionSpecifier::Noreturn)) {
            promises.insert("noreturn".to_owned());
        }
        let is_named_type = says(
            |specifier| matches!(specifier, DeclarationSpecifier::TypeSpecifier(word) if matches!(word.node, TypeSpecifier::TypedefName(_) | TypeSpecifier::TypeOf(_))),
        );
        let is_qualified = says(
            |specifier| matches!(specifier, DeclarationSpecifier::TypeQualifier(word) if matches!(word.node, TypeQualifier::Const | TypeQualifier::Volatile)),
        );
        if !is_function(declarator) && is_named_type && is_qualified {
            promises.insert("const".to_owned());
        }
        if self.defined.contains(name) {
            if let (Reads::Here, Some(promise)) = (self.reads, promises.first()) {
                let message = format!("'{promise}' of '{name}', in a function that is not reached");
                self.found.refused.push(Diagnostic { kind: Kind::Unsupported, message, offset, help: None });
            }
            return;
        }
        let is_known = |promise: &String| match promise.as_str() {
            "noreturn" => ENDS.contains(&name),
            "malloc" => ALLOCATE.contains(&name),
            _ => false,
        };
        let is_called = is_function(declarator) || models::is_of_library(name);
        self.found.is_assumed |= is_called && promises.iter().any(|promise| !is_known(promise));
    }
}

impl<'a> Visit<'a> for Reader<'_> {
    fn visit_declaration(&mut self, declaration: &'a Declaration, span: &'a Span) {
        if self.unit.is_own(span.start) {
            for item in &declaration.declarators {
                if item.node.initializer.is_none() {
                    self.note(declaration, &item.node.declarator.node, span.start);
                }
            }
        }
        visit::visit_declaration(self, declaration, span);
    }

    /// Asm changes nothing of what is not executed, but where it has directives of the assembler, such as `.pushsection .init_array`.
    fn visit_asm_statement(&mut self, statement: &'a AsmStatement, span: &'a Span) {
        let template = match statement {
            AsmStatement::GnuBasic(template) => template,
            AsmStatement::GnuExtended(extended) => &extended.template,
        };
        if self.reads == Reads::Here && self.unit.is_own(span.start) && has_directive(&template.node) {
            let message = "directives of the assembler".to_owned();
            self.found.refused.push(Diagnostic { kind: Kind::Unsupported, message, offset: span.start, help: None });
        }
    }
}

fn attribute(extension: &Extension) -> Option<String> {
    match extension {
        Extension::Attribute(attribute) => {
            let name = attribute_name(&attribute.name.node);
            // What the lowering sees to wherever it is of a function.
            (!matches!(name, "aligned" | "section")).then(|| name.to_owned())
        }
        _ => None,
    }
}

/// Is there a point with a letter behind it, as at the beginning of a directive? That of a number in a mnemonic has none.
fn has_directive(template: &StringLiteral) -> bool {
    let text = template.concat();
    text.as_bytes().windows(2).any(|pair| matches!(pair, [b'.', next] if next.is_ascii_alphabetic() || *next == b'_'))
}
