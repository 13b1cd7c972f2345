//! From text to a model: one method per production of the grammar (`spec/trees.md#text`).

use super::{
    Problem,
    scanner::{Token, tokens},
};
use goatherd_certificates::automata::{Action, Automaton, Line, LineId, Model, StateId, Symbol, SymbolId, Transducer, Transition};
use std::collections::BTreeMap;

/// The model that a text describes.
pub fn model(text: &str) -> Result<Model, Problem> {
    let tokens = tokens(text)?;
    let mut parser = Parser { tokens: &tokens, position: 0, ..Parser::default() };
    while !parser.peek().text.is_empty() {
        parser.item()?;
    }
    parser.finish()
}

/// How many children a node has at most.
const GREATEST_RANK: u32 = 16;
/// How many transitions a set or a transducer has at most.
const MOST_TRANSITIONS: usize = 100_000;

/// The words that begin an item.
const ITEMS: &str = "alphabet, class, set, transducer, init, bad or line";

/// A transition on pairs of symbols, which are equal in a set.
type Pairs = Automaton<(SymbolId, SymbolId)>;

/// A name where it is used, to be looked up at the end.
type Use<'text> = Token<'text>;

#[derive(Default)]
struct Parser<'tokens, 'text> {
    tokens: &'tokens [Token<'text>],
    position: usize,
    alphabet: Vec<Symbol>,
    /// Symbols, and classes of them.
    symbols: BTreeMap<&'text str, Vec<SymbolId>>,
    sets: BTreeMap<&'text str, Automaton>,
    transducers: BTreeMap<&'text str, Transducer>,
    initial: Option<Use<'text>>,
    bad: Vec<(Use<'text>, Vec<Use<'text>>)>,
    lines: Vec<(Token<'text>, Vec<(Use<'text>, Use<'text>)>)>,
}

