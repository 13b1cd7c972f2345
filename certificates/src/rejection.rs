//! Why a certificate is not accepted: part of the format, so that every checker that reads it gives the same reasons (`spec/format.md#errors`).

#[cfg(doc)]
use crate::{
    automata::Model,
    certificate::{Certificate, Statement},
    derivation::Proof,
    formula::{Formula, FormulaEvidence},
    program::Program,
};

/// Why a certificate is not accepted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// It may be valid, but this checker does not say.
    Declined(Declined),
    /// It is not valid.
    Rejected {
        /// Where this shows.
        place: Where,
        /// The violated condition.
        rejection: Rejection,
    },
}

/// A place in a certificate. Positions count from 0; that of a rule is `u32::MAX` behind the last one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Where {
    /// This byte of the file.
    Byte(usize),
    /// This entry of a table of the statement or of the proof.
    Entry(Part, usize),
    /// This entry of the table of terms.
    Term(u32),
    /// The evidence as a whole.
    Evidence,
    /// This template.
    Template(u32),
    /// This rule of the derivations from the size classes.
    Root {
        /// The size class.
        class: u64,
        /// The rule.
        rule: u32,
    },
    /// This rule of the derivation from a template.
    Derivation {
        /// The template.
        template: u32,
        /// The rule.
        rule: u32,
    },
    /// The run that shows `Unsafe`.
    Run,
    /// This run for the vacuity flag.
    Witness(u32),
    /// This list of covers.
    Inclusion(u32),
    /// This step of a trace; the last tree is that of a step more.
    Step(u32),
}

/// Why a certificate is not looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Declined {
    /// Its format version is not one that this checker reads.
    Version {
        /// The version in the file.
        found: u32,
    },
    /// It declares more work than the caller allows, both in steps.
    WorkLimit {
        /// What the certificate declares.
        declared: u64,
        /// What the caller allows.
        allowed: u64,
    },
    /// Checking it takes more than this many steps of work, the smaller of its declared limit and the caller's.
    Work {
        /// Steps.
        limit: u64,
    },
    /// It declares more memory than the caller allows, both in bytes.
    Limit {
        /// What the certificate declares.
        declared: u64,
        /// What the caller allows.
        allowed: u64,
    },
    /// Checking it takes more than this many bytes, the smaller of its declared limit and the caller's.
    Memory {
        /// Bytes.
        limit: u64,
    },
}

/// What is wrong with bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Defect {
    /// The file does not begin with `goatherd`.
    Magic,
    /// The file ends too early, or a part of it does.
    Truncated,
    /// The trailer is not the digest of the bytes before it.
    Trailer,
    /// The statement digest is not that of the statement.
    StatementDigest,
    /// An integer is not encoded in the fewest bytes, or begins with a byte that no integer begins with.
    Integer,
    /// An integer is outside its type.
    Range,
    /// A length is larger than the number of bytes that are left.
    Length,
    /// A string is not UTF-8.
    Text,
    /// A variant's number, or the byte of an option, is not one that the format knows.
    Variant,
    /// Bytes are left over.
    Trailing,
    /// A term is named that the table of terms does not have, or does not have yet.
    Term,
}

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
    /// An entry of the table of terms is not in normal form, or stands there already.
    Term,
    /// A term mentions a variable that does not exist.
    Variable,
    /// The literal, member, template, object or outcome does not exist.
    Missing,
    /// The instruction is outside what this kernel handles.
    Unsupported(Unsupported),
    /// A branch, an address, a check or an operation reads a forgotten value.
    Forgotten,
    /// A pointer to a folded part is used: `Unfold` first.
    Folded,
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
    /// What fails has an input that may be as large as the primary's, and may have consumed as many values and rounds.
    NotSmaller,
    /// The inputs of a smaller input are not ascending, distinct, or of the right kind.
    Drop,
    /// The configuration and the template have different members, locations or objects, or the template's objects and folded parts have another
    /// shape than such things have.
    Shape,
    /// A slot of the template is not matched, or is not of the type of its place.
    Slot,
    /// What hangs in the configuration is not what is folded in the template, or was read or matched before.
    NotRead,
    /// Subsume without a step of the primary since the template's root.
    Progress,
    /// The substitution has not one term for each variable of the template.
    Substitution,
    /// Descent needs a scapegoat that has failed.
    NotFailed,
    /// Twin needs a scapegoat that is where the primary is, in the same state as far as the rest of the program can tell.
    NotTwin,
    /// End needs the primary at `Halt` or `Ignore`.
    NotEnded,
    /// A claim about leaks needs to know all of the heap, and what leads where.
    Leak,
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
    /// The states of a cover do not ascend.
    CoverOrder,
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
    /// A node that is not known to be one element.
    NodeArray,
    /// An array of pointers of unbounded size.
    PointerArray,
    /// Memory, or a computation that is not linear, on unbounded integers.
    Unbounded,
}

