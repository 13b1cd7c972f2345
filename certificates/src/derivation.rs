//! Derivations: the rules that the checker replays, and the hints for their obligations (`spec/calculus.md#rules`).
//!
//! A derivation is a tree written in preorder. The checker keeps a stack of open configurations; a rule acts on the top one: it changes it,
//! replaces it by its children (the first on top), or closes it.

use crate::{
    configuration::{Sort, Template, TreeId},
    decode::{enumerations, identifiers, structures},
    program::{Condition, Location, ObjectId},
    term::{ArrayId, AtomId, LinearId, Literal},
};
use alloc::vec::Vec;

identifiers! {
    /// A template: position in [`Proof::templates`].
    TemplateId,
    /// A member of the configuration at hand: 0 is the primary.
    MemberId,
    /// A fact of the refutation at hand: the predicate's literals in order, then the assumptions, then what deductions added.
    FactId,
    /// An outcome of an instruction: its position in the list that the step function gives.
    OutcomeId,
    /// A vertex of the graph that the checker derives.
    VertexId,
}

enumerations! {
    /// What `Root` says of the lengths of array inputs.
    #[derive(Copy)]
    pub enum Lengths {
        /// One configuration for each combination of their size classes: 0, 1, .. k, more than k.
        Classes,
        /// Nothing: each is any that is valid.
        Open,
    }
}

structures! {
    /// A proof of `Safe`, or the derivation of `Paths`.
    pub struct Proof<R = Vec<Rule>> {
        /// Cells kept apart in every array.
        pub k: u32,
        /// What is known of the lengths of array inputs at the entry.
        pub lengths: Lengths,
        /// Assertions that the derivations are about besides the program's own (`spec/calculus.md#lemmas`).
        pub lemmas: Vec<Lemma>,
        /// Sorts beside those of the declarations. Any will do: each only names a set of trees.
        pub sorts: Vec<Sort>,
        /// The templates.
        pub templates: Vec<Template>,
        /// One derivation from the size classes of `Root`, in the checker's order, together; then one from each template.
        pub roots: R,
        /// The derivation from each template.
        pub derivations: Vec<R>,
    }
}

impl<R> Proof<R> {
    /// The proof with other things in place of its derivations.
    pub fn map<S, E>(&self, mut map: impl FnMut(&R) -> Result<S, E>) -> Result<Proof<S>, E> {
        let Self {
            k,
            lengths,
            lemmas,
            sorts,
            templates,
            roots,
            derivations,
        } = self;
        let (lemmas, sorts, templates) = (lemmas.clone(), sorts.clone(), templates.clone());
        let roots = map(roots)?;
        Ok(Proof {
            k: *k,
            lengths: *lengths,
            lemmas,
            sorts,
            templates,
            roots,
            derivations: derivations.iter().map(map).collect::<Result<_, _>>()?,
        })
    }
}

structures! {
    /// An assertion that a proof adds to the program: where it does not hold, the program fails. Before a failure it may ask for those alone with which a
    /// register holds what comes in anew (`spec/calculus.md#asking-for-one-failure`).
    #[derive(Copy)]
    pub struct Lemma {
        /// The instruction that it stands before.
        pub location: Location,
        /// What holds there.
        pub condition: Condition,
    }
}

