//! `--depfile`: which files were read, as a rule for make and ninja, so that they prove again when a header changes.

use goatherd_frontend::source::Dependency;
use std::{fmt::Write, path::Path};

/// A rule whose target is the certificate, and one without anything for each file but the first, so that a header may be removed:
///
/// ```text
/// strcpy.goat: strcpy.c \
///  str.h
/// str.h:
/// ```
pub fn rule(target: &Path, dependencies: &[Dependency]) -> String {
    let names: Vec<String> = dependencies.iter().map(|dependency| word(&dependency.path)).collect();
    let mut text = format!("{}: {}\n", word(&target.to_string_lossy()), names.join(" \\\n "));
    for name in names.iter().skip(1) {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{name}:");
    }
    text
}

/// A name as make and ninja read it.
fn word(name: &str) -> String {
    let mut word = String::new();
    for character in name.chars() {
        match character {
            '$' => word.push('$'),
            ' ' | '#' => word.push('\\'),
            _ => {}
        }
        word.push(character);
    }
    word
}

#[cfg(test)]
mod tests {
    use super::{Dependency, Path, rule};

    #[test]
    fn names_are_quoted_as_make_reads_them() {
        let dependency = |path: &str| Dependency { path: path.to_owned(), digest: None };
        let text = rule(Path::new("a b.goat"), &[dependency("a b.c"), dependency("x$y#z.h")]);
        assert_eq!(text, "a\\ b.goat: a\\ b.c \\\n x$$y\\#z.h\nx$$y\\#z.h:\n");
    }
}
