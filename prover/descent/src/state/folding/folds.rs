//! What is folded, where there is a choice.

/// What is folded, where there is a choice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Folds {
    /// A chain and the tree at its end are one tree, unless one of them is also found alone.
    Whole,
    /// A chain is cut into blocks that are found elsewhere in another order.
    Blocks,
    /// A chain is a segment, whatever is at its end: what is built may go on there.
    Segments,
    /// As whole, but nodes below one that other members lack are kept.
    Near,
    /// As whole, but NULL below a node that is kept is an empty tree.
    Empty,
    /// As few shapes as can be: names that only scapegoats have for nodes keep none of these, NULL beside the way is an empty tree, and around a
    /// node that other members lack there may be segments that are empty so far.
    Uniform,
}
