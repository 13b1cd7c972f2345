//! Names under which built-in functions are called and something else may be declared, which is called then.
//!
//! ```c
//! int (*__builtin_abs)(int) = step;
//! return __builtin_abs(-1);               /* step(-1) */
//! ```

use super::{
    rewrite::{ATTRIBUTE, attributes},
    token::{Token, TokenKind},
};
use std::collections::BTreeSet;

/// The name without what `__builtin_` functions begin with.
pub(super) fn plain(name: &str) -> &str {
    name.strip_prefix("__builtin_").unwrap_or(name)
}

/// The names, so shortened, that stand elsewhere than where a function is called or declared: with no parenthesis behind them, or among the parameters of a
/// function. What attributes say declares nothing.
pub(super) fn otherwise(tokens: &[Token]) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    let (mut braces, mut parentheses) = (0_usize, 0_usize);
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        let rest = tokens.get(index..).unwrap_or_default();
        if let Some(attributes) = Some(rest).filter(|_| token.is_any(&ATTRIBUTE)).and_then(attributes) {
            index += attributes.length;
            continue;
        }
        match &*token.text {
            "{" => braces += 1,
            "}" => braces = braces.saturating_sub(1),
            "(" => parentheses += 1,
            ")" => parentheses = parentheses.saturating_sub(1),
            _ => {}
        }
        let is_followed = rest.get(1).is_some_and(|next| next.is("("));
        let is_parameter = braces == 0 && parentheses > 0;
        if token.kind == TokenKind::Identifier && (!is_followed || is_parameter) {
            names.insert(plain(&token.text));
        }
        index += 1;
    }
    names
}
