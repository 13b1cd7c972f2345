//! The command line.

use crate::demands::Demand;
use clap::{Args, Parser, Subcommand, ValueEnum};
use goatherd_archive::{
    command::Archive,
    words::{TimeLimit, definition, size, time_limit, undefined},
};
use goatherd_certificates::certificate::{Claim, Limits};
use goatherd_frontend::lower::{Undefined, Waiver};
use goatherd_pages::{Completions, Manual};
use std::path::PathBuf;

/// Checks a Goatherd certificate: replays it with the kernel and says what it shows.
///
/// Exit status: 0 accepted, and all that is asked for is claimed; 1 rejected; 2 declined (format version, memory, work, time); 3 wrong usage or input; 4
/// accepted, but another claim: not the one that --expect names (Safe or Invariant if nothing is said), not about the program of --source, or without
/// something that --require names; 5 a fault of goatherd-check itself: cc says something else of the types of --source than is believed, or the checker
/// of --second of the certificate.
#[derive(Parser, Debug)]
#[command(
    name = "goatherd-check",
    version,
    verbatim_doc_comment,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub struct Arguments {
    /// The certificate; ./archive if it has that name
    #[arg(required = true)]
    pub certificate: Option<PathBuf>,

    /// Something else.
    #[command(subcommand)]
    pub command: Option<Command>,

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

    /// Ask this checker as well, as `spec/soundness/checker2/second-check` is built from the formal development: it is to accept what the kernel accepts
    #[arg(long, value_name = "PROGRAM")]
    pub second: Option<PathBuf>,

    /// The most memory that the command may hold, in bytes, whatever it does; K, M and G stand for 2^10, 2^20 and 2^30
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = size)]
    pub memory: u64,

    /// The most work that checking may take, in steps of some ten nanoseconds
    #[arg(long, value_name = "STEPS", default_value_t = 1 << 32)]
    pub work: u64,

    /// Decline after so many seconds, whatever is being done; 0 for never
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = time_limit)]
    pub timeout: TimeLimit,

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

/// Something else than one certificate.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Check all certificates of an archive
    #[command(subcommand)]
    Archive(Archive),
    /// Print completions of this command for a shell
    Completions(Completions),
    /// Write manual pages of this command to a folder
    Manual(Manual),
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
    /// Lower this C file, or read this transition system (FILE.lts) or tree model, again: the certificate is to be about what is in it; of a program of
    /// several C files, each in the order in which they were proved
    #[arg(long = "source", value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// The function of the C file that the analysis started from [default: test]
    #[arg(long, value_name = "FUNCTION", requires = "files")]
    pub entry: Option<String>,

    /// Define a macro in the C file, as 1 if no value is given
    #[arg(short = 'D', value_name = "NAME[=VALUE]", requires = "files", value_parser = definition)]
    pub define: Vec<String>,

    /// Where to search for files that the C file includes
    #[arg(short = 'I', value_name = "DIR", requires = "files")]
    pub include: Vec<PathBuf>,

    /// Accept that this assertion of the C file does nothing in the program, as `goatherd prove --waive` has it
    #[arg(long, value_name = "[FILE:]LINE[:COLUMN]")]
    pub waive: Vec<Waiver>,

    /// What a call means of a function that no C file defines: `refuse`, it is unsupported; `havoc`, as `goatherd prove --undefined havoc` has it
    #[arg(long, default_value = "refuse", value_parser = undefined, value_name = "refuse|havoc", requires = "files")]
    pub undefined: Undefined,

    /// Do not ask cc, the C compiler, whether it agrees with what is believed of types, layouts and constants
    #[arg(long, requires = "files")]
    pub no_confirm: bool,
}

impl Source {
    /// Is something said that has a meaning for files in C only?
    pub fn is_about_c(&self) -> bool {
        let Self {
            files: _,
            entry,
            define,
            include,
            waive,
            undefined,
            no_confirm: _,
        } = self;
        entry.is_some()
            || !define.is_empty()
            || !include.is_empty()
            || !waive.is_empty()
            || *undefined != Undefined::Refused
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
    /// No values of its constants make the formula's assertions true
    Unsatisfiable,
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
            Self::Unsatisfiable => claim == Claim::Unsatisfiable,
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
            Self::Unsatisfiable => "Unsatisfiable",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Arguments;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }
}
