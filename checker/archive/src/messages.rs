//! Why a certificate is not accepted, in words. The kernel only names it.

use goatherd_checker::{
    error::{Declined, Defect, Failure, Where},
    rejection::{Rejection, Unsupported},
};

/// Why a certificate is not accepted.
pub fn failure(failure: Failure) -> String {
    match failure {
        Failure::Declined(reason) => declined(reason),
        Failure::Rejected {
            place,
            rejection: Rejection::Malformed(defect),
        } => format!("{} ({})", malformed(defect), position(place)),
        Failure::Rejected {
            place,
            rejection: Rejection::IllFormed(fault),
        } => {
            format!(
                "the program or model is not well-formed: {} violates {fault:?}",
                position(place)
            )
        }
        Failure::Rejected {
            place,
            rejection: reason,
        } => format!("{}: {}", position(place), rejection(reason)),
    }
}

/// Why a certificate is not looked at.
pub fn declined(declined: Declined) -> String {
    match declined {
        Declined::Version { found } => {
            format!("format version {found} is not one that this checker reads")
        }
        Declined::Limit { declared, allowed } => {
            format!("it declares {declared} bytes of memory, {allowed} are allowed")
        }
        Declined::Memory { limit } => {
            format!("checking it takes more than {limit} bytes of memory")
        }
        Declined::WorkLimit { declared, allowed } => {
            format!("it declares {declared} steps of work, {allowed} are allowed (--work)")
        }
        Declined::Work { limit } => format!("checking it takes more than {limit} steps of work"),
    }
}

const fn malformed(defect: Defect) -> &'static str {
    match defect {
        Defect::Magic => "this is not a certificate: it does not begin with `goatherd`",
        Defect::Truncated => "it ends too early",
        Defect::Trailer => {
            "its trailer is not the digest of its contents: it was damaged or cut off"
        }
        Defect::StatementDigest => "its statement digest is not that of its statement",
        Defect::Integer => "an integer is not encoded in the fewest bytes",
        Defect::Range => "an integer is outside its type",
        Defect::Length => "a length is larger than the rest of the file",
        Defect::Text => "a string is not UTF-8",
        Defect::Variant => "an unknown variant",
        Defect::Trailing => "bytes are left over",
        Defect::Term => "a term is named that the table of terms does not have",
    }
}

fn position(place: Where) -> String {
    match place {
        Where::Byte(offset) => format!("byte {offset}"),
        Where::Entry(part, index) => format!("{part:?} {index}"),
        Where::Term(position) => format!("term {position}"),
        Where::Evidence => String::from("evidence"),
        Where::Template(position) => format!("template {position}"),
        Where::Root {
            class,
            rule: u32::MAX,
        } => format!("end of the derivation from size class {class}"),
        Where::Root { class, rule } => format!("rule {rule} from the roots, size class {class}"),
        Where::Derivation {
            template,
            rule: u32::MAX,
        } => format!("end of the derivation from template {template}"),
        Where::Derivation { template, rule } => format!("rule {rule} from template {template}"),
        Where::Run => String::from("run"),
        Where::Witness(position) => format!("ground run {position}"),
        Where::Inclusion(number) => format!("inclusion {number}"),
        Where::Step(step) => format!("step {step}"),
    }
}

