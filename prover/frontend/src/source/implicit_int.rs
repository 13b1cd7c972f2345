//! `main() { ... }` and `static f();`: a function that is defined or declared without a type returns int, as before C99 (C90 3.5.2). The parser wants the type.

use super::{
    bodies::Outside,
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
    let mut is_beginning = true;
    for (index, token) in tokens.iter().enumerate() {
        let rest = tokens.get(index..).unwrap_or_default();
        if is_beginning && (is_definition(rest) || is_declaration(rest)) {
            output.push(token.replaced(TokenKind::Identifier, "int"));
        }
        outside.pass(token, tokens.get(..index).unwrap_or_default());
        is_beginning = outside.is_between || is_beginning && token.is_any(&BEFORE);
        output.push(token.clone());
    }
    output
}

/// May it be the name of a function?
fn is_name(token: &Token) -> bool {
    token.is_identifier() && !token.text.starts_with('_') && !token.is_any(&NO_NAMES) && !token.is_any(&BEFORE)
}

/// Does a function's name begin here, with empty parentheses behind it? What has more in them may be `T (x);`, which declares an x.
fn is_declaration(tokens: &[Token]) -> bool {
    let [name, open, close, end, ..] = tokens else { return false };
    is_name(name) && open.is("(") && close.is(")") && end.is_any(&[";", ","])
}

/// Does a function's name begin here, with its parameters and its body, or the types of parameters in the old style?
fn is_definition(tokens: &[Token]) -> bool {
    let [name, open, rest @ ..] = tokens else { return false };
    if !is_name(name) || !open.is("(") || is_declarator(rest) {
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

/// Does a function's declarator begin here that stands in parentheses, behind its type: `T (f(void)) {`, `T (*f(void)) {`?
fn is_declarator(tokens: &[Token]) -> bool {
    matches!(tokens, [first, second, ..] if first.is("*") || first.is_identifier() && second.is("("))
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
    fn declarations_without_a_type_are_of_functions() {
        assert_eq!(
            text("static f(); extern g(), h(); k(); f(x) { }"),
            "static int f ( ) ; extern int g ( ) , h ( ) ; int k ( ) ; int f ( x ) { }"
        );
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
            "T ( f ( void ) ) { } T ( * g ( int x ) ) { } int ( h ( a ) ) int a ; { }",
            "static T ( x ) ; T ( y ) , z ; static int f ( ) ; T g ( ) ;",
        ] {
            assert_eq!(text(kept), kept);
        }
    }
}
