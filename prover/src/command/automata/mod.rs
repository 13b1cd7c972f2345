//! `goatherd automata`: questions about tree automata, and operations on them.

mod answer;
pub mod arguments;

use super::{
    Exit, Trouble, complain, output, print, tell,
    watchdog::{Limits, Watchdog},
};
use answer::{Answer, Format};
use arguments::{Automata, Complement, Emptiness, Inclusion, One, Two};
use goatherd_automata::{
    alphabet::Alphabet,
    automaton::Automaton,
    determinisation, dot,
    emptiness::smallest_tree,
    inclusion::{self, inclusion},
    product,
    reduction::reduce,
    steps::{Exhausted, Steps},
    timbuk::{self, Document},
    trim::trim,
};
use goatherd_frontend::{
    escape::{escaped, escaped_lines, is_plain},
    files,
};
use std::{
    path::{Path, PathBuf},
    time::Instant,
};

/// Answers, or makes what is asked for.
pub fn run(command: &Automata) -> Exit {
    let result = match command {
        Automata::Inclusion(arguments) => is_included(arguments),
        Automata::Emptiness(arguments) => is_empty(arguments),
        Automata::Intersection(arguments) => combine(arguments, "intersection", |left, right| product::intersection(left, right).automaton),
        Automata::Union(arguments) => combine(arguments, "union", product::union),
        Automata::Reduce(arguments) => reduced(arguments),
        Automata::Complement(arguments) => complement(arguments),
        Automata::Dot(arguments) => picture(arguments),
    };
    result.unwrap_or_else(|trouble| complain(&trouble))
}

/// An automaton of a file and the symbols of all files that were read. Names that cannot be shown as they are, are refused: answers are
/// automata, too, and must have the same names.
fn read(path: &Path, alphabet: &mut Alphabet) -> Result<Document, Trouble> {
    let is_standard = path == Path::new("-");
    let name = if is_standard { "<stdin>".to_owned() } else { path.display().to_string() };
    let found = if is_standard { files::bytes_of(std::io::stdin().lock(), files::LARGEST) } else { files::bytes(path, files::LARGEST) };
    let bytes = found.map_err(|reason| Trouble::Usage(format!("cannot read {name}: {reason}")))?;
    let text = String::from_utf8(bytes).map_err(|_| Trouble::Usage(format!("cannot read {name}: it is not a text in UTF-8")))?;
    let document = timbuk::read(&text, alphabet).map_err(|error| Trouble::Usage(format!("{name}:{error}")))?;
    let names = alphabet.symbols().iter().map(|symbol| alphabet.name(*symbol)).chain([document.name.as_str()]);
    let is_hidden = |name: &&str| !name.chars().all(is_plain);
    if let Some(hidden) = names.chain(document.states.iter().map(String::as_str)).find(is_hidden).map(escaped) {
        return Err(Trouble::Usage(format!("{name}: {hidden} has characters that cannot be seen: choose another name")));
    }
    Ok(document)
}

fn is_included(arguments: &Inclusion) -> Result<Exit, Trouble> {
    let start = Instant::now();
    let mut alphabet = Alphabet::new();
    let (left, right) = (read(&arguments.left, &mut alphabet)?, read(&arguments.right, &mut alphabet)?);
    if let Some(path) = &arguments.witness {
        check_output(path, &[&arguments.left, &arguments.right])?;
    }
    let limits = Limits { time: arguments.timeout.0, memory: None };
    let format = Format::new(arguments.json);
    let file = arguments.left.display().to_string();
    let watchdog = Watchdog::start(
        limits,
        move || file.clone(),
        move |_| {
            let ended = Answer::Undecided { reason: "the time is over".to_owned() };
            // The exit status says it too.
            drop(print(&ended.text(format, start)));
            std::process::exit(Exit::Unknown as i32);
        },
    );
    let mut steps = Steps::at_most(arguments.steps);
    let answer = decide(&left, &right, arguments.method.into(), &alphabet, &mut steps)?;
    watchdog.dismiss();
    if let (Some(path), Answer::Included { witness }) = (&arguments.witness, &answer) {
        output::write(path, answer::witness_text(witness, &left, &right).as_bytes())?;
    }
    print(&answer.text(format, start))?;
    Ok(answer.exit())
}

