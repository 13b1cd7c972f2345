//! The commands: `arguments` says what can be asked, one module per command answers it.

mod archive;
mod arguments;
mod asked;
mod audit;
mod automata;
mod batch;
mod compare;
mod depfile;
mod draw;
mod formulas;
mod harness;
mod input;
mod jobs;
mod lower;
mod models;
mod output;
mod paths;
mod places;
mod process;
mod prove;
mod replay;
mod report;
mod test;
mod trees;
mod undecided;
mod watchdog;
mod with_z3;
mod witness;

use arguments::{Arguments, Command};
use clap::{CommandFactory, Parser, error::ErrorKind};
use goatherd_frontend::escape::escaped_lines;
use goatherd_logic::{AskZ3, values::StartSolver};
use std::{
    io::{self, Write},
    process::ExitCode,
};

/// How a command ended: its exit status.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Proved; of a question: yes; of the other commands: done.
    Done = 0,
    /// A run fails; of a question: no.
    Unsafe = 1,
    /// Neither a proof nor a failing run was found, or no answer.
    Unknown = 2,
    /// Wrong usage, a file that cannot be read or written, or C that is not understood.
    Input = 3,
    /// A fault of Goatherd itself.
    Internal = 4,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// Why there is no answer.
#[derive(Debug)]
pub enum Trouble {
    /// What is wrong with the C file.
    Source(Vec<goatherd_frontend::diagnostics::Report>),
    /// What is wrong with the command line, or with another file.
    Usage(String),
    /// A fault of Goatherd itself.
    Internal(String),
}

/// What only the executable can do that is linked with libz3.
#[derive(Clone, Copy, Debug)]
pub struct Z3 {
    /// Can literals hold together?
    pub ask: AskZ3,
    /// Finds values.
    pub start: StartSolver,
}

/// Runs the command that the command line asks for. Where that needs Z3 and it is not handed over, another executable is run.
pub fn main(z3: Option<Z3>) -> ExitCode {
    // A bug must not be taken for a verdict.
    std::panic::set_hook(Box::new(|information| {
        tell(&format!("goatherd: internal error: {}\n", escaped_lines(&information.to_string())));
        std::process::exit(Exit::Internal as i32);
    }));
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return say(&error).into(),
    };
    run(arguments.command, z3)
}

/// Prints the help that was asked for, or what is wrong with the words of the command line, which it repeats.
fn say(error: &clap::Error) -> Exit {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        // Where nobody reads what is printed, the exit status is all there is to say.
        drop(error.print());
        return Exit::Done;
    }
    tell(&escaped_lines(&error.render().to_string()));
    Exit::Input
}

fn run(command: Command, z3: Option<Z3>) -> ExitCode {
    let result = match command {
        Command::Prove(arguments) => return prove::run(&arguments, z3.map(|z3| z3.ask)).into(),
        Command::Batch(arguments) => return batch::run(&arguments).into(),
        Command::Compare(arguments) => return compare::run(&arguments).into(),
        Command::Archive(arguments) => return archive::run(&arguments),
        Command::Trees(arguments) => return trees::run(&arguments).into(),
        Command::Paths(arguments) => return paths::run(&arguments, z3.map(|z3| z3.start)).into(),
        Command::Draw(arguments) => return draw::run(&arguments, z3.map(|z3| z3.start)).into(),
        Command::Test(arguments) => return test::run(&arguments, z3.map(|z3| z3.start)).into(),
        Command::Explain(arguments) => return audit::explain::run(&arguments).unwrap_or_else(|trouble| complain(&trouble)).into(),
        Command::Diff(arguments) => return audit::diff::run(&arguments).unwrap_or_else(|trouble| complain(&trouble)).into(),
        Command::Crosscheck(arguments) => return audit::crosscheck::run(&arguments).unwrap_or_else(|trouble| complain(&trouble)).into(),
        Command::Certify(arguments) => return formulas::run(&arguments).into(),
        Command::Lower(arguments) => lower::run(&arguments),
        Command::Harness(arguments) => harness::run(&arguments),
        Command::Models(arguments) => models::run(&arguments),
        Command::Completions(asked) => print(&goatherd_pages::completions(Arguments::command(), asked.shell)),
        Command::Manual(asked) => goatherd_pages::manual(Arguments::command(), &asked.folder)
            .map_err(|error| Trouble::Usage(format!("cannot write to {}: {error}", asked.folder.display()))),
        Command::Automata(command) => return automata::run(&command).into(),
    };
    match result {
        Ok(()) => Exit::Done.into(),
        Err(trouble) => complain(&trouble).into(),
    }
}

/// Says on standard error why there is no answer.
fn complain(trouble: &Trouble) -> Exit {
    use goatherd_frontend::diagnostics::{Colors, render};
    match trouble {
        Trouble::Source(reports) => {
            tell(&render(reports, Colors::for_standard_error()));
            Exit::Input
        }
        Trouble::Usage(message) => {
            tell(&format!("goatherd: {}\n", escaped_lines(message)));
            Exit::Input
        }
        Trouble::Internal(message) => {
            tell(&format!("goatherd: internal error: {}\n", escaped_lines(message)));
            Exit::Internal
        }
    }
}

/// Writes to standard error. Where nobody reads that, as of `goatherd ... 2>&1 | head -1`, the exit status is all there is to say.
fn tell(text: &str) {
    let mut stream = io::stderr().lock();
    drop(stream.write_all(text.as_bytes()).and_then(|()| stream.flush()));
}

/// Writes to standard output, nothing of which can play tricks on a terminal. That nobody reads on is no error.
fn print(text: &str) -> Result<(), Trouble> {
    let text = escaped_lines(text);
    let mut stream = io::stdout().lock();
    match stream.write_all(text.as_bytes()).and_then(|()| stream.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Trouble::Usage(format!("cannot write to standard output: {error}"))),
        _ => Ok(()),
    }
}
