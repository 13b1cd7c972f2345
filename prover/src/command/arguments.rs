//! The command line.

use super::{
    audit::arguments::{Crosscheck, Diff, Explain},
    automata::arguments::Automata,
    batch::arguments::Batch,
    compare::arguments::Compare,
    draw::arguments::Draw,
    formulas::arguments::Certify,
    paths::arguments::Paths,
    test::arguments::Test,
};
use clap::{Args, Parser, Subcommand, ValueEnum};
use goatherd_archive::{
    command::Archive,
    words::{TimeLimit, definition, size, time_limit, undefined},
};
use goatherd_certificates::certificate::DataModel;
use goatherd_descent::Facet;
use goatherd_frontend::lower::{Undefined, Waiver};
use goatherd_pages::{Completions, Manual};
use std::{num::NonZeroUsize, path::PathBuf};

/// Proves C data-structure code correct for inputs of every size, or shows how it fails.
#[derive(Parser, Debug)]
#[command(name = "goatherd", version, arg_required_else_help = true)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Prove that no run of a C program fails, and write a certificate; or show a run that does
    ///
    /// FILE.c may be a task definition of SV-COMP, FILE.yml: its program is proved to have its property.
    ///
    /// The entry function is proved for all its inputs: a parameter `struct { T *X; int n_X; }` is an array of any length, a scalar has
    /// any value of its type. "proved" and "unsafe" are printed only after the checker has accepted the certificate.
    ///
    /// Where the whole is not decided, all checks but some assertions may be: their certificate is written beside (STEM.partial.goat).
    ///
    /// Exit status: 0 proved; 1 unsafe: a run fails; 2 unknown, also when --timeout or --memory ends the search; 3 wrong usage, or a file
    /// that cannot be read, written or understood; 4 a fault of goatherd itself.
    Prove(Box<Prove>),
    /// Prove all that goatherd.toml lists and that has no proof yet, and keep the certificates in an archive
    ///
    /// A certificate of the archive is used again where the checker accepts it now, and it is about the program that the file has now, under what is
    /// asked for; nothing else is believed. Each proof is searched for in a process of its own. Who is interrupted goes on with the same command.
    ///
    /// Exit status: the first of these that any target has: 4 a fault of goatherd itself; 3 wrong usage, or a file that cannot be read or understood;
    /// 1 a run fails; 2 unknown or vacuous (not with --fail-on unsafe); 0 otherwise: all proved.
    Batch(Batch),
    /// Compare what other tools say of programs with what can be certified, contradictions first
    ///
    /// Each program that RESULTS.csv names is proved or refuted in a process of its own; what the checker accepts is kept, so that everybody can replay
    /// who is right. What is asked is what `goatherd prove` asks; options behind `--` change it (spec/reports.md#comparisons).
    ///
    /// Exit status: 0 no contradiction; 1 a certificate contradicts a tool; 2 tools contradict each other, and no certificate decides; 3 wrong usage, or
    /// a file that cannot be read or written, also one that RESULTS.csv names; 4 a fault of goatherd itself.
    Compare(Compare),
    /// Check all certificates of an archive, as `goatherd-check archive` does
    #[command(subcommand)]
    Archive(Archive),
    /// Decide a tree model: find an invariant without bad configurations, and write a certificate; or a trace from Init to Bad
    ///
    /// A model is lines of actions, each a tree transducer and a next line, with the sets Init and Bad (spec/trees.md). "proved" and
    /// "unsafe" are printed only after the checker has accepted the certificate.
    ///
    /// Exit status: 0 proved; 1 unsafe; 2 unknown, also when --steps or --timeout ends the search; 3 wrong usage, or a file that cannot be
    /// read, written or understood; 4 a fault of goatherd itself.
    Trees(Trees),
    /// Prune infeasible paths: a graph that has every feasible path of a C function or of a transition system, with a certificate
    ///
    /// FILE is C, or text with the extension `.lts` (spec/paths.md). What is printed is of the graph that the checker has derived.
    ///
    /// Exit status: 0 a graph has been certified; 2 there is none, also when --timeout ends the search; 3 wrong usage, or a file that cannot
    /// be read, written or understood; 4 a fault of goatherd itself.
    Paths(Box<Paths>),
    /// Draw paths at random from a certified graph, and find inputs that drive them
    ///
    /// The certificate is one that `goatherd paths` writes; it is checked first, and paths are drawn from the graph that the checker derives,
    /// each complete path of at most --max-length steps with the same probability. Exit status: 0 done; 1 the certificate is not accepted, or
    /// claims something else; 2 there is no complete path of that length; 3 wrong usage, or a file that cannot be read or written; 4 a fault
    /// of goatherd itself.
    Draw(Draw),
    /// Write tests in C of a function: on paths drawn from its certified graph, then through branches that those do not cover
    ///
    /// Branches that no complete path takes are named with the certificate that says so; those that no test takes are listed. Exit status:
    /// 0 done; 2 there is no graph; 3 wrong usage, or a file that cannot be read, written or understood; 4 a fault of goatherd itself.
    Test(Test),
    /// Say what a certificate claims, under what, and what has to be trusted; with --at, why the checks of a line hold
    ///
    /// The certificate is checked first. Exit status: 0 done; 1 the certificate is not accepted; 2 it takes more than --memory; 3 wrong usage, or
    /// a file that cannot be read; 4 a fault of goatherd itself.
    Explain(Explain),
    /// Say in what two certificates differ: claim, program, herds and rules
    ///
    /// Both are checked first. Exit status: 0 in nothing; 1 in something; 2 it takes more than --memory; 3 wrong usage, or a file that cannot be
    /// read or is not accepted; 4 a fault of goatherd itself.
    Diff(Diff),
    /// Ask solvers about everything that a certificate had to show, and compare
    ///
    /// Each obligation of the proof becomes a query in SMT-LIB 2.6. Exit status: 0 all agree; 1 a solver differs, or the certificate is not
    /// accepted; 2 a solver does not know, or it takes more than --memory; 3 wrong usage, or a file or solver that cannot be used; 4 a fault of goatherd itself.
    Crosscheck(Crosscheck),
    /// Decide a query in SMT-LIB, of integers and arrays, and write a certificate that it has no model; or show a model
    ///
    /// QUERY.smt2 is of the logics `QF_LIA` or `QF_ALIA`, or of as much of others (spec/smt.md). "unsatisfiable" is printed only after the checker has
    /// accepted the certificate, "satisfiable" only after the assertions were evaluated. Exit status: 0 unsatisfiable, each time that the script asks;
    /// 1 satisfiable at some time; 2 unknown at some time, also when --steps or --timeout ends the search; 3 wrong usage, or a file that cannot be read,
    /// written or understood; 4 a fault of goatherd itself.
    Certify(Certify),
    /// Print the program that a C file is lowered to, and its digest
    Lower(Lower),
    /// Print a first harness for a C function: its inputs as arrays of any length, checked for memory safety
    Harness(Harness),
    /// List the C library functions that are analysed by a model, or print the C text of one
    Models(Models),
    /// Answer questions about tree automata in Timbuk's format, and make new ones
    ///
    /// Exit status: 0 yes, or done; 1 no; 2 undecided, also when --timeout ends the search; 3 wrong usage, or a file that cannot be read,
    /// written or understood; 4 a fault of goatherd itself.
    #[command(subcommand)]
    Automata(Automata),
    /// Print completions of this command for a shell
    Completions(Completions),
    /// Write manual pages of this command to a folder
    Manual(Manual),
}