impl<'text> Parser<'_, 'text> {
    fn peek(&self) -> Token<'text> {
        // The last token is the end, which is never passed.
        self.tokens.get(self.position).or(self.tokens.last()).copied().unwrap_or(Token { text: "", offset: 0 })
    }

    fn next(&mut self) -> Token<'text> {
        let token = self.peek();
        self.position += 1;
        token
    }

    /// Takes the next token if it is this one.
    fn takes(&mut self, text: &str) -> bool {
        let is_next = self.peek().text == text;
        self.position += usize::from(is_next);
        is_next
    }

    fn expect(&mut self, text: &str) -> Result<(), Problem> {
        let token = self.next();
        if token.text == text { Ok(()) } else { Err(Problem::new(token.offset, format!("`{text}` expected, not {}", token.shown()))) }
    }

    fn name(&mut self, of: &str) -> Result<Token<'text>, Problem> {
        let token = self.next();
        if token.is_name() { Ok(token) } else { Err(Problem::new(token.offset, format!("{of} expected, not {}", token.shown()))) }
    }

    fn names(&mut self, of: &str) -> Result<Vec<Token<'text>>, Problem> {
        self.expect("{")?;
        let mut names = Vec::new();
        while !self.takes("}") {
            names.push(self.name(of)?);
        }
        Ok(names)
    }

    fn item(&mut self) -> Result<(), Problem> {
        let token = self.next();
        match token.text {
            "alphabet" => self.alphabet(),
            "class" => self.class(),
            "set" => self.set(),
            "transducer" => self.transducer(),
            "init" => {
                let set = self.name("the name of a set")?;
                match self.initial.replace(set) {
                    Some(_) => Err(Problem::new(token.offset, "there is an `init` already")),
                    None => Ok(()),
                }
            }
            "bad" => self.bad(),
            "line" => self.line(),
            _ => Err(Problem::new(token.offset, format!("{ITEMS} expected, not {}", token.shown()))),
        }
    }

    fn define_symbols(&mut self, name: Token<'text>, symbols: Vec<SymbolId>) -> Result<(), Problem> {
        match self.symbols.insert(name.text, symbols) {
            Some(_) => Err(Problem::new(name.offset, format!("`{}` is a symbol or a class already", name.text))),
            None => Ok(()),
        }
    }

    /// `alphabet { NAME:RANK ... }`
    fn alphabet(&mut self) -> Result<(), Problem> {
        self.expect("{")?;
        while !self.takes("}") {
            let name = self.name("a symbol")?;
            self.expect(":")?;
            let number = self.name("a rank")?;
            let rank = number.text.parse().ok().filter(|rank| *rank <= GREATEST_RANK);
            let rank = rank.ok_or_else(|| Problem::new(number.offset, format!("a rank is a number from 0 to {GREATEST_RANK}")))?;
            let id = SymbolId(u32::try_from(self.alphabet.len()).unwrap_or(u32::MAX));
            self.alphabet.push(Symbol { name: name.text.to_owned(), rank });
            self.define_symbols(name, vec![id])?;
        }
        Ok(())
    }

    /// `class NAME { SYMBOL ... }`
    fn class(&mut self) -> Result<(), Problem> {
        let name = self.name("the name of a class")?;
        let symbols = self.braced_symbols()?;
        self.define_symbols(name, symbols)
    }

    /// `{ SYMBOL ... }`
    fn braced_symbols(&mut self) -> Result<Vec<SymbolId>, Problem> {
        let mut symbols = Vec::new();
        for name in self.names("a symbol")? {
            symbols.extend(self.symbol(name)?);
        }
        Ok(symbols)
    }

    fn symbol(&self, name: Token<'text>) -> Result<Vec<SymbolId>, Problem> {
        let known = self.symbols.get(name.text).cloned();
        known.ok_or_else(|| {
            Problem::new(name.offset, format!("`{}` is neither a symbol nor a class", name.text))
                .with_help("symbols and classes stand before their use")
        })
    }

    /// A symbol, a class or `{ SYMBOL ... }`.
    fn symbols(&mut self) -> Result<Vec<SymbolId>, Problem> {
        if self.peek().text == "{" {
            return self.braced_symbols();
        }
        let name = self.name("a symbol")?;
        self.symbol(name)
    }

    /// `set NAME { TRANSITION ... }`
    fn set(&mut self) -> Result<(), Problem> {
        let name = self.name("the name of a set")?;
        let Pairs { transitions, accepting } = self.automaton(Letters::Symbols)?;
        let transitions =
            transitions.into_iter().map(|Transition { letter, children, target }| Transition { letter: letter.0, children, target });
        match self.sets.insert(name.text, Automaton { transitions: transitions.collect(), accepting }) {
            Some(_) => Err(Problem::new(name.offset, format!("the set `{}` is there already", name.text))),
            None => Ok(()),
        }
    }

    /// `transducer NAME { TRANSITION ... }`
    fn transducer(&mut self) -> Result<(), Problem> {
        let name = self.name("the name of a transducer")?;
        let transducer = self.automaton(Letters::Pairs)?;
        match self.transducers.insert(name.text, transducer) {
            Some(_) => Err(Problem::new(name.offset, format!("the transducer `{}` is there already", name.text))),
            None => Ok(()),
        }
    }

    /// `bad SET` or `bad SET at LINE ...`
    fn bad(&mut self) -> Result<(), Problem> {
        let set = self.name("the name of a set")?;
        let mut lines = Vec::new();
        if self.takes("at") {
            lines = if self.peek().text == "{" { self.names("a line")? } else { vec![self.name("a line")?] };
        }
        self.bad.push((set, lines));
        Ok(())
    }

    /// `line NAME { TRANSDUCER -> LINE ... }`
    fn line(&mut self) -> Result<(), Problem> {
        let name = self.name("the name of a line")?;
        if self.lines.iter().any(|(line, _)| line.text == name.text) {
            return Err(Problem::new(name.offset, format!("the line `{}` is there already", name.text)));
        }
        self.expect("{")?;
        let mut actions = Vec::new();
        while !self.takes("}") {
            let transducer = self.name("a transducer")?;
            self.expect("->")?;
            actions.push((transducer, self.name("a line")?));
        }
        self.lines.push((name, actions));
        Ok(())
    }

    /// `{ TRANSITION ... accept STATE }`
    fn automaton(&mut self, letters: Letters) -> Result<Pairs, Problem> {
        self.expect("{")?;
        let mut states = States::default();
        let mut automaton = Pairs::default();
        while !self.takes("}") {
            if self.takes("accept") {
                automaton.accepting.extend(self.states(&mut states)?);
            } else {
                self.transition(letters, &mut states, &mut automaton.transitions)?;
            }
        }
        automaton.transitions.sort();
        automaton.transitions.dedup();
        for (state, token) in (0..).map(StateId).zip(&states.first) {
            if !automaton.transitions.iter().any(|transition| transition.target == state) {
                return Err(Problem::new(token.offset, format!("no transition leads to the state `{}`", token.text)));
            }
        }
        Ok(automaton)
    }

    /// A state or `{ STATE ... }`.
    fn states(&mut self, states: &mut States<'text>) -> Result<Vec<StateId>, Problem> {
        let names = if self.peek().text == "{" { self.names("a state")? } else { vec![self.name("a state")?] };
        Ok(names.into_iter().map(|name| states.id(name)).collect())
    }

    /// `LETTER -> STATE` or `LETTER(STATE, ...) -> STATE`
    fn transition(
        &mut self,
        letters: Letters,
        states: &mut States<'text>,
        to: &mut Vec<Transition<(SymbolId, SymbolId)>>,
    ) -> Result<(), Problem> {
        let start = self.peek();
        let is_any = self.takes("*");
        let inputs = if is_any { Vec::new() } else { self.symbols()? };
        let slash = self.peek();
        let outputs = if self.takes("/") { Some(self.symbols()?) } else { None };
        if outputs.is_some() && letters == Letters::Symbols {
            return Err(Problem::new(slash.offset, "a set has no output symbols").with_help("only transducers have"));
        }
        let mut children = vec![Vec::new()];
        let mut rank = 0;
        if self.takes("(") {
            loop {
                let alternatives = self.states(states)?;
                if children.len().saturating_mul(alternatives.len()) > MOST_TRANSITIONS {
                    return Err(Problem::new(start.offset, format!("this stands for more than {MOST_TRANSITIONS} transitions")));
                }
                children =
                    children.iter().flat_map(|prefix| alternatives.iter().map(|state| [prefix.as_slice(), &[*state]].concat())).collect();
                rank += 1;
                if !self.takes(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        self.expect("->")?;
        let targets = self.states(states)?;
        let inputs = if is_any { self.of_rank(rank) } else { inputs };
        for pair in pairs(&inputs, outputs.as_deref())
            .ok_or_else(|| Problem::new(slash.offset, "as many output symbols as input symbols are expected, or one"))?
        {
            for symbol in [pair.0, pair.1].into_iter().filter_map(|symbol| self.alphabet.get(symbol.index())) {
                if symbol.rank != rank {
                    let message = format!("`{}` has rank {}, and there are {rank} children", symbol.name, symbol.rank);
                    return Err(Problem::new(start.offset, message));
                }
            }
            for target in &targets {
                to.extend(children.iter().map(|children| Transition { letter: pair, children: children.clone(), target: *target }));
            }
            if to.len() > MOST_TRANSITIONS {
                return Err(Problem::new(start.offset, format!("these are more than {MOST_TRANSITIONS} transitions")));
            }
        }
        Ok(())
    }

    /// All symbols of this rank.
    fn of_rank(&self, rank: u32) -> Vec<SymbolId> {
        (0..).map(SymbolId).zip(&self.alphabet).filter(|(_, symbol)| symbol.rank == rank).map(|(id, _)| id).collect()
    }

    /// Looks up what the lines name.
    fn finish(self) -> Result<Model, Problem> {
        let end = self.peek().offset;
        let line_of = |name: Use<'text>| {
            let position = self.lines.iter().position(|(line, _)| line.text == name.text);
            position.ok_or_else(|| Problem::new(name.offset, format!("there is no line `{}`", name.text)))
        };
        let set_of = |name: Use<'text>| {
            self.sets.get(name.text).cloned().ok_or_else(|| Problem::new(name.offset, format!("there is no set `{}`", name.text)))
        };
        let initial = set_of(self.initial.ok_or_else(|| Problem::new(end, "`init` and the name of a set are missing"))?)?;
        let mut bad = vec![Automaton::default(); self.lines.len()];
        if bad.is_empty() {
            return Err(Problem::new(end, "there is no line"));
        }
        for (set, lines) in &self.bad {
            let automaton = set_of(*set)?;
            let lines = lines.iter().map(|line| line_of(*line)).collect::<Result<Vec<usize>, Problem>>()?;
            for (position, bad) in bad.iter_mut().enumerate() {
                if lines.is_empty() || lines.contains(&position) {
                    add(bad, &automaton);
                }
            }
        }
        let mut lines = Vec::new();
        for ((name, actions), bad) in self.lines.iter().zip(bad) {
            let actions = actions.iter().map(|(name, next)| {
                let transducer = self.transducers.get(name.text).cloned();
                let transducer = transducer.ok_or_else(|| Problem::new(name.offset, format!("there is no transducer `{}`", name.text)))?;
                let next = LineId(u32::try_from(line_of(*next)?).unwrap_or(u32::MAX));
                Ok(Action { name: name.text.to_owned(), transducer, next })
            });
            lines.push(Line { name: name.text.to_owned(), actions: actions.collect::<Result<_, Problem>>()?, bad });
        }
        Ok(Model { alphabet: self.alphabet, initial, lines })
    }
}

