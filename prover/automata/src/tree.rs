//! Trees, and the runs of automata on them.

use crate::{
    alphabet::{Alphabet, Symbol},
    automaton::Automaton,
    subsets::Subsets,
};
use std::{collections::BTreeMap, fmt};

/// A tree in which equal subtrees may be stored once, so that witnesses whose size is exponential in the automaton stay small.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
}

/// A node of a tree.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Node {
    /// Its label.
    pub symbol: Symbol,
    /// The positions of its children in the list of nodes, all less than its own.
    pub children: Vec<usize>,
}

impl Tree {
    /// The tree with this root and these subtrees.
    ///
    /// # Panics
    /// Where the number of subtrees is not the symbol's rank.
    pub fn new(symbol: Symbol, subtrees: &[Tree]) -> Self {
        assert_eq!(subtrees.len(), symbol.rank(), "a node has as many children as its symbol");
        let mut nodes: Vec<Node> = Vec::new();
        let mut positions = BTreeMap::new();
        let mut add = |node: Node| {
            *positions.entry(node.clone()).or_insert_with(|| {
                nodes.push(node);
                nodes.len() - 1
            })
        };
        let mut children = Vec::with_capacity(subtrees.len());
        for subtree in subtrees {
            let mut moved = Vec::with_capacity(subtree.nodes.len());
            for node in &subtree.nodes {
                moved.push(add(Node { symbol: node.symbol, children: node.children.iter().map(|child| moved[*child]).collect() }));
            }
            children.extend(moved.last());
        }
        nodes.push(Node { symbol, children });
        Self { nodes }
    }

    /// The tree below `root` in a graph without cycles: `describe` gives the label of a vertex and its children.
    pub fn unfold(root: usize, describe: impl Fn(usize) -> (Symbol, Vec<usize>)) -> Self {
        let mut nodes = Vec::new();
        let mut positions = BTreeMap::new();
        let mut stack = vec![root];
        while let Some(vertex) = stack.last().copied() {
            let (symbol, children) = describe(vertex);
            let waiting = stack.len();
            stack.extend(children.iter().filter(|child| !positions.contains_key(*child)));
            if stack.len() == waiting {
                stack.pop();
                positions.entry(vertex).or_insert_with(|| {
                    nodes.push((symbol, children));
                    nodes.len() - 1
                });
            }
        }
        let node =
            |(symbol, children): (Symbol, Vec<usize>)| Node { symbol, children: children.iter().map(|child| positions[child]).collect() };
        Self { nodes: nodes.into_iter().map(node).collect() }
    }

    /// The nodes, children before their parents; the last is the root.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The label of the root.
    pub fn root(&self) -> Symbol {
        self.nodes[self.nodes.len() - 1].symbol
    }

    /// How many nodes the tree has, or `u64::MAX` if they are more.
    pub fn size(&self) -> u64 {
        let mut sizes: Vec<u64> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            sizes.push(node.children.iter().fold(1, |sum, child| sum.saturating_add(sizes[*child])));
        }
        sizes.last().copied().unwrap_or(0)
    }

    /// The height: 1 for a leaf.
    pub fn height(&self) -> usize {
        let mut heights: Vec<usize> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            heights.push(1 + node.children.iter().map(|child| heights[*child]).max().unwrap_or(0));
        }
        heights.last().copied().unwrap_or(0)
    }

    /// The tree with other labels of the same ranks.
    #[must_use]
    pub fn relabelled(&self, label: impl Fn(Symbol) -> Symbol) -> Self {
        let nodes = self.nodes.iter().map(|node| Node { symbol: label(node.symbol), children: node.children.clone() });
        Self { nodes: nodes.collect() }
    }

    /// The tree whose labels stand for the labels of two trees at the same place; `None` where their shapes differ or a pair of labels has no
    /// symbol.
    pub fn overlaid(&self, other: &Self, symbol: impl Fn(Symbol, Symbol) -> Option<Symbol>) -> Option<Self> {
        // The pairs of nodes at the same places, each once, children before parents.
        let mut positions: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        let mut nodes = Vec::new();
        let mut stack = vec![(self.nodes.len() - 1, other.nodes.len() - 1)];
        while let Some(pair) = stack.last().copied() {
            let (one, two) = (&self.nodes[pair.0], &other.nodes[pair.1]);
            if one.children.len() != two.children.len() {
                return None;
            }
            let children = || one.children.iter().copied().zip(two.children.iter().copied());
            let waiting = stack.len();
            stack.extend(children().filter(|child| !positions.contains_key(child)));
            if stack.len() > waiting {
                continue;
            }
            stack.pop();
            if !positions.contains_key(&pair) {
                let children = children().map(|child| positions[&child]).collect();
                nodes.push(Node { symbol: symbol(one.symbol, two.symbol)?, children });
                positions.insert(pair, nodes.len() - 1);
            }
        }
        Some(Self { nodes })
    }

    /// Is the tree in the automaton's language?
    pub fn is_accepted_by(&self, automaton: &Automaton) -> bool {
        let mut subsets = Subsets::new(automaton);
        let mut reached = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let children: Vec<_> = node.children.iter().map(|child| reached[*child]).collect();
            reached.push(subsets.post(node.symbol, &children));
        }
        reached.last().is_some_and(|root| !subsets.set(*root).is_disjoint(automaton.finals()))
    }

    /// The tree as text. One that has more than `limit` nodes is written as one definition for each subtree that is stored.
    pub fn display<'a>(&'a self, alphabet: &'a Alphabet, limit: u64) -> impl fmt::Display + 'a {
        Display { tree: self, alphabet, is_term: self.size() <= limit }
    }
}

struct Display<'a> {
    tree: &'a Tree,
    alphabet: &'a Alphabet,
    is_term: bool,
}

impl fmt::Display for Display<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nodes = &self.tree.nodes;
        if !self.is_term {
            for (position, node) in nodes.iter().enumerate() {
                let separator = if position == 0 { "" } else { "; " };
                write!(formatter, "{separator}t{position} = {}", self.alphabet.name(node.symbol))?;
                let children: Vec<String> = node.children.iter().map(|child| format!("t{child}")).collect();
                if !children.is_empty() {
                    write!(formatter, "({})", children.join(","))?;
                }
            }
            return Ok(());
        }
        // What is still to be written, the next thing last.
        let mut stack = vec![Piece::Subtree(nodes.len() - 1)];
        while let Some(piece) = stack.pop() {
            match piece {
                Piece::Text(text) => formatter.write_str(text)?,
                Piece::Subtree(position) => {
                    let node = &nodes[position];
                    formatter.write_str(self.alphabet.name(node.symbol))?;
                    for (place, child) in node.children.iter().enumerate().rev() {
                        stack.push(Piece::Text(if place + 1 == node.children.len() { ")" } else { "," }));
                        stack.push(Piece::Subtree(*child));
                    }
                    if !node.children.is_empty() {
                        formatter.write_str("(")?;
                    }
                }
            }
        }
        Ok(())
    }
}

enum Piece {
    Text(&'static str),
    Subtree(usize),
}
