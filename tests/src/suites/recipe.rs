//! Where suites are: the table `tests/suites/recipes.tsv`. What is known of their programs: `tests/suites/explanations.tsv`.

use std::collections::BTreeMap;

use super::expected::Oracle;
use crate::corpus::fetch::Pinned;

/// One folder of a suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipe {
    /// The suite's name; several folders may make one.
    pub suite: String,
    /// What its programs are good for.
    pub purpose: Purpose,
    /// Where it comes from.
    pub origin: Provenance,
    /// The folder of its programs there.
    pub folder: String,
}

/// What the programs of a suite are good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// They end well if the compiler is right.
    Execute,
    /// They are safe or not, as their suite says in this way.
    Verify(Oracle),
    /// They are queries in SMT-LIB.
    Decide,
}

/// Where a suite comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Provenance {
    /// A Debian source package.
    Package {
        /// Its name.
        package: String,
        /// Its archive.
        pinned: Pinned,
        /// The archive in that archive, as a pattern of `tar`, where there is one.
        inner: Option<String>,
    },
    /// A repository that the caller has checked out.
    Repository(String),
}

/// Reads the table. An error says which line is wrong.
pub fn read_recipes(text: &str) -> Result<Vec<Recipe>, String> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines.map(|(index, line)| read_line(line).ok_or_else(|| format!("recipes.tsv:{}: not a recipe", index + 1))).collect()
}

fn read_line(line: &str) -> Option<Recipe> {
    let [suite, purpose, from, archive, sha256, inner, folder]: [&str; 7] = line.split('\t').collect::<Vec<_>>().try_into().ok()?;
    let purpose = match purpose {
        "execute" => Purpose::Execute,
        "predator" => Purpose::Verify(Oracle::Predator),
        "forester" => Purpose::Verify(Oracle::Forester),
        "queries" => Purpose::Decide,
        "descriptions" => Purpose::Verify(Oracle::Descriptions),
        "tasks" => Purpose::Verify(Oracle::Tasks),
        _ => return None,
    };
    let origin = match from.split_once('=') {
        None => Provenance::Repository(from.to_owned()),
        Some((package, version)) => Provenance::Package {
            package: package.to_owned(),
            pinned: Pinned { version: version.to_owned(), archive: archive.to_owned(), sha256: sha256.to_owned() },
            inner: (inner != "-").then(|| inner.to_owned()),
        },
    };
    Some(Recipe { suite: suite.to_owned(), purpose, origin, folder: folder.to_owned() })
}

/// Reads a table of `tests/suites`.
pub fn read_table(name: &str) -> Result<String, String> {
    let table = crate::workspace_root().join("tests/suites").join(name);
    std::fs::read_to_string(&table).map_err(|error| format!("{}: {error}", table.display()))
}

/// What comes out differently of a program, and why that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownDifference {
    /// What comes out.
    pub difference: String,
    /// Why.
    pub reason: String,
}

/// Reads the explanations, by `SUITE/PROGRAM`. An error says which line is wrong.
pub fn read_explanations(text: &str) -> Result<BTreeMap<String, KnownDifference>, String> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let explanations = lines.map(|(index, line)| match line.split('\t').collect::<Vec<_>>()[..] {
        [program, difference, reason] => {
            Ok((program.to_owned(), KnownDifference { difference: difference.to_owned(), reason: reason.to_owned() }))
        }
        _ => Err(format!("explanations.tsv:{}: not an explanation", index + 1)),
    });
    explanations.collect()
}

#[cfg(test)]
mod tests {
    use super::{Provenance, Purpose, read_explanations, read_recipes};

    #[test]
    fn reads_the_projects_own_table() {
        let recipes = read_recipes(include_str!("../../suites/recipes.tsv")).expect("recipes");
        assert!(recipes.iter().any(|recipe| recipe.purpose == Purpose::Execute && matches!(recipe.origin, Provenance::Package { .. })));
        assert!(recipes.iter().any(|recipe| matches!(&recipe.origin, Provenance::Repository(address) if address.contains('/'))));
    }

    #[test]
    fn names_the_line_that_is_wrong() {
        let explanations = read_explanations(include_str!("../../suites/explanations.tsv")).expect("explanations");
        assert!(explanations.values().all(|explanation| !explanation.difference.is_empty() && !explanation.reason.is_empty()));
        assert_eq!(read_explanations("a\tb\n"), Err("explanations.tsv:1: not an explanation".to_owned()));
        assert_eq!(read_recipes("# suite\na\tplay\tb\t-\t-\t-\tc\n"), Err("recipes.tsv:2: not a recipe".to_owned()));
    }
}
