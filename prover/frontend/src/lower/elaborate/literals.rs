//! Integer, character and string constants (C11 6.4.4, 6.4.5).

use crate::lower::types::{convert, in_range, maximum};
use goatherd_certificates::program::IntegerType;
use lang_c::ast::{Integer, IntegerBase, IntegerSize};

/// The value and type of an integer constant (C11 6.4.4.1p5), or what is wrong with it.
pub(crate) fn integer(literal: &Integer) -> Result<(i128, IntegerType), &'static str> {
    let radix = match literal.base {
        IntegerBase::Decimal => 10,
        IntegerBase::Octal => 8,
        IntegerBase::Hexadecimal => 16,
        IntegerBase::Binary => 2,
    };
    if literal.suffix.imaginary {
        return Err("a complex number");
    }
    let value = if literal.number.is_empty() { Ok(0) } else { i128::from_str_radix(&literal.number, radix) };
    let value = value.map_err(|_| "an integer constant that is too large")?;
    let wide = literal.suffix.size != IntegerSize::Int;
    let candidates: &[IntegerType] = match (literal.suffix.unsigned, wide, radix) {
        (true, false, _) => &[IntegerType::U32, IntegerType::U64],
        (true, true, _) => &[IntegerType::U64],
        (false, false, 10) => &[IntegerType::I32, IntegerType::I64],
        (false, false, _) => &[IntegerType::I32, IntegerType::U32, IntegerType::I64, IntegerType::U64],
        (false, true, 10) => &[IntegerType::I64],
        (false, true, _) => &[IntegerType::I64, IntegerType::U64],
    };
    let kind = candidates.iter().find(|kind| value <= maximum(**kind)).ok_or("an integer constant that is too large")?;
    Ok((value, *kind))
}

/// The value and type of a character constant with its quotes (C11 6.4.4.4p10-11).
pub(crate) fn character(text: &str) -> Result<(i128, IntegerType), &'static str> {
    let (kind, body) = split(text, '\'')?;
    let units = units(body, kind)?;
    match units[..] {
        [value] if kind == IntegerType::I8 => Ok((value, IntegerType::I32)),
        [value] => Ok((value, kind)),
        // GCC and Clang agree: the first character is the highest byte of an int.
        [_, _] | [_, _, _] | [_, _, _, _] if kind == IntegerType::I8 => {
            let value = units.iter().fold(0, |value, unit| value * 256 + convert(IntegerType::U8, *unit));
            Ok((convert(IntegerType::I32, value), IntegerType::I32))
        }
        _ => Err("a character constant of more characters than an int has bytes"),
    }
}

/// The element type and the elements of adjacent string literals, with the terminating zero (C11 6.4.5p5-6).
pub(crate) fn string(parts: &[String]) -> Result<(IntegerType, Vec<i128>), &'static str> {
    let mut split_parts = Vec::new();
    let mut kind = IntegerType::I8;
    for part in parts {
        let (own, body) = split(part, '"')?;
        if own != IntegerType::I8 {
            kind = own;
        }
        split_parts.push((own, body));
    }
    let mut values = Vec::new();
    for (own, body) in split_parts {
        // In a wide literal the bytes of a narrow part may be characters together (C11 6.4.5p5).
        if own != kind && units(body, own)?.iter().any(|value| *value < 0) {
            return Err("a wide literal with a part of bytes beyond ASCII");
        }
        values.extend(units(body, kind)?);
    }
    values.push(0);
    Ok((kind, values))
}

/// The characters of adjacent literals without the zero at the end; what is no character of a name is `?`.
pub(crate) fn characters(parts: &[String]) -> String {
    let values = string(parts).map(|(_, values)| values).unwrap_or_default();
    let values = values.iter().take(values.len().saturating_sub(1));
    values.map(|value| u8::try_from(*value).map_or('?', char::from)).collect()
}

/// What a literal with elements of this many bytes has in memory, little endian.
pub(crate) fn bytes(width: u64, values: &[i128]) -> Vec<u8> {
    let width = usize::try_from(width).unwrap_or(usize::MAX);
    values.iter().flat_map(|value| value.to_le_bytes().into_iter().take(width)).collect()
}

/// The element type that the prefix says, and the text between the quotes.
fn split(text: &str, quote: char) -> Result<(IntegerType, &str), &'static str> {
    let start = text.find(quote).ok_or("a literal without quotes")?;
    let body = text[start + 1..].strip_suffix(quote).ok_or("a literal without quotes")?;
    let kind = match &text[..start] {
        "" | "u8" => IntegerType::I8,
        "L" => IntegerType::I32,
        "u" => IntegerType::U16,
        "U" => IntegerType::U32,
        _ => return Err("a literal with an unknown prefix"),
    };
    Ok((kind, body))
}

/// The elements that the text between the quotes stands for.
fn units(body: &str, kind: IntegerType) -> Result<Vec<i128>, &'static str> {
    let mut values = Vec::new();
    let mut characters = body.chars().peekable();
    while let Some(character) = characters.next() {
        if character != '\\' {
            if kind == IntegerType::I8 {
                let mut buffer = [0; 4];
                values.extend(character.encode_utf8(&mut buffer).bytes().map(|byte| i128::from(byte.cast_signed())));
            } else {
                values.push(i128::from(u32::from(character)));
            }
            continue;
        }
        let escape = characters.next().ok_or("an unfinished escape sequence")?;
        let simple = match escape {
            'n' => 10,
            't' => 9,
            'r' => 13,
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'v' => 11,
            'e' | 'E' => 27,
            '\\' | '\'' | '"' | '?' => i128::from(u32::from(escape)),
            'x' | '0'..='7' => {
                let (radix, limit) = if escape == 'x' { (16, usize::MAX) } else { (8, 2) };
                let mut value = if escape == 'x' { 0 } else { i128::from(escape.to_digit(8).unwrap_or(0)) };
                let mut count = 0;
                while count < limit
                    && let Some(digit) = characters.peek().and_then(|next| next.to_digit(radix))
                {
                    value = value * i128::from(radix) + i128::from(digit);
                    if value > i128::from(u32::MAX) {
                        return Err("an escape sequence that is too large");
                    }
                    characters.next();
                    count += 1;
                }
                let unsigned = if kind == IntegerType::I8 { IntegerType::U8 } else { IntegerType::U32 };
                if !in_range(unsigned, value) {
                    return Err("an escape sequence that is too large");
                }
                convert(kind, value)
            }
            _ => return Err("an escape sequence that is not known"),
        };
        values.push(simple);
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_signed_ints() {
        assert_eq!(character("'a'"), Ok((97, IntegerType::I32)));
        assert_eq!(character(r"'\xff'"), Ok((-1, IntegerType::I32)));
        assert_eq!(character(r"'\0'"), Ok((0, IntegerType::I32)));
        assert_eq!(character(r"L'\n'"), Ok((10, IntegerType::I32)));
        assert_eq!(character("'ab'"), Ok((0x6162, IntegerType::I32)));
        assert_eq!(character(r"'\377\0\0\1'"), Ok((-0x00ff_ffff, IntegerType::I32)));
        assert!(character("'abcde'").is_err() && character("L'ab'").is_err());
    }

    #[test]
    fn strings_end_with_zero() {
        assert_eq!(string(&["\"a\\01\"".into(), "\"b\"".into()]), Ok((IntegerType::I8, vec![97, 1, 98, 0])));
    }
}
