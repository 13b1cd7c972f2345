//! What declarations promise to a compiler of functions that nobody here checks it of: attributes and `_Noreturn` of functions that the source does not
//! define, and whatever is said inside of functions, which holds in all of the file, although not all of a function's text is read.
//!
//! ```c
//! char *strcpy(char *, const char *) __attribute__((pure));              /* so a compiler may leave calls of it out */
//! static void unused(void) { _Noreturn extern void step(int); }          /* so behind any call of step() there is nothing */
//! ```

use super::{declarator_name, is_of_harness, linker_names::has_storage};
use crate::{
    diagnostics::{Diagnostic, Kind},
    models,
    source::{Unit, known::attribute_name},
};
use lang_c::{
    ast::{
        AsmStatement, Declaration, DeclarationSpecifier, Declarator, Extension, ExternalDeclaration, FunctionDefinition, FunctionSpecifier,
        StorageClassSpecifier, StringLiteral, TranslationUnit, TypeQualifier, TypeSpecifier,
    },
    span::{Node, Span},
    visit::{self, Visit},
};
use std::collections::BTreeSet;

/// Attributes that say of memory where it lies: no promises.
const OF_PLACES: [&str; 4] = ["aligned", "packed", "pragma_pack", "section"];

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
pub(super) struct Promised {
    /// Something is promised of a function that the source does not define, and is not known to be so; or a header says of one that it defines in
    /// another file that it does not come back.
    pub(super) is_assumed: bool,
    /// What may change what a compiler makes of functions, and is not seen to.
    pub(super) refused: Vec<Diagnostic>,
}

/// Looks through the user's own declarations.
pub(super) fn promised(syntax: &TranslationUnit, unit: &Unit) -> Promised {
    let definition = |external: &Node<ExternalDeclaration>| match &external.node {
        ExternalDeclaration::FunctionDefinition(definition) if !unit.is_model(definition.span.start) => {
            declarator_name(&definition.node.declarator.node).map(ToOwned::to_owned)
        }
        _ => None,
    };
    let defined: BTreeSet<String> = syntax.0.iter().filter_map(definition).collect();
    let found = Promised { is_assumed: defined.iter().any(|name| unit.is_leaf(name)), refused: Vec::new() };
    let mut reader = Reader { unit, defined, scope: Scope::File, promises: BTreeSet::new(), found };
    reader.visit_translation_unit(syntax);
    reader.found
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    File,
    /// A function's, or that of its parameters.
    Function,
}

struct Reader<'a> {
    unit: &'a Unit,
    /// The functions that the source defines.
    defined: BTreeSet<String>,
    scope: Scope,
    /// What has been promised in the declaration of the file that is read.
    promises: BTreeSet<String>,
    found: Promised,
}

impl Reader<'_> {
    fn refuse(&mut self, message: &str, offset: usize) {
        self.found.refused.push(Diagnostic { kind: Kind::Unsupported, message: message.to_owned(), offset, help: None });
    }

    /// What a declaration in the file promises. Of functions that are defined, the lowering knows.
    fn note(&mut self, declaration: &Declaration, offset: usize) {
        let promises = std::mem::take(&mut self.promises);
        let Some(promise) = promises.first() else { return };
        if has_storage(&declaration.specifiers, &StorageClassSpecifier::Typedef) {
            self.refuse(&format!("the attribute '{promise}' of a type"), offset);
        }
        for name in declaration.declarators.iter().filter_map(|item| declarator_name(&item.node.declarator.node)) {
            let is_known = |promise: &String| match promise.as_str() {
                "noreturn" => ENDS.contains(&name),
                "malloc" => ALLOCATE.contains(&name),
                _ => false,
            };
            self.found.is_assumed |= !self.defined.contains(name) && !promises.iter().all(is_known);
        }
    }

    /// Is it one of a function by the name of a qualified type?
    fn is_qualified(&self, declaration: &Declaration, declarator: &Declarator) -> bool {
        let says = |wanted: fn(&DeclarationSpecifier) -> bool| declaration.specifiers.iter().any(|specifier| wanted(&specifier.node));
        let is_named = says(|specifier| match specifier {
            DeclarationSpecifier::TypeSpecifier(word) => matches!(word.node, TypeSpecifier::TypedefName(_) | TypeSpecifier::TypeOf(_)),
            _ => false,
        });
        let is_qualified = says(|specifier| match specifier {
            DeclarationSpecifier::TypeQualifier(word) => matches!(word.node, TypeQualifier::Const | TypeQualifier::Volatile),
            _ => false,
        });
        let is_function = |name: &str| self.defined.contains(name) || models::is_of_library(name) || is_of_harness(name);
        is_named && is_qualified && declarator_name(declarator).is_some_and(is_function)
    }
}