/// A table of a statement, or of a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// [`Program::layouts`]
    Layout,
    /// [`Program::tables`]
    Table,
    /// [`Program::objects`]
    Object,
    /// [`Program::inputs`]
    Input,
    /// [`Program::instructions`]
    Instruction,
    /// [`Statement::landmarks`]
    Landmark,
    /// [`Proof::lemmas`]
    Lemma,
    /// [`Proof::sorts`]
    Sort,
    /// [`Formula::expressions`], then [`FormulaEvidence::expressions`]
    Expression,
    /// [`Formula::assertions`]
    Assertion,
}

/// A violated condition. Its name is what messages say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A layout has a size and a field.
    EmptyLayout,
    /// Fields ascend, do not overlap and lie inside the size.
    Fields,
    /// The entries of a table are values of its type.
    Entry,
    /// A layout that is mentioned exists.
    Layout,
    /// An element and an object have at most 2^63 - 1 bytes.
    Size,
    /// A static object has contents for each field.
    Contents,
    /// Integer fields hold tables of their type, pointer fields pointers.
    ContentsType,
    /// Tables and pointers have one entry per element.
    ContentsLength,
    /// A table that is mentioned exists.
    Table,
    /// An object that is mentioned exists.
    Object,
    /// It comes from where the mention needs it to come from: initial pointers from `Static`, inputs from `Input`, `Address` from `Static` or
    /// `Local`, `Enter` and `Leave` from `Local`, `Allocate` from `Heap` or `Node`, sorts from `Node`.
    Origin,
    /// A register that is mentioned exists.
    Register,
    /// It is an integer.
    Integer,
    /// It is a pointer.
    Pointer,
    /// It is an integer of the type in which it is used. `_Bool` is only assigned from `_Bool`.
    Type,
    /// A constant is a value of the type in which it is used; where no type is given, of I64 or U64. `_Bool` is only assigned 0 and 1.
    Constant,
    /// Nothing is computed in `_Bool`.
    Bool,
    /// No two inputs define one register.
    InputRegister,
    /// No two inputs are one object.
    InputObject,
    /// The elements of an input array hold integers only.
    InputField,
    /// A node has a link per field, `Data` for integers alone.
    Links,
    /// The same field of all shapes of a sort, and no other, is `same`, or none is.
    Same,
    /// A location that is mentioned exists.
    Location,
    /// A sort that is mentioned exists.
    Sort,
    /// A sort is within one that has all its trees and segments.
    Within,
    /// Landmarks ascend, and a claim about paths has them.
    LandmarkOrder,
    /// An expression's parts stand before it and are of the domains that its operation is of; a divisor is at least 1; witnesses are of the evidence
    /// alone. An assertion is true or false.
    Domain,
}

impl From<Declined> for Rejection {
    fn from(declined: Declined) -> Self {
        Self::Declined(declined)
    }
}

impl From<Declined> for Failure {
    fn from(declined: Declined) -> Self {
        Self::Declined(declined)
    }
}