enumerations! {
    /// One application of a rule to the configuration on top of the stack.
    pub enum Rule {
        /// The primary takes one instruction. Every outcome becomes a child, but for those refuted in place; where one is left, the
        /// configuration simply goes on, with that outcome's literals.
        Step {
            /// Ascending outcomes.
            refuted: Vec<(OutcomeId, Refutation)>,
        },
        /// A scapegoat takes one instruction with one outcome; the predicate entails its literals.
        StepDecided {
            /// A scapegoat.
            member: MemberId,
            /// The outcome.
            outcome: OutcomeId,
            /// What the scapegoat chooses where the instruction lets it; without it, anything.
            choice: Option<Choice>,
            /// For the literals that are not evident, then for the choice.
            hints: Vec<Refutation>,
        },
        /// Two children: with the literal, and with its negation.
        Split {
            /// The literal.
            literal: Literal,
        },
        /// Closes the configuration: its predicate is refuted.
        Infeasible {
            /// How.
            refutation: Refutation,
        },
        /// Adds a member at the entry, on a smaller input.
        AddScapegoat {
            /// By ascending input, those of one input one after the other; not empty.
            drops: Vec<InputDrop>,
            /// New values of integer inputs, by ascending input; the others keep theirs.
            integers: Vec<(u32, LinearId)>,
            /// For the lengths, then for the ranges of the new values.
            hints: Vec<Refutation>,
        },
        /// Forgets a scapegoat.
        Drop {
            /// Which.
            member: MemberId,
        },
        /// Closes the configuration: the template covers it.
        Subsume {
            /// The template.
            template: TemplateId,
            /// What stands for the template's variables, symbols and objects.
            matching: Matching,
            /// For the obligations that are not evident, in the checker's order.
            hints: Vec<Refutation>,
        },
        /// Closes the configuration: the scapegoat has failed (blame).
        Descent {
            /// Which.
            member: MemberId,
        },
        /// Closes the configuration: the primary is at `Halt` or `Ignore`.
        End,
        /// Names a term by the next integer variable.
        Let {
            /// The term.
            term: LinearId,
        },
        /// Children: the symbol is empty; it is a node and what hangs below, of a segment one child per field that may lead to the hole.
        Unfold {
            /// The symbol.
            tree: TreeId,
            /// Of a segment: where the node is.
            end: SegmentEnd,
        },
        /// A member takes instructions that have one outcome each, with that outcome's literals.
        Steps {
            /// The primary or a scapegoat.
            member: MemberId,
            /// How many instructions: at most as many as the program has.
            count: u32,
        },
        /// Closes the configuration: the scapegoat is in the primary's state, as far as the rest of the program can tell.
        Twin {
            /// Which.
            member: MemberId,
        },
    }

    /// Where a segment is opened.
    #[derive(Copy)]
    pub enum SegmentEnd {
        /// At its root.
        Top,
        /// Above its hole.
        Bottom,
    }
}

structures! {
    /// What stands for the parts of a template in a configuration that it covers.
    #[derive(Default)]
    pub struct Matching {
        /// A term for each of the template's integer variables, in the order of its scope.
        pub integers: Vec<LinearId>,
        /// A term for each of its array variables.
        pub arrays: Vec<ArrayId>,
        /// For each of its symbols the way to the hole of a segment: at each cell the number of the child that leads on, 0 at a segment. The
        /// checker reads the rest.
        pub paths: Vec<Vec<u32>>,
        /// For each of its symbols, for each node that is read and whose sort does not have one shape, the shape, in the order of reading; none
        /// for the last symbols where there are no such nodes.
        pub shapes: Vec<Vec<u32>>,
        /// Per member, for each of the template's objects one of the configuration's; no two are the same.
        pub objects: Vec<Vec<ObjectId>>,
    }

    /// An element left out of an array input, or a node of a linked one.
    #[derive(Copy)]
    pub struct InputDrop {
        /// Position in the program's inputs.
        pub input: u32,
        /// Which element.
        pub element: DroppedElement,
    }
}

enumerations! {
    /// Which element a smaller input leaves out.
    #[derive(Copy)]
    pub enum DroppedElement {
        /// Element j, below k: the elements before it move up by one, and so does the lower bound.
        First(u32),
        /// The last element: the upper bound goes down by one.
        Last,
        /// A node of a linked input.
        Node {
            /// Which: its name at the entry.
            object: ObjectId,
            /// The field whose child takes its place; none for NULL.
            child: Option<u32>,
        },
    }

    /// What a scapegoat chooses.
    pub enum Choice {
        /// The value of a `Havoc`.
        Value(LinearId),
        /// Where a fresh object begins, and what its integers hold.
        Allocation {
            /// The lower bound.
            lower: LinearId,
            /// Per field the cells and the array for the rest; for pointer fields no cells and none.
            fields: Vec<(Vec<LinearId>, Option<ArrayId>)>,
        },
    }
}

