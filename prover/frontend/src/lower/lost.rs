//! Attributes that the parser reads and does not hand on, such as those of a bit-field without a name: what they say would go unnoticed.

use crate::{
    diagnostics::{Diagnostic, Kind},
    source::Unit,
};
use lang_c::{
    ast,
    span::Span,
    visit::{self, Visit},
};
use std::collections::BTreeSet;

/// How the part of an attribute behind its keyword begins, which is one token of the text (`source/rewrite.rs`).
const OPENING: &str = "((";

/// Refuses each attribute of the text that is nowhere in the tree.
pub(crate) fn lost_attributes(unit: &Unit, syntax: &ast::TranslationUnit) -> Vec<Diagnostic> {
    let mut found = Found(BTreeSet::new());
    found.visit_translation_unit(syntax);
    let openings = unit.text().match_indices(OPENING).map(|(offset, _)| offset);
    // Parentheses of the source are tokens of one character each.
    let attributes = openings.filter(|offset| unit.begins_token(*offset) && !unit.begins_token(offset + 1));
    let lost = attributes.map(|offset| offset + OPENING.len()).filter(|offset| !found.0.contains(offset));
    lost.map(|offset| Diagnostic { kind: Kind::Unsupported, message: "an attribute in this place".to_owned(), offset, help: None })
        .collect()
}

/// Where the attributes of the tree begin.
struct Found(BTreeSet<usize>);

impl<'ast> Visit<'ast> for Found {
    fn visit_extension(&mut self, extension: &'ast ast::Extension, span: &'ast Span) {
        self.0.insert(span.start);
        visit::visit_extension(self, extension, span);
    }
}
