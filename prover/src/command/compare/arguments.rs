//! The command line of `goatherd compare`.

use crate::command::{
    Trouble,
    arguments::{Arguments, Command},
};
use clap::{Args, Parser};
use goatherd_archive::words::{TimeLimit, size, time_limit};
use std::{ffi::OsString, num::NonZeroUsize, path::PathBuf};

/// `goatherd compare`
#[derive(Args, Debug)]
pub struct Compare {
    /// What the tools say: a line for each program with a column `file` and one for each tool, or columns `file`, `tool` and `verdict`; or a table of
    /// `BenchExec`
    #[arg(value_name = "RESULTS.csv")]
    pub results: PathBuf,

    /// The folder that names of programs are from [default: that of RESULTS.csv]
    #[arg(long, value_name = "DIR")]
    pub folder: Option<PathBuf>,

    /// Write certificates to this folder, as DIR/FILE.goat
    #[arg(long, value_name = "DIR", default_value = "compared")]
    pub out: PathBuf,

    /// Work on so many programs at a time [default: one per processor]; the answer is the same for any number
    #[arg(long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,

    /// The time limit of each program, in seconds; 0 for none
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = time_limit)]
    pub timeout: TimeLimit,

    /// The memory limit of each program; K, M and G stand for 2^10, 2^20 and 2^30; 0 for none
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = size)]
    pub memory: u64,

    /// Print the answer as JSON
    #[arg(long)]
    pub json: bool,

    /// Options of `goatherd prove` for each program, such as `--entry main`
    #[arg(last = true, value_name = "OPTION")]
    pub options: Vec<OsString>,
}

impl Compare {
    /// Refuses options that `goatherd prove` does not have, and those that are about one program alone.
    pub fn check(&self) -> Result<(), Trouble> {
        let words = ["goatherd", "prove", "FILE.c"].map(OsString::from);
        let given = Arguments::try_parse_from(words.iter().chain(&self.options));
        let Command::Prove(asked) = given.map_err(|error| Trouble::Usage(format!("compare: behind --: {}", reason(&error))))?.command
        else {
            return Err(Trouble::Usage("compare: behind -- are options of goatherd prove".to_owned()));
        };
        let own = ["--timeout", "--memory", "--threads", "--json"];
        let is_own = |word: &OsString| word.to_str().is_some_and(|word| own.contains(&word.split('=').next().unwrap_or(word)));
        let paths = [&asked.output, &asked.counterexample, &asked.depfile, &asked.witness, &asked.follow, &asked.draw];
        if self.options.iter().any(is_own) || paths.into_iter().any(Option::is_some) {
            let message =
                "compare: behind -- are no options that limit, or that name files to write (--timeout, --memory and --out stand before it)";
            return Err(Trouble::Usage(message.to_owned()));
        }
        Ok(())
    }
}

/// What is wrong, in one line.
fn reason(error: &clap::Error) -> String {
    let text = error.to_string();
    text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned()
}
