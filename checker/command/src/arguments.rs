//! The command line.

use clap::{Parser, ValueEnum};
use goatherd_certificates::certificate::{Claim, Limits};
use std::{num::NonZeroUsize, path::PathBuf};

/// Checks a Goatherd certificate: replays it with the kernel and says what it shows.
///
/// Exit status: 0 accepted, and the claim is Safe, Invariant or the one that --expect names; 1 rejected; 2 declined (format version, memory, work); 3 wrong
/// usage or input; 4 accepted, but with another claim.
#[derive(Parser, Debug)]
#[command(name = "goatherd-check", version, verbatim_doc_comment)]
pub struct Arguments {
    /// The certificate
    pub certificate: PathBuf,

    /// Lower this C file, or read this tree model, again, and reject the certificate if what is in it is another one
    #[arg(long, value_name = "FILE")]
    pub source: Option<PathBuf>,

    /// Where to search for files that the C file includes
    #[arg(short = 'I', value_name = "DIR", requires = "source")]
    pub include: Vec<PathBuf>,

    /// The claim that is looked for; with another one the exit status is 4
    #[arg(long, value_name = "CLAIM", value_enum, default_value = "proved", ignore_case = true)]
    pub expect: Expected,

    /// The most memory that checking may take, in bytes; K, M and G stand for 2^10, 2^20 and 2^30
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = size)]
    pub memory: u64,

    /// The most work that checking may take, in steps of some ten nanoseconds
    #[arg(long, value_name = "STEPS", default_value_t = 1 << 32)]
    pub work: u64,

    /// Replay large certificates with so many threads [default: one per processor]; the verdict is the same for any number
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,

    /// Print the verdict as JSON
    #[arg(long)]
    pub json: bool,

    /// Print the certificate in terms of C before it is replayed
    #[arg(long, conflicts_with = "json")]
    pub print: bool,

    /// Write the graph of a claim about paths to this file, as DOT
    #[arg(long, value_name = "FILE.dot")]
    pub emit_lts: Option<PathBuf>,
}

impl Arguments {
    /// What checking may take.
    pub const fn limits(&self) -> Limits {
        Limits { memory: self.memory, work: self.work }
    }
}

/// A claim, as --expect names it.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Expected {
    /// Safe, Invariant or Paths
    Proved,
    /// No execution fails
    Safe,
    /// The execution that the certificate describes fails
    Unsafe,
    /// No bad configuration of the tree model is reachable
    Invariant,
    /// A graph has all feasible paths, and no behaviour that the program does not have
    Paths,
}

impl Expected {
    /// Is it this claim?
    pub fn is(self, claim: Claim) -> bool {
        match self {
            Self::Proved => claim != Claim::Unsafe,
            Self::Safe => claim == Claim::Safe,
            Self::Invariant => claim == Claim::Invariant,
            Self::Paths => matches!(claim, Claim::Paths(_)),
            Self::Unsafe => claim == Claim::Unsafe,
        }
    }
}

/// A number of bytes: digits, then K, M, G or nothing.
fn size(text: &str) -> Result<u64, String> {
    let (digits, shift) = match text.strip_suffix(['K', 'M', 'G', 'k', 'm', 'g']) {
        Some(digits) if text.ends_with(['K', 'k']) => (digits, 10),
        Some(digits) if text.ends_with(['M', 'm']) => (digits, 20),
        Some(digits) => (digits, 30),
        None => (text, 0),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(String::from("a size is a number of bytes, or one followed by K, M or G, such as 64M"));
    }
    let units = digits.parse::<u64>().ok();
    units.and_then(|units| units.checked_mul(1 << shift)).ok_or_else(|| String::from("a size is less than 2^64 bytes"))
}

#[cfg(test)]
mod tests {
    use super::{Arguments, size};
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn sizes() {
        assert_eq!(size("0"), Ok(0));
        assert_eq!(size("4096"), Ok(4096));
        assert_eq!(size("64M"), Ok(64 << 20));
        assert_eq!(size("3k"), Ok(3 << 10));
        assert_eq!(size("1G"), Ok(1 << 30));
        for wrong in ["", "G", "-1", "+1", "1.5G", "1GB", "1T", "é", "18446744073709551616", "17179869184G"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}
