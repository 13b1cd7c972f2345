//! Terms and literals (`spec/calculus.md#terms`).
//!
//! A certificate lists its terms once, each entry after those that it mentions; ids count the entries of one kind. Variables are dense per
//! configuration and sort.

use crate::{
    decode::{enumerations, structures, term_identifiers},
    program::{IntegerType, Operation, TableId},
};
use alloc::vec::Vec;

structures! {
    /// An integer variable of a configuration. Variables of one sort are numbered from 0.
    #[derive(Copy, PartialOrd, Ord, Hash)]
    pub struct Variable {
        /// Its values: the range of a type, or any integer.
        pub sort: Option<IntegerType>,
        /// Which of its sort.
        pub number: u32,
    }

    /// An array variable of a configuration. Variables of one sort are numbered from 0.
    #[derive(Copy, PartialOrd, Ord, Hash)]
    pub struct ArrayVariable {
        /// The range of its elements, at every index.
        pub sort: IntegerType,
        /// Which of its sort.
        pub number: u32,
    }

    /// Which variables exist: how many of each sort.
    #[derive(Copy, Default)]
    pub struct Scope {
        /// Integer variables: of any value first, then per integer type, in the order of [`IntegerType`].
        pub integers: [u32; 10],
        /// Array variables per integer type.
        pub arrays: [u32; 9],
    }
}

term_identifiers! {
    /// An atom: what a linear term is a combination of.
    AtomId: Atom,
    /// A linear term.
    LinearId: Linear,
    /// An array term.
    ArrayId: Array,
}

enumerations! {
    /// What is not a sum: a variable, or the application of an operation.
    #[derive(PartialOrd, Ord)]
    pub enum Atom {
        /// The variable's value.
        Variable(Variable),
        /// The array's element at the index.
        Select {
            /// Not a constant array; not a store whose index differs from `index` by a constant.
            array: ArrayId,
            /// Where.
            index: LinearId,
        },
        /// The greatest integer not above `argument / divisor`.
        Quotient {
            /// At least 2.
            divisor: i128,
            /// Not constant.
            argument: LinearId,
        },
        /// An operation carried out.
        Apply(Computation),
    }

    /// An array of integers, defined at every integer index.
    #[derive(PartialOrd, Ord)]
    pub enum Array {
        /// The variable's value.
        Variable(ArrayVariable),
        /// Another array, but for one element.
        Store(ArrayStore),
        /// The same value everywhere.
        Constant(LinearId),
        /// Entry i of the table at index i; 0 outside.
        Table(TableId),
    }
}

structures! {
    /// The operation on both arguments, each first reduced to the type; reduced to the type; 0 where C defines nothing. Total.
    #[derive(Copy, PartialOrd, Ord)]
    pub struct Computation {
        /// The operation. `Add` with 0 is what a conversion to the type makes of a value.
        pub operation: Operation,
        /// The type.
        pub kind: IntegerType,
        /// Left argument.
        pub left: LinearId,
        /// Right argument; not both are constant.
        pub right: LinearId,
    }

    /// As `array`, but `value` at `index`.
    #[derive(Copy, PartialOrd, Ord)]
    pub struct ArrayStore {
        /// Not itself a store at the same index.
        pub array: ArrayId,
        /// Where.
        pub index: LinearId,
        /// What.
        pub value: LinearId,
    }

    /// `constant + sum of coefficient * atom`.
    #[derive(PartialOrd, Ord, Default)]
    pub struct Linear {
        /// The constant.
        pub constant: i128,
        /// By ascending atom; no coefficient is 0.
        pub summands: Vec<(AtomId, i128)>,
    }
}

enumerations! {
    /// One entry of the certificate's table of terms.
    pub enum Term {
        /// The next atom.
        Atom(Atom),
        /// The next linear term.
        Linear(Linear),
        /// The next array.
        Array(Array),
    }

    /// How a literal compares its term with 0.
    #[derive(Copy, PartialOrd, Ord, Hash)]
    pub enum Sign {
        /// `term <= 0`
        AtMostZero,
        /// `term = 0`
        Zero,
        /// `term != 0`
        NotZero,
    }
}

structures! {
    /// A literal of a path predicate.
    #[derive(Copy, PartialOrd, Ord, Hash)]
    pub struct Literal {
        /// The comparison.
        pub sign: Sign,
        /// The term.
        pub term: LinearId,
    }
}

impl Literal {
    /// The term compared with 0.
    pub const fn new(sign: Sign, term: LinearId) -> Self {
        Self { sign, term }
    }
}
