//! `goatherd crosscheck`

use super::{
    accepted::{Offered, limit},
    arguments::{Crosscheck, KnownSolver},
};
use crate::command::{Exit, Trouble, input::stem, output, print, tell};
use goatherd_audit::{
    labels::Labels,
    replay::Audit,
    smt::{Asking, Expected, Query, Script},
};
use goatherd_frontend::escape::{escaped, json};
use serde::Serialize;
use std::{
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// So many differences are told.
const LISTED: usize = 20;

/// What a solver has said of all queries.
#[derive(Serialize)]
struct Answers {
    solver: String,
    /// Obligations that it finds to hold.
    agreed: usize,
    /// Obligations that it refutes: there is a case in which they do not hold.
    differs: Vec<Query>,
    /// Obligations of which it says nothing, or nothing in time.
    unknown: usize,
    /// What is known is a contradiction before anything is assumed: what is shown there holds of nothing.
    void: Vec<Query>,
    /// Of so many it is not known whether what is known is a contradiction.
    void_unknown: usize,
    /// What it complains of.
    #[serde(skip_serializing_if = "Option::is_none")]
    complaint: Option<String>,
}

/// What is printed as JSON.
#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    certificate: String,
    obligations: usize,
    solvers: &'a [Answers],
}

/// Writes queries, asks, and compares.
pub fn run(arguments: &Crosscheck) -> Result<Exit, Trouble> {
    if arguments.solver.is_empty() && arguments.command.is_empty() && arguments.out.is_none() {
        return Err(Trouble::Usage(
            "crosscheck: say whom to ask (--solver z3, --solver cvc5, --command CMD), or where to write the queries (--out DIR)".to_owned(),
        ));
    }
    let limited = limit(arguments.memory);
    let offered = Offered { path: &arguments.certificate, memory: arguments.memory };
    let read = offered.read()?;
    let certificate = match read.as_deref().map_err(Clone::clone).and_then(|bytes| offered.accept(bytes)) {
        Ok((certificate, _)) => certificate,
        Err(message) => {
            tell(&format!("goatherd: {message}\n"));
            return Ok(Exit::Unsafe);
        }
    };
    let failed = |failure| Trouble::Internal(format!("the proof cannot be replayed: {failure:?}"));
    let Some(audit) = Audit::new(&certificate).map_err(failed)? else {
        return Err(Trouble::Usage("crosscheck: the certificate holds a run that fails, and a run has no obligations".to_owned()));
    };
    let labels = Labels::new(&audit);
    let mut watcher = Asking::new(&labels);
    audit.replay(&mut watcher).map_err(failed)?;
    let script = watcher.script();
    limited.dismiss();
    let directory = if let Some(directory) = &arguments.out {
        output::make_directory(directory)?;
        directory.clone()
    } else {
        own_directory()?
    };
    let file = directory.join(format!("{}.smt2", stem(&arguments.certificate)));
    let result = output::write(&file, script.text.as_bytes()).and_then(|()| ask_all(arguments, &script, &file));
    if arguments.out.is_none() {
        // That it stays behind is no error of what was asked.
        drop(fs::remove_dir_all(&directory));
    }
    let answers = result?;
    let obligations = script.queries.iter().filter(|query| query.expected == Expected::Unsat).count();
    let name = escaped(&arguments.certificate.to_string_lossy());
    let text = if arguments.json {
        let report = Report { schema: "goatherd-crosscheck/1", certificate: name, obligations, solvers: &answers };
        json(&serde_json::to_string_pretty(&report).map_err(|error| Trouble::Internal(error.to_string()))?) + "\n"
    } else {
        let kept = arguments.out.as_ref().map(|_| escaped(&file.to_string_lossy()));
        words(&name, obligations, kept.as_deref(), &answers)
    };
    print(&text)?;
    Ok(if answers.iter().any(|answers| !answers.differs.is_empty()) {
        Exit::Unsafe
    } else if answers.iter().any(|answers| answers.unknown > 0) {
        Exit::Unknown
    } else {
        Exit::Done
    })
}

/// A new folder, which nobody else has made and which is removed afterwards.
fn own_directory() -> Result<PathBuf, Trouble> {
    let directory = std::env::temp_dir().join(format!("goatherd-crosscheck-{}", std::process::id()));
    let failed = |error| Trouble::Usage(format!("cannot create {}: {error} (--out DIR names another folder)", directory.display()));
    fs::create_dir(&directory).map_err(failed)?;
    Ok(directory)
}

