//! Answers the queries of other solvers' suites with `goatherd certify`, has what is certified checked, and compares with what these suites expect.
//!
//! Usage: `query-suites [--jobs N] [--limit SECONDS] [--commands FOLDER] [--checkouts FOLDER] [SUITE]...`: without names all suites of
//! `tests/suites/recipes.tsv` that are good for it. Writes `report.md` and `report.json` to `target/suites/queries`. Fails where an answer is another one
//! than the suite's, where the checker does not accept one, and where the command fails.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;

use goatherd_tests::corpus::options::each;
use goatherd_tests::suites::options::Options;
use goatherd_tests::suites::queries::{Judged, Solving, markdown};
use goatherd_tests::suites::recipe::{Purpose, Recipe, read_recipes, read_table};
use goatherd_tests::suites::source::Sources;
use goatherd_tests::workspace_root;

/// The limit of one script in seconds, if no other is given.
const LIMIT: u64 = 10;

fn main() -> ExitCode {
    match Options::read(std::env::args().skip(1), LIMIT).and_then(|options| run(&options)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("query-suites: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<bool, String> {
    let work = workspace_root().join("target/suites");
    let runs = work.join("queries");
    std::fs::create_dir_all(&runs).map_err(|error| format!("{}: {error}", runs.display()))?;
    let commands = options.commands.canonicalize().map_err(|error| format!("{}: {error}", options.commands.display()))?;
    let solving = Solving { certify: commands.join("goatherd"), check: commands.join("goatherd-check"), limit: options.limit };
    let recipes = read_recipes(&read_table("recipes.tsv")?)?;
    let is_meant = |recipe: &&Recipe| recipe.purpose == Purpose::Decide && options.means(&recipe.suite);
    let mut sources = Sources::new(&work, options.checkouts.clone())?;
    let judged = Mutex::new(BTreeMap::new());
    for recipe in recipes.iter().filter(is_meant) {
        match sources.folder(recipe) {
            Ok(folder) => answer(recipe, &folder, options.jobs, &runs, &solving, &judged)?,
            Err(reason) => println!("skipped {}: {reason}", recipe.suite),
        }
    }
    let judged = judged.into_inner().map_err(|error| error.to_string())?;
    let text = markdown(&judged);
    let json = serde_json::to_string_pretty(&judged).map_err(|error| error.to_string())?;
    for (name, text) in [("report.md", &text), ("report.json", &(json + "\n"))] {
        std::fs::write(runs.join(name), text).map_err(|error| format!("{name}: {error}"))?;
    }
    println!("{}\nAll of it is in target/suites/queries: report.md, report.json", text.split("\n## ").next().unwrap_or_default());
    Ok(!judged.values().any(|judged| matches!(judged, Judged::Wrong(_))))
}

/// Answers all scripts of a recipe, each in a folder of its own.
fn answer(
    recipe: &Recipe,
    folder: &Path,
    jobs: usize,
    runs: &Path,
    solving: &Solving,
    judged: &Mutex<BTreeMap<String, Judged>>,
) -> Result<(), String> {
    let scripts = scripts(folder)?;
    each(&scripts, jobs, |script| {
        let name = script.strip_prefix(folder).unwrap_or(script).display().to_string();
        let work = runs.join(&recipe.suite).join(&name);
        std::fs::create_dir_all(&work).map_err(|error| format!("{}: {error}", work.display()))?;
        let judgement = solving.judge(script, &work)?;
        if let Judged::Wrong(reason) = &judgement {
            eprintln!("WRONG {}/{name}: {reason}", recipe.suite);
        }
        judged.lock().map_err(|error| error.to_string())?.insert(format!("{}/{name}", recipe.suite), judgement);
        Ok(())
    })
}

/// The scripts of a folder and of all folders in it, in order.
fn scripts(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let (mut found, mut open) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?.flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "smt2") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}
