//! Arrays of the entry function that are there from the start, with what they are initialised with (`spec/program.md#present`).
//!
//! `int count[26] = {0};` at the top of `main` is run once, and what it makes lives to the end of the program. Nobody can look at it before: so it is
//! an object of static storage, whose zeros are no stores, one for each element.

use super::Emitter;
use crate::lower::{
    tree::{ExpressionKind, Item, StatementKind, VariableId},
    types::Shape,
};
use goatherd_certificates::program::{Contents, ObjectId, Origin, Type};

impl Emitter<'_> {
    /// What each field of the variable's elements holds from the start, if it is there from then on; and that is zeros.
    pub(crate) fn present(&self, variable: VariableId) -> Option<Vec<Contents>> {
        let entry = self.unit.entry;
        if self.frames.len() != 1 || self.frame().function != entry || self.unit.circles.is_recursive(entry) {
            return None;
        }
        let function = self.function();
        let declared = &function.variables[variable];
        let ctype = &declared.ctype;
        let element = ctype.base_element();
        let is_variable = ![ctype, element].into_iter().any(|ctype| ctype.volatile || ctype.constant);
        let is_array = matches!(ctype.shape, Shape::Array(..)) && self.records.unit(ctype).is_none();
        // Only its own initialisation gives it a value before others may, and that comes once.
        let comes_once = function.blocks.first()?.contains(&variable) && !declared.skipped && !declared.repeated && !declared.owns_array;
        if !is_array || !is_variable || !comes_once {
            return None;
        }
        let mut initial = function.body.iter().filter_map(|statement| match &statement.kind {
            StatementKind::Initialise(other, items) if *other == variable => Some(items),
            _ => None,
        });
        let is_zero = |item: &Item| matches!(item.value.kind, ExpressionKind::Constant(0)) && item.value.ctype.is_scalar();
        let (items, None) = (initial.next()?, initial.next()) else { return None };
        if !items.iter().all(is_zero) {
            return None;
        }
        let leaves = self.records.leaves(element).ok()?;
        // What pointers lead to is not lost as long as something static holds them.
        leaves.iter().map(|leaf| matches!(leaf.kind, Type::Integer(_)).then_some(Contents::Zero)).collect()
    }

    /// Is the object there from the start, so that no declaration begins it?
    pub(crate) fn is_present(&self, object: ObjectId) -> bool {
        matches!(self.objects[object.index()].origin, Origin::Static { .. })
    }
}
