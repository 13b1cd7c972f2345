//! Tree models: invariants and traces (`spec/calculus.md#tree-models`).
//!
//! An invariant is a configuration set per line. That Init lies in the first one, that no tree of a line is bad, and that every action leads
//! into the set of its next line is one and the same question: does the image of a set under a transducer lie in another set? For Init the
//! transducer is the identity on Init; for Bad it is the identity on Bad, and the other set is empty.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use goatherd_certificates::{automata::*, certificate::Claim};
use goatherd_checker::{
    Budget, Declined, Rejection, ensure,
    error::{self, Failure, Where},
};

/// What an entry of an index, or a transition, takes beyond its contents, at most, in bytes.
const ENTRY: usize = 64;

/// How much was replayed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Replayed {
    /// Of an invariant: how many transitions of products were covered.
    pub transitions: u64,
    /// Of an invariant: how many lines have a set.
    pub lines: u64,
    /// How many steps a trace has.
    pub steps: u64,
}

/// Replays what shows the claim.
pub fn replay(certificate: &ModelCertificate, budget: &mut Budget) -> Result<Replayed, Failure> {
    let ModelCertificate {
        claim,
        model,
        evidence,
        ..
    } = certificate;
    let mut replay = Replay {
        model,
        budget,
        counts: Replayed::default(),
    };
    match (evidence, claim) {
        (ModelEvidence::Invariant { lines, covers }, Claim::Invariant) => {
            replay.invariant(lines, covers)?;
        }
        (ModelEvidence::Trace { tree, steps }, Claim::Unsafe) => replay.trace(tree, steps)?,
        _ => return Err(error::at(Where::Evidence)(Rejection::Claim)),
    }
    Ok(replay.counts)
}

/// A replay under way.
struct Replay<'a> {
    model: &'a Model,
    budget: &'a mut Budget,
    counts: Replayed,
}

