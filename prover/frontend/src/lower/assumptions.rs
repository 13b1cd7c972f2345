//! What a claim about one program assumes beside what every claim does: things that C leaves undefined, or compilers take for granted, and that no
//! instruction fails on (`spec/program.md#assumed`).
//!
//! The program says so itself, by the name of a register that its first instructions set and nothing reads. No variable of C has such a name.

use goatherd_certificates::program::Program;
use std::collections::BTreeSet;

/// Something that is assumed of a program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Assumption {
    /// For compilers this function, or object, of the program is one like any other, although the library has a function of that name.
    Ordinary(String),
    /// Pointers are aligned as what they point to wants it (C11 6.3.2.3p7).
    Aligned,
    /// No value is assigned, copied or moved to a place that overlaps it in part (C11 6.5.16.1p3).
    Apart,
    /// What functions of the library take for a stream is one that the library has opened (C11 7.21.3).
    Streams,
    /// Objects that are const are not written, nor volatile ones accessed, through pointers that do not say so (C11 6.7.3p6).
    Qualified,
    /// What attributes say of functions that the source does not define is so.
    Promised,
    /// What other members of a union hold where a struct in it has padding stays when the struct is assigned or copied (C11 6.2.6.1p6-7).
    Padding,
    /// Const compound literals lie where no other literal does (C11 6.5.2.5p7).
    Literals,
    /// Names that are reserved for the implementation, and that the program has, mean nothing to compilers and the library's headers (C11 7.1.3).
    Reserved,
    /// Each function has an address of its own, also one whose code is another's (C11 6.5.9p6).
    Functions,
    /// `__FILE__` is the file's name without its folder.
    FileName,
}

/// What the register is called that says that a function is like any other, behind the function's name.
const ORDINARY: &str = ":as any other";
const ALIGNED: &str = "%aligned";
const APART: &str = "%apart";
const STREAMS: &str = "%streams";
const QUALIFIED: &str = "%qualified";
const PROMISED: &str = "%promised";
const PADDING: &str = "%padding";
const LITERALS: &str = "%literals";
const RESERVED: &str = "%reserved";
const FUNCTIONS: &str = "%functions";
const FILE_NAME: &str = "%file name";

impl Assumption {
    /// The name of the register that says so.
    pub(super) fn register(&self) -> String {
        match self {
            Self::Ordinary(function) => format!("{function}{ORDINARY}"),
            Self::Aligned => ALIGNED.to_owned(),
            Self::Apart => APART.to_owned(),
            Self::Streams => STREAMS.to_owned(),
            Self::Qualified => QUALIFIED.to_owned(),
            Self::Promised => PROMISED.to_owned(),
            Self::Padding => PADDING.to_owned(),
            Self::Literals => LITERALS.to_owned(),
            Self::Reserved => RESERVED.to_owned(),
            Self::Functions => FUNCTIONS.to_owned(),
            Self::FileName => FILE_NAME.to_owned(),
        }
    }

    fn of_register(name: &str) -> Option<Self> {
        match name {
            ALIGNED => Some(Self::Aligned),
            APART => Some(Self::Apart),
            STREAMS => Some(Self::Streams),
            QUALIFIED => Some(Self::Qualified),
            PROMISED => Some(Self::Promised),
            PADDING => Some(Self::Padding),
            LITERALS => Some(Self::Literals),
            RESERVED => Some(Self::Reserved),
            FUNCTIONS => Some(Self::Functions),
            FILE_NAME => Some(Self::FileName),
            _ => name.strip_suffix(ORDINARY).map(|function| Self::Ordinary(function.to_owned())),
        }
    }

    /// What is assumed of a program, in order.
    pub fn all_of(program: &Program) -> BTreeSet<Self> {
        program.registers.iter().filter_map(|register| Self::of_register(&register.name)).collect()
    }
}
