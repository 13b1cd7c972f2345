//! What suites of other verifiers say of their programs, which need not be the truth.

use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::description;

/// How a suite says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Oracle {
    /// Predator's: what it prints, in `NAME.err`, `NAME.err.uninit` and `NAME.err.exit_leaks`.
    Predator,
    /// Forester's, in `NAME.err`.
    Forester,
    /// Of the competition on software verification: `NAME.yml`, else the file's name.
    Tasks,
    /// Of ESBMC and CBMC: `test.desc` in the program's folder.
    Descriptions,
}

impl Oracle {
    /// Is the file a program of the suite, and no part of one?
    pub fn is_program(self, file: &Path) -> bool {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        self != Self::Descriptions || description_beside(file).is_some_and(|text| description::is_about(&text, &name))
    }
}

/// What a suite says of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Expected {
    /// No run fails.
    Safe,
    /// No run fails where what was never set has some value.
    SafeIfInitialised,
    /// No run fails, but memory is lost.
    Leaking,
    /// A run fails.
    Unsafe,
    /// A value is used that was never stored; else it is safe.
    Uninitialised,
    /// Nothing.
    Unstated,
}

impl fmt::Display for Expected {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Safe => "safe",
            Self::SafeIfInitialised => "safe, whatever was never set",
            Self::Leaking => "safe, leaking",
            Self::Unsafe => "unsafe",
            Self::Uninitialised => "uninitialised",
            Self::Unstated => "not stated",
        })
    }
}

impl Expected {
    /// Does a verdict, with its reason, contradict it? Leaks are not looked for, so that a program that leaks is safe.
    pub fn contradicts(self, verdict: &str, reason: &str) -> bool {
        match (self, verdict) {
            (Self::Safe | Self::Leaking, "unsafe") | (Self::Unsafe | Self::Uninitialised, "proved") => true,
            (Self::SafeIfInitialised, "unsafe") => !reason.starts_with("uninitialised value used"),
            _ => false,
        }
    }
}

/// What the suite says of the program in this file.
pub fn expected(oracle: Oracle, file: &Path) -> Expected {
    // What is no UTF-8 in a program's output is not what is looked for; a file that is not there says nothing.
    let beside =
        |extension: &str| std::fs::read(file.with_extension(extension)).ok().map(|text| String::from_utf8_lossy(&text).into_owned());
    match oracle {
        Oracle::Predator => beside("err").map_or(Expected::Unstated, |said| {
            of_predator(&said, &beside("err.uninit").unwrap_or_default(), &beside("err.exit_leaks").unwrap_or_default())
        }),
        Oracle::Forester => beside("err").map_or(Expected::Unstated, |said| of_forester(&said)),
        Oracle::Tasks => {
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            beside("yml").and_then(|text| of_task(&text)).unwrap_or_else(|| of_name(&name))
        }
        Oracle::Descriptions => description_beside(file).map_or(Expected::Unstated, |text| description::expected(&text)),
    }
}

fn description_beside(file: &Path) -> Option<String> {
    std::fs::read(file.with_file_name("test.desc")).ok().map(|text| String::from_utf8_lossy(&text).into_owned())
}

fn of_predator(said: &str, on_uninitialised: &str, on_leaks: &str) -> Expected {
    if said.contains(": error: ") || on_uninitialised.contains(": error: ") {
        Expected::Unsafe
    } else if on_uninitialised.contains("uninitialized") {
        Expected::Uninitialised
    } else if said.contains("memory leak") || on_leaks.contains("memory leak") {
        Expected::Leaking
    } else {
        Expected::Safe
    }
}

fn of_forester(said: &str) -> Expected {
    let fails = ["dereferenced value is not", "negative size", "size mismatch", "free (", "invalid free"];
    if fails.iter().any(|words| said.contains(words)) {
        Expected::Unsafe
    } else if said.contains("garbage detected") {
        Expected::Leaking
    } else {
        Expected::Safe
    }
}

