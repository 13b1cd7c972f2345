//! The tokens of a model's text.

use super::Problem;

/// A token with its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token<'text> {
    /// The text; empty at the end.
    pub text: &'text str,
    /// In bytes.
    pub offset: usize,
}

impl Token<'_> {
    /// A name: letters, digits and `_`, `.`, `'`, `-` (but not as in `->`), `[`, `]`, `+`.
    pub fn is_name(&self) -> bool {
        self.text.starts_with(is_part_of_name)
    }

    /// The token in a message.
    pub fn shown(&self) -> String {
        if self.text.is_empty() { "the end of the file".to_owned() } else { format!("`{}`", self.text) }
    }
}

fn is_part_of_name(character: char) -> bool {
    character.is_alphanumeric() || "_.'[]+".contains(character)
}

/// The tokens of a text, with one at its end that is empty. `#` begins a comment, up to the end of the line.
pub fn tokens(text: &str) -> Result<Vec<Token<'_>>, Problem> {
    let mut tokens = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let offset = text.len() - rest.len();
        let Some(first) = rest.chars().next() else {
            tokens.push(Token { text: "", offset });
            return Ok(tokens);
        };
        let length = match first {
            '#' => {
                rest = rest.find('\n').map_or("", |end| &rest[end..]);
                continue;
            }
            '-' if rest.starts_with("->") => 2,
            '{' | '}' | '(' | ')' | ',' | ':' | '/' | '*' => 1,
            _ => rest.find(|character| !is_part_of_name(character)).unwrap_or(rest.len()),
        };
        if length == 0 {
            return Err(Problem::new(offset, format!("`{}` begins nothing", first.escape_default())));
        }
        let (token, after) = rest.split_at(length);
        tokens.push(Token { text: token, offset });
        rest = after;
    }
}
