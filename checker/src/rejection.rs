//! Why a certificate is rejected: one variant per side condition, named as in `spec/calculus.md`.

use core::fmt;

/// A violated side condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rejection {
    /// More memory is needed than the limit allows. Not a fault of the proof: the certificate is declined.
    Memory,
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
    /// The evidence is not of the claim.
    Claim,
    /// The run ends elsewhere, earlier or later than declared, or its values or choices do not fit.
    Run,
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
}

impl fmt::Display for Rejection {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Memory => "more memory is needed than the limit allows",
            Self::Overflow => "an integer leaves the range of checked arithmetic",
            Self::Term => "a term is not in normal form, or mentions a term that does not stand before it",
            Self::Variable => "a term mentions a variable that does not exist",
            Self::Missing => "what the rule names does not exist",
            Self::Unsupported(what) => match what {
                Unsupported::Access => "unsupported: an access that hits no field of its width",
                Unsupported::Advance => "unsupported: pointer arithmetic by part of an element and a variable amount",
                Unsupported::Distance => "unsupported: the difference of pointers to different bytes of elements",
                Unsupported::Reallocation => "unsupported: an object allocated or entered a second time",
                Unsupported::Linked => "unsupported: linked inputs",
                Unsupported::PointerArray => "unsupported: an array of pointers of unbounded size",
            },
            Self::Forgotten => "a branch, an address, a check or an operation reads a forgotten value",
            Self::Primary => "the primary takes Step, scapegoats take StepDecided",
            Self::AtEnd => "a member at Halt, Ignore or Fail takes no step",
            Self::Outcomes => "the refuted outcomes are not ascending, or one is evidently false already",
            Self::Ignorance => "a scapegoat takes only an Exact or Real outcome",
            Self::Choice => "the choice is not one that the instruction offers",
            Self::NotRefuted => "the hint does not lead to a contradiction",
            Self::Deduction => "a deduction does not follow",
            Self::Hints => "obligations and hints do not match one to one",
            Self::EntryTerms => "AddScapegoat must stand before the first Subsume on its branch",
            Self::NothingDropped => "a smaller input leaves out at least one element",
            Self::Drop => "the dropped elements or new integers do not name ascending inputs of the right kind",
            Self::Shape => "configuration and template differ in members, locations or objects",
            Self::Slot => "a slot of the template is not matched",
            Self::Progress => "Subsume without a step of the primary since the template's root",
            Self::Substitution => "the substitution is not total on the template's variables",
            Self::NotFailed => "Descent needs a scapegoat that has failed",
            Self::NotEnded => "End needs the primary at Halt or Ignore",
            Self::Open => "configurations are left open, or a rule has none to act on",
            Self::Root => "k is out of range, or the derivations do not match the templates",
            Self::Claim => "the evidence is not of the claim",
            Self::Run => "the run does not end as declared",
        })
    }
}

impl core::error::Error for Rejection {}
