//! The differential test of the front end: generated C programs, compiled and run by the system's compiler under its sanitizers, against
//! the front end and the interpreter. Same results, or the same class of undefined behaviour.

pub mod compare;
pub mod compiled;
pub mod expressions;
pub mod generator;
pub mod interpreted;
pub mod objects;
pub mod recursion;
pub mod statements;

use generator::Case;

/// What all sources begin with; no header is included.
pub const PRELUDE: &str = "\
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void free(void *);
unsigned long strlen(const char *);
char *strcpy(char *, const char *);
char *strchr(const char *, int);
int strcmp(const char *, const char *);
void *memcpy(void *, const void *, unsigned long);
void *memmove(void *, const void *, unsigned long);
void *memset(void *, int, unsigned long);
int memcmp(const void *, const void *, unsigned long);
";

/// What signed overflow does, in both worlds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// It wraps around.
    Wrapping,
    /// It is an error.
    Checked,
}

/// Why a run ended badly, as far as the sanitizers tell it apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fault {
    /// A division by zero or one that overflows.
    Division,
    /// A shift by an amount out of range.
    Shift,
    /// Signed overflow, the left shift of a negative value included.
    Overflow,
    /// An access through the null pointer.
    Null,
    /// An access outside an object or to a dead one; a bad `free`.
    Memory,
}

/// How one run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Normally, with these bytes in the arrays that were passed, one after the other.
    Finished(Vec<u8>),
    /// Undefined.
    Faulty(Fault),
    /// Not known: too many steps, or a report that is of none of the classes (this text).
    Unknown(String),
}

/// The source of a case, as the front end is given it.
pub fn source(case: &Case) -> String {
    format!("{PRELUDE}{}", case.source)
}
