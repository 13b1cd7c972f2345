//! Runs the programs that compilers are tested with by the front end and the interpreter, beside the system's compiler, and counts where
//! they agree.
//!
//! Usage: `execute-suites [--jobs N] [--checkouts FOLDER] [--csmith N] [--seed N] [--csmith-options WORDS] [SUITE | SUITE/PROGRAM]...`: without names,
//! all suites of `tests/suites/recipes.tsv` and N programs out of Csmith (100, by the command `csmith`; the suite of that name). Writes `report.md` and
//! `report.json` to `target/suites/execute`. What cannot be had is named and left out. Fails where a program comes out wrong.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;

use goatherd_tests::corpus::options::each;
use goatherd_tests::suites::csmith::generate;
use goatherd_tests::suites::execute::{Judgement, judge};
use goatherd_tests::suites::recipe::{KnownDifference, Purpose, Recipe, read_explanations, read_recipes, read_table};
use goatherd_tests::suites::source::Sources;
use goatherd_tests::suites::tally::{Tally, json, markdown};
use goatherd_tests::suites::test_program::TestProgram;
use goatherd_tests::workspace_root;

/// The suite of programs that are made, not fetched.
const CSMITH: &str = "csmith";

/// What Csmith is told, if nothing else is said: what the front end knows nothing of is left out.
const WORDS: &str = "--no-argc --no-volatiles --no-packed-struct";

fn main() -> ExitCode {
    // Inlining nests as deep as calls do.
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(|| {
        let options = Options::read(std::env::args().skip(1))?;
        run(&options)
    });
    let ended =
        worker.map_err(|error| error.to_string()).and_then(|worker| worker.join().unwrap_or_else(|_| Err("it panicked".to_owned())));
    match ended {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("execute-suites: {message}");
            ExitCode::FAILURE
        }
    }
}

const STACK: usize = 64 << 20;

struct Options {
    jobs: usize,
    checkouts: Option<PathBuf>,
    /// How many programs out of Csmith, from which seed, with what words for it.
    count: u64,
    seed: u64,
    words: String,
    names: Vec<String>,
}

impl Options {
    fn read(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self { jobs: 1, checkouts: None, count: 100, seed: 1, words: WORDS.to_owned(), names: Vec::new() };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("{argument} needs a value"));
            let number = |word: String| word.parse().map_err(|_| format!("{word} is no number"));
            match argument.as_str() {
                "--jobs" => options.jobs = usize::try_from(number(value()?)?).unwrap_or(1).max(1),
                "--checkouts" => options.checkouts = Some(value()?.into()),
                "--csmith" => options.count = number(value()?)?,
                "--seed" => options.seed = number(value()?)?,
                "--csmith-options" => options.words = value()?,
                option if option.starts_with('-') => return Err(format!("unknown option {option}")),
                name => options.names.push(name.to_owned()),
            }
        }
        Ok(options)
    }

    /// Whether a suite is meant, as a whole or with some of its programs.
    fn means(&self, suite: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|name| name.split('/').next() == Some(suite))
    }

    fn means_program(&self, suite: &str, program: &str) -> bool {
        let program = format!("{suite}/{program}");
        self.names.is_empty() || self.names.iter().any(|name| name == suite || *name == program)
    }
}

fn run(options: &Options) -> Result<bool, String> {
    let work = workspace_root().join("target/suites");
    let runs = work.join("execute");
    std::fs::create_dir_all(&runs).map_err(|error| format!("{}: {error}", runs.display()))?;
    let table = read_table("recipes.tsv")?;
    let explanations = read_explanations(&read_table("explanations.tsv")?)?;
    let mut sources = Sources::new(&work, options.checkouts.clone())?;
    let mut suites = BTreeMap::new();
    for recipe in read_recipes(&table)?.iter().filter(|recipe| recipe.purpose == Purpose::Execute && options.means(&recipe.suite)) {
        match subjects(recipe, &mut sources, options) {
            Ok(subjects) => {
                let tally = judged(&subjects, options.jobs, |subject| {
                    let explanation = explanations.get(&format!("{}/{}", recipe.suite, subject.name));
                    Ok(Some(explained(judge(subject, &runs)?, explanation)))
                });
                suites.insert(recipe.suite.clone(), tally?);
            }
            Err(reason) => println!("skipped {}: {reason}", recipe.suite),
        }
    }
    if options.means(CSMITH) {
        let words: Vec<&str> = options.words.split_whitespace().collect();
        let seeds: Vec<u64> = (options.seed..options.seed.saturating_add(options.count)).collect();
        let made = judged(&seeds, options.jobs, |seed| match generate(*seed, &words, &runs)? {
            Some(subject) => judge(&subject, &runs).map(Some),
            None => Ok(None),
        });
        match made {
            Ok(tally) => drop(suites.insert(CSMITH.to_owned(), tally)),
            Err(reason) => println!("skipped {CSMITH}: {reason}"),
        }
    }
    write(&suites, &runs)?;
    Ok(suites.values().all(|tally| tally.wrong().next().is_none()))
}

/// A difference that is the one that is known is explained; another one is not.
fn explained(judgement: Judgement, explanation: Option<&KnownDifference>) -> Judgement {
    match (&judgement, explanation) {
        (Judgement::Wrong(difference), Some(known)) if *difference == known.difference => Judgement::Explained(known.reason.clone()),
        _ => judgement,
    }
}

/// The programs of a recipe that are meant.
fn subjects(recipe: &Recipe, sources: &mut Sources, options: &Options) -> Result<Vec<TestProgram>, String> {
    let folder = sources.folder(recipe)?;
    let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    let named = files.into_iter().map(|file| (file.file_stem().unwrap_or_default().to_string_lossy().into_owned(), file));
    let meant = named.filter(|(name, _)| options.means_program(&recipe.suite, name));
    Ok(meant.map(|(name, file)| TestProgram { name, file, definitions: Vec::new(), includes: Vec::new() }).collect())
}

/// Something that is a program, with a name.
trait Named: Sync {
    fn name(&self) -> String;
}

impl Named for TestProgram {
    fn name(&self) -> String {
        self.name.clone()
    }
}

impl Named for u64 {
    fn name(&self) -> String {
        self.to_string()
    }
}

/// What comes of all of these, so many at a time; those without a judgement are left out.
fn judged<T: Named>(items: &[T], jobs: usize, judge: impl Fn(&T) -> Result<Option<Judgement>, String> + Sync) -> Result<Tally, String> {
    let tally = Mutex::new(Tally::default());
    each(items, jobs, |item| {
        if let Some(judgement) = judge(item)? {
            if let Judgement::Wrong(reason) = &judgement {
                eprintln!("WRONG {}: {reason}", item.name());
            }
            tally.lock().map_err(|error| error.to_string())?.judgements.insert(item.name(), judgement);
        }
        Ok(())
    })?;
    tally.into_inner().map_err(|error| error.to_string())
}

fn write(suites: &BTreeMap<String, Tally>, folder: &Path) -> Result<(), String> {
    let text = markdown(suites);
    for (name, text) in [("report.md", text.clone()), ("report.json", format!("{:#}\n", json(suites)))] {
        std::fs::write(folder.join(name), text).map_err(|error| format!("{name}: {error}"))?;
    }
    println!("{}\nAll of it is in target/suites/execute: report.md, report.json", text.split("\n## ").next().unwrap_or_default());
    Ok(())
}
