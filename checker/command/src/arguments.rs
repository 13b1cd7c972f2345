//! The command line.

use crate::demands::Demand;
use clap::{Args, Parser, ValueEnum};
use goatherd_certificates::certificate::{Claim, Limits};
use goatherd_frontend::lower::Waiver;
use std::{num::NonZeroUsize, path::PathBuf, time::Duration};

/// Checks a Goatherd certificate: replays it with the kernel and says what it shows.
///
/// Exit status: 0 accepted, and all that is asked for is claimed; 1 rejected; 2 declined (format version, memory, work, time); 3 wrong usage or input; 4
/// accepted, but another claim: not the one that --expect names (Safe or Invariant if nothing is said), not about the program of --source, or without
/// something that --require names; 5 a fault of goatherd-check itself: cc says something else of the types of --source than is believed.
#[derive(Parser, Debug)]
#[command(name = "goatherd-check", version, verbatim_doc_comment)]
pub struct Arguments {
    /// The certificate
    pub certificate: PathBuf,

    /// What the certificate is to be about.
    #[command(flatten)]
    pub source: Source,

    /// The claim that is asked for
    #[arg(
        long,
        value_name = "CLAIM",
        value_enum,
        default_value = "proved",
        ignore_case = true
    )]
    pub expect: Expected,

    /// What else is asked for: `vacuity-excluded`, runs of the certificate reach every assertion; `checks=overflow`, `checks=pointer`, `checks=leak`,
    /// these fail; `allocation=may-fail`, `allocation=succeeds`; `entry=FUNCTION`; `precondition=CONDITION` of paths, as it is shown where it
    /// differs, of a transition system as `goatherd paths --pre` has it; `digest=SHA256`, of the program or the model
    #[arg(long, value_name = "DEMAND,...", value_delimiter = ',')]
    pub require: Vec<Demand>,

    /// The most memory that the command may hold, in bytes, whatever it does; K, M and G stand for 2^10, 2^20 and 2^30
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = size)]
    pub memory: u64,

    /// The most work that checking may take, in steps of some ten nanoseconds
    #[arg(long, value_name = "STEPS", default_value_t = 1 << 32)]
    pub work: u64,

    /// Decline after so many seconds, whatever is being done
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,

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
        Limits {
            memory: self.memory,
            work: self.work,
        }
    }
}

/// What the certificate is to be about. Nothing of this is taken from the certificate, which anybody may have written.
#[derive(Args, Debug)]
pub struct Source {
    /// Lower this C file, or read this transition system (FILE.lts) or tree model, again: the certificate is to be about what is in it
    #[arg(long = "source", value_name = "FILE")]
    pub file: Option<PathBuf>,

    /// The function of the C file that the analysis started from [default: test]
    #[arg(long, value_name = "FUNCTION", requires = "file")]
    pub entry: Option<String>,

    /// Define a macro in the C file, as 1 if no value is given
    #[arg(short = 'D', value_name = "NAME[=VALUE]", requires = "file", value_parser = definition)]
    pub define: Vec<String>,

    /// Where to search for files that the C file includes
    #[arg(short = 'I', value_name = "DIR", requires = "file")]
    pub include: Vec<PathBuf>,

    /// Accept that this assertion of the C file does nothing in the program, as `goatherd prove --waive` has it
    #[arg(long, value_name = "[FILE:]LINE[:COLUMN]")]
    pub waive: Vec<Waiver>,

    /// Do not ask cc, the C compiler, whether it agrees with what is believed of types, layouts and constants
    #[arg(long, requires = "file")]
    pub no_confirm: bool,
}

impl Source {
    /// Is something said that has a meaning for files in C only?
    pub fn is_about_c(&self) -> bool {
        let Self {
            file: _,
            entry,
            define,
            include,
            waive,
            no_confirm: _,
        } = self;
        entry.is_some() || !define.is_empty() || !include.is_empty() || !waive.is_empty()
    }
}

/// A claim, as --expect names it.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Expected {
    /// Safe or Invariant
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
            Self::Proved => matches!(claim, Claim::Safe | Claim::Invariant),
            Self::Safe => claim == Claim::Safe,
            Self::Invariant => claim == Claim::Invariant,
            Self::Paths => matches!(claim, Claim::Paths(_)),
            Self::Unsafe => claim == Claim::Unsafe,
        }
    }

    /// In words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Proved => "Safe or Invariant",
            Self::Safe => "Safe",
            Self::Unsafe => "Unsafe",
            Self::Invariant => "Invariant",
            Self::Paths => "Paths",
        }
    }
}

/// A macro definition whose name is an identifier.
fn definition(text: &str) -> Result<String, String> {
    let name = text.split_once('=').map_or(text, |(name, _)| name);
    let is_identifier = name.starts_with(|first: char| first == '_' || first.is_ascii_alphabetic())
        && name
            .chars()
            .all(|character| character == '_' || character.is_ascii_alphanumeric());
    if is_identifier {
        Ok(text.to_owned())
    } else {
        Err(String::from("the name of a macro is an identifier"))
    }
}

/// A positive number of seconds, with decimals if need be.
fn seconds(text: &str) -> Result<Duration, String> {
    let time = text
        .parse()
        .ok()
        .filter(|number| *number > 0.0)
        .and_then(|number| Duration::try_from_secs_f64(number).ok());
    time.ok_or_else(|| String::from("a time is a positive number of seconds, such as 10 or 0.5"))
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
        return Err(String::from(
            "a size is a number of bytes, or one followed by K, M or G, such as 64M",
        ));
    }
    let units = digits.parse::<u64>().ok();
    units
        .and_then(|units| units.checked_mul(1 << shift))
        .ok_or_else(|| String::from("a size is less than 2^64 bytes"))
}

#[cfg(test)]
mod tests {
    use super::{Arguments, seconds, size};
    use clap::CommandFactory;
    use std::time::Duration;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn times() {
        assert_eq!(seconds("10"), Ok(Duration::from_secs(10)));
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        for wrong in ["", "0", "-1", "NaN", "inf", "1e300", "1s"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes() {
        assert_eq!(size("0"), Ok(0));
        assert_eq!(size("4096"), Ok(4096));
        assert_eq!(size("64M"), Ok(64 << 20));
        assert_eq!(size("3k"), Ok(3 << 10));
        assert_eq!(size("1G"), Ok(1 << 30));
        for wrong in [
            "",
            "G",
            "-1",
            "+1",
            "1.5G",
            "1GB",
            "1T",
            "é",
            "18446744073709551616",
            "17179869184G",
        ] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}
