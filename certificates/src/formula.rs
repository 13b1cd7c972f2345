//! Formulas of linear integer arithmetic with arrays, and what shows that one has no model (`spec/smt.md`).
//!
//! Expressions are listed once, each after those that it mentions. An operation that is not here is written with those that are: `a => b` as
//! `(or (not a) b)`, `(mod a 3)` as `a - 3 * (div a 3)`, `true` as the conjunction of nothing.

use crate::{
    certificate::{Claim, Limits, Origin},
    decode::{enumerations, identifiers, structures},
    derivation::Refutation,
    term::Term,
};
use alloc::{string::String, vec::Vec};

identifiers! {
    /// An expression: position among those of the formula, then those of the evidence.
    ExpressionId,
    /// A clause: the step that shows it.
    ClauseId,
}

enumerations! {
    /// What an expression stands for.
    #[derive(Copy)]
    pub enum Domain {
        /// True or false.
        Boolean,
        /// Any integer.
        Integer,
        /// An integer for every integer.
        Array,
    }

    /// An expression; its value is that of the operation on the values of its parts.
    #[derive(PartialOrd, Ord)]
    pub enum Expression {
        /// Position in [`Formula::constants`].
        Constant(u32),
        /// The opposite.
        Not(ExpressionId),
        /// All of them are true.
        And(Vec<ExpressionId>),
        /// One of them is true.
        Or(Vec<ExpressionId>),
        /// One of two, of any one domain.
        IfThenElse {
            /// Decides.
            condition: ExpressionId,
            /// Where it is true.
            then: ExpressionId,
            /// Where it is false.
            otherwise: ExpressionId,
        },
        /// Both are equal.
        Equal {
            /// One.
            left: ExpressionId,
            /// The other, of the same domain.
            right: ExpressionId,
        },
        /// `left <= right`
        AtMost {
            /// An integer.
            left: ExpressionId,
            /// An integer.
            right: ExpressionId,
        },
        /// `constant + sum of coefficient * expression`
        Sum {
            /// The constant.
            constant: i128,
            /// The summands.
            summands: Vec<(ExpressionId, i128)>,
        },
        /// The greatest integer not above `argument / divisor`.
        Quotient {
            /// An integer.
            argument: ExpressionId,
            /// At least 1.
            divisor: i128,
        },
        /// The array's element at the index.
        Select {
            /// An array.
            array: ExpressionId,
            /// Where.
            index: ExpressionId,
        },
        /// As `array`, but `value` at `index`.
        Store {
            /// An array.
            array: ExpressionId,
            /// Where.
            index: ExpressionId,
            /// What.
            value: ExpressionId,
        },
        /// The array that holds the same value everywhere.
        Fill(ExpressionId),
        /// An index at which the arrays differ; 0 where they do not. Of the evidence alone.
        Witness {
            /// An array.
            left: ExpressionId,
            /// An array.
            right: ExpressionId,
        },
    }

    /// An expression or its negation.
    #[derive(Copy, PartialOrd, Ord, Hash)]
    pub enum Signed {
        /// It is true.
        Holds(ExpressionId),
        /// It is false.
        Fails(ExpressionId),
    }

    /// Why a clause, a disjunction of signed expressions, is true in every model. `s = t` names an expression `Equal` of s and t.
    pub enum Inference {
        /// An assertion of the formula, by position.
        Assertion(u32),
        /// A clause of what a Boolean operation means, by number (`spec/smt.md#definitions`).
        Definition {
            /// The operation.
            expression: ExpressionId,
            /// Which of its clauses.
            clause: u32,
        },
        /// `not c or ite(c, t, e) = t`, or `c or ite(c, t, e) = e`.
        Choice {
            /// `ite(c, t, e) = t` or `ite(c, t, e) = e`
            equality: ExpressionId,
        },
        /// `not i = j or select(store(a, i, v), j) = v`
        ReadSame {
            /// `select(store(a, i, v), j) = v`
            equality: ExpressionId,
            /// `i = j`
            indices: ExpressionId,
        },
        /// `i = j or select(store(a, i, v), j) = select(a, j)`
        ReadOther {
            /// `select(store(a, i, v), j) = select(a, j)`
            equality: ExpressionId,
            /// `i = j`
            indices: ExpressionId,
        },
        /// `select(fill(v), i) = v`
        ReadFill {
            /// `select(fill(v), i) = v`
            equality: ExpressionId,
        },
        /// `not a = b or not i = j or select(a, i) = select(b, j)`
        SameElement {
            /// `select(a, i) = select(b, j)`
            equality: ExpressionId,
            /// `a = b` and `i = j`, each only where both sides are not one expression.
            premises: Vec<ExpressionId>,
        },
        /// `a = b or not select(a, k) = select(b, k)`, where k is the witness of a and b.
        Extensionality {
            /// `a = b`
            equality: ExpressionId,
            /// `select(a, k) = select(b, k)`
            elements: ExpressionId,
        },
        /// Arithmetic alone: all of these false is refuted.
        Arithmetic {
            /// The clause: comparisons and equations of integers.
            clause: Vec<Signed>,
            /// From the negations of its literals, in order.
            refutation: Refutation,
        },
        /// All of these false, each hint leaves one literal that is not false, which is then true; the last leaves none.
        Propagation {
            /// The clause.
            clause: Vec<Signed>,
            /// Earlier clauses.
            hints: Vec<ClauseId>,
        },
    }
}

structures! {
    /// A constant that a model gives a value to.
    pub struct FormulaConstant {
        /// As declared.
        pub name: String,
        /// What it stands for.
        pub domain: Domain,
    }

    /// What is asserted when a script asks for the satisfiability of its assertions.
    pub struct Formula {
        /// Which `check-sat` of the script asks, from 1.
        pub question: u32,
        /// Those that are declared, in order.
        pub constants: Vec<FormulaConstant>,
        /// All that the assertions consist of, each after its parts.
        pub expressions: Vec<Expression>,
        /// What is true in a model.
        pub assertions: Vec<ExpressionId>,
    }

    /// What shows that a formula has no model.
    pub struct FormulaEvidence {
        /// The terms that refutations mention: sums and quotients of variables, where variable n of any value stands for expression n.
        pub terms: Vec<Term>,
        /// More expressions.
        pub expressions: Vec<Expression>,
        /// Clauses that are true in every model; the last one is empty.
        pub steps: Vec<Inference>,
    }

    /// A certificate whose subject is a formula. Its statement is the claim, the origin and the formula.
    pub struct FormulaCertificate {
        /// Declared limits.
        pub limits: Limits,
        /// What is claimed: `Unsatisfiable`.
        pub claim: Claim,
        /// Where the formula came from.
        pub origin: Origin,
        /// The formula.
        pub formula: Formula,
        /// What shows the claim.
        pub evidence: FormulaEvidence,
    }
}