/// A task's properties, of those that a proof is about: pairs of lines `property_file: FILE`, `expected_verdict: true` or `false`, and
/// perhaps `subproperty: NAME`.
fn of_task(text: &str) -> Option<Expected> {
    let mut found = None;
    let mut lines = text.lines().map(|line| line.trim().trim_start_matches("- ")).peekable();
    while let Some(line) = lines.next() {
        let Some(property) = line.strip_prefix("property_file:") else { continue };
        let Some(verdict) = lines.next_if(|line| line.starts_with("expected_verdict:")) else { continue };
        let part = lines.next_if(|line| line.starts_with("subproperty:")).unwrap_or_default();
        if ["termination", "coverage", "no-overflow", "data-race"].iter().any(|other| property.contains(other)) {
            continue;
        }
        let of_this = match () {
            () if verdict.ends_with("true") => Expected::Safe,
            () if part.contains("memtrack") || property.contains("memcleanup") => Expected::Leaking,
            () => Expected::Unsafe,
        };
        // The worst counts.
        found = found.max(Some(of_this));
    }
    found
}

/// Older tasks say it in their names: `NAME_true-unreach-call.c`, `NAME_false-valid-memtrack.c`, `NAME_unsafe.c`.
fn of_name(name: &str) -> Expected {
    let is_leak = name.contains("memtrack") || name.contains("cleanup");
    if name.contains("_true-valid-") || name.contains("_true-unreach-") {
        Expected::Safe
    } else if name.contains("_false-valid-") || name.contains("_false-unreach-") || name.contains("unsafe") {
        if is_leak { Expected::Leaking } else { Expected::Unsafe }
    } else if name.contains("safe") {
        Expected::Safe
    } else {
        Expected::Unstated
    }
}

#[cfg(test)]
mod tests {
    use super::{Expected, of_forester, of_name, of_predator, of_task};

    #[test]
    fn reads_what_suites_say() {
        assert_eq!(of_predator("a.c:1: error: dereference of NULL value", "", ""), Expected::Unsafe);
        assert_eq!(of_predator("a.c:1: warning: x", "a.c: warning: use of an uninitialized value", ""), Expected::Uninitialised);
        assert_eq!(of_predator("", "", "a.c:9: warning: memory leak detected"), Expected::Leaking);
        assert_eq!(of_forester("error: garbage detected"), Expected::Leaking);
        assert_eq!(of_forester("dereferenced value is not a valid reference"), Expected::Unsafe);
        assert_eq!(of_name("list_false-valid-memtrack.i"), Expected::Leaking);
        assert_eq!(of_name("list_false-valid-deref.i"), Expected::Unsafe);
        assert_eq!(
            (of_name("list_true-unreach-call.c"), of_name("a_unsafe.c"), of_name("a.c")),
            (Expected::Safe, Expected::Unsafe, Expected::Unstated)
        );
    }

    #[test]
    fn the_worst_property_of_a_task_counts() {
        let task = "properties:\n  - property_file: ../properties/valid-memsafety.prp\n    expected_verdict: false\n    subproperty: valid-memtrack\n\
                    \x20 - property_file: ../properties/unreach-call.prp\n    expected_verdict: true\n\
                    \x20 - property_file: ../properties/termination.prp\n    expected_verdict: false\n";
        assert_eq!(of_task(task), Some(Expected::Leaking));
        assert_eq!(of_task("properties:\n  - property_file: termination.prp\n    expected_verdict: true\n"), None);
        assert!(Expected::Leaking.contradicts("unsafe", "") && Expected::Uninitialised.contradicts("proved", ""));
        assert!(!Expected::Unstated.contradicts("proved", "") && !Expected::Unsafe.contradicts("unknown", ""));
        let unset = "uninitialised value used at line 3";
        assert!(Expected::Safe.contradicts("unsafe", unset) && !Expected::SafeIfInitialised.contradicts("unsafe", unset));
        assert!(Expected::SafeIfInitialised.contradicts("unsafe", "null pointer used at line 3"));
    }
}
