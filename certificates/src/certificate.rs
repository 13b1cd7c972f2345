//! The whole certificate: statement, positions, terms, evidence (`spec/format.md`).

use crate::decode::{enumerations, structures};
use crate::{
    derivation::{Proof, Rule, VertexId},
    program::{Location, Program},
    term::Term,
};
use alloc::{string::String, vec::Vec};
use core::ops::RangeInclusive;

/// The first bytes of every certificate.
pub const MAGIC: [u8; 8] = *b"goatherd";

/// The format versions that this crate describes: 3 has sorts that say a byte ([`Root`](crate::Root)), 4 has rings that hang from nodes
/// ([`Link`](crate::Link)).
pub const VERSIONS: RangeInclusive<u32> = 2..=4;

structures! {
    /// What the certificate is to be checked within, and declined beyond.
    #[derive(Copy)]
    pub struct Limits {
        /// Bytes that the checker may hold at once, for one derivation after the other.
        pub memory: u64,
        /// Steps of work that it may take: about one for each term, literal, slot or transition that is looked at.
        pub work: u64,
    }
}

impl Limits {
    /// So many bytes, and as much work as it takes.
    pub const fn of_memory(memory: u64) -> Self {
        Self {
            memory,
            work: u64::MAX,
        }
    }
}

enumerations! {
    /// What is claimed of the subject, a program, a tree model or a formula (`spec/calculus.md#claims`).
    #[derive(Copy)]
    pub enum Claim {
        /// No execution from a valid input fails, unless it is ignored first.
        Safe,
        /// The input of the certificate's run reaches a failure; of a tree model: its initial tree reaches a bad configuration.
        Unsafe,
        /// Of a tree model: no configuration in Bad is reachable from Init.
        Invariant,
        /// The graph that the checker derives has all feasible paths of the program, and no path whose locations are not those of one of
        /// the program.
        Paths(Ends),
        /// Of a formula: no values of its constants make all its assertions true.
        Unsatisfiable,
    }

    /// Which paths a graph has to keep (`spec/calculus.md#paths`).
    #[derive(Copy)]
    pub enum Ends {
        /// From the entry to `Halt` or the program's own `Fail`.
        Complete,
        /// From the entry to any location.
        Anywhere,
    }

    /// What an integer is.
    #[derive(Copy)]
    pub enum Arithmetic {
        /// A value of its C type.
        C,
        /// Any mathematical integer, whatever its type: of `Paths` only, and only for programs that are linear and use no memory.
        Unbounded,
    }

    /// Sizes and representations (C11 5.2.4.2, 6.2.6).
    #[derive(Copy)]
    pub enum DataModel {
        /// LP64, little endian, two's complement, `char` signed.
        Lp64SignedChar,
    }

    /// What signed overflow does.
    #[derive(Copy)]
    pub enum SignedOverflow {
        /// It wraps around (the dialect of `-fwrapv`).
        Wraps,
        /// It fails (`--checks overflow`).
        Fails,
    }

    /// Where pointers may be formed.
    #[derive(Copy)]
    pub enum PointerFormation {
        /// Anywhere; using them outside their object fails.
        Anywhere,
        /// In their object or one past its end; forming another fails (`--checks pointer`, C11 6.5.6p8).
        InsideObject,
    }

    /// Does allocation give NULL?
    #[derive(Copy)]
    pub enum Allocation {
        /// Only for requests that no object can satisfy.
        Succeeds,
        /// At any time.
        MayFail,
    }
}

