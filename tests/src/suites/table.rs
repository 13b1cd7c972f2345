//! What came of the programs of other verifiers, as a report.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::expected::Expected;
use super::verdict::{Checked, Verdict};

/// A program of a suite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// Its suite.
    pub suite: String,
    /// Its path there.
    pub path: String,
    /// What the suite says.
    pub expected: Expected,
    /// What Goatherd says.
    pub verdict: Verdict,
    /// Why that is not what the suite says, where it is known.
    pub explanation: Option<String>,
}

impl Row {
    /// What comes out differently than the suite says, if that is not explained yet.
    pub fn difference(&self) -> Option<String> {
        let Verdict { word, reason, .. } = &self.verdict;
        let said = if reason.is_empty() { word.clone() } else { format!("{word}: {reason}") };
        (self.explanation.is_none() && self.expected.contradicts(word, reason)).then_some(said)
    }

    /// What is wrong with it: a verdict that the suite contradicts, an internal error, a claim that the checker does not accept.
    pub fn fault(&self) -> Option<String> {
        let Verdict { word, checked, .. } = &self.verdict;
        let what = match (word.as_str(), checked) {
            ("internal", _) => "an internal error".to_owned(),
            (_, Some(Checked::Rejected)) => format!("{word}, which the checker does not accept"),
            (_, Some(Checked::Unfinished)) => format!("{word}, which the checker had not decided when its time was over"),
            _ => format!("{}, where the suite says: {}", self.difference()?, self.expected),
        };
        Some(format!("{} {}: {what}", self.suite, self.path))
    }
}

/// Markdown: a line for each suite and for all, then what is wrong, and the reasons of what is not decided.
pub fn report(rows: &[Row]) -> String {
    let mut text =
        String::from("| suite | files | supported | proved | unsafe | unknown | wrong | median ms |\n|---|--:|--:|--:|--:|--:|--:|--:|\n");
    let suites: BTreeSet<&str> = rows.iter().map(|row| row.suite.as_str()).collect();
    for suite in suites.into_iter().map(Some).chain([None]) {
        let of_suite: Vec<&Row> = rows.iter().filter(|row| suite.is_none_or(|suite| row.suite == suite)).collect();
        let count = |word: &str| of_suite.iter().filter(|row| row.verdict.word == word).count();
        let (proved, refuted, refused) = (count("proved"), count("unsafe"), count("input"));
        let faults = of_suite.iter().filter(|row| row.fault().is_some()).count();
        let decided = of_suite.iter().filter(|row| ["proved", "unsafe"].contains(&row.verdict.word.as_str()));
        let mut times: Vec<u64> = decided.map(|row| row.verdict.milliseconds).collect();
        times.sort_unstable();
        let median = times.get(times.len() / 2).map_or_else(String::new, u64::to_string);
        let (files, supported) = (of_suite.len(), of_suite.len() - refused);
        let unknown = supported - proved - refuted;
        let name = suite.unwrap_or("all");
        let _ = writeln!(text, "| {name} | {files} | {supported} | {proved} | {refuted} | {unknown} | {faults} | {median} |");
    }
    let _ = writeln!(text);
    for fault in rows.iter().filter_map(Row::fault) {
        let _ = writeln!(text, "- WRONG {fault}");
    }
    for row in rows {
        if let Some(explanation) = &row.explanation {
            let _ = writeln!(
                text,
                "- explained {} {}: {}, where the suite says: {}: {explanation}",
                row.suite, row.path, row.verdict.word, row.expected
            );
        }
    }
    for (title, word) in [("Refused", "input"), ("Unknown", "unknown")] {
        let _ = writeln!(text, "\n{title}:\n");
        for (reason, (count, path)) in reasons(rows.iter().filter(|row| row.verdict.word == word)) {
            let _ = writeln!(text, "- {count}: {reason} (such as {path})");
        }
    }
    text
}

/// The reasons, the most frequent first, with a program; what stands in quotes or is a number is left out of them.
fn reasons<'a>(rows: impl Iterator<Item = &'a Row>) -> Vec<(String, (usize, &'a str))> {
    let mut counts: BTreeMap<String, (usize, &str)> = BTreeMap::new();
    for row in rows {
        let outside = row.verdict.reason.split('\'').step_by(2).collect::<Vec<_>>().join("'...'");
        let reason = outside.chars().filter(|character| !character.is_ascii_digit()).collect();
        counts.entry(reason).or_insert((0, &row.path)).0 += 1;
    }
    let mut sorted: Vec<_> = counts.into_iter().collect();
    sorted.sort_by_key(|(_, (count, _))| usize::MAX - count);
    sorted
}

#[cfg(test)]
mod tests {
    use super::{Row, report};
    use crate::suites::expected::Expected;
    use crate::suites::verdict::{Checked, Verdict};

    fn row(path: &str, expected: Expected, word: &str, checked: Option<Checked>) -> Row {
        let reason = format!("of '{path}' 12");
        let verdict = Verdict { word: word.to_owned(), reason, checked, milliseconds: 7 };
        Row { suite: "s".to_owned(), path: path.to_owned(), expected, verdict, explanation: None }
    }

    #[test]
    fn counts_suites_and_names_what_is_wrong() {
        let explained = Row { explanation: Some("it is".to_owned()), ..row("g.c", Expected::Unsafe, "proved", Some(Checked::Accepted)) };
        let rows = [
            row("a.c", Expected::Safe, "proved", Some(Checked::Accepted)),
            row("b.c", Expected::Unsafe, "proved", Some(Checked::Accepted)),
            row("c.c", Expected::Unstated, "unsafe", Some(Checked::Rejected)),
            row("d.c", Expected::Safe, "unknown", None),
            row("e.c", Expected::Safe, "unknown", None),
            row("f.c", Expected::Safe, "input", None),
            explained,
            row("h.c", Expected::Safe, "proved", Some(Checked::Unfinished)),
        ];
        let text = report(&rows);
        assert!(text.contains("| s | 8 | 7 | 4 | 1 | 2 | 3 | 7 |\n| all | 8 | 7 | 4 | 1 | 2 | 3 | 7 |"), "{text}");
        assert!(text.contains("- WRONG s b.c: proved") && text.contains("- WRONG s c.c: unsafe, which the checker"), "{text}");
        assert!(text.contains("- WRONG s h.c: proved, which the checker had not decided"), "{text}");
        assert!(text.contains("- explained s g.c: proved, where the suite says: unsafe: it is"), "{text}");
        assert!(text.contains("- 2: of '...'  (such as d.c)"), "{text}");
    }
}
