//! What the tests of ESBMC and CBMC say: `test.desc`, beside the program.
//!
//! ```text
//! CORE
//! main.c
//! --unwind 6 --no-slice
//! ^VERIFICATION SUCCESSFUL$
//! ```
//!
//! What is expected holds under the options: of a test with options that change what is asked it says nothing here.

use super::expected::Expected;

/// Kinds of tests whose expected verdict is not what comes out, or will.
const NOT_MEANT: [&str; 2] = ["FUTURE", "KNOWNBUG"];

/// Options of the search, which change nothing of the truth.
const OF_SEARCH: [&str; 18] = [
    "--64",
    "--bitwuzla",
    "--boolector",
    "--bv",
    "--cvc",
    "--falsification",
    "--floatbv",
    "--force-malloc-success",
    "--incremental-bmc",
    "--interval-analysis",
    "--k-induction",
    "--k-step",
    "--max-k-step",
    "--no-simplify",
    "--no-slice",
    "--parallel-solving",
    "--yices",
    "--z3",
];

/// Options that ask for more: what holds with them holds without.
const STRICTER: [&str; 6] =
    ["--memory-leak-check", "--nan-check", "--overflow-check", "--ub-shift-check", "--unsigned-overflow-check", "--unwind"];

/// Is this the program that the description is about?
pub fn is_about(description: &str, name: &str) -> bool {
    description.lines().nth(1).and_then(|files| files.split_whitespace().next()) == Some(name)
}

/// What it says of the program.
pub fn expected(description: &str) -> Expected {
    let mut lines = description.lines();
    let (Some(kind), Some(_), Some(options)) = (lines.next(), lines.next(), lines.next()) else { return Expected::Unstated };
    // Numbers belong to the options before them, and warnings are the compiler's.
    let is_among = |known: &[&str]| {
        let is_known = |word: &str| known.contains(&word) || word.starts_with("-W") || word.bytes().all(|byte| byte.is_ascii_digit());
        options.split_whitespace().all(is_known)
    };
    let rest: Vec<&str> = lines.collect();
    let says = |words: &str| rest.iter().any(|line| line.contains(words));
    match () {
        () if NOT_MEANT.contains(&kind.trim()) => Expected::Unstated,
        () if says("VERIFICATION SUCCESSFUL") && is_among(&[&OF_SEARCH[..], &STRICTER].concat()) => Expected::SafeIfInitialised,
        () if says("VERIFICATION FAILED") && is_among(&OF_SEARCH) => Expected::Unsafe,
        () => Expected::Unstated,
    }
}

#[cfg(test)]
mod tests {
    use super::{expected, is_about};
    use crate::suites::expected::Expected;

    fn said(kind: &str, options: &str, result: &str) -> Expected {
        expected(&format!("{kind}\nmain.c\n{options}\n^VERIFICATION {result}$\n"))
    }

    #[test]
    fn what_is_expected_holds_under_the_options() {
        assert_eq!(said("CORE", "--unwind 6 --no-slice", "SUCCESSFUL"), Expected::SafeIfInitialised);
        assert_eq!(said("THOROUGH", "--incremental-bmc -Wno-error=x", "FAILED"), Expected::Unsafe);
        assert_eq!(said("CORE", "--overflow-check", "SUCCESSFUL"), Expected::SafeIfInitialised);
        for options in ["--overflow-check", "--unwind 6", "--32", "--no-bounds-check --z3"] {
            assert_eq!(said("CORE", options, "FAILED"), Expected::Unstated, "{options}");
        }
        assert_eq!(said("CORE", "--no-bounds-check", "SUCCESSFUL"), Expected::Unstated);
        assert_eq!(said("KNOWNBUG", "", "SUCCESSFUL"), Expected::Unstated);
        assert_eq!(expected("CORE\nmain.c\n"), Expected::Unstated);
        assert!(is_about("CORE\nmain.c other.c\n\n", "main.c") && !is_about("CORE\nmain.c\n\n", "other.c"));
    }
}