structures! {
    /// What a claim was checked under. Each field is read by a rule of the step function.
    #[derive(Copy)]
    pub struct Parameters {
        /// Sizes and representations.
        pub data_model: DataModel,
        /// What signed overflow does.
        pub signed_overflow: SignedOverflow,
        /// Where pointers may be formed.
        pub pointer_formation: PointerFormation,
        /// Does allocation give NULL?
        pub allocation: Allocation,
        /// What an integer is.
        pub arithmetic: Arithmetic,
    }

    /// Where the program came from, so that `--source` can lower it again.
    pub struct Origin {
        /// The source file's name, without directories.
        pub file: String,
        /// SHA-256 of the source file.
        pub digest: [u8; 32],
        /// Macro definitions given on the command line, in order: `NAME` or `NAME=VALUE`.
        pub definitions: Vec<String>,
        /// The folders in which included files were looked for, in order, as the command line gave them; none for the standard ones.
        pub includes: Vec<String>,
        /// The assertions of the source that do nothing in the program, ascending: `FILE:LINE:COLUMN`.
        pub waived: Vec<String>,
    }

    /// What the certificate says, in the clear. The statement digest covers its encoding; the program digest that of `program` alone.
    pub struct Statement {
        /// The claim.
        pub claim: Claim,
        /// What it was checked under.
        pub parameters: Parameters,
        /// Of `Paths`: the ascending locations that count as steps of a path; empty if all do. No rule reads them.
        pub landmarks: Vec<Location>,
        /// Where the program came from.
        pub origin: Origin,
        /// The program.
        pub program: Program,
    }

    /// A place in the source: for people only, no rule reads it.
    #[derive(Copy)]
    pub struct Position {
        /// Index into [`Certificate::files`].
        pub file: u32,
        /// From 1.
        pub line: u32,
        /// From 1, in bytes.
        pub column: u32,
    }
}

enumerations! {
    /// The value of one input of a ground run.
    pub enum InputValue {
        /// Of an integer input.
        Integer(i128),
        /// Of an array input: per element its integer fields, in order.
        Array(Vec<Vec<i128>>),
        /// Of a single input: NULL, or the integer fields.
        Single(Option<Vec<i128>>),
        /// Of a linked input: its nodes, each before its children, these in the order of their fields; none for NULL. Per node the integer
        /// fields, in order.
        Linked(Vec<Option<Vec<i128>>>),
    }
}

structures! {
    /// One concrete execution: everything that the program does not determine.
    pub struct GroundRun {
        /// One value per input.
        pub inputs: Vec<InputValue>,
        /// What the environment chose, in order: the value of a `Havoc`; the way of a `Choose` (0 or 1); of an `Allocate`, where allocation
        /// may fail, 0 for NULL or 1 for an object; then, of an `Allocate` of arbitrary contents and of an `Enter`, per integer field the
        /// value that all its elements hold.
        pub choices: Vec<i128>,
        /// The number of instructions executed; the last one ends the run.
        pub steps: u64,
    }
}

enumerations! {
    /// What shows the claim. A derivation is a list of rules, or what stands for one.
    pub enum Evidence<R = Vec<Rule>> {
        /// Of `Safe`.
        Proof(Proof<R>),
        /// Of `Unsafe`: a run that fails.
        Run(GroundRun),
        /// Of `Paths`.
        Paths {
            /// A derivation with k = 0.
            proof: Proof<R>,
            /// By node of the derivation, in the checker's order: its vertex of the graph; none where no path that is to be kept goes on.
            vertices: Vec<Option<VertexId>>,
        },
    }
}

impl<R> Evidence<R> {
    /// The evidence with other things in place of its derivations.
    pub fn map<S, E>(&self, map: impl FnMut(&R) -> Result<S, E>) -> Result<Evidence<S>, E> {
        Ok(match self {
            Self::Proof(proof) => Evidence::Proof(proof.map(map)?),
            Self::Run(run) => Evidence::Run(run.clone()),
            Self::Paths { proof, vertices } => Evidence::Paths {
                proof: proof.map(map)?,
                vertices: vertices.clone(),
            },
        })
    }
}

structures! {
    /// A certificate.
    pub struct Certificate<R = Vec<Rule>> {
        /// Declared limits.
        pub limits: Limits,
        /// What is claimed.
        pub statement: Statement,
        /// The files that positions name.
        pub files: Vec<String>,
        /// One position per instruction.
        pub positions: Vec<Position>,
        /// The terms that the evidence mentions.
        pub terms: Vec<Term>,
        /// What shows the claim.
        pub evidence: Evidence<R>,
        /// Up to four runs that end at `Halt`, for the vacuity flag.
        pub witnesses: Vec<GroundRun>,
    }
}

impl<R> Certificate<R> {
    /// The certificate with other things in place of its derivations.
    pub fn map<S, E>(self, map: impl FnMut(&R) -> Result<S, E>) -> Result<Certificate<S>, E> {
        let Self {
            limits,
            statement,
            files,
            positions,
            terms,
            evidence,
            witnesses,
        } = self;
        Ok(Certificate {
            limits,
            statement,
            files,
            positions,
            terms,
            evidence: evidence.map(map)?,
            witnesses,
        })
    }
}