impl<'a> Visit<'a> for Reader<'_> {
    fn visit_function_definition(&mut self, definition: &'a FunctionDefinition, span: &'a Span) {
        if !self.unit.is_own(span.start) {
            return;
        }
        self.scope = Scope::Function;
        for derived in &definition.declarator.node.derived {
            self.visit_derived_declarator(&derived.node, &derived.span);
        }
        for declaration in &definition.declarations {
            self.visit_declaration(&declaration.node, &declaration.span);
        }
        self.visit_statement(&definition.statement.node, &definition.statement.span);
        self.scope = Scope::File;
    }

    fn visit_declaration(&mut self, declaration: &'a Declaration, span: &'a Span) {
        visit::visit_declaration(self, declaration, span);
        match self.scope {
            Scope::File => self.note(declaration, span.start),
            Scope::Function => {
                let declarators = declaration.declarators.iter().filter(|item| item.node.initializer.is_none());
                if declarators.map(|item| &item.node.declarator.node).any(|declarator| self.is_qualified(declaration, declarator)) {
                    self.refuse("a function declared inside of another one by a type that is qualified", span.start);
                }
            }
        }
    }

    fn visit_function_specifier(&mut self, specifier: &'a FunctionSpecifier, span: &'a Span) {
        if *specifier != FunctionSpecifier::Noreturn {
            return;
        }
        match self.scope {
            Scope::File if self.unit.is_own(span.start) => {
                self.promises.insert("noreturn".to_owned());
            }
            Scope::File => {}
            Scope::Function => self.refuse("_Noreturn inside of a function", span.start),
        }
    }

    fn visit_extension(&mut self, extension: &'a Extension, span: &'a Span) {
        match (extension, self.scope) {
            (Extension::Attribute(attribute), scope) => {
                let name = attribute_name(&attribute.name.node);
                if OF_PLACES.contains(&name) || !self.unit.is_own(span.start) {
                    return;
                }
                match scope {
                    Scope::File => {
                        self.promises.insert(name.to_owned());
                    }
                    Scope::Function => self.refuse(&format!("the attribute '{name}' inside of a function"), span.start),
                }
            }
            (Extension::AsmLabel(_), Scope::Function) => self.refuse("a name for the assembler inside of a function", span.start),
            _ => {}
        }
    }

    /// Asm changes nothing of what is not executed, but where it defines something, or has directives of the assembler: `.pushsection .init_array`.
    fn visit_asm_statement(&mut self, statement: &'a AsmStatement, span: &'a Span) {
        visit::visit_asm_statement(self, statement, span);
        let template = match statement {
            AsmStatement::GnuBasic(template) => template,
            AsmStatement::GnuExtended(extended) => &extended.template,
        };
        if !is_plain(&template.node) {
            self.refuse("asm that may define something", span.start);
        }
    }
}

/// Are these instructions with operands, without labels, directives, assignments and dialects?
fn is_plain(template: &StringLiteral) -> bool {
    template.iter().all(|part| {
        let part = part.replace("\\n", " ").replace("\\t", " ");
        part.chars().all(|character| character.is_ascii_alphanumeric() || " \"%$(),;-+*".contains(character))
    })
}
