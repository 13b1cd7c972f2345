//! What the end-to-end tests and the project's own commands share: where things stand, and the entry of a C program.
// What serves tests panics where a test is wrong: no section on it in each docstring.
#![allow(clippy::missing_panics_doc)]

pub mod branching;
pub mod conformance;
pub mod corpus;
pub mod deductions;
pub mod differential;
pub mod entry;
pub mod forge;
pub mod heaps;
pub mod holes;
pub mod kernel_mutants;
pub mod kernel_verdicts;
pub mod leaves;
pub mod lines;
pub mod measurement;
pub mod mutants;
pub mod path_experiments;
pub mod path_runs;
pub mod programs;
pub mod random_exactness;
pub mod random_heaps;
pub mod random_paths;
pub mod random_programs;
pub mod random_terms;
pub mod random_twins;
pub mod scale;
pub mod small_inputs;
pub mod struct_types;
pub mod suites;
pub mod tree_models;
pub mod valuation;
pub mod vectors;
pub mod zero_then_check;

pub use goatherd_generator::refuter;

use std::path::{Path, PathBuf};

/// The root folder of the workspace.
pub fn workspace_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(PathBuf::new, Path::to_path_buf)
}

/// The C programs directly in a folder of the workspace, buggy twins (`NAME.buggy.c`) included, in the order of their names.
///
/// A folder that cannot be read gives no programs.
pub fn c_programs(folder: &str) -> Vec<PathBuf> {
    files(folder, "c")
}

/// The tree models directly in a folder of the workspace, buggy twins (`NAME.buggy.trees`) included, in the order of their names.
///
/// A folder that cannot be read gives no models.
pub fn models(folder: &str) -> Vec<PathBuf> {
    files(folder, "trees")
}

/// Whether a program or a model is a buggy twin, by its name.
pub fn is_buggy_twin(path: &Path) -> bool {
    path.file_stem().is_some_and(|stem| Path::new(stem).extension().is_some_and(|extension| extension == "buggy"))
}

/// The files directly in a folder of the workspace that have this extension.
fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(workspace_root().join(folder)).into_iter().flatten();
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|found| found == extension));
    files.sort();
    files
}
