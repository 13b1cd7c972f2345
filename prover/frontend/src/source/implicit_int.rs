//! `main() { ... }`: a function that is defined without a type returns int, as before C99 (C90 3.5.2). The parser wants the type.

use super::{
    bodies,
    token::{Token, TokenKind},
};

/// Words that say nothing of the type and may stand before the name.
const BEFORE: [&str; 4] = ["extern", "inline", "register", "static"];

/// Words that are no names of functions, although a parenthesis may follow them.
const NO_NAMES: [&str; 2] = ["asm", "typeof"];

/// The tokens with `int` before the name of each such function.
pub(super) fn with_types(tokens: &[Token]) -> Vec<Token> {
    let mut output: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut outside = Outside::default();
    for (index, token) in tokens.iter().enumerate() {
        if outside.is_beginning && is_definition(tokens.get(index..).unwrap_or_default()) {
            output.push(token.replaced(TokenKind::Identifier, "int"));
        }
        outside.pass(token, tokens.get(..index).unwrap_or_default());
        output.push(token.clone());
    }
    output
}

/// Where declarations outside functions begin.
struct Outside {
    /// Brackets that are open.
    depth: usize,
    /// Nothing but words that say nothing of the type stands between here and the last declaration.
    is_beginning: bool,
    /// The brace that is open outside all others is that of a function's body.
    is_body: bool,
    /// An initialiser has begun.
    is_initialised: bool,
}

impl Default for Outside {
    fn default() -> Self {
        Self { depth: 0, is_beginning: true, is_body: false, is_initialised: false }
    }
}

impl Outside {
    fn pass(&mut self, token: &Token, before: &[Token]) {
        let was_outside = self.depth == 0;
        match &*token.text {
            "(" | "[" | "{" => {
                if was_outside && token.is("{") {
                    // Behind the declarations of parameters in the old style there is a semicolon.
                    self.is_body = self.is_beginning || !self.is_initialised && bodies::may_begin_behind(before);
                }
                self.depth += 1;
            }
            ")" | "]" | "}" => self.depth = self.depth.saturating_sub(1),
            "=" if was_outside => self.is_initialised = true,
            _ => {}
        }
        let ends = self.depth == 0 && (token.is(";") || token.is("}") && self.is_body);
        if ends {
            self.is_initialised = false;
            self.is_body = false;
        }
        self.is_beginning = ends || self.is_beginning && token.is_any(&BEFORE);
    }
}

/// Does a function's name begin here, with its parameters and its body, or the types of parameters in the old style?
fn is_definition(tokens: &[Token]) -> bool {
    let [name, open, ..] = tokens else { return false };
    let is_name = name.is_identifier() && !name.text.starts_with('_') && !name.is_any(&NO_NAMES) && !name.is_any(&BEFORE);
    if !is_name || !open.is("(") {
        return false;
    }
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate().skip(1) {
        match &*token.text {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            // `asm` and attributes stand in declarations of other kinds, too.
            let is_type = |next: &Token| next.is_identifier() && !next.text.starts_with("__") && !next.is("asm");
            return tokens.get(index + 1).is_some_and(|next| next.is("{") || is_type(next));
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::with_types;
    use crate::source::token::{Place, tokens};

    fn text(text: &str) -> String {
        let tokens = with_types(&tokens(text.as_bytes(), Place::default()));
        tokens.iter().map(|token| &*token.text).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn functions_without_a_type_return_int() {
        assert_eq!(text("main() { f(); }"), "int main ( ) { f ( ) ; }");
        assert_eq!(text("struct s { int a; }; static f(a, b) int a; char b; { } g(void) { }"), {
            "struct s { int a ; } ; static int f ( a , b ) int a ; char b ; { } int g ( void ) { }"
        });
    }

    #[test]
    fn what_has_a_type_stays() {
        for kept in [
            "struct s { int a ; } f ( void ) { }",
            "T ( f ) ( void ) { }",
            "T ( x ) ; int g ( void ) { h ( ) ; { } k ( ) ; }",
            "int x = f ( 1 ) ; int * p = ( int [ ] ) { 1 } ;",
            "__attribute__ ( ( unused ) ) int f ( void ) { }",
            "_Static_assert ( 1 , \"\" ) ; asm ( \"\" ) ; void f ( void ) { }",
            "int f ( a ) int a ; { g ( a ) ; }",
        ] {
            assert_eq!(text(kept), kept);
        }
    }
}
