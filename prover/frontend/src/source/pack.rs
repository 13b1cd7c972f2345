//! `#pragma pack`: the greatest alignment that members have in the structs and unions behind it, as GCC and Clang read it.
//!
//! It is followed where it stands alone between declarations of the file; what it says is put behind the brace of each struct that is defined
//! then, as an attribute that no source can write. A pragma that is left is refused as any other.

use super::{
    Trouble, bodies,
    directives::PRAGMA,
    rewrite::body_end,
    token::{Token, TokenKind},
};
use std::collections::BTreeMap;

/// What a pragma says.
enum Pack {
    /// `()`: as if there were none.
    None,
    Set(u64),
    /// `(push)`, `(push, n)`
    Push(Option<u64>),
    Pop,
}

/// The pragma that the token stands for, if it is a `pack` that is understood.
fn pack(token: &Token) -> Option<Pack> {
    let inner = token.text.strip_prefix(PRAGMA)?.strip_prefix("pack")?.strip_prefix('(')?.strip_suffix(')')?;
    let alignment = |text: &str| ["1", "2", "4", "8", "16"].contains(&text).then(|| text.parse().ok())?;
    Some(match inner.split_once(',') {
        None if inner.is_empty() => Pack::None,
        None if inner == "push" => Pack::Push(None),
        None if inner == "pop" => Pack::Pop,
        None => Pack::Set(alignment(inner)?),
        Some(("push", value)) => Pack::Push(Some(alignment(value)?)),
        Some(_) => return None,
    })
}

/// The alignments that pragmas have set and put aside.
#[derive(Default)]
struct State {
    now: Option<u64>,
    aside: Vec<Option<u64>>,
}

impl State {
    /// Does what a pragma says; it may not.
    fn follow(&mut self, pack: &Pack) -> Option<()> {
        match pack {
            Pack::None => self.now = None,
            Pack::Set(value) => self.now = Some(*value),
            Pack::Push(value) => {
                self.aside.push(self.now);
                self.now = value.or(self.now);
            }
            Pack::Pop => self.now = self.aside.pop()?,
        }
        Some(())
    }
}

/// The tokens without the pragmas that are followed, and with what these say of structs.
pub(super) fn with_packing(tokens: Vec<Token>, sources: usize, troubles: &mut Vec<Trouble>) -> Vec<Token> {
    if !tokens.iter().any(|token| pack(token).is_some()) {
        return tokens;
    }
    let places: Vec<bool> = between_declarations(&tokens);
    let mut state = State::default();
    let mut output = Vec::with_capacity(tokens.len());
    let mut ends: BTreeMap<usize, u64> = BTreeMap::new();
    for (index, token) in tokens.iter().enumerate() {
        if let Some(pack) = pack(token) {
            if sources > 1 {
                troubles.push(Trouble::unsupported(token, "#pragma pack in a program of several files"));
            } else if !(places[index] && state.follow(&pack).is_some()) {
                troubles.push(Trouble::unsupported(token, "#pragma pack in this place"));
            }
            continue;
        }
        if let (Some(limit), true) = (state.now, token.is_any(&["struct", "union"]))
            && let Some(end) = body_end(&tokens, index + 1)
        {
            ends.insert(end, limit);
        }
        output.push(token.clone());
        if let Some(limit) = ends.get(&index) {
            let attribute = token.replaced(TokenKind::Identifier, &format!("((__pragma_pack__({limit})))"));
            output.extend([token.replaced(TokenKind::Identifier, "__attribute__"), attribute]);
        }
    }
    output
}

/// Which tokens stand alone in their line, behind the end of a declaration or definition in the file?
fn between_declarations(tokens: &[Token]) -> Vec<bool> {
    let is_pragma = |token: &Token| token.text.starts_with(PRAGMA);
    let line = |token: &Token| (token.place.file, token.place.line);
    let (mut depth, mut is_body, mut is_between) = (0_usize, false, true);
    let mut before: Vec<Token> = Vec::new();
    let mut places = Vec::with_capacity(tokens.len());
    for (index, token) in tokens.iter().enumerate() {
        let neighbours = [index.checked_sub(1), Some(index + 1)].into_iter().flatten().filter_map(|near| tokens.get(near));
        places.push(is_between && neighbours.into_iter().all(|near| line(near) != line(token)));
        if is_pragma(token) {
            continue;
        }
        match &*token.text {
            "{" if depth == 0 => {
                is_body = bodies::may_begin_behind(&before);
                depth = 1;
            }
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        is_between = depth == 0 && (token.is(";") || is_body && token.is("}"));
        before.push(token.clone());
    }
    places
}
