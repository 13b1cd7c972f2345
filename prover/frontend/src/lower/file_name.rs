//! Does a program say the name of its file, as by `__FILE__`? What that is depends on how the compiler is called.
//!
//! ```c
//! if (__FILE__[0] == '/') return 1;       /* cc /home/me/a.c, but not cc a.c */
//! ```

use super::elaborate::calls::is_failed_assertion;
use crate::source::{Unit, plain_name};
use lang_c::{
    ast::{CallExpression, Expression, StringLiteral, TranslationUnit},
    span::Span,
    visit::{self, Visit},
};
use std::path::Path;

/// Is there a string in which the name of one of the unit's files occurs? What `assert` passes on to the library is not looked at.
pub(super) fn is_said(syntax: &TranslationUnit, unit: &Unit) -> bool {
    let names = unit.files().iter().filter_map(|name| Path::new(name).file_name()?.to_str()).map(plain_name).collect();
    let mut reader = Reader {
        names,
        is_model: &|offset| unit.is_model(offset),
        is_asserted: &|offset| unit.macro_at(offset) == Some("assert"),
        is_found: false,
    };
    reader.visit_translation_unit(syntax);
    reader.is_found
}

struct Reader<'unit> {
    /// Of the files, as the preprocessor writes them.
    names: Vec<String>,
    is_model: &'unit dyn Fn(usize) -> bool,
    /// Does the text come from the library's `assert`?
    is_asserted: &'unit dyn Fn(usize) -> bool,
    is_found: bool,
}

impl<'a> Visit<'a> for Reader<'_> {
    fn visit_call_expression(&mut self, call: &'a CallExpression, span: &'a Span) {
        let is_failed = matches!(&call.callee.node, Expression::Identifier(name) if is_failed_assertion(&name.node.name));
        if !(is_failed && (self.is_asserted)(span.start)) {
            visit::visit_call_expression(self, call, span);
        }
    }

    fn visit_string_literal(&mut self, parts: &'a StringLiteral, span: &'a Span) {
        let says = |part: &String| self.names.iter().any(|name| part.contains(name.as_str()));
        self.is_found |= parts.iter().any(says) && !(self.is_model)(span.start);
    }
}
