//! The primitive encodings: one encoding per value, and an error for everything else.

use goatherd_checker::{
    budget::Budget,
    error::{Declined, Defect, Failure, Where},
    reader::Reader,
    rejection::Rejection,
};

/// Reads one value, which takes all the bytes.
fn read<'all, T>(
    bytes: &'all [u8],
    memory: &'all mut Budget,
    read: fn(&mut Reader<'all, 'all>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let mut reader = Reader::new(bytes, 0, memory);
    let value = read(&mut reader)?;
    reader.end()?;
    Ok(value)
}

/// Memory enough.
fn memory() -> Budget {
    Budget::new(1 << 20)
}

fn unsigned(bytes: &[u8]) -> Result<u128, Failure> {
    read(bytes, &mut memory(), Reader::unsigned)
}

fn signed(bytes: &[u8]) -> Result<i128, Failure> {
    read(bytes, &mut memory(), Reader::signed)
}

fn malformed<T>(what: Defect, offset: usize) -> Result<T, Failure> {
    Err(Failure::Rejected {
        place: Where::Byte(offset),
        rejection: Rejection::Malformed(what),
    })
}

/// The first byte, then the value in so many bytes.
fn wide(first: u8, value: u128, count: usize) -> Vec<u8> {
    [first]
        .into_iter()
        .chain(value.to_le_bytes().into_iter().take(count))
        .collect()
}

#[test]
fn unsigned_integers_take_the_fewest_bytes() {
    assert_eq!(unsigned(&[0]), Ok(0));
    assert_eq!(unsigned(&[250]), Ok(250));
    for (first, count, least) in [
        (251, 2, 251),
        (252, 4, 1 << 16),
        (253, 8, 1 << 32),
        (254, 16, 1 << 64),
    ] {
        let greatest = u128::MAX >> (128 - 8 * count);
        assert_eq!(unsigned(&wide(first, least, count)), Ok(least));
        assert_eq!(unsigned(&wide(first, greatest, count)), Ok(greatest));
        assert_eq!(
            unsigned(&wide(first, least.saturating_sub(1), count)),
            malformed(Defect::Integer, 0),
            "{first}"
        );
        assert_eq!(
            unsigned(&wide(first, least, count.saturating_sub(1))),
            malformed(Defect::Truncated, 1),
            "{first}"
        );
    }
    assert_eq!(unsigned(&[255]), malformed(Defect::Integer, 0));
    assert_eq!(unsigned(&[]), malformed(Defect::Truncated, 0));
    assert_eq!(unsigned(&[7, 7]), malformed(Defect::Trailing, 1));
}

#[test]
fn integers_are_values_of_their_type() {
    assert_eq!(
        read(&[250], &mut memory(), Reader::unsigned::<u32>),
        Ok(250)
    );
    assert_eq!(
        read(
            &wide(252, 0xffff_ffff, 4),
            &mut memory(),
            Reader::unsigned::<u32>
        ),
        Ok(u32::MAX)
    );
    assert_eq!(
        read(
            &wide(253, 1 << 32, 8),
            &mut memory(),
            Reader::unsigned::<u32>
        ),
        malformed(Defect::Range, 0)
    );
    assert_eq!(
        read(
            &wide(254, 1 << 64, 16),
            &mut memory(),
            Reader::unsigned::<u64>
        ),
        malformed(Defect::Range, 0)
    );
    assert_eq!(
        read(
            &wide(253, u128::from(u64::MAX), 8),
            &mut memory(),
            Reader::signed::<i64>
        ),
        Ok(i64::MIN)
    );
    assert_eq!(
        read(
            &wide(254, 1 << 64, 16),
            &mut memory(),
            Reader::signed::<i64>
        ),
        malformed(Defect::Range, 0)
    );
}

#[test]
fn signed_integers_alternate() {
    for (code, value) in [(0, 0), (1, -1), (2, 1), (3, -2), (249, -125), (250, 125)] {
        assert_eq!(signed(&[code]), Ok(value));
    }
    assert_eq!(signed(&wide(254, u128::MAX, 16)), Ok(i128::MIN));
    assert_eq!(signed(&wide(254, u128::MAX - 1, 16)), Ok(i128::MAX));
}

#[test]
fn lengths_are_at_most_what_is_left() {
    assert_eq!(
        read(&[2, 9, 9], &mut memory(), |reader| reader
            .length()
            .and_then(|length| reader.take(length).map(<[u8]>::to_vec))),
        Ok(vec![9, 9])
    );
    assert_eq!(
        read(&[3, 9, 9], &mut memory(), Reader::length),
        malformed(Defect::Length, 0)
    );
    assert_eq!(
        read(
            &wide(253, u128::from(u64::MAX), 8),
            &mut memory(),
            Reader::length
        ),
        malformed(Defect::Length, 0)
    );
    assert_eq!(
        read(&wide(254, 1 << 64, 16), &mut memory(), Reader::length),
        malformed(Defect::Range, 0)
    );
}

#[test]
fn strings_are_text() {
    assert_eq!(read(&[0], &mut memory(), Reader::text), Ok(String::new()));
    assert_eq!(
        read(&[2, 0xc3, 0xa9], &mut memory(), Reader::text),
        Ok(String::from("é"))
    );
    assert_eq!(
        read(&[1, 0xc3], &mut memory(), Reader::text),
        malformed(Defect::Text, 1)
    );
    assert_eq!(
        read(&[2, b'a'], &mut memory(), Reader::text),
        malformed(Defect::Length, 0)
    );
}

#[test]
fn the_budget_pays_before_memory_is_taken() {
    let mut budget = Budget::new(1000);
    let mut reader = Reader::new(&[], 0, &mut budget);
    assert_eq!(
        reader.vector::<u64>(121).map(|vector| vector.capacity()),
        Ok(121)
    );
    assert_eq!(
        reader.vector::<u64>(1).map(drop),
        Err(Failure::Declined(Declined::Memory { limit: 1000 }))
    );
    assert_eq!(
        reader.vector::<u64>(usize::MAX).map(drop),
        Err(Failure::Declined(Declined::Memory { limit: 1000 }))
    );
    assert_eq!(reader.vector::<u64>(0).map(drop), Ok(()));
}
