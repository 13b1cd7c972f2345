//! Where something stands in a function, as tokens: white space, comments and trailing commas do not count.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::ops::Range;

/// A token and the bytes that it stands in.
struct Token {
    text: String,
    place: Range<usize>,
}

/// The one place where these tokens stand in the bodies of the functions of that name.
pub fn find(source: &str, function: &str, wanted: &str) -> Result<Range<usize>, String> {
    let read = |text: &str| text.parse::<TokenStream>().map_err(|error| format!("`{text}` is not made of tokens: {error}"));
    let mut bodies = Vec::new();
    collect_bodies(source.parse::<TokenStream>().map_err(|error| error.to_string())?, function, &mut bodies);
    if bodies.is_empty() {
        return Err(format!("there is no function `{function}`"));
    }
    let mut pattern = Vec::new();
    flatten(read(wanted)?, &mut pattern);
    if pattern.is_empty() {
        return Err(String::from("nothing is looked for"));
    }
    let mut places = Vec::new();
    for body in bodies {
        let mut tokens = Vec::new();
        flatten(body, &mut tokens);
        let is_here = |window: &&[Token]| window.iter().zip(&pattern).all(|(token, wanted)| token.text == wanted.text);
        places.extend(tokens.windows(pattern.len()).filter(is_here).filter_map(|window| {
            let (first, last) = window.first().zip(window.last())?;
            Some(first.place.start..last.place.end)
        }));
    }
    match places.as_slice() {
        [place] => Ok(place.clone()),
        _ => Err(format!("`{wanted}` stands {} times in the function `{function}`, not once", places.len())),
    }
}

/// The bodies of all functions of a name, wherever they stand.
fn collect_bodies(tokens: TokenStream, function: &str, bodies: &mut Vec<TokenStream>) {
    let mut tokens = tokens.into_iter().peekable();
    let is_word = |token: &TokenTree, word: &str| matches!(token, TokenTree::Ident(ident) if ident == word);
    while let Some(token) = tokens.next() {
        if is_word(&token, "fn") && tokens.peek().is_some_and(|name| is_word(name, function)) {
            let is_end = |token: &TokenTree| match token {
                TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
                TokenTree::Punct(punct) => punct.as_char() == ';',
                _ => false,
            };
            if let Some(TokenTree::Group(body)) = tokens.find(is_end) {
                bodies.push(body.stream());
            }
        } else if let TokenTree::Group(group) = token {
            collect_bodies(group.stream(), function, bodies);
        }
    }
}

/// The tokens one after the other, brackets among them; no comma before one that closes.
fn flatten(tokens: TokenStream, flat: &mut Vec<Token>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                flat.push(Token { text: open.to_owned(), place: group.span_open().byte_range() });
                flatten(group.stream(), flat);
                flat.pop_if(|last| last.text == ",");
                flat.push(Token { text: close.to_owned(), place: group.span_close().byte_range() });
            }
            token => flat.push(Token { text: token.to_string(), place: token.span().byte_range() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::find;

    const SOURCE: &str = "impl A {
    fn read(&self) -> bool {
        self.is_known(
            \"a b\",
            // Why.
            2,
        ) && other()
    }
}
fn other() -> bool {
    is_known(2) && is_known(2)
}
trait B {
    fn read(&self);
}
";

    #[test]
    fn layout_does_not_matter() {
        let place = find(SOURCE, "read", "self.is_known(\"a b\", 2)&&other ( )").unwrap();
        assert!(SOURCE[..place.start].ends_with("bool {\n        ") && SOURCE[place.start..].starts_with("self.is_known("));
        assert!(SOURCE[..place.end].ends_with("&& other()"));
    }

    #[test]
    fn what_does_not_stand_there_once_is_said() {
        assert_eq!(
            find(SOURCE, "other", "is_known(2)"),
            Err(String::from("`is_known(2)` stands 2 times in the function `other`, not once"))
        );
        assert_eq!(find(SOURCE, "read", "is_known(2)"), Err(String::from("`is_known(2)` stands 0 times in the function `read`, not once")));
        assert_eq!(find(SOURCE, "write", "2"), Err(String::from("there is no function `write`")));
        assert_eq!(find(SOURCE, "read", ""), Err(String::from("nothing is looked for")));
        // White space counts inside a string.
        assert!(find(SOURCE, "read", "\"ab\"").is_err());
        assert!(find(SOURCE, "read", "other(").unwrap_err().starts_with("`other(` is not made of tokens"));
    }
}
