//! The totals of the report, by class.

use std::fmt::Write as _;

use super::instance::Instance;
use super::program::Role;
use super::record::Record;
use super::report::{Entry, Report};

/// What is totalled, and the aim.
const ROWS: [(&str, &str); 12] = [
    ("instances decided as expected", "at least 95%, of trees 90%"),
    ("of these that hold: proved", ""),
    ("of these that do not hold: refuted", ""),
    ("buggy twins refuted", "none proved"),
    ("wrong verdicts", "0"),
    ("expectations confirmed by concrete runs", "all"),
    ("proofs that may be vacuous", "0"),
    ("instances without a program", "0"),
    ("prove, ms (instances decided as expected): median, most", "median below 100, of trees 500, at most 20000"),
    ("check, ms: median, most", "median below 5, at most 20, of lists and trees 50"),
    ("check : prove, %: median, most", ""),
    ("certificate, KiB: median, most", ""),
];

/// One class of instances, or all, in the summary.
struct Column<'a> {
    name: &'a str,
    entries: Vec<&'a Entry>,
    /// Instances without a program.
    without: usize,
}

impl<'a> Column<'a> {
    fn of(report: &'a Report, class: Option<&'a str>) -> Self {
        let belongs = |instance: &Instance| class.is_none_or(|class| instance.class == class);
        Self {
            name: class.unwrap_or("all"),
            entries: report.entries.iter().filter(|entry| belongs(&entry.program.instance)).collect(),
            without: report.without.iter().filter(|instance| belongs(instance)).count(),
        }
    }

    fn role(&self, role: Role) -> Vec<&Entry> {
        self.entries.iter().copied().filter(|entry| entry.program.role == role).collect()
    }

    fn instances(&self, holding: bool) -> Vec<&Entry> {
        self.role(Role::Instance).into_iter().filter(|entry| entry.program.instance.holds == holding).collect()
    }

    /// What stands in the rows.
    fn figures(&self) -> [String; ROWS.len()] {
        let count = |is_counted: fn(&Entry) -> bool| self.entries.iter().filter(|entry| is_counted(entry)).count();
        [
            share(&self.role(Role::Instance)),
            share(&self.instances(true)),
            share(&self.instances(false)),
            share(&self.role(Role::Twin)),
            count(|entry| entry.record.is_wrong(&entry.program) || entry.is_contradicted()).to_string(),
            format!("{} of {}", count(Entry::is_confirmed), self.entries.len()),
            count(|entry| entry.record.vacuity_excluded == Some(false)).to_string(),
            self.without.to_string(),
            self.spread(|record| Some(record.prove_ms)),
            self.spread(|record| record.check_ms),
            self.spread(|record| record.ratio().map(|ratio| ratio * 100.0)),
            self.spread(|record| record.certificate_bytes.map(kibibytes)),
        ]
    }

    /// Median and most of a figure of the instances decided as expected.
    fn spread(&self, figure: impl Fn(&Record) -> Option<f64>) -> String {
        let solved = self.role(Role::Instance).into_iter().filter(|entry| entry.record.is_expected(&entry.program));
        let values: Vec<f64> = solved.filter_map(|entry| figure(&entry.record)).collect();
        if values.is_empty() {
            return "-".to_owned();
        }
        let (median, most) = median_and_most(values);
        format!("{median:.1}, {most:.1}")
    }
}

/// How many are decided as expected.
fn share(entries: &[&Entry]) -> String {
    let expected = entries.iter().filter(|entry| entry.record.is_expected(&entry.program)).count();
    format!("{expected} of {} ({:.0}%)", entries.len(), percentage(expected, entries.len()))
}

/// Adds the table of totals, with one column for each class and one for all.
pub(super) fn summarize(report: &Report, text: &mut String) {
    let mut columns: Vec<Column> = report.classes().into_iter().map(|class| Column::of(report, Some(class))).collect();
    if columns.len() != 1 {
        columns.push(Column::of(report, None));
    }
    let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
    let _ = writeln!(text, "| | {} | aim |\n|---|{}---|", names.join(" | "), "--:|".repeat(columns.len()));
    let figures: Vec<[String; ROWS.len()]> = columns.iter().map(Column::figures).collect();
    for (row, (what, aim)) in ROWS.iter().enumerate() {
        let figures: Vec<&str> = figures.iter().map(|figures| figures[row].as_str()).collect();
        let _ = writeln!(text, "| {what} | {} | {aim} |", figures.join(" | "));
    }
    text.push('\n');
}

fn median_and_most(mut values: Vec<f64>) -> (f64, f64) {
    values.sort_by(f64::total_cmp);
    let median = values.get(values.len() / 2).copied().unwrap_or_default();
    (median, values.last().copied().unwrap_or_default())
}

pub(super) fn kibibytes(bytes: u64) -> f64 {
    f64::from(u32::try_from(bytes).unwrap_or(u32::MAX)) / 1024.0
}

fn percentage(part: usize, whole: usize) -> f64 {
    let number = |count: usize| u32::try_from(count).map_or(f64::MAX, f64::from);
    if whole == 0 { 0.0 } else { 100.0 * number(part) / number(whole) }
}
