//! The bytes of a certificate, type by type, in the order of `certificates/src/` (`spec/format.md`).

use crate::error::{Defect, Failure};
use crate::reader::Reader;
use crate::sha256::{Digest, digest};
use crate::{Budget, Declined, ensure};
use alloc::{string::String, vec::Vec};
use goatherd_certificates::automata::{Automaton, Model, ModelCertificate, Transition};
use goatherd_certificates::certificate::{Certificate, Claim, Limits, MAGIC, Origin, Parameters, Statement, VERSION};
use goatherd_certificates::program::Program;
use goatherd_certificates::{automata, certificate, configuration, derivation, program, term};

/// A certificate and the digests that its verdict names.
#[derive(Debug)]
pub struct Decoded {
    /// The certificate.
    pub certificate: Subject,
    /// Of the encoding of the program or the model alone.
    pub subject_digest: Digest,
    /// Of the encoding of the whole statement.
    pub statement_digest: Digest,
}

/// A certificate, by its subject.
#[derive(Debug)]
pub enum Subject {
    /// About a program.
    Program(Certificate),
    /// About a tree model.
    Model(ModelCertificate),
}

/// The most bytes that [`limits`] reads.
pub const HEADER: u64 = 29;

/// The limits that a file declares, from its first bytes, and how many bytes these are. Declines other versions, and limits above what is
/// allowed.
pub fn limits(bytes: &[u8], allowed: u64) -> Result<(Limits, usize), Failure> {
    let mut nothing = Budget::new(0);
    let mut reader = Reader::new(bytes, 0, &mut nothing);
    ensure(bytes.starts_with(&MAGIC), Reader::malformed(0, Defect::Magic))?;
    reader.take(MAGIC.len())?;
    let version = u32::from_le_bytes(reader.array()?);
    if version != VERSION {
        return Err(Declined::Version { found: version }.into());
    }
    let limits = Limits::decode(&mut reader)?;
    if limits.memory > allowed {
        return Err(Declined::Limit { declared: limits.memory, allowed }.into());
    }
    Ok((limits, reader.offset()))
}

/// Decodes a file. In this order: version and limits, trailer, statement digest, structure.
pub fn decode(bytes: &[u8], budget: &mut Budget, allowed: u64) -> Result<Decoded, Failure> {
    let (limits, offset) = limits(bytes, allowed)?;
    budget.restrict(limits.memory)?;
    budget.take(bytes.len())?;

    let (contents, trailer) = bytes.split_last_chunk::<32>().ok_or_else(|| Reader::malformed(bytes.len(), Defect::Truncated))?;
    ensure(digest(contents) == *trailer, Reader::malformed(contents.len(), Defect::Trailer))?;
    let body = contents.get(offset..).ok_or_else(|| Reader::malformed(contents.len(), Defect::Truncated))?;
    let mut reader = Reader::new(body, offset, budget);
    let statement_digest: Digest = reader.array()?;
    let length = reader.length()?;
    let statement_offset = reader.offset();
    let statement_bytes = reader.take(length)?;
    ensure(digest(statement_bytes) == statement_digest, Reader::malformed(offset, Defect::StatementDigest))?;
    let (offset, rest) = (reader.offset(), reader.rest());

    let mut reader = Reader::new(statement_bytes, statement_offset, budget);
    let (subject, claim) = (u32::decode(&mut reader)?, Claim::decode(&mut reader)?);
    let (certificate, subject_digest) = match subject {
        0 => {
            let (parameters, landmarks) = (Parameters::decode(&mut reader)?, Decode::decode(&mut reader)?);
            let origin = Origin::decode(&mut reader)?;
            let subject_digest = digest(reader.rest());
            let program = Program::decode(&mut reader)?;
            reader.end()?;
            reader = Reader::new(rest, offset, budget);
            let certificate = Certificate {
                limits,
                statement: Statement { claim, parameters, landmarks, origin, program },
                files: Decode::decode(&mut reader)?,
                positions: Decode::decode(&mut reader)?,
                terms: Decode::decode(&mut reader)?,
                evidence: Decode::decode(&mut reader)?,
                witnesses: Decode::decode(&mut reader)?,
            };
            (Subject::Program(certificate), subject_digest)
        }
        1 => {
            let origin = Origin::decode(&mut reader)?;
            let subject_digest = digest(reader.rest());
            let model = Model::decode(&mut reader)?;
            reader.end()?;
            reader = Reader::new(rest, offset, budget);
            let evidence = Decode::decode(&mut reader)?;
            (Subject::Model(ModelCertificate { limits, claim, origin, model, evidence }), subject_digest)
        }
        _ => return Err(Reader::malformed(statement_offset, Defect::Variant)),
    };
    reader.end()?;
    Ok(Decoded { certificate, subject_digest, statement_digest })
}

