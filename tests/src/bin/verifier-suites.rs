//! Proves and checks the programs of other verifiers' suites, and compares with what these suites say.
//!
//! Usage: `verifier-suites --checkouts FOLDER [--jobs N] [--limit SECONDS] [--commands FOLDER] [SUITE]...`: without names all suites of
//! `tests/suites/recipes.tsv` that are good for it. `FOLDER/NAME` is a checkout of a repository whose address ends with `NAME`. Writes `report.md` and `report.json` to
//! `target/suites/verify`; a journal there keeps what was decided by these very commands, so that a run that was interrupted goes on. Fails
//! where a verdict contradicts its suite and `tests/suites/explanations.tsv` does not say why, where the checker does not accept a claim or is not done in its time, and on internal errors.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;

use goatherd_tests::corpus::journal::Journal;
use goatherd_tests::corpus::manifest::hexadecimal_digest;
use goatherd_tests::corpus::options::each;
use goatherd_tests::suites::adapt::adapted;
use goatherd_tests::suites::expected::{Expected, Oracle, expected};
use goatherd_tests::suites::options::Options;
use goatherd_tests::suites::recipe::{KnownDifference, Purpose, Recipe, read_explanations, read_recipes, read_table};
use goatherd_tests::suites::source::Sources;
use goatherd_tests::suites::table::{Row, report};
use goatherd_tests::suites::verdict::{Checked, Commands, Verdict};
use goatherd_tests::{measurement, workspace_root};

/// The limit of one search in seconds, if no other is given.
const LIMIT: u64 = 20;

fn main() -> ExitCode {
    if let Some(code) = measurement::serve() {
        return code;
    }
    match Options::read(std::env::args().skip(1), LIMIT).and_then(|options| run(&options)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("verifier-suites: {message}");
            ExitCode::FAILURE
        }
    }
}

/// A program, adapted.
struct Item {
    suite: String,
    path: String,
    expected: Expected,
    text: String,
    /// The folder that it was in, for headers.
    folder: PathBuf,
}

fn run(options: &Options) -> Result<bool, String> {
    let work = workspace_root().join("target/suites/verify");
    std::fs::create_dir_all(&work).map_err(|error| format!("{}: {error}", work.display()))?;
    let table = read_table("recipes.tsv")?;
    let mut sources = Sources::new(&workspace_root().join("target/suites"), options.checkouts.clone())?;
    let mut items = Vec::new();
    let mut seen = BTreeSet::new();
    for recipe in read_recipes(&table)? {
        let is_meant = options.means(&recipe.suite);
        let Purpose::Verify(oracle) = recipe.purpose else { continue };
        if is_meant {
            match sources.folder(&recipe) {
                Ok(folder) => collect((&recipe, oracle), &folder, &mut seen, &mut items)?,
                Err(reason) => println!("skipped {}: {reason}", recipe.suite),
            }
        }
    }
    let rows = decided(&items, &read_explanations(&read_table("explanations.tsv")?)?, options, &work)?;
    let text = report(&rows);
    let json = serde_json::to_string_pretty(&rows).map_err(|error| error.to_string())? + "\n";
    for (name, text) in [("report.md", &text), ("report.json", &json)] {
        std::fs::write(work.join(name), text).map_err(|error| format!("{name}: {error}"))?;
    }
    println!("{}\nAll of it is in target/suites/verify: report.md, report.json", text.split("\n\nRefused").next().unwrap_or_default());
    Ok(rows.iter().all(|row| row.fault().is_none()))
}

/// The C files below a folder, adapted; one whose text is that of an earlier one is left out, since suites share programs.
fn collect((recipe, oracle): (&Recipe, Oracle), folder: &Path, seen: &mut BTreeSet<String>, items: &mut Vec<Item>) -> Result<(), String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() && !path.is_symlink() {
            collect((recipe, oracle), &path, seen, items)?;
        } else if path.extension().is_some_and(|extension| extension == "c" || extension == "i")
            && oracle.is_program(&path)
            // A link may lead nowhere.
            && let Ok(bytes) = std::fs::read(&path)
        {
            let text = adapted(&String::from_utf8_lossy(&bytes));
            if seen.insert(hexadecimal_digest(text.as_bytes())) {
                let real = path.canonicalize().map_err(|error| format!("{}: {error}", path.display()))?;
                let folder = real.parent().unwrap_or(folder).to_path_buf();
                let inside = path.to_string_lossy();
                let inside = inside.split_once(&recipe.folder).map_or(&*inside, |(_, inside)| inside.trim_start_matches('/'));
                let item = Item { suite: recipe.suite.clone(), path: inside.to_owned(), expected: expected(oracle, &path), text, folder };
                items.push(item);
            }
        }
    }
    Ok(())
}

/// What comes of all of them: what the journal has of these commands, else what they say now.
fn decided(items: &[Item], explanations: &BTreeMap<String, KnownDifference>, options: &Options, work: &Path) -> Result<Vec<Row>, String> {
    let (prove, check) = (options.commands.join("goatherd"), options.commands.join("goatherd-check"));
    let mut tools = format!("{:?}", options.limit).into_bytes();
    for command in [&prove, &check] {
        let read = std::fs::read(command);
        tools.extend(read.map_err(|error| format!("{}: {error}; run this as `make verifier-suites`", command.display()))?);
    }
    let tools = hexadecimal_digest(&tools);
    let journal: Journal<Verdict> = Journal::open(&work.join("verdicts.jsonl")).map_err(|error| error.to_string())?;
    let rows = Mutex::new(Vec::new());
    each(items, options.jobs, |item| {
        let name = format!("{}/{}", item.suite, item.path);
        let digest = hexadecimal_digest(format!("{tools} {}", item.text).as_bytes());
        let verdict = if let Some(verdict) = journal.result(&name, &digest) {
            verdict
        } else {
            let includes = vec![workspace_root().join("tests/suites/include"), item.folder.clone()];
            let commands = Commands { prove: prove.clone(), check: check.clone(), limit: options.limit, includes };
            let folder = work.join("programs").join(hexadecimal_digest(name.as_bytes()));
            let file = folder.join("program.c");
            let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, &item.text));
            written.map_err(|error| format!("{}: {error}", file.display()))?;
            let verdict = commands.decide(&file, &folder)?;
            eprintln!("{} {name}: {} ms", verdict.word, verdict.milliseconds);
            // What the machine was too slow for is tried again by the next run.
            if verdict.checked != Some(Checked::Unfinished) {
                journal.write(&name, &digest, &verdict).map_err(|error| error.to_string())?;
            }
            verdict
        };
        let mut row = Row { suite: item.suite.clone(), path: item.path.clone(), expected: item.expected, verdict, explanation: None };
        let known = explanations.get(&name).filter(|known| row.difference().as_ref() == Some(&known.difference));
        row.explanation = known.map(|known| known.reason.clone());
        rows.lock().map_err(|error| error.to_string())?.push(row);
        Ok(())
    })?;
    let mut rows = rows.into_inner().map_err(|error| error.to_string())?;
    rows.sort_by(|left, right| (&left.suite, &left.path).cmp(&(&right.suite, &right.path)));
    Ok(rows)
}