/// Where programs start if nothing else is said.
const ENTRY: &str = "test";

/// Which C program.
#[derive(Args, Clone, Debug)]
pub struct Input {
    /// The C file; `-` reads standard input
    #[arg(value_name = "FILE.c")]
    pub file: PathBuf,

    /// Other files of the same program: of the commands that link several.
    #[arg(skip)]
    pub others: Vec<PathBuf>,

    /// Start at this function [default: test, or the one that a property names]
    #[arg(long, value_name = "FUNCTION")]
    pub entry: Option<String>,

    /// Define a macro, as 1 if no value is given
    #[arg(short = 'D', value_name = "NAME[=VALUE]", value_parser = definition)]
    pub define: Vec<String>,

    /// Search this directory for files that are included
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,
}

impl Input {
    /// The function that executions start from.
    pub fn entry(&self) -> &str {
        self.entry.as_deref().unwrap_or(ENTRY)
    }

    /// All files of the program.
    pub fn files(&self) -> Vec<PathBuf> {
        [&self.file].into_iter().chain(&self.others).cloned().collect()
    }

    /// Their names, as the user gave them.
    pub fn shown(&self) -> String {
        let names: Vec<String> = self.files().iter().map(|file| file.display().to_string()).collect();
        names.join(" ")
    }

    /// Is something said that has a meaning for files in C only?
    pub fn is_about_c(&self) -> bool {
        let Self { file: _, others: _, entry, define, include } = self;
        entry.is_some() || !define.is_empty() || !include.is_empty()
    }
}

/// `goatherd prove`
#[derive(Args, Clone, Debug)]
pub struct Prove {
    /// The program.
    #[command(flatten)]
    pub input: Input,

    /// More files of the same program, which are linked
    #[arg(value_name = "FILE.c")]
    pub more: Vec<PathBuf>,

    /// Write the certificate to this file [default: STEM.goat in the current directory]
    #[arg(short, long, value_name = "CERT")]
    pub output: Option<PathBuf>,