structures! {
    /// A refutation of the predicate together with assumptions: deductions, the last of which is a contradiction.
    #[derive(Default)]
    #[cfg_attr(feature = "serde", serde(transparent))]
    pub struct Refutation {
        /// In order.
        pub deductions: Vec<Deduction>,
    }
}

enumerations! {
    /// One step of a refutation (`spec/calculus.md#refutations`).
    pub enum Deduction {
        /// The sum of facts times coefficients, positive but on equalities, divided by the greatest common divisor of its coefficients with
        /// the constant rounded up: `sum <= 0`. A contradiction if that is a positive constant.
        Combine(Vec<(FactId, i128)>),
        /// From `t <= 0` and `t != 0` (or `-t != 0`): `t + 1 <= 0`.
        Tighten {
            /// `t <= 0`
            bound: FactId,
            /// `t != 0`
            disequality: FactId,
        },
        /// What holds of an atom by its definition: two facts `<= 0`, first the lower bound, then the upper (range of a sorted variable, a
        /// select or an apply; `0 <= argument - divisor * quotient <= divisor - 1`).
        Axiom(AtomId),
        /// Equal arguments give equal results: `left - right = 0`. Per pair of different arguments two facts: `l - r <= 0` and `r - l <=
        /// 0`.
        Congruence {
            /// An atom.
            left: AtomId,
            /// An atom of the same operation, on the same array.
            right: AtomId,
            /// Facts, two per pair.
            facts: Vec<(FactId, FactId)>,
        },
        /// `select(store(A, i, v), j) - v = 0`, from `i - j <= 0` and `j - i <= 0`.
        ReadSame {
            /// The select.
            atom: AtomId,
            /// `i - j <= 0` and `j - i <= 0`.
            facts: (FactId, FactId),
        },
        /// `select(store(A, i, v), j) - select(A, j) = 0`, from a fact that excludes `i = j`.
        ReadOther {
            /// The select.
            atom: AtomId,
            /// `i - j != 0`, `i - j + c <= 0` or `j - i + c <= 0` with `c > 0`.
            fact: FactId,
        },
        /// `atom - value = 0`, where the atom is a conversion, `argument + 0` in a type: the value lies in the type's range and differs
        /// from the argument, or from its conversion to a type whose period is a multiple of this type's, by a multiple of the type's
        /// period.
        Convert {
            /// The conversion.
            atom: AtomId,
            /// What it is equal to.
            value: LinearId,
            /// `least - value <= 0` and `value - greatest <= 0`, or stronger; not looked at where that is evident.
            facts: (FactId, FactId),
        },
        /// Assumes the literal until a contradiction; then its negation is a fact, and the deductions since then are none.
        Case(Literal),
        /// `0 <= s | t <= s + t`, `s <= s | t` and `t <= s | t`, or `0 <= s ^ t <= s + t`, `s - t <= s ^ t` and `t - s <= s ^ t`: of terms that
        /// are not negative.
        Bits {
            /// `s | t` or `s ^ t`.
            atom: AtomId,
            /// `-s <= 0` and `-t <= 0`, or stronger; not looked at where that is evident.
            facts: (FactId, FactId),
        },
        /// `atom - v = 0`, v being what the atom is with constants for its arguments: an operation carried out, an entry of a table.
        Evaluate {
            /// The atom.
            atom: AtomId,
            /// Of each argument t that is no constant: the constant c, `t - c <= 0` and `c - t <= 0`.
            values: Vec<(i128, (FactId, FactId))>,
        },
    }
}
