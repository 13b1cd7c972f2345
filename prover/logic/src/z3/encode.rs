//! How terms become Z3's.

use goatherd_certificates::term::{ArrayId, LinearId, Literal};
use goatherd_checker::term::Arena;
use z3::{Model, ast::Bool};

/// How terms are told to Z3, and values read from its models.
pub(crate) trait Encode {
    /// The literal; none where it has no translation.
    fn literal(&mut self, arena: &Arena, literal: Literal) -> Option<Bool>;
    /// What holds of all that was translated.
    fn axioms(&self) -> &[Bool];
    /// The value of a term.
    fn integer(&mut self, arena: &Arena, term: LinearId, model: &Model) -> Option<i128>;
    /// The value of an element.
    fn element(&mut self, arena: &Arena, array: ArrayId, index: i128, model: &Model) -> Option<i128>;
}
