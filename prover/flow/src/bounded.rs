//! Indices that are elements of arrays themselves, as in `count[kind[i]]` (`spec/search.md#focus`).

use crate::{instruction::predecessors, sources::source};
use goatherd_certificates::program::{
    Access, Advance, Instruction, IntegerType, Location, ObjectId, Operand, Origin, Program, RegisterId, Type,
};
use std::collections::BTreeMap;

/// An index that was loaded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Loaded {
    /// Where a pointer is moved by it from the first element of an array.
    pub location: Location,
    /// The register that holds it.
    pub index: RegisterId,
    /// How many elements the array has.
    pub count: u64,
    /// What the integer is that was loaded.
    pub kind: IntegerType,
}

/// The indices that were loaded, but those of which the program keeps a table that nothing writes.
pub fn loaded_indices(program: &Program) -> Vec<Loaded> {
    let before = predecessors(program);
    let locations = (0..).map(Location).take(program.instructions.len());
    locations.filter_map(|location| loaded_index(program, &before, location)).collect()
}

fn loaded_index(program: &Program, before: &BTreeMap<Location, Vec<Location>>, location: Location) -> Option<Loaded> {
    let Instruction::Advance(Advance { base, index: Operand::Register(index), .. }) = program.instructions[location.index()] else {
        return None;
    };
    let Instruction::Address { object, .. } = source(program, before, (location, base))?.1 else { return None };
    let count = count(program, *object)?;
    let (at, loading) = source(program, before, (location, index))?;
    let Instruction::Load { address, target, .. } = loading else { return None };
    let Type::Integer(kind) = program.registers[target.index()].kind else { return None };
    // What comes out of a table is known.
    let is_table = match source(program, before, (at, *address))? {
        (moved, Instruction::Advance(Advance { base, .. })) => match source(program, before, (moved, *base)) {
            Some((_, Instruction::Address { object, .. })) => is_read_only(program, *object),
            _ => false,
        },
        _ => return None,
    };
    (!is_table).then_some(Loaded { location, index, count, kind })
}

/// How many elements the object always has.
fn count(program: &Program, object: ObjectId) -> Option<u64> {
    match program.objects[object.index()].origin {
        Origin::Static { count, .. } | Origin::Local { count } => Some(count),
        Origin::Input | Origin::Heap | Origin::Node { .. } => None,
    }
}

fn is_read_only(program: &Program, object: ObjectId) -> bool {
    matches!(program.objects[object.index()].origin, Origin::Static { access: Access::ReadOnly, .. })
}

#[cfg(test)]
mod tests {
    use super::loaded_indices;
    use crate::testing::program;

    /// The lengths of the arrays that are accessed at loaded indices.
    fn lengths(name: &str, round: &str) -> Vec<u64> {
        let arrays = "int kind[90]; const int table[4] = {1, 0, 3, 2}; int count[10];";
        let source = format!("{arrays} void test(int n) {{ for (int i = 0; i < n; i++) {{ {round} }} }}");
        loaded_indices(&program(name, &source)).into_iter().map(|loaded| loaded.count).collect()
    }

    #[test]
    fn elements_are_indices_of_other_arrays() {
        assert_eq!(lengths("loaded", "count[kind[i]]++;"), [10]);
        assert_eq!(lengths("loaded-kept", "int k = kind[i]; count[k] = 1;"), [10]);
        assert_eq!(lengths("loaded-twice", "kind[kind[i]] = count[kind[n]];"), [10, 90]);
        assert_eq!(lengths("computed", "count[kind[i] & 7]++; count[i] = 1;"), []);
        assert_eq!(lengths("table", "count[table[i]]++;"), []);
    }
}