/// A type with an encoding. Every encoding takes at least one byte.
trait Decode: Sized {
    /// Reads one value.
    fn decode(reader: &mut Reader<'_, '_>) -> Result<Self, Failure>;
}

/// What the reader reads by itself.
macro_rules! primitive {
    ($($name:ty: $read:ident,)*) => { $(
        impl Decode for $name {
            fn decode(reader: &mut Reader<'_, '_>) -> Result<Self, Failure> {
                reader.$read()
            }
        }
    )* };
}
primitive! { u32: unsigned, u64: unsigned, i64: signed, i128: signed, Digest: array, String: text, }

impl<const COUNT: usize> Decode for [u32; COUNT] {
    fn decode(reader: &mut Reader<'_, '_>) -> Result<Self, Failure> {
        let mut numbers = [0; COUNT];
        for number in &mut numbers {
            *number = u32::decode(reader)?;
        }
        Ok(numbers)
    }
}

impl<T: Decode> Decode for Vec<T> {
    fn decode(reader: &mut Reader<'_, '_>) -> Result<Self, Failure> {
        let length = reader.length()?;
        let mut vector = reader.vector(length)?;
        for _ in 0..length {
            vector.push(T::decode(reader)?);
        }
        Ok(vector)
    }
}

impl<T: Decode> Decode for Option<T> {
    fn decode(reader: &mut Reader<'_, '_>) -> Result<Self, Failure> {
        let offset = reader.offset();
        match reader.array()? {
            [0] => Ok(None),
            [1] => Ok(Some(T::decode(reader)?)),
            _ => Err(Reader::malformed(offset, Defect::Variant)),
        }
    }
}

impl<Left: Decode, Right: Decode> Decode for (Left, Right) {
    fn decode(reader: &mut Reader<'_, '_>) -> Result<Self, Failure> {
        Ok((Left::decode(reader)?, Right::decode(reader)?))
    }
}

/// A structure is its fields in this order. The fields of a tuple structure are numbers.
macro_rules! structure {
    ($module:ident: $($name:ident { $($field:tt),* })*) => { $(
        impl Decode for $module::$name {
            fn decode(reader: &mut Reader<'_, '_>) -> Result<Self, Failure> {
                Ok(Self { $($field: Decode::decode(reader)?),* })
            }
        }
    )* };
}

/// An enumeration is the number of a variant, then its fields in this order.
macro_rules! enumeration {
    ($module:ident: $($name:ident { $($number:literal: $variant:ident { $($field:tt),* })* })*) => { $(
        impl Decode for $module::$name {
            fn decode(reader: &mut Reader<'_, '_>) -> Result<Self, Failure> {
                let offset = reader.offset();
                match u32::decode(reader)? {
                    $($number => Ok(Self::$variant { $($field: Decode::decode(reader)?),* }),)*
                    _ => Err(Reader::malformed(offset, Defect::Variant)),
                }
            }
        }
    )* };
}

structure! { program:
    RegisterId { 0 } LayoutId { 0 } ObjectId { 0 } TableId { 0 } Location { 0 }
    Register { name, kind }
    Layout { name, size, fields }
    Field { name, offset, kind }
    Object { name, layout, origin }
    Table { kind, values }
    Program { entry, registers, layouts, objects, tables, inputs, instructions, assertions }
}
enumeration! { program:
    IntegerType { 0: Bool {} 1: I8 {} 2: U8 {} 3: I16 {} 4: U16 {} 5: I32 {} 6: U32 {} 7: I64 {} 8: U64 {} }
    Type { 0: Integer { 0 } 1: Pointer {} }
    Origin { 0: Input {} 1: Static { count, contents, access } 2: Local { count } 3: Heap {} }
    Access { 0: ReadOnly {} 1: ReadWrite {} }
    Contents { 0: Zero {} 1: Table { 0 } 2: Pointers { 0 } }
    Input {
        0: Integer { register }
        1: Array { pointer, length, object }
        2: Single { pointer, object }
        3: Linked { pointer, layout }
    }
    Operand { 0: Register { 0 } 1: Constant { 0 } }
    PointerOperand { 0: Register { 0 } 1: Null {} }
    Relation { 0: Equal {} 1: Less {} 2: LessOrEqual {} }
    Condition { 0: Integers { relation, left, right } 1: Pointers { relation, left, right } }
    Operation {
        0: Add {} 1: Subtract {} 2: Multiply {} 3: Divide {} 4: Remainder {}
        5: And {} 6: Or {} 7: Xor {} 8: ShiftLeft {} 9: ShiftRight {}
    }
    Fresh { 0: Arbitrary {} 1: Zero {} }
    FailKind { 0: Assertion {} 1: Reached {} 2: MissingReturn {} 3: Unreachable {} }
    Instruction {
        0: Jump { target }
        1: Branch { condition, then, otherwise }
        2: Choose { then, otherwise }
        3: Halt {}
        4: Fail { kind }
        5: Ignore {}
        6: Assign { target, value }
        7: Compute { target, operation, left, right }
        8: Havoc { target }
        9: Uninitialise { target }
        10: Null { target }
        11: Copy { target, source }
        12: Address { target, object }
        13: Advance { target, base, index, scale }
        14: Distance { target, left, right, scale }
        15: Load { target, address, offset }
        16: Store { address, offset, source }
        17: Allocate { target, object, bytes, fresh }
        18: Free { pointer }
        19: Enter { object }
        20: Leave { object }
    }
}