fn ask_all(arguments: &Crosscheck, script: &Script, file: &Path) -> Result<Vec<Answers>, Trouble> {
    let milliseconds = arguments.query_timeout.as_millis();
    let known = arguments.solver.iter().map(|solver| match solver {
        KnownSolver::Z3 => ("z3".to_owned(), vec!["z3".to_owned(), "-smt2".to_owned(), format!("-t:{milliseconds}")]),
        KnownSolver::Cvc5 => {
            let flags = ["--lang=smt2".to_owned(), "--incremental".to_owned(), format!("--tlimit-per={milliseconds}")];
            ("cvc5".to_owned(), [vec!["cvc5".to_owned()], flags.to_vec()].concat())
        }
    });
    let given = arguments.command.iter().map(|command| (escaped(command), command.split_whitespace().map(ToOwned::to_owned).collect()));
    known.chain(given).map(|(name, words)| ask(&name, &words, script, file)).collect()
}

/// Asks a solver, by the words of its command line and the file.
fn ask(name: &str, words: &[String], script: &Script, file: &Path) -> Result<Answers, Trouble> {
    let Some((program, flags)) = words.split_first() else {
        return Err(Trouble::Usage("--command: a command is a program and its arguments".to_owned()));
    };
    let output = Command::new(program).args(flags).arg(file).stdin(Stdio::null()).output();
    let output = output.map_err(|error| Trouble::Usage(format!("cannot run {program}: {error} (Debian has z3 and cvc5 as packages)")))?;
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    let said: Vec<&str> = text.lines().map(str::trim).filter(|line| ["sat", "unsat", "unknown", "timeout"].contains(line)).collect();
    let complaint = text.lines().find(|line| line.contains("error")).map(escaped);
    let mut answers =
        Answers { solver: name.to_owned(), agreed: 0, differs: Vec::new(), unknown: 0, void: Vec::new(), void_unknown: 0, complaint };
    // Where a line is missing, or something went wrong, nobody knows which query an answer is to.
    let is_whole = said.len() == script.queries.len() && answers.complaint.is_none();
    if !is_whole && answers.complaint.is_none() {
        answers.complaint = Some(format!("{} answers to {} queries", said.len(), script.queries.len()));
    }
    for (position, query) in script.queries.iter().enumerate() {
        let said = said.get(position).filter(|_| is_whole).copied().unwrap_or("unknown");
        match (query.expected, said) {
            (Expected::Unsat, "unsat") => answers.agreed += 1,
            (Expected::Unsat, "sat") => answers.differs.push(query.clone()),
            (Expected::Unsat, _) => answers.unknown += 1,
            (Expected::Sat, "unsat") => answers.void.push(query.clone()),
            (Expected::Sat, "sat") => {}
            (Expected::Sat, _) => answers.void_unknown += 1,
        }
    }
    Ok(answers)
}

fn words(name: &str, obligations: usize, kept: Option<&str>, answers: &[Answers]) -> String {
    let mut text = format!("{name}: {obligations} obligations\n");
    // Writing to a string does not fail.
    for Answers { solver, agreed, differs, unknown, void, void_unknown, complaint } in answers {
        let _ = writeln!(text, "  {solver:<6}{agreed} agreed, {} differ, {unknown} unknown", differs.len());
        if let Some(complaint) = complaint {
            let _ = writeln!(text, "        it says: {complaint}");
        }
        for query in differs.iter().take(LISTED) {
            let _ = writeln!(
                text,
                "        differs: {}: the certificate says that this cannot be, the solver that it can: {}",
                query.place,
                query.what.join(" and ")
            );
        }
        if !void.is_empty() || *void_unknown > 0 {
            let _ = writeln!(text, "        without what is assumed: {} contradictory already, {void_unknown} unknown", void.len());
        }
        for query in void.iter().take(LISTED) {
            let _ = writeln!(text, "        void: {}: what is known here is a contradiction, so that anything follows", query.place);
        }
    }
    if let Some(kept) = kept {
        let _ = writeln!(text, "  queries  {kept}");
    }
    text
}