    /// Write a counterexample as C to this file [default: the certificate's name with .counterexample.c]
    #[arg(long, value_name = "FILE.c")]
    pub counterexample: Option<PathBuf>,

    /// Write which files were read, headers too, to this file: as a rule for make and ninja whose target is the certificate
    #[arg(long, value_name = "FILE")]
    pub depfile: Option<PathBuf>,

    /// Write a failing run to this file as a violation witness of SV-COMP, format 2.0, for other verifiers to validate
    #[arg(long, value_name = "FILE.yml")]
    pub witness: Option<PathBuf>,

    /// Search for nothing: run the program with the values that this violation witness names, of whichever verifier, and certify that it fails
    #[arg(long, value_name = "FILE.yml")]
    pub follow: Option<PathBuf>,

    /// Write pictures of a counterexample's heap to this directory, as DOT and SVG: `entry`, and `failure` where it fails
    #[arg(long, value_name = "DIR")]
    pub draw: Option<PathBuf>,

    /// Check this too: `overflow`, signed overflow fails (otherwise it wraps); `pointer`, forming a pointer outside its object fails
    /// (otherwise only its use does); `leak`, an object of the heap that nothing leads to when the entry function ends
    #[arg(long, value_name = "CHECK,...", value_delimiter = ',', value_enum)]
    pub checks: Vec<Check>,

    /// Whether malloc and calloc may return NULL at any time, or only for requests above 2^63 - 1 bytes [default: may-fail; with --property:
    /// succeeds]
    #[arg(long, value_enum, hide_possible_values = true, value_name = "may-fail|succeeds")]
    pub allocation: Option<Allocation>,

    /// Ask what this property file of SV-COMP asks (unreach-call, valid-memsafety, valid-memcleanup, no-overflow), and answer true, false or unknown
    /// (spec/tasks.md): it names the entry function, and stands for
    /// `--allocation succeeds` and the checks that it needs; of a task definition, this is one of its properties
    #[arg(long, value_name = "FILE.prp", conflicts_with = "waive")]
    pub property: Option<PathBuf>,

    /// How wide C's types are: LP64; the other model of SV-COMP, ILP32, is not supported
    #[arg(long, value_name = "MODEL", default_value = "LP64", value_parser = data_model)]
    pub data_model: DataModel,

    /// What a call of a function means that no file defines: `refuse`, it is unsupported; `havoc`, it returns any value, may change all integers with
    /// external linkage, and does nothing else (spec/program.md)
    #[arg(long, default_value = "refuse", value_parser = undefined, value_name = "refuse|havoc")]
    pub undefined: Undefined,

    /// How a proof is searched for: `descent`, a run that fails has a smaller one that fails too; `trees`, what is reached is described by trees of
    /// finitely many sorts; or both. The claim is the same, and the report says which one proved it
    #[arg(long, value_enum, default_value_t = Engine::Auto, hide_possible_values = true, value_name = "descent|trees|auto")]
    pub engine: Engine,

    /// Try only those ways to search for a proof that are of this kind, such as `drops=walked,k=1` (all that are named; spec/search.md)
    #[arg(long, value_name = "FACET,...", value_delimiter = ',')]
    pub strategy: Vec<Facet>,

    /// Try none of those ways to search for a proof that are of this kind, such as `keys=differences` (none that is named)
    #[arg(long, value_name = "FACET,...", value_delimiter = ',')]
    pub without: Vec<Facet>,

    /// Who decides which paths are feasible
    #[arg(long, value_enum, default_value_t = Solver::Builtin, hide_possible_values = true, value_name = "builtin|z3|both")]
    pub solver: Solver,

    /// Do not ask cc, the C compiler, whether it agrees with what is believed of types, layouts and constants
    #[arg(long)]
    pub no_confirm: bool,

    /// Print the report as one JSON object
    #[arg(long)]
    pub json: bool,

    /// This assertion does nothing, and the program goes on behind it: prove all others
    #[arg(long, value_name = "[FILE:]LINE[:COLUMN]")]
    pub waive: Vec<Waiver>,

    /// Give up, as unknown, after so many seconds; 0 for never
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = time_limit)]
    pub timeout: TimeLimit,

    /// Give up, as unknown, when the process holds so many bytes (looked at every 10 ms); K, M and G stand for 2^10, 2^20 and 2^30; 0 for never
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = size)]
    pub memory: u64,

    /// Take at most so many steps with each way to search for a proof [default: 4000000]; the same answer on every machine
    #[arg(long, value_name = "N")]
    pub steps: Option<u64>,

    /// Search with so many threads [default: one per processor]; the answer is the same for any number
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,

    /// End with the process that has started this one: for `goatherd batch`.
    #[arg(long, hide = true)]
    pub with_parent: bool,
}

/// `goatherd trees`
#[derive(Args, Clone, Debug)]
pub struct Trees {
    /// The model
    #[arg(value_name = "MODEL")]
    pub file: PathBuf,

