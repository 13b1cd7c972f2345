//! Trees as terms.

use crate::escape::shortened;
use goatherd_certificates::automata::{Model, SymbolId};

/// A tree, given by its symbols with children before their parent, as a term for people, such as `f(a, g(b))`; none if the symbols are not one tree.
pub fn term(model: &Model, tree: &[SymbolId]) -> Option<String> {
    let mut open: Vec<usize> = Vec::new();
    let mut children: Vec<Vec<usize>> = Vec::new();
    for (node, symbol) in tree.iter().enumerate() {
        let rank = usize::try_from(model.alphabet.get(symbol.index())?.rank).ok()?;
        children.push(open.split_off(open.len().checked_sub(rank)?));
        open.push(node);
    }
    let [root] = open[..] else { return None };
    let mut text = String::new();
    // What is still to be written, the next piece last.
    let mut pieces = vec![Piece::Node(root)];
    while let Some(piece) = pieces.pop() {
        match piece {
            Piece::Text(piece) => text.push_str(piece),
            Piece::Node(node) => {
                text.push_str(&shortened(&model.alphabet.get(tree[node].index())?.name));
                let Some((last, others)) = children[node].split_last() else { continue };
                text.push('(');
                pieces.extend([Piece::Text(")"), Piece::Node(*last)]);
                pieces.extend(others.iter().rev().flat_map(|child| [Piece::Text(", "), Piece::Node(*child)]));
            }
        }
    }
    Some(text)
}

enum Piece {
    Text(&'static str),
    Node(usize),
}
