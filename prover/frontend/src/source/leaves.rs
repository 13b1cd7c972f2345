//! Functions with the attribute `leaf`, of which a compiler believes that they do not come back to the file that calls them: it keeps what it knows of the
//! file's own objects. They may be defined in another file of the program, or be functions of the library that call the program's.
//!
//! ```c
//! #include <stdlib.h>             /* extern int putenv(char *) __attribute__((__nothrow__, __leaf__)); */
//! static int n;
//! void count(void) { n++; }       /* which putenv() of another file may call */
//! ```

use super::{File, Trouble, headers, rewrite, token::Token};
use std::{collections::BTreeSet, ops::Range};

/// What the declarations of a program say of leaves.
pub(super) struct Leaves {
    /// What the user's own declarations say of functions that may come back.
    pub(super) refused: Vec<Trouble>,
    /// The names in declarations of the library's headers that say it, where there are several files: one of these may define the function. In one file
    /// alone a compiler sees what is defined.
    pub(super) of_headers: BTreeSet<String>,
}

/// Looks for the attribute in a program of so many files.
pub(super) fn leaves(tokens: &[Token], files: &[File], sources: usize) -> Leaves {
    let is_own = |token: &Token| {
        let file = usize::try_from(token.place.file).ok().and_then(|file| files.get(file));
        file.is_some_and(|file| file.bytes.is_some())
    };
    let mut found = Leaves { refused: Vec::new(), of_headers: BTreeSet::new() };
    for range in headers::declarations(tokens) {
        let declaration = tokens.get(range.clone()).unwrap_or_default();
        let (own, of_headers): (Vec<&Token>, Vec<&Token>) = attributes(tokens, &range).into_iter().partition(|token| is_own(token));
        if sources > 1 || declaration.iter().any(|token| token.is_any(&["qsort", "bsearch"])) {
            found
                .refused
                .extend(own.into_iter().map(|token| Trouble::unsupported(token, "the attribute 'leaf' of what may come back to the file")));
        }
        if sources > 1 && !of_headers.is_empty() {
            found.of_headers.extend(declaration.iter().filter(|token| token.is_identifier()).map(|token| token.text.to_string()));
        }
    }
    found
}

/// The words that say it in a declaration.
fn attributes<'tokens>(tokens: &'tokens [Token], range: &Range<usize>) -> Vec<&'tokens Token> {
    let word = |index: usize| {
        let rest = tokens.get(index..range.end).filter(|rest| rest.first().is_some_and(|first| first.is_any(&rewrite::ATTRIBUTE)))?;
        let length = rewrite::attributes(rest)?.length;
        rest.iter().take(length).find(|token| token.is_any(&["leaf", "__leaf__"]))
    };
    range.clone().filter_map(word).collect()
}
