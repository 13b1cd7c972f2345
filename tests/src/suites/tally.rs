//! What came of the programs of a suite, as a report.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

use super::execute::Judgement;

/// The judgements of one suite, by the names of its programs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// All of them.
    pub judgements: BTreeMap<String, Judgement>,
}

impl Tally {
    /// The programs for which the two worlds differ, with the reason.
    pub fn wrong(&self) -> impl Iterator<Item = (&str, &str)> {
        self.judgements.iter().filter_map(|(name, judgement)| match judgement {
            Judgement::Wrong(reason) => Some((name.as_str(), reason.as_str())),
            _ => None,
        })
    }

    /// How many programs were judged so.
    fn count(&self, is_meant: impl Fn(&Judgement) -> bool) -> usize {
        self.judgements.values().filter(|judgement| is_meant(judgement)).count()
    }

    /// How many programs the front end knows, the compiler too.
    fn known(&self) -> usize {
        self.count(|judgement| !matches!(judgement, Judgement::Refused(_) | Judgement::Unusable))
    }

    /// The reasons of those that are meant, the most frequent first, each with a program.
    fn reasons(&self, of: impl Fn(&Judgement) -> Option<&String>) -> Vec<(&str, usize, &str)> {
        let mut counts: BTreeMap<&str, (usize, &str)> = BTreeMap::new();
        for (name, judgement) in &self.judgements {
            if let Some(reason) = of(judgement) {
                counts.entry(reason).or_insert((0, name)).0 += 1;
            }
        }
        let mut sorted: Vec<_> = counts.into_iter().map(|(reason, (count, name))| (reason, count, name)).collect();
        sorted.sort_by_key(|(reason, count, _)| (usize::MAX - count, *reason));
        sorted
    }

    fn refusals(&self) -> Vec<(&str, usize, &str)> {
        self.reasons(|judgement| match judgement {
            Judgement::Refused(reason) => Some(reason),
            _ => None,
        })
    }

    fn others(&self) -> Vec<(&str, usize, &str)> {
        self.reasons(|judgement| match judgement {
            Judgement::Explained(reason) | Judgement::Undefined(reason) | Judgement::Undecided(reason) => Some(reason),
            _ => None,
        })
    }
}

/// All suites as Markdown: a table, then what is wrong, and the reasons for all else.
pub fn markdown(suites: &BTreeMap<String, Tally>) -> String {
    let mut text = String::from(
        "| suite | programs | in the subset | right | wrong | explained | undefined | undecided | refused | not built |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for (name, tally) in suites {
        let _ = writeln!(
            text,
            "| {name} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            tally.judgements.len(),
            tally.known(),
            tally.count(|judgement| *judgement == Judgement::Right),
            tally.count(|judgement| matches!(judgement, Judgement::Wrong(_))),
            tally.count(|judgement| matches!(judgement, Judgement::Explained(_))),
            tally.count(|judgement| matches!(judgement, Judgement::Undefined(_))),
            tally.count(|judgement| matches!(judgement, Judgement::Undecided(_))),
            tally.count(|judgement| matches!(judgement, Judgement::Refused(_))),
            tally.count(|judgement| *judgement == Judgement::Unusable),
        );
    }
    for (name, tally) in suites {
        let _ = writeln!(text, "\n## {name}");
        for (program, reason) in tally.wrong() {
            let _ = writeln!(text, "- WRONG {program}: {reason}");
        }
        for (title, reasons) in [("Explained, undefined or undecided", tally.others()), ("Refused", tally.refusals())] {
            if !reasons.is_empty() {
                let _ = writeln!(text, "\n{title}:\n");
            }
            for (reason, count, program) in reasons {
                let _ = writeln!(text, "- {count}: {reason} (such as {program})");
            }
        }
    }
    text
}

/// The same for programs: a judgement and a reason for each.
pub fn json(suites: &BTreeMap<String, Tally>) -> Value {
    let of_tally = |tally: &Tally| -> Value {
        let programs = tally.judgements.iter().map(|(name, judgement)| {
            let (word, reason) = match judgement {
                Judgement::Right => ("right", None),
                Judgement::Wrong(reason) => ("wrong", Some(reason)),
                Judgement::Explained(reason) => ("explained", Some(reason)),
                Judgement::Refused(reason) => ("refused", Some(reason)),
                Judgement::Undefined(reason) => ("undefined", Some(reason)),
                Judgement::Undecided(reason) => ("undecided", Some(reason)),
                Judgement::Unusable => ("not built", None),
            };
            (name.clone(), json!({ "judgement": word, "reason": reason }))
        });
        programs.collect::<serde_json::Map<_, _>>().into()
    };
    suites.iter().map(|(name, tally)| (name.clone(), of_tally(tally))).collect::<serde_json::Map<_, _>>().into()
}

#[cfg(test)]
mod tests {
    use super::{Tally, json, markdown};
    use crate::suites::execute::Judgement;
    use std::collections::BTreeMap;

    #[test]
    fn counts_and_names() {
        let judgements = [
            ("a", Judgement::Right),
            ("b", Judgement::Refused("unsupported: x".into())),
            ("c", Judgement::Refused("unsupported: x".into())),
            ("d", Judgement::Wrong("line 3: false assertion".into())),
        ];
        let tally = Tally { judgements: judgements.map(|(name, judgement)| (name.to_owned(), judgement)).into() };
        let suites = BTreeMap::from([("s".to_owned(), tally)]);
        let text = markdown(&suites);
        assert!(text.contains("| s | 4 | 2 | 1 | 1 | 0 | 0 | 0 | 2 | 0 |"), "{text}");
        assert!(text.contains("- WRONG d: line 3: false assertion") && text.contains("- 2: unsupported: x (such as b)"), "{text}");
        assert_eq!(json(&suites)["s"]["d"]["judgement"], "wrong");
    }
}