impl Replay<'_> {
    /// The lines' sets hold Init, hold no bad tree, and are closed under all actions.
    fn invariant(&mut self, sets: &[Automaton], covers: &[Vec<Cover>]) -> Result<(), Failure> {
        let Model { initial, lines, .. } = self.model;
        let at_evidence = error::at(Where::Evidence);
        ensure(sets.len() == lines.len(), at_evidence(Rejection::Hints))?;
        let set = |line: LineId| {
            sets.get(line.index())
                .ok_or(at_evidence(Rejection::Missing))
        };
        let automata = [initial]
            .into_iter()
            .chain(lines.iter().map(|line| &line.bad));
        let identities = automata
            .map(|automaton| self.diagonal(automaton))
            .collect::<Result<Vec<_>, _>>()
            .map_err(&at_evidence)?;
        let (mut identities, nothing) = (identities.iter(), Automaton::default());
        let first = identities
            .next()
            .map(|identity| (initial, identity, set(LineId(0))));
        let others = lines
            .iter()
            .zip(sets)
            .zip(identities)
            .flat_map(|((line, own), bad)| {
                let actions = line
                    .actions
                    .iter()
                    .map(move |action| (own, &action.transducer, set(action.next)));
                [(own, bad, Ok(&nothing))].into_iter().chain(actions)
            });
        let mut covers = (0u32..).zip(covers);
        for (source, transducer, target) in first.into_iter().chain(others) {
            let (number, covers) = covers.next().ok_or(at_evidence(Rejection::Hints))?;
            self.inclusion(source, transducer, target?, covers)
                .map_err(error::at(Where::Inclusion(number)))?;
        }
        self.counts.lines = u64::try_from(lines.len()).unwrap_or(u64::MAX);
        ensure(covers.next().is_none(), at_evidence(Rejection::Hints))
    }

    /// The identity on a set.
    fn diagonal(&mut self, set: &Automaton) -> Result<Transducer, Rejection> {
        self.take(set.accepting.len())?;
        let mut diagonal = Transducer {
            transitions: Vec::new(),
            accepting: set.accepting.clone(),
        };
        for Transition {
            letter,
            children,
            target,
        } in &set.transitions
        {
            self.take(children.len())?;
            diagonal.transitions.push(Transition {
                letter: (*letter, *letter),
                children: children.clone(),
                target: *target,
            });
        }
        Ok(diagonal)
    }

    /// Every tree of the image that can bring the product of source and transducer to a pair of states can bring the target to all states of
    /// some cover of that pair.
    fn inclusion(
        &mut self,
        source: &Automaton,
        transducer: &Transducer,
        target: &Automaton,
        covers: &[Cover],
    ) -> Result<(), Rejection> {
        let accepting = [&source.accepting, &transducer.accepting, &target.accepting];
        let sizes = [
            covers.len(),
            transducer.transitions.len(),
            target.transitions.len(),
        ];
        let entries = accepting
            .map(Vec::len)
            .into_iter()
            .chain(sizes)
            .fold(0, usize::saturating_add);
        let held = entries.saturating_mul(ENTRY);
        self.budget.take(held)?;
        let states = covers.iter().map(|cover| cover.targets.len());
        let looked_at = states.fold(entries, usize::saturating_add);
        self.budget
            .work(looked_at.saturating_add(source.transitions.len()))?;
        let inclusion = Inclusion::new(source, transducer, target, covers)?;
        for left in &source.transitions {
            for right in inclusion
                .transitions
                .get(&left.letter)
                .into_iter()
                .flatten()
            {
                self.covered(&inclusion, left, right)?;
            }
        }
        self.budget.release(held);
        Ok(())
    }

    /// Whichever covers the children's pairs of states are brought to, some cover of the pair that these transitions lead to is reached.
    fn covered(
        &mut self,
        inclusion: &Inclusion<'_>,
        left: &Transition<SymbolId>,
        right: &Transition<(SymbolId, SymbolId)>,
    ) -> Result<(), Rejection> {
        self.budget.work(left.children.len())?;
        let pairs = left.children.iter().zip(&right.children);
        let choices: Vec<_> = pairs.map(|pair| inclusion.covers_of(pair)).collect();
        let count = choices
            .iter()
            .try_fold(1usize, |count, covers| count.checked_mul(covers.len()))
            .unwrap_or(usize::MAX);
        for mut number in 0..count {
            self.budget.work(choices.len())?;
            // The digits of the number are the choices.
            let chosen = |covers: &&[_]| {
                let digit = number.checked_rem(covers.len())?;
                number = number.checked_div(covers.len())?;
                covers.get(digit).copied()
            };
            let children: Vec<&[StateId]> = choices.iter().filter_map(chosen).collect();
            let reached = self.reached(&inclusion.targets, right.letter.1, &children)?;
            let mut is_covered = false;
            for cover in inclusion.covers_of((&left.target, &right.target)) {
                self.budget.work(cover.len())?;
                is_covered = cover.iter().all(|state| reached.contains(state));
                if is_covered {
                    break;
                }
            }
            ensure(is_covered, Rejection::NotCovered)?;
            self.counts.transitions = self.counts.transitions.saturating_add(1);
        }
        Ok(())
    }

    /// The states of a node with this letter whose children can be in all of these states.
    fn reached(
        &mut self,
        automaton: &ByFirst<'_>,
        letter: SymbolId,
        children: &[&[StateId]],
    ) -> Result<BTreeSet<StateId>, Rejection> {
        let mut reached = BTreeSet::new();
        let leaf = children.is_empty().then_some(None);
        for first in leaf.into_iter().chain(
            children
                .iter()
                .take(1)
                .flat_map(|states| states.iter().copied().map(Some)),
        ) {
            self.budget.work(0)?;
            for transition in automaton.get(&(letter, first)).into_iter().flatten() {
                self.budget.work(transition.children.len())?;
                if are_in(&transition.children, children) {
                    reached.insert(transition.target);
                }
            }
        }
        Ok(reached)
    }

    /// The tree is initial, every step is by an action of its line, and the last tree is bad.
    fn trace(&mut self, tree: &[SymbolId], steps: &[(u32, Vec<SymbolId>)]) -> Result<(), Failure> {
        let model = self.model;
        let line_of = |id: LineId| model.lines.get(id.index()).ok_or(Rejection::Missing);
        self.accepts(&model.initial, tree, |symbol| symbol, Rejection::NotInitial)
            .map_err(error::at(Where::Step(0)))?;
        let (mut tree, mut line) = (tree, LineId(0));
        for (number, (position, output)) in (0u32..).zip(steps) {
            let mut step = || {
                let position = usize::try_from(*position).map_err(|_| Rejection::Missing)?;
                let action = line_of(line)?
                    .actions
                    .get(position)
                    .ok_or(Rejection::Missing)?;
                let rank = |id: &SymbolId| model.alphabet.get(id.index()).map(|symbol| symbol.rank);
                let have_one_shape =
                    tree.len() == output.len() && tree.iter().map(rank).eq(output.iter().map(rank));
                ensure(have_one_shape, Rejection::NotRelated)?;
                self.budget
                    .take(tree.len().saturating_mul(size_of::<(SymbolId, SymbolId)>()))?;
                let overlay: Vec<(SymbolId, SymbolId)> =
                    tree.iter().copied().zip(output.iter().copied()).collect();
                self.accepts(
                    &action.transducer,
                    &overlay,
                    |(input, _)| input,
                    Rejection::NotRelated,
                )?;
                (tree, line) = (output, action.next);
                self.counts.steps = self.counts.steps.saturating_add(1);
                Ok(())
            };
            step().map_err(error::at(Where::Step(number)))?;
        }
        let last = u32::try_from(steps.len()).unwrap_or(u32::MAX);
        let bad = line_of(line)
            .map(|line| &line.bad)
            .map_err(error::at(Where::Step(last)))?;
        self.accepts(bad, tree, |symbol| symbol, Rejection::NotBad)
            .map_err(error::at(Where::Step(last)))
    }

    /// Does the automaton accept the tree, given by its letters, children before their parent?
    fn accepts<Letter: Copy + Eq>(
        &mut self,
        automaton: &Automaton<Letter>,
        tree: &[Letter],
        symbol: impl Fn(Letter) -> SymbolId,
        otherwise: Rejection,
    ) -> Result<(), Rejection> {
        let mut open: Vec<Vec<StateId>> = Vec::new();
        for letter in tree {
            let Symbol { rank, .. } = self
                .model
                .alphabet
                .get(symbol(*letter).index())
                .ok_or(Rejection::Missing)?;
            let first = usize::try_from(*rank)
                .ok()
                .and_then(|rank| open.len().checked_sub(rank))
                .ok_or(Rejection::NotATree)?;
            let children = open.split_off(first);
            let mut states = BTreeSet::new();
            for transition in &automaton.transitions {
                self.budget.work(transition.children.len())?;
                if transition.letter == *letter && are_in(&transition.children, &children) {
                    states.insert(transition.target);
                }
            }
            self.take(states.len())?;
            open.push(states.into_iter().collect());
        }
        let [root] = open.as_slice() else {
            return Err(Rejection::NotATree);
        };
        ensure(
            automaton
                .accepting
                .iter()
                .any(|state| root.binary_search(state).is_ok()),
            otherwise,
        )
    }

    /// Replayed the bytes of a list of states, and what belongs to it.
    fn take(&mut self, states: usize) -> Result<(), Declined> {
        self.budget.take(
            states
                .saturating_mul(size_of::<StateId>())
                .saturating_add(ENTRY),
        )
    }
}

