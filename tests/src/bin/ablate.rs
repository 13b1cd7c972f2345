//! What each way to search for a proof is worth: `ablate [FOLDER...]`, folders of the workspace with C programs; by default those of its own.
//!
//! Each program is proved as always. Then, for each choice of the way that proved it, but for plain ones, it is searched with all ways but those of that
//! choice. What is not proved then is lost without it: whatever is proved by ways that do not have a choice is proved without it, too.

use goatherd::{Answer, Effort, Request, Types, prove_file};
use goatherd_descent::{Facet, Selection};
use goatherd_tests::{c_programs, is_buggy_twin, workspace_root};
use std::{
    collections::BTreeMap,
    env,
    io::{IsTerminal, stderr},
    path::{Path, PathBuf},
};

/// The programs of the repository.
const FOLDERS: [&str; 4] = ["examples", "tests/programs", "tests/linked", "tests/refined"];

/// Programs that a row names, at most.
const NAMED: usize = 4;

/// What a choice is worth.
#[derive(Default)]
struct Worth {
    /// Programs whose proof has it.
    proved: usize,
    /// Those of them that are not proved without it.
    lost: Vec<String>,
}

fn main() {
    let folders: Vec<String> = env::args().skip(1).collect();
    let folders = if folders.is_empty() { FOLDERS.map(str::to_owned).to_vec() } else { folders };
    let programs: Vec<PathBuf> = folders.iter().flat_map(|folder| c_programs(folder)).filter(|path| !is_buggy_twin(path)).collect();
    let (mut worth, mut proved, mut plain) = (BTreeMap::<Facet, Worth>::new(), 0, 0);
    for (number, program) in programs.iter().enumerate() {
        if stderr().is_terminal() {
            eprint!("\r{number} of {} programs", programs.len());
        }
        let Some(facets) = facets(program, Selection::default()) else { continue };
        proved += 1;
        plain += usize::from(facets.len() == 1);
        for facet in facets {
            let own = worth.entry(facet).or_default();
            own.proved += 1;
            if self::facets(program, Selection { without: vec![facet], ..Selection::default() }).is_none() {
                let file = program.strip_prefix(workspace_root()).unwrap_or(program);
                own.lost.push(file.with_extension("").display().to_string());
            }
        }
    }
    if stderr().is_terminal() {
        eprintln!("\r");
    }
    println!("{} programs of {}: {proved} are proved, {plain} of them in the plain way, but for k.\n", programs.len(), folders.join(", "));
    println!("| choice | proved with it | lost without it | such as |\n|---|--:|--:|---|");
    for (facet, Worth { proved, lost }) in &worth {
        let named = lost.iter().take(NAMED).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        println!("| `{facet}` | {proved} | {} | {named} |", lost.len());
    }
    let unused: Vec<String> =
        Facet::all().iter().filter(|facet| !facet.is_plain() && !worth.contains_key(facet)).map(|facet| format!("`{facet}`")).collect();
    println!("\nIn no proof: {}.", unused.join(", "));
}

/// The choices of the way that proves the program, but for plain ones; none if it is not proved.
fn facets(program: &Path, selection: Selection) -> Option<Vec<Facet>> {
    // How a failing run is found is of no interest, and a proof takes far fewer steps than there are.
    let effort = Effort { runs: [0; 4], selection, ..Effort::default().limited(STEPS) };
    let request = Request { types: Types::AsRead, effort, ..Request::default() };
    match prove_file(program, &request).ok()?.answer {
        Answer::Proved { strategy, .. } => Some(strategy.facets().into_iter().filter(|facet| !facet.is_plain()).collect()),
        _ => None,
    }
}

/// Steps of each way.
const STEPS: u64 = 20_000;
