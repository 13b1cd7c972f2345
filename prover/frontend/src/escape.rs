//! Text that others wrote - names, file names, source lines - made safe to show: nothing of it moves a terminal's cursor, hides, or changes
//! the order of what is read.
//!
//! What may stand as it is ([`is_plain`]) is said once, for both commands and for all that they write: text, JSON, DOT, XML.

use std::fmt::Write;

/// Letters and signs that look like nothing at all. Other invisible characters have no general category that is shown.
const BLANK: [char; 6] = ['\u{115f}', '\u{1160}', '\u{2800}', '\u{3164}', '\u{ffa0}', '\u{1d159}'];

/// Is the character seen, where it stands, and nowhere else? Not so are control and format characters (C0, C1, bidirectional marks, soft
/// hyphens, zero-width characters, tags), spaces but U+0020, marks on other characters, and what Unicode has not assigned.
pub fn is_plain(character: char) -> bool {
    // Quotes are shown by everybody who escapes them; the rest is what Rust's `Debug` prints as it is.
    matches!(character, '\\' | '"' | '\'') || (character.escape_debug().len() == 1 && !BLANK.contains(&character))
}

/// A text in one line: what is not plain is written as `\u{...}`.
pub fn escaped(text: &str) -> String {
    with(text, |character| !is_plain(character), |character, line| line.extend(character.escape_unicode()))
}

/// As [`escaped`], but lines and tabs stay: for texts whose parts have been escaped, so that nothing is forgotten.
pub fn escaped_lines(text: &str) -> String {
    let is_bad = |character| !matches!(character, '\n' | '\t') && !is_plain(character);
    with(text, is_bad, |character, line| line.extend(character.escape_unicode()))
}

/// A character of a line of source that is shown with marks below: what is not plain is U+FFFD, as wide as others. Tabs stay.
pub fn masked(character: char) -> char {
    if character == '\t' || is_plain(character) { character } else { char::REPLACEMENT_CHARACTER }
}

/// JSON with the same values in which all characters are plain, but for ends of lines: in strings others are written as `\uXXXX`.
pub fn json(text: &str) -> String {
    let write = |character: char, text: &mut String| {
        for unit in character.encode_utf16(&mut [0; 2]) {
            // Writing to a string does not fail.
            let _ = write!(text, "\\u{unit:04x}");
        }
    };
    with(text, |character| character != '\n' && !is_plain(character), write)
}

/// A string of the DOT language, with its quotes.
pub fn dot(text: &str) -> String {
    format!("\"{}\"", escaped_lines(text).replace('\\', "\\\\").replace('"', "\\\""))
}

/// Text or an attribute of XML and HTML. Ends of lines and tabs stay.
pub fn xml(text: &str) -> String {
    let text = escaped_lines(text);
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The text with other things written for some of its characters.
fn with(text: &str, is_bad: impl Fn(char) -> bool, write: impl Fn(char, &mut String)) -> String {
    let mut result = String::with_capacity(text.len());
    for character in text.chars() {
        if is_bad(character) {
            write(character, &mut result);
        } else {
            result.push(character);
        }
    }
    result
}

/// The most characters of a name that are shown: C tells names apart by 63 (C11 5.2.4.1). A name that is mentioned often would otherwise
/// make output that is as long as the square of a file.
const LONGEST: usize = 64;

/// As [`escaped`], of a text that is too long its beginning and its end.
pub fn shortened(text: &str) -> String {
    let count = text.chars().count();
    if count <= LONGEST {
        return escaped(text);
    }
    let part = LONGEST / 2;
    let end = text.char_indices().rev().nth(part - 1).map_or(0, |(start, _)| start);
    let start: String = text.chars().take(part).collect();
    format!("{}[{} more]{}", escaped(&start), count - 2 * part, escaped(&text[end..]))
}

#[cfg(test)]
mod tests {
    use super::{dot, escaped, escaped_lines, is_plain, json, masked, shortened, xml};

    /// Of each kind of character that misleads, some.
    const MISLEADING: &str = "\0\u{7}\t\n\u{1b}\u{7f}\u{80}\u{9b}\u{a0}\u{ad}\u{34f}\u{61c}\u{115f}\u{180e}\u{200b}\u{200c}\u{200d}\u{200e}\
        \u{200f}\u{2028}\u{2029}\u{202a}\u{202e}\u{2060}\u{2066}\u{2069}\u{3164}\u{fe0f}\u{feff}\u{fff9}\u{e0001}\u{e0041}\u{e007f}\u{10ffff}";

    #[test]
    fn nothing_misleading_is_plain() {
        for character in MISLEADING.chars() {
            assert!(!is_plain(character), "{character:?}");
            assert_eq!(escaped(&character.to_string()), format!("\\u{{{:x}}}", u32::from(character)));
            assert!(matches!(masked(character), '\t' | '\u{fffd}'), "{character:?}");
        }
        for character in "aZ0_ .\\\"'/<>äßλЖ漢字語가אب€→".chars() {
            assert!(is_plain(character), "{character:?}");
        }
    }

    #[test]
    fn each_output_has_plain_characters_only_and_json_keeps_its_values() {
        let text = format!("a\"\\{MISLEADING}z");
        assert!(escaped(&text).chars().all(is_plain));
        for written in [escaped_lines(&text), dot(&text), xml(&text)] {
            assert!(written.replace(['\n', '\t'], "").chars().all(is_plain), "{written}");
        }
        let written = json(&serde_json::to_string_pretty(&[&text]).unwrap());
        assert!(written.chars().all(|character| character == '\n' || is_plain(character)), "{written}");
        assert_eq!(serde_json::from_str::<Vec<String>>(&written).unwrap(), [text]);
    }

    #[test]
    fn long_names_are_shown_by_their_ends() {
        assert_eq!(shortened(&"x".repeat(64)), "x".repeat(64));
        let long = format!("{}\u{202e}{}", "é".repeat(1000), "b".repeat(32));
        assert_eq!(shortened(&long), format!("{}[969 more]{}", "é".repeat(32), "b".repeat(32)));
        assert_eq!(shortened(&"\u{1b}".repeat(65)).chars().filter(|character| *character == '{').count(), 64);
    }
}
