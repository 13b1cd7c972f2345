//! Arrays of exactly so many elements, written like longer ones: what an object does not have needs no cover (`spec/calculus.md#subsume`).

use super::arrival::Arrival;
use goatherd_certificates::{
    configuration::{FieldState, ObjectState, Slot},
    program::{ArrayInput, Input},
};
use goatherd_checker::{configuration::Setting, memory, rejection::Rejection, term::Arena};

/// A field: how many of its elements have cells, and whether there are others.
pub type Length = (usize, bool);

/// Are these cells all that the field of the object has?
pub(crate) fn is_all(arena: &Arena, state: &ObjectState, field: &FieldState) -> bool {
    field.rest.is_none() && memory::is_all(arena, state, field)
}

/// Makes room for more elements: they hold 0.
fn stretch(arena: &mut Arena, field: &mut FieldState, (cells, has_rest): Length) -> Result<(), Rejection> {
    let zero = arena.constant(0)?;
    if field.cells.len() < cells {
        field.cells.resize(cells, Slot::Integer(zero));
    }
    if has_rest && field.rest.is_none() {
        field.rest = Some(arena.constant_array(zero)?);
    }
    Ok(())
}

impl Arrival {
    /// By field of each object of each member.
    pub fn lengths(&self) -> Vec<Length> {
        let objects = self.folding.members.iter().flat_map(|member| &member.objects);
        objects.flat_map(|state| &state.fields).map(|field| (field.cells.len(), field.rest.is_some())).collect()
    }

    /// Writes fields as long as these.
    pub fn stretch(&mut self, arena: &mut Arena, lengths: &[Length]) -> Result<(), Rejection> {
        let fields = self.folding.members.iter_mut().flat_map(|member| &mut member.objects).flat_map(|state| &mut state.fields);
        fields.zip(lengths).try_for_each(|(field, length)| stretch(arena, field, *length))
    }

    /// Writes the arrays of the input as if they were of the longest size class.
    pub fn stretch_inputs(&mut self, arena: &mut Arena, setting: Setting<'_>) -> Result<(), Rejection> {
        let cells = usize::try_from(setting.k).map_err(|_| Rejection::Overflow)?;
        for state in self.folding.members.iter_mut().flat_map(|member| &mut member.objects) {
            let is_input = |input: &Input| matches!(input, Input::Array(ArrayInput { object, .. }) if *object == state.declaration);
            if !setting.program.inputs.iter().any(is_input) {
                continue;
            }
            for position in 0..state.fields.len() {
                if is_all(arena, state, &state.fields[position]) {
                    stretch(arena, &mut state.fields[position], (cells, true))?;
                }
            }
        }
        Ok(())
    }
}

/// As long as the longer one of both, field by field.
pub fn longer(one: &[Length], other: &[Length]) -> Vec<Length> {
    one.iter().zip(other).map(|(one, other)| (one.0.max(other.0), one.1 || other.1)).collect()
}

#[cfg(test)]
mod tests {
    use super::{FieldState, ObjectState, Slot, is_all, longer, stretch};
    use goatherd_certificates::{
        configuration::Life,
        program::{IntegerType, ObjectId},
        term::{ArrayVariable, Variable},
    };
    use goatherd_checker::{budget::Budget, rejection::Rejection, term::Arena};

    #[test]
    fn cells_are_all_where_there_are_no_more_elements() -> Result<(), Rejection> {
        let mut arena = Arena::new(&[], Budget::new(1 << 20)).map_err(Rejection::from)?;
        let [zero, one, two] = [0, 1, 2].map(|value| arena.constant(value));
        let unknown = arena.variable(Variable { sort: None, number: 0 })?;
        let rest = arena.array_variable(ArrayVariable { sort: IntegerType::I8, number: 0 })?;
        let whole = FieldState { cells: vec![Slot::Integer(unknown)], rest: None };
        let state = |upper| ObjectState {
            object: ObjectId(0),
            declaration: ObjectId(0),
            life: Life::Live,
            lower: unknown,
            upper,
            fields: Vec::new(),
        };
        let (zero, one, two) = (zero?, one?, two?);
        let from_zero = |upper| ObjectState { lower: zero, ..state(upper) };
        assert!(is_all(&arena, &from_zero(one), &whole));
        assert!(!is_all(&arena, &from_zero(two), &whole));
        assert!(!is_all(&arena, &from_zero(unknown), &whole));
        assert!(!is_all(&arena, &state(one), &whole));
        assert!(!is_all(&arena, &from_zero(one), &FieldState { rest: Some(rest), ..whole.clone() }));
        Ok(())
    }

    #[test]
    fn what_is_stretched_keeps_its_elements() -> Result<(), Rejection> {
        let mut arena = Arena::new(&[], Budget::new(1 << 20)).map_err(Rejection::from)?;
        let (zero, seven) = (arena.constant(0)?, arena.constant(7)?);
        let mut field = FieldState { cells: vec![Slot::Integer(seven)], rest: None };
        stretch(&mut arena, &mut field, (2, true))?;
        assert_eq!((field.cells, field.rest.is_some()), (vec![Slot::Integer(seven), Slot::Integer(zero)], true));
        Ok(())
    }

    #[test]
    fn the_longer_one_has_what_either_has() {
        assert_eq!(longer(&[(2, false), (0, true)], &[(1, true), (0, false)]), [(2, true), (0, true)]);
    }
}
