//! Arrays that are another member's but for some elements: what the last rounds of a loop, in which a scapegoat does not take part, have written
//! is where the two differ.

use super::{
    basis::Basis,
    shape::{Shape, Visitor},
};
use crate::state::herd::Herd;
use goatherd_certificates::{
    configuration::Member,
    program::{IntegerType, ObjectId},
    term::{Array, ArrayId, ArrayStore},
};
use goatherd_checker::{rejection::Rejection, term::Arena};
use goatherd_logic::Context;

/// Which of the stores that an array is made by are written as such: so many of the last.
#[derive(Clone, Copy, Default)]
pub struct LastStores {
    pub count: usize,
    /// Has one of them written again what the one before has written?
    pub is_double: bool,
}

/// Per array, the stores that make it of one that the primary's array of the same object is made of too, as far as they are not more than k.
pub fn last_stores(arena: &mut Arena, basis: Basis<'_>, herd: &mut Herd, members: &[Member]) -> Result<Vec<LastStores>, Rejection> {
    let arrays = arrays(arena, members)?;
    let most = usize::try_from(basis.setting.k).unwrap_or_default();
    let mut stores = vec![LastStores::default(); arrays.len()];
    for own in (0..arrays.len()).take_while(|own| arrays[*own].member == 0) {
        let chain = chain(arena, arrays[own].array, most)?;
        let mut common = Vec::new();
        for other in (0..arrays.len()).filter(|other| arrays[*other].is_other(&arrays[own])) {
            let others = self::chain(arena, arrays[other].array, most)?;
            let pairs = (0..=2 * most).flat_map(|sum| (0..=sum).map(move |one| (one, sum - one)));
            let mut pairs = pairs.filter(|(one, two)| *one < chain.len() && *two < others.len());
            let pair = pairs.find(|(one, two)| herd.context.arrays_equal(arena, chain[*one], others[*two]));
            common.extend(pair.map(|(one, two)| (other, one, two)));
        }
        let deepest = common.iter().map(|(_, one, _)| *one).max().unwrap_or_default();
        let counts = common.into_iter().map(|(other, one, two)| (other, two + deepest - one));
        for (position, count) in counts.chain([(own, deepest)]) {
            stores[position] = LastStores { count, is_double: is_double(arena, &mut herd.context, arrays[position].array, count)? };
        }
    }
    Ok(stores)
}

/// The array, and what it is made of by so many stores at most.
fn chain(arena: &Arena, array: ArrayId, most: usize) -> Result<Vec<ArrayId>, Rejection> {
    let mut chain = vec![array];
    let mut last = array;
    while chain.len() <= most
        && let Array::Store(ArrayStore { array, .. }) = *arena.array(last)?
    {
        chain.push(array);
        last = array;
    }
    Ok(chain)
}

/// Is one of so many last stores at the index of the one before?
fn is_double(arena: &mut Arena, context: &mut Context, mut array: ArrayId, count: usize) -> Result<bool, Rejection> {
    for _ in 0..count {
        let Array::Store(ArrayStore { array: below, index, .. }) = *arena.array(array)? else { break };
        if let Array::Store(ArrayStore { index: other, .. }) = *arena.array(below)?
            && context.difference_bounds(arena, index, other) == (Some(0), Some(0))
        {
            return Ok(true);
        }
        array = below;
    }
    Ok(false)
}

/// An array of a member, and which one.
struct Rest {
    member: usize,
    object: ObjectId,
    field: usize,
    array: ArrayId,
}

impl Rest {
    /// Is it the array of another member's same object?
    fn is_other(&self, other: &Self) -> bool {
        self.member != other.member && (self.object, self.field) == (other.object, other.field)
    }
}

/// Is the array a table, or the same constant everywhere, as the zeros of `calloc` before anything is stored?
pub(crate) fn is_fixed(arena: &Arena, array: ArrayId) -> Result<bool, Rejection> {
    Ok(match *arena.array(array)? {
        Array::Table(_) => true,
        Array::Constant(value) => arena.value(value).is_some(),
        Array::Variable(_) | Array::Store(_) => false,
    })
}

/// The arrays of the members that are not fixed, in the order in which they are written.
fn arrays(arena: &Arena, members: &[Member]) -> Result<Vec<Rest>, Rejection> {
    let mut arrays = Vec::new();
    for (member, state) in members.iter().enumerate().flat_map(|(number, member)| member.objects.iter().map(move |state| (number, state))) {
        for (field, content) in state.fields.iter().enumerate() {
            if let Some(array) = content.rest
                && !is_fixed(arena, array)?
            {
                arrays.push(Rest { member, object: state.object, field, array });
            }
        }
    }
    Ok(arrays)
}

/// Writes an array as a template does.
pub(crate) fn visit_array(
    arena: &mut Arena,
    array: ArrayId,
    sort: IntegerType,
    stores: LastStores,
    visitor: &mut dyn Visitor,
) -> Result<ArrayId, Rejection> {
    let mut below = array;
    let mut written = Vec::new();
    for _ in 0..stores.count {
        let Array::Store(ArrayStore { array, index, value }) = *arena.array(below)? else { break };
        visitor.shape(Shape::Store);
        let index = visitor.integer(index, None);
        if stores.is_double {
            visitor.apart();
        }
        written.push((index, visitor.integer(value, Some(sort))));
        below = array;
    }
    let base = visitor.array(below, sort);
    written.into_iter().rev().try_fold(base, |array, (index, value)| arena.store(array, index, value))
}
