//! Nondeterministic bottom-up tree automata.

use crate::alphabet::Symbol;
use fixedbitset::FixedBitSet;

/// A state: a dense number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct State(u32);

impl State {
    /// The state with this number.
    ///
    /// # Panics
    /// Where the number is 2^32 or more.
    pub fn new(number: usize) -> Self {
        Self(u32::try_from(number).expect("an automaton has fewer than 2^32 states"))
    }

    /// Its number, as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A rule `symbol(children) -> state`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Rule<'a> {
    /// The symbol that is read.
    pub symbol: Symbol,
    /// The states of its children: as many as its rank.
    pub children: &'a [State],
    /// The state that is reached.
    pub state: State,
}

/// A nondeterministic bottom-up tree automaton without empty steps.
///
/// Its rules are sorted by symbol, children and state, each there once, so that equal sets of rules are equal automata.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Automaton {
    state_count: usize,
    heads: Vec<Head>,
    /// The children of all rules, one rule after another.
    children: Vec<State>,
    finals: FixedBitSet,
}

/// A rule without its children.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Head {
    symbol: Symbol,
    first_child: usize,
    state: State,
}

impl Automaton {
    /// The automaton without states, which accepts nothing.
    pub fn empty() -> Self {
        AutomatonBuilder::new().build()
    }

    /// How many states it has; they are numbered from 0.
    pub fn state_count(&self) -> usize {
        self.state_count
    }

    /// All states, in order.
    pub fn states(&self) -> impl DoubleEndedIterator<Item = State> + use<> {
        (0..self.state_count).map(State::new)
    }

    /// How many rules it has.
    pub fn rule_count(&self) -> usize {
        self.heads.len()
    }

    /// The rule with this position in the order of all rules.
    ///
    /// # Panics
    /// Where there are not so many.
    pub fn rule(&self, index: usize) -> Rule<'_> {
        let Head { symbol, first_child, state } = self.heads[index];
        Rule { symbol, children: &self.children[first_child..first_child + symbol.rank()], state }
    }

    /// All rules, in order.
    pub fn rules(&self) -> impl DoubleEndedIterator<Item = Rule<'_>> + ExactSizeIterator {
        (0..self.heads.len()).map(|index| self.rule(index))
    }

    /// The states in which a tree is accepted, as a set over all states.
    pub fn finals(&self) -> &FixedBitSet {
        &self.finals
    }

    /// The states in which a tree is accepted, in order.
    pub fn final_states(&self) -> impl Iterator<Item = State> + '_ {
        self.finals.ones().map(State::new)
    }

    /// Is a tree accepted in this state?
    pub fn is_final(&self, state: State) -> bool {
        self.finals.contains(state.index())
    }

    /// The automaton with the states renamed, those without a new name and their rules left out. New names are less than `state_count`;
    /// states of the same new name are merged.
    #[must_use]
    pub fn renamed(&self, state_count: usize, name: impl Fn(State) -> Option<State>) -> Self {
        let mut builder = AutomatonBuilder::with_states(state_count);
        let mut children = Vec::new();
        for rule in self.rules() {
            children.clear();
            children.extend(rule.children.iter().filter_map(|child| name(*child)));
            if let (Some(state), true) = (name(rule.state), children.len() == rule.children.len()) {
                builder.add_rule(rule.symbol, &children, state);
            }
        }
        for state in self.final_states().filter_map(name) {
            builder.accept(state);
        }
        builder.build()
    }

    /// The automaton with other symbols of the same ranks.
    #[must_use]
    pub fn relabelled(&self, label: impl Fn(Symbol) -> Symbol) -> Self {
        let mut builder = AutomatonBuilder::with_states(self.state_count);
        for rule in self.rules() {
            builder.add_rule(label(rule.symbol), rule.children, rule.state);
        }
        for state in self.final_states() {
            builder.accept(state);
        }
        builder.build()
    }

    /// The same rules with other final states.
    #[must_use]
    pub fn with_finals(&self, finals: impl IntoIterator<Item = State>) -> Self {
        let mut automaton = self.clone();
        automaton.finals.clear();
        for state in finals.into_iter().filter(|state| state.index() < self.state_count) {
            automaton.finals.insert(state.index());
        }
        automaton
    }
}

/// Collects the parts of an automaton, in any order.
#[derive(Clone, Default, Debug)]
pub struct AutomatonBuilder {
    state_count: usize,
    heads: Vec<Head>,
    children: Vec<State>,
    finals: Vec<State>,
}

impl AutomatonBuilder {
    /// Without states.
    pub fn new() -> Self {
        Self::default()
    }

    /// With the states from 0 to one less than `state_count`.
    pub fn with_states(state_count: usize) -> Self {
        Self { state_count, ..Self::default() }
    }

    /// Adds a state.
    pub fn add_state(&mut self) -> State {
        self.state_count += 1;
        State::new(self.state_count - 1)
    }

    /// Adds a rule, and the states that it names.
    ///
    /// # Panics
    /// Where the number of children is not the symbol's rank.
    pub fn add_rule(&mut self, symbol: Symbol, children: &[State], state: State) {
        assert_eq!(children.len(), symbol.rank(), "a rule has as many children as its symbol");
        self.heads.push(Head { symbol, first_child: self.children.len(), state });
        self.children.extend_from_slice(children);
        for named in children.iter().chain([&state]) {
            self.state_count = self.state_count.max(named.index() + 1);
        }
    }

    /// Makes a state final, and adds it if need be.
    pub fn accept(&mut self, state: State) {
        self.state_count = self.state_count.max(state.index() + 1);
        self.finals.push(state);
    }

    /// Adds the states, rules and final states of an automaton; its first state gets the number that is returned, the others follow.
    pub fn add_automaton(&mut self, automaton: &Automaton) -> usize {
        let offset = self.state_count;
        let shift = |state: State| State::new(state.index() + offset);
        self.state_count += automaton.state_count();
        let first_child = self.children.len();
        self.children.extend(automaton.children.iter().copied().map(shift));
        self.heads.extend(automaton.heads.iter().map(|head| Head {
            symbol: head.symbol,
            first_child: first_child + head.first_child,
            state: shift(head.state),
        }));
        self.finals.extend(automaton.final_states().map(shift));
        offset
    }

    /// The automaton.
    pub fn build(self) -> Automaton {
        let Self { state_count, mut heads, children: unsorted, finals } = self;
        let of = |head: &Head| &unsorted[head.first_child..head.first_child + head.symbol.rank()];
        heads.sort_unstable_by(|left, right| (left.symbol, of(left), left.state).cmp(&(right.symbol, of(right), right.state)));
        heads.dedup_by(|left, right| (left.symbol, of(left), left.state) == (right.symbol, of(right), right.state));
        let mut children = Vec::with_capacity(unsorted.len());
        for head in &mut heads {
            let first_child = children.len();
            children.extend_from_slice(&unsorted[head.first_child..head.first_child + head.symbol.rank()]);
            head.first_child = first_child;
        }
        let mut set = FixedBitSet::with_capacity(state_count);
        set.extend(finals.into_iter().map(State::index));
        Automaton { state_count, heads, children, finals: set }
    }
}