    /// Write the certificate to this file [default: STEM.goat in the current directory]
    #[arg(short, long, value_name = "CERT")]
    pub output: Option<PathBuf>,

    /// Which states of an automaton look alike: those that share trees with the same predicates, or those that are reached by the same
    /// trees of a finite height
    #[arg(long, value_enum, default_value_t = Abstraction::Predicates, hide_possible_values = true, value_name = "predicates|height")]
    pub abstraction: Abstraction,

    /// Whose predicates a refinement adds to: those that all lines share, or those of the blamed line
    #[arg(long, value_enum, default_value_t = Predicates::AllLines, hide_possible_values = true, value_name = "all-lines|per-line")]
    pub predicates: Predicates,

    /// Where sets are abstracted: at every line, or only where a loop leads back to
    #[arg(long, value_enum, default_value_t = At::EveryLine, hide_possible_values = true, value_name = "every-line|loop-heads")]
    pub abstract_at: At,

    /// How a bad configuration is followed backwards: through the bad sets of all frames above, or, as in the older analysis, of the next one
    #[arg(long, value_enum, default_value_t = Backward::Repaired, hide_possible_values = true, value_name = "repaired|legacy")]
    pub backward: Backward,

    /// Give up, as unknown, after so many steps; a step is a rule of an automaton that is computed, so that the answer is the same everywhere
    #[arg(long, value_name = "N", default_value_t = goatherd_trees::options::STEPS)]
    pub steps: u64,

    /// Give up, as unknown, after so many seconds; 0 for never
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = time_limit)]
    pub timeout: TimeLimit,

    /// Write pictures to this directory, as DOT and SVG: the invariant of each line, the refinement's history, the counterexample's trees
    #[arg(long, value_name = "DIR")]
    pub draw: Option<PathBuf>,

    /// Print the report as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Which states of an automaton look alike.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Abstraction {
    /// Those that share trees with the same predicates.
    Predicates,
    /// Those that are reached by the same trees of a finite height.
    Height,
}

/// Whose predicates a refinement adds to.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Predicates {
    /// Those that all lines share.
    AllLines,
    /// Those of the blamed line.
    PerLine,
}

/// Where sets are abstracted.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum At {
    /// At every line.
    EveryLine,
    /// Where a loop leads back to.
    LoopHeads,
}

/// How a bad configuration is followed backwards.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Backward {
    /// Through the bad sets of all frames above.
    Repaired,
    /// Through the bad set of the next frame.
    Legacy,
}

/// `goatherd lower`
#[derive(Args, Debug)]
pub struct Lower {
    /// The program.
    #[command(flatten)]
    pub input: Input,

    /// More files of the same program, which are linked
    #[arg(value_name = "FILE.c")]
    pub more: Vec<PathBuf>,
}

/// `goatherd harness`
#[derive(Args, Debug)]
pub struct Harness {
    /// The C file that defines the function; `-` reads standard input
    #[arg(value_name = "FILE.c")]
    pub file: PathBuf,

    /// The function
    #[arg(long, value_name = "FUNCTION")]
    pub entry: String,

    /// Define a macro, as 1 if no value is given
    #[arg(short = 'D', value_name = "NAME[=VALUE]", value_parser = definition)]
    pub define: Vec<String>,

    /// Search this directory for files that are included
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,

    /// Write the harness to this file [default: standard output]
    #[arg(short, long, value_name = "HARNESS.c")]
    pub output: Option<PathBuf>,
}

/// `goatherd models`
#[derive(Args, Debug)]
pub struct Models {
    /// Print the model of this function
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
}

/// What else is checked.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Check {
    /// Signed overflow fails.
    Overflow,
    /// Forming a pointer outside its object fails.
    Pointer,
    /// An object of the heap that nothing leads to fails, when the entry function ends.
    Leak,
}

/// Does allocation give NULL?
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Allocation {
    /// At any time.
    MayFail,
    /// Only for requests that no object can satisfy.
    Succeeds,
}

/// How a proof is searched for.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Engine {
    /// A run that fails has a smaller one that fails too.
    Descent,
    /// What is reached is described by trees of finitely many sorts.
    Trees,
    /// Both.
    Auto,
}

/// Who decides which paths are feasible.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Solver {
    /// The procedure that also writes the hints.
    Builtin,
    /// Z3, where that procedure does not decide.
    Z3,
    /// Both, and a disagreement is an error.
    Both,
}

/// The data model of this name, if programs can be read under it.
pub fn data_model(name: &str) -> Result<DataModel, String> {
    match name {
        "LP64" => Ok(DataModel::Lp64SignedChar),
        "ILP32" => Err("unsupported: programs are read under LP64 alone, where `long` and pointers have 64 bits".to_owned()),
        _ => Err("a data model is LP64 or ILP32".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }
}
