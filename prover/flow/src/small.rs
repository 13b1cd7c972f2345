//! The small arrays that a program has itself: stacks, rings and counters of a few elements.

use goatherd_certificates::program::{Access, Input, Object, Origin, Program, Type};

/// So many elements of an array of integers can stand apart, each in a cell of its own.
pub const INTEGER_CELLS: u32 = 16;
/// So many elements of an array that is part of a struct, or of one of pointers, stand apart whatever the search does.
const OTHER_CELLS: u32 = 64;

/// How many elements the longest of the program's own small arrays has; none where there is none, or where arrays or linked structures come in: their
/// elements would stand apart too.
#[must_use]
pub fn longest_small_array(program: &Program) -> Option<u32> {
    if program.inputs.iter().any(|input| !matches!(input, Input::Integer { .. })) {
        return None;
    }
    let longest = program.objects.iter().flat_map(|object| lengths(program, object)).max();
    longest.and_then(|length| u32::try_from(length).ok())
}

/// The lengths of the small arrays that an object is, or that are parts of it.
fn lengths(program: &Program, object: &Object) -> Vec<u64> {
    let (Origin::Static { count, access: Access::ReadWrite, .. } | Origin::Local { count }) = object.origin else { return Vec::new() };
    let fields = program.layouts.get(object.layout.index()).map_or(&[][..], |layout| &layout.fields);
    let of_field = fields.iter().flat_map(|field| {
        let most = if field.kind == Type::Pointer { OTHER_CELLS } else { INTEGER_CELLS };
        let own = Some(count).filter(|count| (2..=u64::from(most)).contains(count));
        let parts = indices(&field.name).filter_map(|index| index.checked_add(1)).filter(|length| *length <= u64::from(OTHER_CELLS));
        own.into_iter().chain(parts)
    });
    of_field.collect()
}

/// Is the field of a struct an element of an array there, or in one?
#[must_use]
pub fn is_element(field: &str) -> bool {
    indices(field).next().is_some()
}

/// Which elements of arrays in a struct a field is in, from the outermost array on: 2 and 7 of `rows[2].cells[7].value`.
fn indices(field: &str) -> impl Iterator<Item = u64> {
    field.split('[').skip(1).filter_map(|rest| rest.split_once(']')?.0.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::{indices, is_element, longest_small_array};
    use crate::testing::program;

    #[test]
    fn arrays_of_a_few_elements_are_small() {
        let longest = |name, source: &str| longest_small_array(&program(name, source));
        assert_eq!(longest("stack", "int items[10]; void test(int n) { items[n & 7] = n; }"), Some(10));
        assert_eq!(
            longest("struct", "struct s { int items[20]; int top; }; struct s s; void test(int n) { s.items[n & 7] = s.top; }"),
            Some(20)
        );
        assert_eq!(longest("long", "int items[17]; void test(int n) { items[n & 7] = n; }"), None);
        assert_eq!(longest("constant", "const int digits[10] = { 1 }; int test(int n) { return digits[n & 7]; }"), None);
        assert_eq!(longest("none", "int top; void test(int n) { top = n; }"), None);
    }

    #[test]
    fn what_comes_in_may_be_of_any_length() {
        let source = "struct str { char *s; int n_s; }; int count[4]; void test(struct str a) { if (a.n_s > 0) count[a.s[0] & 3]++; }";
        assert_eq!(longest_small_array(&program("input", source)), None);
    }

    #[test]
    fn elements_of_arrays_in_structs_are_fields_with_an_index() {
        let of = |field| indices(field).collect::<Vec<_>>();
        assert_eq!(["items[3]", "rows[2].cells[7].value", "top", ""].map(of), [vec![3], vec![2, 7], vec![], vec![]]);
        assert_eq!(["items[3]", "terms[3].factor", "top", ""].map(is_element), [true, true, false, false]);
    }
}