/// As many states as lists, which ascend, each in its own. A transition with more or fewer children than the rank of its symbol is that of no
/// tree.
fn are_in<States: AsRef<[StateId]>>(states: &[StateId], lists: &[States]) -> bool {
    states.len() == lists.len()
        && states
            .iter()
            .zip(lists)
            .all(|(state, list)| list.as_ref().binary_search(state).is_ok())
}

/// What one inclusion is looked up in.
struct Inclusion<'a> {
    /// By states of source and transducer, what is said to cover them.
    covers: BTreeMap<(StateId, StateId), Vec<&'a [StateId]>>,
    /// The transducer's transitions by the letter that they read.
    transitions: BTreeMap<SymbolId, Vec<&'a Transition<(SymbolId, SymbolId)>>>,
    /// The target's transitions.
    targets: ByFirst<'a>,
}

impl<'a> Inclusion<'a> {
    /// The states of covers ascend, and covers of accepting states have one of the target's among them.
    fn new(
        source: &Automaton,
        transducer: &'a Transducer,
        target: &'a Automaton,
        named: &'a [Cover],
    ) -> Result<Self, Rejection> {
        ensure(
            named
                .iter()
                .all(|cover| cover.targets.is_sorted_by(|left, right| left < right)),
            Rejection::CoverOrder,
        )?;
        let accepting = [&source.accepting, &transducer.accepting, &target.accepting];
        let [left, right, accepted] =
            accepting.map(|states| states.iter().copied().collect::<BTreeSet<StateId>>());
        let mut covers: BTreeMap<(StateId, StateId), Vec<&[StateId]>> = BTreeMap::new();
        for Cover {
            source,
            transducer,
            targets,
        } in named
        {
            let is_accepting = left.contains(source) && right.contains(transducer);
            ensure(
                !is_accepting || targets.iter().any(|state| accepted.contains(state)),
                Rejection::NotAccepting,
            )?;
            covers
                .entry((*source, *transducer))
                .or_default()
                .push(targets);
        }
        let mut transitions: BTreeMap<SymbolId, Vec<&Transition<(SymbolId, SymbolId)>>> =
            BTreeMap::new();
        for transition in &transducer.transitions {
            transitions
                .entry(transition.letter.0)
                .or_default()
                .push(transition);
        }
        let mut targets = ByFirst::new();
        for transition in &target.transitions {
            targets
                .entry((transition.letter, transition.children.first().copied()))
                .or_default()
                .push(transition);
        }
        Ok(Self {
            covers,
            transitions,
            targets,
        })
    }

    /// What is said to cover a pair of states.
    fn covers_of(&self, (source, transducer): (&StateId, &StateId)) -> &[&'a [StateId]] {
        let covers = self.covers.get(&(*source, *transducer));
        covers.map_or(&[][..], Vec::as_slice)
    }
}

/// An automaton's transitions by letter and the state of the first child.
type ByFirst<'a> = BTreeMap<(SymbolId, Option<StateId>), Vec<&'a Transition<SymbolId>>>;
