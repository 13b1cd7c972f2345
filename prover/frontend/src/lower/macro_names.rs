//! Names that the library's headers may have as macros, depending on how the program is compiled, and that the program declares itself.
//!
//! ```c
//! #include <ctype.h>
//! int (*isdigit)(int) = mine;
//! isdigit(5);                     /* calls mine, or looks into the library's table */
//! ```

use crate::{
    diagnostics::{Diagnostic, Kind},
    source::{PERHAPS_MACROS, Unit},
};
use lang_c::{
    ast::{Declarator, DeclaratorKind, Enumerator, TranslationUnit},
    span::Span,
    visit::{self, Visit},
};

/// The declarations of what a header of the library declares under such a name, but for the header's.
pub(super) fn declared(syntax: &TranslationUnit, unit: &Unit) -> Vec<Diagnostic> {
    let mut reader = Reader::default();
    reader.visit_translation_unit(syntax);
    let is_in_header = |name: &str| reader.found.iter().any(|(known, offset)| *known == name && unit.is_in_header(*offset));
    let first = |name: &str| reader.found.iter().find(|(known, _)| *known == name).map(|(_, offset)| *offset);
    // A line marker can call the user's text a header, but that of the library has each name once.
    let is_other = |(name, offset): &&(&str, usize)| {
        is_in_header(name) && unit.is_own(*offset) && (!unit.is_in_header(*offset) || first(name) != Some(*offset))
    };
    let refused = |(name, offset): &(&str, usize)| {
        let message = format!("a declaration of '{name}', which <ctype.h> may have as a macro");
        Diagnostic { kind: Kind::Unsupported, message, offset: *offset, help: None }
    };
    reader.found.iter().filter(is_other).map(refused).collect()
}

/// The declarators and enumerators of such names.
#[derive(Default)]
struct Reader<'a> {
    found: Vec<(&'a str, usize)>,
}

impl<'a> Reader<'a> {
    fn note(&mut self, name: &'a str, offset: usize) {
        if PERHAPS_MACROS.contains(&name) {
            self.found.push((name, offset));
        }
    }
}

impl<'a> Visit<'a> for Reader<'a> {
    fn visit_declarator(&mut self, declarator: &'a Declarator, span: &'a Span) {
        if let DeclaratorKind::Identifier(name) = &declarator.kind.node {
            self.note(&name.node.name, span.start);
        }
        visit::visit_declarator(self, declarator, span);
    }

    fn visit_enumerator(&mut self, enumerator: &'a Enumerator, span: &'a Span) {
        self.note(&enumerator.identifier.node.name, span.start);
        visit::visit_enumerator(self, enumerator, span);
    }
}
