//! Reading.

use super::Document;
use crate::{
    alphabet::{Alphabet, Symbol},
    automaton::{AutomatonBuilder, State},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

/// Why a text is not an automaton, and what to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// The line, counted from 1.
    pub line: usize,
    /// The column in characters, counted from 1.
    pub column: usize,
    /// What is wrong, and what to do.
    pub reason: String,
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}: {}", self.line, self.column, self.reason)
    }
}

impl std::error::Error for Error {}

/// Reads an automaton; new symbols are added to the alphabet.
pub fn read(text: &str, alphabet: &mut Alphabet) -> Result<Document, Error> {
    let tokens = tokens(text)?;
    Reader { tokens: &tokens, next: 0, alphabet, declared: BTreeMap::new(), numbers: BTreeMap::new(), states: Vec::new() }.document()
}

/// A piece of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Token<'a> {
    kind: Kind<'a>,
    line: usize,
    column: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind<'a> {
    Name(&'a str),
    Open,
    Close,
    Comma,
    Arrow,
    End,
}

impl fmt::Display for Kind<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(formatter, "`{name}`"),
            Self::Open => formatter.write_str("`(`"),
            Self::Close => formatter.write_str("`)`"),
            Self::Comma => formatter.write_str("`,`"),
            Self::Arrow => formatter.write_str("`->`"),
            Self::End => formatter.write_str("the end of the file"),
        }
    }
}

impl Token<'_> {
    fn error(&self, reason: impl Into<String>) -> Error {
        Error { line: self.line, column: self.column, reason: reason.into() }
    }
}

/// The pieces of a text; the last one is its end.
fn tokens(text: &str) -> Result<Vec<Token<'_>>, Error> {
    let mut tokens = Vec::new();
    let (mut line, mut column) = (1, 1);
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    while let Some(first) = rest.chars().next() {
        let (kind, length) = if let Some(behind) = rest.strip_prefix("(*") {
            let length = behind.find("*)").map(|end| end + 4);
            let unclosed = || Error { line, column, reason: "this comment is not closed: write `*)` behind it".to_owned() };
            (None, length.ok_or_else(unclosed)?)
        } else if first == '#' || first == '%' || rest.starts_with("//") {
            (None, rest.find('\n').unwrap_or(rest.len()))
        } else if rest.starts_with("->") {
            (Some(Kind::Arrow), 2)
        } else {
            match first {
                '(' => (Some(Kind::Open), 1),
                ')' => (Some(Kind::Close), 1),
                ',' => (Some(Kind::Comma), 1),
                _ if first.is_whitespace() => (None, first.len_utf8()),
                _ => {
                    let length = name_length(rest);
                    (Some(Kind::Name(&rest[..length])), length)
                }
            }
        };
        let (piece, behind) = rest.split_at(length);
        tokens.extend(kind.map(|kind| Token { kind, line, column }));
        for character in piece.chars() {
            (line, column) = if character == '\n' { (line + 1, 1) } else { (line, column + 1) };
        }
        rest = behind;
    }
    tokens.push(Token { kind: Kind::End, line, column });
    Ok(tokens)
}

/// How many bytes the name at the start of a text has: at least one character.
fn name_length(text: &str) -> usize {
    let ends =
        |position: usize, character: char| "(),".contains(character) || character.is_whitespace() || text[position..].starts_with("->");
    text.char_indices().skip(1).find(|(position, character)| ends(*position, *character)).map_or(text.len(), |(position, _)| position)
}

/// The words that begin a section.
const SECTIONS: [&str; 6] = ["Ops", "Vars", "Automaton", "States", "Final", "Transitions"];

struct Reader<'a, 'b> {
    tokens: &'b [Token<'a>],
    next: usize,
    alphabet: &'b mut Alphabet,
    /// The ranks of the names that `Ops` lists.
    declared: BTreeMap<&'a str, BTreeSet<usize>>,
    numbers: BTreeMap<&'a str, State>,
    states: Vec<String>,
}

