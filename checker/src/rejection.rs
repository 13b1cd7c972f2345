//! Why a certificate is rejected: one variant per side condition, named as in `spec/calculus.md`.

use crate::Declined;
use crate::error::Defect;
use crate::wellformed::Fault;

/// A violated side condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rejection {
    /// More memory is needed than the limit allows. Not a fault of the proof: the certificate is declined.
    Declined(Declined),
    /// The bytes are not those of a certificate.
    Malformed(Defect),
    /// The program or the model has no meaning.
    IllFormed(Fault),
    /// An integer left the range of checked arithmetic.
    Overflow,
    /// A term is not in normal form, or mentions a term that does not stand before it.
    Term,
    /// A term mentions a variable that does not exist.
    Variable,
    /// The literal, member, template, object or outcome does not exist.
    Missing,
    /// The instruction is outside what this kernel handles.
    Unsupported(Unsupported),
    /// A branch, an address, a check or an operation reads a forgotten value.
    Forgotten,
    /// The primary takes `Step`, scapegoats take `StepDecided`.
    Primary,
    /// A member at `Halt`, `Ignore` or `Fail` takes no step.
    AtEnd,
    /// The refuted outcomes are not ascending, or one of them is evidently false already.
    Outcomes,
    /// A scapegoat takes only an outcome that C fixes or that some execution has.
    Ignorance,
    /// A choice that the instruction does not offer, or of the wrong shape.
    Choice,
    /// A hint does not lead to a contradiction.
    NotRefuted,
    /// A deduction does not follow.
    Deduction,
    /// The obligations and their hints do not match one to one.
    Hints,
    /// Entry terms are erased by Subsume: no scapegoat is added below a template.
    EntryTerms,
    /// A smaller input leaves out at least one element.
    NothingDropped,
    /// The inputs of a smaller input are not ascending, distinct, or of the right kind.
    Drop,
    /// The configuration and the template have different members, locations or objects.
    Shape,
    /// A slot of the template is not matched.
    Slot,
    /// Subsume without a step of the primary since the template's root.
    Progress,
    /// The substitution has not one term for each variable of the template.
    Substitution,
    /// Descent needs a scapegoat that has failed.
    NotFailed,
    /// End needs the primary at `Halt` or `Ignore`.
    NotEnded,
    /// Configurations are left open, or a rule has none to act on.
    Open,
    /// k is outside 1 to 16, or there is a derivation too few or too many.
    Root,
    /// The evidence is not of the claim, or a parameter is not one that the claim can be checked under.
    Claim,
    /// A rule that the claim does not allow.
    Rule,
    /// There are not as many vertices as nodes.
    VertexCount,
    /// Vertices are not numbered in the order in which they are first mentioned.
    VertexOrder,
    /// A vertex stands for nodes at two locations.
    VertexLocation,
    /// A node at which a path ends that is to be kept has no vertex.
    EndLost,
    /// A node with a vertex has a predecessor without one.
    SourceLost,
    /// A vertex has two successors at one location, or there are two roots.
    Nondeterministic,
    /// The run ends elsewhere, earlier or later than declared, or its values or choices do not fit.
    Run,
    /// A configuration set names a symbol that does not exist, or with another number of children than its rank.
    Rank,
    /// A transition of a product leads to no cover that the target reaches.
    NotCovered,
    /// A tree of the image is accepted, and the cover holds no accepting state.
    NotAccepting,
    /// Symbols that are no tree: children are missing, or there is more than one root.
    NotATree,
    /// The first tree of a trace is not initial.
    NotInitial,
    /// The trees of a step are not related by its transducer.
    NotRelated,
    /// The last tree of a trace is not bad.
    NotBad,
    /// Too many transitions would have to be looked at.
    Work,
}

impl From<Declined> for Rejection {
    fn from(declined: Declined) -> Self {
        Self::Declined(declined)
    }
}

/// The condition holds, or this is what is wrong.
pub(crate) fn ensure<E>(condition: bool, error: E) -> Result<(), E> {
    if condition { Ok(()) } else { Err(error) }
}

/// What this kernel does not handle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unsupported {
    /// An access that hits no field of its width.
    Access,
    /// Pointer arithmetic by part of an element and a variable amount.
    Advance,
    /// A difference of pointers to different bytes of elements.
    Distance,
    /// An object allocated or entered a second time.
    Reallocation,
    /// Linked inputs.
    Linked,
    /// An array of pointers of unbounded size.
    PointerArray,
    /// Memory, or a computation that is not linear, on unbounded integers.
    Unbounded,
}