/// What the transitions of an automaton are on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Letters {
    Symbols,
    Pairs,
}

/// The states of an automaton, in the order of their first mention.
#[derive(Default)]
struct States<'text> {
    ids: BTreeMap<&'text str, StateId>,
    first: Vec<Token<'text>>,
}

impl<'text> States<'text> {
    fn id(&mut self, name: Token<'text>) -> StateId {
        let next = StateId(u32::try_from(self.first.len()).unwrap_or(u32::MAX));
        *self.ids.entry(name.text).or_insert_with(|| {
            self.first.push(name);
            next
        })
    }
}

/// Each input with its output: itself, the one output, or the one in the same place.
fn pairs(inputs: &[SymbolId], outputs: Option<&[SymbolId]>) -> Option<Vec<(SymbolId, SymbolId)>> {
    let with = |output: &dyn Fn(usize) -> SymbolId| inputs.iter().enumerate().map(|(place, input)| (*input, output(place))).collect();
    match outputs {
        None => Some(with(&|place| inputs[place])),
        Some([output]) => Some(with(&|_| *output)),
        Some(outputs) if outputs.len() == inputs.len() => Some(with(&|place| outputs[place])),
        Some(_) => None,
    }
}

/// Adds the trees of another automaton to one: its states follow.
fn add(automaton: &mut Automaton, other: &Automaton) {
    let states = automaton.transitions.iter().map(|transition| transition.target.0 + 1).max().unwrap_or(0);
    let moved = |state: &StateId| StateId(state.0 + states);
    automaton.accepting.extend(other.accepting.iter().map(moved));
    automaton.transitions.extend(other.transitions.iter().map(|Transition { letter, children, target }| Transition {
        letter: *letter,
        children: children.iter().map(moved).collect(),
        target: moved(target),
    }));
}