impl<'a> Reader<'a, '_> {
    fn document(mut self) -> Result<Document, Error> {
        if self.is_at("Ops") {
            self.next += 1;
            self.operations()?;
        }
        if self.is_at("Vars") {
            self.next += 1;
            while self.item().is_some() {}
        }
        self.section("Automaton")?;
        let name = self.item().map_or("", |(name, _)| name).to_owned();
        self.section("States")?;
        while let Some((name, _)) = self.item() {
            self.add_state(without_number(name));
        }
        let are_states_listed = !self.states.is_empty();
        self.section("Final")?;
        self.section("States")?;
        let mut builder = AutomatonBuilder::with_states(self.states.len());
        while let Some((name, token)) = self.item() {
            let state = self.state(without_number(name), token, are_states_listed)?;
            builder.accept(state);
        }
        self.section("Transitions")?;
        while self.peek().kind != Kind::End {
            self.rule(&mut builder, are_states_listed)?;
        }
        Ok(Document { name, automaton: builder.build(), states: self.states })
    }

    fn peek(&self) -> &Token<'a> {
        &self.tokens[self.next]
    }

    fn is_at(&self, word: &str) -> bool {
        self.peek().kind == Kind::Name(word)
    }

    /// The word that begins a section.
    fn section(&mut self, word: &str) -> Result<(), Error> {
        if self.is_at(word) {
            self.next += 1;
            return Ok(());
        }
        let token = self.peek();
        Err(token.error(format!(
            "expected `{word}`, found {}; the sections are `Ops`, `Automaton`, `States`, `Final States` and `Transitions`, in this order",
            token.kind
        )))
    }

    /// The next name of a list, if the list goes on.
    fn item(&mut self) -> Option<(&'a str, usize)> {
        match self.peek().kind {
            Kind::Name(name) if !SECTIONS.contains(&name) => {
                self.next += 1;
                Some((name, self.next - 1))
            }
            _ => None,
        }
    }

    fn operations(&mut self) -> Result<(), Error> {
        while let Some((item, token)) = self.item() {
            let parts = item.rsplit_once(':').and_then(|(name, rank)| Some((name, rank.parse::<u16>().ok()?)));
            let Some((name, rank)) = parts.filter(|(name, _)| !name.is_empty()) else {
                return Err(self.tokens[token]
                    .error(format!("`{item}` is not a symbol with its rank, such as `f:2`; a rank is at most {}", u16::MAX)));
            };
            self.declared.entry(name).or_default().insert(usize::from(rank));
            self.alphabet.intern(name, usize::from(rank));
        }
        Ok(())
    }

    fn add_state(&mut self, name: &'a str) -> State {
        let Self { numbers, states, .. } = self;
        *numbers.entry(name).or_insert_with(|| {
            states.push(name.to_owned());
            State::new(states.len() - 1)
        })
    }

    fn state(&mut self, name: &'a str, token: usize, are_states_listed: bool) -> Result<State, Error> {
        match self.numbers.get(name) {
            Some(state) => Ok(*state),
            None if are_states_listed => Err(self.tokens[token].error(format!("there is no state `{name}`; list it under `States`"))),
            None => Ok(self.add_state(name)),
        }
    }

    fn rule(&mut self, builder: &mut AutomatonBuilder, are_states_listed: bool) -> Result<(), Error> {
        let start = self.next;
        let name = self.name("a symbol")?;
        let mut children = Vec::new();
        if self.peek().kind == Kind::Open {
            self.next += 1;
            if self.peek().kind == Kind::Close {
                self.next += 1;
            } else {
                loop {
                    children.push(self.named_state(are_states_listed)?);
                    let token = self.peek();
                    match token.kind {
                        Kind::Comma => self.next += 1,
                        Kind::Close => break,
                        found => return Err(token.error(format!("expected `,` or `)`, found {found}"))),
                    }
                }
                self.next += 1;
            }
        }
        let symbol = self.symbol(name, children.len(), start)?;
        let token = self.peek();
        if token.kind != Kind::Arrow {
            return Err(token.error(format!("expected `->`, found {}; a rule is written `f(q1,q2) -> q`", token.kind)));
        }
        self.next += 1;
        let state = self.named_state(are_states_listed)?;
        builder.add_rule(symbol, &children, state);
        Ok(())
    }

    fn name(&mut self, wanted: &str) -> Result<&'a str, Error> {
        let token = self.peek();
        let Kind::Name(name) = token.kind else {
            return Err(token.error(format!("expected {wanted}, found {}", token.kind)));
        };
        if name == "Automaton" {
            return Err(token.error("a second automaton begins here; write each to a file of its own"));
        }
        self.next += 1;
        Ok(name)
    }

    fn named_state(&mut self, are_states_listed: bool) -> Result<State, Error> {
        let token = self.next;
        let name = self.name("a state")?;
        self.state(name, token, are_states_listed)
    }

    fn symbol(&mut self, name: &'a str, rank: usize, token: usize) -> Result<Symbol, Error> {
        let token = &self.tokens[token];
        match self.declared.get(name) {
            Some(ranks) if !ranks.contains(&rank) => {
                let ranks: Vec<String> = ranks.iter().map(usize::to_string).collect();
                Err(token.error(format!("`{name}` has {rank} children here, and rank {} under `Ops`", ranks.join(" or "))))
            }
            None if !self.declared.is_empty() => {
                Err(token.error(format!("there is no symbol `{name}`; list it under `Ops` as `{name}:{rank}`")))
            }
            _ => Ok(self.alphabet.intern(name, rank)),
        }
    }
}

/// The name of a state without the `:0` that some tools write behind it.
fn without_number(name: &str) -> &str {
    match name.rsplit_once(':') {
        Some((before, number)) if !before.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => before,
        _ => name,
    }
}