structure! { term:
    Variable { sort, number }
    ArrayVariable { sort, number }
    Scope { integers, arrays }
    AtomId { 0 } LinearId { 0 } ArrayId { 0 }
    Linear { constant, summands }
    Literal { sign, term }
}
enumeration! { term:
    Atom {
        0: Variable { 0 }
        1: Select { array, index }
        2: Quotient { divisor, argument }
        3: Apply { operation, kind, left, right }
    }
    Array { 0: Variable { 0 } 1: Store { array, index, value } 2: Constant { 0 } 3: Table { 0 } }
    Term { 0: Atom { 0 } 1: Linear { 0 } 2: Array { 0 } }
    Sign { 0: AtMostZero {} 1: Zero {} 2: NotZero {} }
}

structure! { configuration:
    ObjectState { object, life, lower, upper, fields }
    FieldState { cells, rest }
    Member { location, registers, objects }
    Template { scope, predicate, members }
}
enumeration! { configuration:
    Slot { 0: Forgotten {} 1: Uninitialised {} 2: Integer { 0 } 3: Null {} 4: Pointer { object, index, byte } }
    Life { 0: Live {} 1: Dead {} }
}

structure! { derivation:
    TemplateId { 0 } MemberId { 0 } FactId { 0 } OutcomeId { 0 } VertexId { 0 }
    Proof { k, templates, roots, derivations }
    InputDrop { input, element }
    Refutation { deductions }
}
enumeration! { derivation:
    Rule {
        0: Step { refuted }
        1: StepDecided { member, outcome, choice, hints }
        2: Split { literal }
        3: Infeasible { refutation }
        4: AddScapegoat { drops, integers, hints }
        5: Drop { member }
        6: Subsume { template, integers, arrays, hints }
        7: Descent { member }
        8: End {}
        9: Let { term }
    }
    DroppedElement { 0: First { 0 } 1: Last {} }
    Choice { 0: Value { 0 } 1: Allocation { lower, fields } }
    Deduction {
        0: Combine { 0 }
        1: Tighten { bound, disequality }
        2: Axiom { 0 }
        3: Congruence { left, right, facts }
        4: ReadSame { atom, facts }
        5: ReadOther { atom, fact }
        6: Convert { atom, value, facts }
        7: Case { 0 }
    }
}

structure! { certificate:
    Limits { memory }
    Parameters { data_model, signed_overflow, pointer_formation, allocation, arithmetic }
    Origin { file, digest, definitions }
    Position { file, line, column }
    GroundRun { inputs, choices, steps }
}
enumeration! { certificate:
    Claim { 0: Safe {} 1: Unsafe {} 2: Invariant {} 3: Paths { 0 } }
    Ends { 0: Complete {} 1: Anywhere {} }
    Arithmetic { 0: C {} 1: Unbounded {} }
    DataModel { 0: Lp64SignedChar {} }
    SignedOverflow { 0: Wraps {} 1: Fails {} }
    PointerFormation { 0: Anywhere {} 1: InsideObject {} }
    Allocation { 0: Succeeds {} 1: MayFail {} }
    InputValue { 0: Integer { 0 } 1: Array { 0 } 2: Single { 0 } }
    Evidence { 0: Proof { 0 } 1: Run { 0 } 2: Paths { proof, vertices } }
}

structure! { automata:
    SymbolId { 0 } LineId { 0 } StateId { 0 }
    Symbol { name, rank }
    Action { name, transducer, next }
    Line { name, actions, bad }
    Model { alphabet, initial, lines }
    Cover { source, transducer, targets }
}
enumeration! { automata:
    ModelEvidence { 0: Invariant { lines, covers } 1: Trace { tree, steps } }
}

impl<Letter: Decode> Decode for Transition<Letter> {
    fn decode(reader: &mut Reader<'_, '_>) -> Result<Self, Failure> {
        Ok(Self { letter: Decode::decode(reader)?, children: Decode::decode(reader)?, target: Decode::decode(reader)? })
    }
}

impl<Letter: Decode> Decode for Automaton<Letter> {
    fn decode(reader: &mut Reader<'_, '_>) -> Result<Self, Failure> {
        Ok(Self { transitions: Decode::decode(reader)?, accepting: Decode::decode(reader)? })
    }
}
