//! Symbols with ranks, interned.

use std::collections::BTreeMap;

/// A symbol of a ranked alphabet: a dense number, in order of first mention, and the number of its children.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symbol {
    number: u32,
    rank: u32,
}

impl Symbol {
    /// The symbol with this number.
    ///
    /// # Panics
    /// Where there are 2^32 symbols or more, or children.
    pub fn new(number: usize, rank: usize) -> Self {
        Self {
            number: u32::try_from(number).expect("an alphabet has fewer than 2^32 symbols"),
            rank: u32::try_from(rank).expect("a rank is less than 2^32"),
        }
    }

    /// Its position in the alphabet.
    pub fn index(self) -> usize {
        self.number as usize
    }

    /// How many children it has.
    pub fn rank(self) -> usize {
        self.rank as usize
    }
}

/// A finite ranked alphabet. One name may stand for several symbols of different ranks.
///
/// Automata do not hold their alphabet: those that are to be compared are built over one.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Alphabet {
    names: Vec<String>,
    symbols: Vec<Symbol>,
    numbers: BTreeMap<(String, usize), Symbol>,
}

impl Alphabet {
    /// The alphabet without symbols.
    pub fn new() -> Self {
        Self::default()
    }

    /// The symbol of this name and rank, which is added if it is new.
    pub fn intern(&mut self, name: &str, rank: usize) -> Symbol {
        if let Some(symbol) = self.find(name, rank) {
            return symbol;
        }
        let symbol = Symbol::new(self.symbols.len(), rank);
        self.numbers.insert((name.to_owned(), rank), symbol);
        self.names.push(name.to_owned());
        self.symbols.push(symbol);
        symbol
    }

    /// The symbol of this name and rank, if there is one.
    pub fn find(&self, name: &str, rank: usize) -> Option<Symbol> {
        self.numbers.get(&(name.to_owned(), rank)).copied()
    }

    /// The name of a symbol; of one that is not in this alphabet, a question mark.
    pub fn name(&self, symbol: Symbol) -> &str {
        self.names.get(symbol.index()).map_or("?", String::as_str)
    }

    /// All symbols, in order of their numbers.
    pub fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }
}
