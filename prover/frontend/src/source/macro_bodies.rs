//! What macros stand for, and through which others.
//!
//! ```c
//! #define QUOTE(x) #x
//! #define TWICE(x) QUOTE(x)      /* leads to a macro that quotes */
//! ```

use super::token::Token;
use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

/// By their names all that macros are defined as, with their parameters.
#[derive(Clone, Debug, Default)]
pub(super) struct MacroBodies(BTreeMap<Rc<str>, Vec<Vec<Token>>>);

impl MacroBodies {
    /// Adds a definition, which begins with the name.
    pub(super) fn add(&mut self, definition: &[Token]) {
        if let Some((name, body)) = definition.split_first() {
            self.0.entry(name.text.clone()).or_default().push(body.to_vec());
        }
    }

    /// Is there a macro of this name?
    pub(super) fn defines(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Those with such a token.
    pub(super) fn with(&self, is_such: impl Fn(&Token) -> bool) -> BTreeSet<&str> {
        self.of_bodies(|body| body.iter().any(&is_such))
    }

    /// Those that stand for such tokens.
    pub(super) fn of_bodies(&self, is_such: impl Fn(&[Token]) -> bool) -> BTreeSet<&str> {
        self.0.iter().filter(|(_, bodies)| bodies.iter().any(|body| is_such(body))).map(|(name, _)| &**name).collect()
    }

    /// Those that have one of these macros in what they stand for, or one that has.
    pub(super) fn leading_to<'a>(&'a self, macros: &BTreeSet<&'a str>) -> BTreeSet<&'a str> {
        self.closure(macros, |body, is_known| body.iter().any(is_known))
    }

    /// Those that may give what they are given, or what stands behind them, to one of these macros: not `#define LAST (OF(9))`.
    pub(super) fn handing_on_to<'a>(&'a self, macros: &BTreeSet<&'a str>) -> BTreeSet<&'a str> {
        let has_parameters = |body: &[Token]| body.first().is_some_and(|first| first.is("(") && !first.spaced);
        self.closure(
            macros,
            |body, is_known| if has_parameters(body) { body.iter().any(is_known) } else { body.last().is_some_and(is_known) },
        )
    }

    fn closure<'a>(&'a self, macros: &BTreeSet<&'a str>, leads: impl Fn(&[Token], &dyn Fn(&Token) -> bool) -> bool) -> BTreeSet<&'a str> {
        let mut leading = BTreeSet::new();
        loop {
            let is_known = |token: &Token| macros.contains(&*token.text) || leading.contains(&*token.text);
            let found = self.of_bodies(|body| leads(body, &is_known));
            if found.len() == leading.len() {
                return found;
            }
            leading = found;
        }
    }
}