/// Decides, and checks what shows the answer.
fn decide(left: &Document, right: &Document, method: inclusion::Method, alphabet: &Alphabet, steps: &mut Steps) -> Result<Answer, Trouble> {
    let undecided = |Exhausted| Ok(Answer::Undecided { reason: "the bound on steps was met".to_owned() });
    let (left, right) = (&left.automaton, &right.automaton);
    let is_shown;
    let answer = match inclusion(left, right, method, steps) {
        Err(exhausted) => return undecided(exhausted),
        Ok(inclusion::Inclusion::Included(witness)) => {
            is_shown = match witness.shows(left, right, steps) {
                Err(exhausted) => return undecided(exhausted),
                Ok(is_shown) => is_shown,
            };
            Answer::Included { witness }
        }
        Ok(inclusion::Inclusion::NotIncluded(tree)) => {
            is_shown = tree.is_accepted_by(left) && !tree.is_accepted_by(right);
            Answer::NotIncluded { tree: answer::Shown::new(&tree, alphabet) }
        }
    };
    if is_shown { Ok(answer) } else { Err(Trouble::Internal("the answer is not confirmed by its witness".to_owned())) }
}

fn is_empty(arguments: &Emptiness) -> Result<Exit, Trouble> {
    let start = Instant::now();
    let mut alphabet = Alphabet::new();
    let document = read(&arguments.file, &mut alphabet)?;
    let answer = match smallest_tree(&document.automaton) {
        None => Answer::Empty,
        Some(tree) => Answer::NotEmpty { tree: answer::Shown::new(&tree, &alphabet) },
    };
    print(&answer.text(Format::new(arguments.json), start))?;
    Ok(answer.exit())
}

fn combine(arguments: &Two, name: &str, operation: impl Fn(&Automaton, &Automaton) -> Automaton) -> Result<Exit, Trouble> {
    let mut alphabet = Alphabet::new();
    let (left, right) = (read(&arguments.left, &mut alphabet)?, read(&arguments.right, &mut alphabet)?);
    let combined = trim(&operation(&left.automaton, &right.automaton)).automaton;
    let text = timbuk::write(&Document::numbered(name, combined), &alphabet);
    deliver(&text, arguments.output.as_ref(), &[&arguments.left, &arguments.right])
}

fn reduced(arguments: &One) -> Result<Exit, Trouble> {
    let mut alphabet = Alphabet::new();
    let document = read(&arguments.file, &mut alphabet)?;
    let text = timbuk::write(&Document::numbered(name_of(&document), reduce(&document.automaton)), &alphabet);
    deliver(&text, arguments.output.as_ref(), &[&arguments.file])
}

fn complement(arguments: &Complement) -> Result<Exit, Trouble> {
    let One { file, output } = &arguments.operation;
    let mut alphabet = Alphabet::new();
    let document = read(file, &mut alphabet)?;
    match determinisation::complement(&document.automaton, alphabet.symbols(), &mut Steps::at_most(arguments.steps)) {
        Ok(complement) => {
            let text = timbuk::write(&Document::numbered("complement", trim(&complement).automaton), &alphabet);
            deliver(&text, output.as_ref(), &[file])
        }
        Err(exhausted) => {
            tell(&format!("goatherd: no complement: {exhausted}; allow more with --steps, or reduce the automaton first\n"));
            Ok(Exit::Unknown)
        }
    }
}

fn picture(arguments: &One) -> Result<Exit, Trouble> {
    let mut alphabet = Alphabet::new();
    let document = read(&arguments.file, &mut alphabet)?;
    deliver(&escaped_lines(&dot::automaton(&document, &alphabet)), arguments.output.as_ref(), &[&arguments.file])
}

/// An automaton without a name gets one.
fn name_of(document: &Document) -> &str {
    if document.name.is_empty() { "A" } else { &document.name }
}

/// Writes a result to its file, or to standard output.
fn deliver(text: &str, path: Option<&PathBuf>, sources: &[&PathBuf]) -> Result<Exit, Trouble> {
    match path {
        None => print(text)?,
        Some(path) => {
            check_output(path, sources)?;
            output::write(path, text.as_bytes())?;
        }
    }
    Ok(Exit::Done)
}

fn check_output(path: &Path, sources: &[&PathBuf]) -> Result<(), Trouble> {
    sources.iter().try_for_each(|source| output::check(path, source))
}