const fn rejection(rejection: Rejection) -> &'static str {
    match rejection {
        Rejection::Declined(_) => "more memory is needed than the limit allows",
        Rejection::Malformed(defect) => malformed(defect),
        Rejection::IllFormed(_) => "the program or model is not well-formed",
        Rejection::Overflow => "an integer leaves the range of checked arithmetic",
        Rejection::Term => {
            "a term is not in normal form, or mentions a term that does not stand before it"
        }
        Rejection::Variable => "a term mentions a variable that does not exist",
        Rejection::Missing => "what the rule names does not exist",
        Rejection::Unsupported(what) => match what {
            Unsupported::Access => "unsupported: an access that hits no field of its width",
            Unsupported::Advance => {
                "unsupported: pointer arithmetic by part of an element and a variable amount"
            }
            Unsupported::Distance => {
                "unsupported: the difference of pointers to different bytes of elements"
            }
            Unsupported::NodeArray => {
                "unsupported: an allocation of several nodes at once, or of a number that is not known"
            }
            Unsupported::Unbounded => {
                "unsupported: memory, or a computation that is not linear, on unbounded integers"
            }
            Unsupported::PointerArray => "unsupported: an array of pointers of unbounded size",
        },
        Rejection::Forgotten => {
            "a branch, an address, a check or an operation reads a forgotten value"
        }
        Rejection::Folded => {
            "a pointer to a folded part of the heap is used: it must be unfolded first"
        }
        Rejection::NotRead => {
            "what hangs in the heap is not what the template folds there, or was read or matched before"
        }
        Rejection::Primary => "the primary takes Step, scapegoats take StepDecided",
        Rejection::AtEnd => "a member at Halt, Ignore or Fail takes no step",
        Rejection::Outcomes => {
            "the refuted outcomes are not ascending, or one is evidently false already"
        }
        Rejection::Ignorance => "a scapegoat takes only an Exact or Real outcome",
        Rejection::Choice => "the choice is not one that the instruction offers",
        Rejection::NotRefuted => "the hint does not lead to a contradiction",
        Rejection::Deduction => "a deduction does not follow",
        Rejection::Hints => "obligations and hints do not match one to one",
        Rejection::EntryTerms => "AddScapegoat must stand before the first Subsume on its branch",
        Rejection::NotSmaller => {
            "the scapegoat's input is not smaller, and it has not consumed fewer values and rounds than the primary"
        }
        Rejection::Drop => {
            "the dropped elements or new integers do not name ascending inputs of the right kind"
        }
        Rejection::Shape => {
            "configuration and template differ in members, locations or objects, or the template has a shape that nothing has"
        }
        Rejection::Slot => {
            "a slot of the template is not matched, or is not of the type of its place"
        }
        Rejection::Progress => "Subsume without a step of the primary since the template's root",
        Rejection::Substitution => "the substitution is not total on the template's variables",
        Rejection::NotFailed => "Descent needs a scapegoat that has failed",
        Rejection::NotTwin => {
            "Twin needs a scapegoat at the primary's location, in whose state nothing is forgotten, folded or different that is read from there"
        }
        Rejection::NotEnded => "End needs the primary at Halt or Ignore",
        Rejection::Leak => "it is not known of all memory what leads to it",
        Rejection::Open => "configurations are left open, or a rule has none to act on",
        Rejection::Root => "k is out of range, or the derivations do not match the templates",
        Rejection::Claim => {
            "the evidence is not of the claim, or the claim is not checked under its parameters"
        }
        Rejection::Rule => "the claim does not allow the rule",
        Rejection::VertexCount => "there are not as many vertices as nodes",
        Rejection::VertexOrder => {
            "vertices are not numbered in the order in which they are first mentioned"
        }
        Rejection::VertexLocation => "a vertex stands for nodes at two locations",
        Rejection::EndLost => "a node at which a path ends that is to be kept has no vertex",
        Rejection::SourceLost => "a node with a vertex has a predecessor without one",
        Rejection::Nondeterministic => {
            "a vertex has two successors at one location, or there are two roots"
        }
        Rejection::Run => {
            "the run does not end as declared, or a value of it is missing or out of range"
        }
        Rejection::CoverOrder => "the states of a cover are not ascending, each named once",
        Rejection::NotCovered => {
            "a transition of the product leads to no cover that the target reaches"
        }
        Rejection::NotAccepting => {
            "a tree of the image is accepted, and its cover holds no accepting state"
        }
        Rejection::NotATree => "the symbols are not one tree",
        Rejection::NotInitial => "the first tree is not initial",
        Rejection::NotRelated => "the trees of the step are not related by its transducer",
        Rejection::NotBad => "the last tree is not bad",
    }
}
