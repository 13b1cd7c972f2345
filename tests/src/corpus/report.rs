//! The report of `make bench-corpus`: Markdown, and the same figures as JSON.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::cactus::Curve;
use super::instance::Instance;
use super::program::{Program, Role};
use super::record::Record;
use super::summary::{kibibytes, summarize};

/// What running a program on all small inputs showed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Confirmation {
    /// No run fails.
    NeverFails(String),
    /// This one does.
    Fails(String),
    /// Nothing, for this reason.
    Nothing(String),
}

/// All that is known of one program.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The program.
    pub program: Program,
    /// Where its functions stand: name, package and version, file and lines.
    pub places: Vec<String>,
    /// What proving and checking it gave.
    pub record: Record,
    /// What concrete runs showed, where it was run.
    pub confirmation: Option<Confirmation>,
}

impl Entry {
    /// Whether a concrete run contradicts what is expected.
    pub fn is_contradicted(&self) -> bool {
        self.program.is_good() && matches!(self.confirmation, Some(Confirmation::Fails(_)))
    }

    /// Whether a concrete run has shown what is expected: a failure, or on all small inputs none.
    pub fn is_confirmed(&self) -> bool {
        match (&self.confirmation, self.program.is_good()) {
            (Some(Confirmation::NeverFails(_)), good) => good,
            (Some(Confirmation::Fails(_)), good) => !good,
            _ => !self.program.is_good() && self.record.shown == Some(true),
        }
    }

    fn run(&self) -> &str {
        match (&self.confirmation, self.record.shown) {
            (Some(Confirmation::NeverFails(_)), _) if self.program.is_good() => "never fails",
            (Some(Confirmation::Fails(_)), Some(true)) => "fails; counterexample shown",
            (Some(Confirmation::Fails(_)), _) => "fails",
            (_, Some(true)) => "counterexample shown",
            _ => "-",
        }
    }
}

/// What is reported.
#[derive(Debug, Clone)]
pub struct Report {
    /// All programs, in the order of their names.
    pub entries: Vec<Entry>,
    /// Instances without a program: there is no harness, or a function of it could not be had.
    pub without: Vec<Instance>,
    /// Why a program is not decided as expected, by its name, or by the class of many.
    pub explanations: BTreeMap<String, String>,
    /// How it was measured.
    pub conditions: String,
}

impl Report {
    fn of(&self, role: Role) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(move |entry| entry.program.role == role)
    }

    /// What makes the command fail: wrong verdicts, and runs that contradict an expectation.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for Entry { program, record, .. } in self.entries.iter().filter(|entry| entry.record.is_wrong(&entry.program)) {
            let expected = if program.is_good() { "proved" } else { "unsafe" };
            let checked = record.checked.map_or_else(|| "not at all".to_owned(), |code| format!("with exit code {code}"));
            faults.push(format!("{}: expected {expected}; the verdict is {}, checked {checked}", program.name, record.verdict));
        }
        for entry in self.entries.iter().filter(|entry| entry.is_contradicted()) {
            faults.push(format!("{}: it is said to hold, and a run of it fails", entry.program.name));
        }
        faults
    }

    /// The curves of the cactus plot: what was proved and what was refuted, by proving time.
    pub fn curves(&self) -> Vec<Curve> {
        let curve = |name: &str, good: bool| {
            let solved = self.entries.iter().filter(|entry| entry.program.is_good() == good && entry.record.is_expected(&entry.program));
            let times: Vec<f64> = solved.map(|entry| entry.record.prove_ms).collect();
            Curve { name: format!("{name} ({})", times.len()), times }
        };
        vec![curve("proved", true), curve("refuted: buggy twins and false instances", false)]
    }

    /// All figures.
    pub fn json(&self) -> Value {
        let entries: Vec<Value> = self.entries.iter().map(json_of).collect();
        let without: Vec<&str> = self.without.iter().map(|instance| instance.id.as_str()).collect();
        json!({ "conditions": self.conditions, "programs": entries, "without_program": without, "faults": self.faults() })
    }

    /// The report for people.
    pub fn markdown(&self) -> String {
        let mut text = format!("# Real functions\n\n{}\n\n", self.conditions);
        summarize(self, &mut text);
        self.misses(&mut text);
        self.counterexamples(&mut text);
        text.push_str("## Instances\n\n");
        table(&mut text, self.of(Role::Instance));
        text.push_str("## Buggy twins\n\n");
        table(&mut text, self.of(Role::Twin));
        self.functions(&mut text);
        text
    }

    /// The classes that there are instances of, in the order of their names.
    pub(super) fn classes(&self) -> BTreeSet<&str> {
        let of_programs = self.entries.iter().map(|entry| entry.program.instance.class.as_str());
        of_programs.chain(self.without.iter().map(|instance| instance.class.as_str())).collect()
    }

    fn misses(&self, text: &mut String) {
        let missed = self.entries.iter().filter(|entry| !entry.record.is_expected(&entry.program));
        // What one reason explains for a whole class is counted, unless the verdict is wrong.
        let (of_class, missed): (Vec<&Entry>, Vec<&Entry>) = missed.partition(|entry| {
            let Program { name, instance, .. } = &entry.program;
            !entry.record.is_wrong(&entry.program)
                && !self.explanations.contains_key(name)
                && self.explanations.contains_key(&instance.class)
        });
        text.push_str("## Not decided as expected\n\n");
        if missed.is_empty() && of_class.is_empty() && self.without.is_empty() {
            text.push_str("None.\n\n");
            return;
        }
        text.push_str("| program | verdict | why |\n|---|---|---|\n");
        for class in self.classes() {
            let mut verdicts: BTreeMap<&str, usize> = BTreeMap::new();
            for entry in of_class.iter().filter(|entry| entry.program.instance.class == class) {
                *verdicts.entry(&entry.record.verdict).or_default() += 1;
            }
            for (verdict, count) in verdicts {
                let _ = writeln!(text, "| {count} of class {class} | {verdict} | {} |", cell(&self.explanations[class]));
            }
        }
        for Entry { program, record, .. } in missed {
            let explained = self.explanations.get(&program.name).or(record.reason.as_ref());
            let why = explained.map_or(program.instance.note.as_str(), String::as_str);
            let verdict = if record.is_wrong(program) { format!("**{} (wrong)**", record.verdict) } else { record.verdict.clone() };
            let _ = writeln!(text, "| {} | {verdict} | {} |", program.name, cell(why));
        }
        let (explained, others): (Vec<&Instance>, _) =
            self.without.iter().partition(|instance| self.explanations.contains_key(&instance.id));
        for instance in explained {
            let _ = writeln!(text, "| {} | no program | {} |", instance.id, cell(&self.explanations[&instance.id]));
        }
        if !others.is_empty() {
            let names: Vec<&str> = others.iter().map(|instance| instance.id.as_str()).collect();
            let _ = writeln!(text, "\nWithout a program, for want of a harness or of a function: {}.", names.join(", "));
        }
        text.push('\n');
    }

    fn counterexamples(&self, text: &mut String) {
        text.push_str("## What does not hold\n\n| instance | property | why not | what fails in the counterexample |\n|---|---|---|---|\n");
        for Entry { program, record, .. } in self.of(Role::Instance).filter(|entry| !entry.program.instance.holds) {
            let Instance { id, property, note, .. } = &program.instance;
            let failure = record.failure.as_deref().unwrap_or(&record.verdict);
            let _ = writeln!(text, "| {id} | {} | {} | {} |", cell(property), cell(note), cell(failure));
        }
        text.push('\n');
    }

    fn functions(&self, text: &mut String) {
        text.push_str("## Functions\n\n| instance | kind | function: package=version, file:lines |\n|---|---|---|\n");
        for Entry { program, places, .. } in self.of(Role::Instance) {
            let _ = writeln!(text, "| {} | {} | {} |", program.name, program.instance.kind, places.join("<br>"));
        }
    }
}

fn table<'a>(text: &mut String, entries: impl Iterator<Item = &'a Entry>) {
    text.push_str(
        "| program | class | verdict | expected | k | strategy | prove ms | check ms | check : prove | certificate KiB | peak MiB | vacuity excluded | small inputs |\n\
         |---|---|---|---|--:|---|--:|--:|--:|--:|--:|---|---|\n",
    );
    let or_dash = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
    for entry in entries {
        let Entry { program, record, .. } = entry;
        let expected = if program.is_good() { "proved" } else { "unsafe" };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {expected} | {} | {} | {:.1} | {} | {} | {} | {:.1} | {} | {} |",
            program.name,
            program.instance.class,
            if record.is_expected(program) { record.verdict.clone() } else { format!("**{}**", record.verdict) },
            or_dash(record.k.map(|k| k.to_string())),
            record.strategy.as_deref().map_or("-", beyond_k),
            record.prove_ms,
            or_dash(record.check_ms.map(|check| format!("{check:.1}"))),
            or_dash(record.ratio().map(|ratio| format!("{:.0}%", ratio * 100.0))),
            or_dash(record.certificate_bytes.map(|bytes| format!("{:.1}", kibibytes(bytes)))),
            kibibytes(record.prove_peak_bytes) / 1024.0,
            or_dash(record.vacuity_excluded.map(|excluded| if excluded { "yes" } else { "no" }.to_owned())),
            entry.run(),
        );
    }
    text.push('\n');
}

fn json_of(entry: &Entry) -> Value {
    let Entry { program, places, record, confirmation } = entry;
    let Instance { id, class, kind, property, note, .. } = &program.instance;
    json!({
        "name": program.name,
        "instance": id,
        "class": class,
        "kind": kind,
        "property": property,
        "note": note,
        "functions": places,
        "buggy_twin": program.role == Role::Twin,
        "expected": if program.is_good() { "proved" } else { "unsafe" },
        "as_expected": record.is_expected(program),
        "wrong": record.is_wrong(program),
        "result": record,
        "check_to_prove": record.ratio(),
        "small_inputs": confirmation,
        "confirmed": entry.is_confirmed(),
    })
}

/// What a strategy does beside keeping k elements concrete, `k = 1, loops down`.
fn beyond_k(strategy: &str) -> &str {
    strategy.split_once(", ").map_or("plain", |(_, rest)| rest)
}

/// A text in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;").replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::{Confirmation, Entry, Report};
    use crate::corpus::instance::{Instance, read_instances};
    use crate::corpus::program::{Program, Role};
    use crate::corpus::record::Record;
    use std::collections::BTreeMap;

    fn entry(expected: &str, role: Role, verdict: &str, checked: Option<i32>) -> Entry {
        let row = format!("header\nstr-f\tstring\tmemsafe\tf\t{expected}\tf is safe.\t\n");
        let instance: Instance = read_instances(&row).expect("a good row").remove(0);
        let record = Record {
            verdict: verdict.into(),
            checked,
            k: None,
            strategy: None,
            prove_ms: 10.0,
            check_ms: checked.map(|_| 1.0),
            certificate_bytes: None,
            prove_peak_bytes: 1 << 20,
            check_peak_bytes: None,
            vacuity_excluded: None,
            failure: None,
            shown: None,
            reason: None,
        };
        let program = Program { name: "str-f".into(), file: "str-f.c".into(), instance, role };
        Entry { program, places: Vec::new(), record, confirmation: None }
    }

    fn report(entry: Entry) -> Report {
        Report { entries: vec![entry], without: Vec::new(), explanations: BTreeMap::new(), conditions: String::new() }
    }

    #[test]
    fn any_wrong_verdict_is_a_fault() {
        for (expected, role, verdict, checked, faults) in [
            ("true", Role::Instance, "proved", Some(0), 0),
            ("true", Role::Instance, "unknown", None, 0),
            ("true", Role::Instance, "unsafe", Some(4), 1),
            ("true", Role::Instance, "proved", Some(1), 1),
            ("true", Role::Instance, "proved", None, 1),
            ("false", Role::Instance, "proved", Some(0), 1),
            ("false", Role::Instance, "unsafe", Some(4), 0),
            ("true", Role::Twin, "proved", Some(0), 1),
            ("true", Role::Twin, "unsafe", Some(4), 0),
            ("true", Role::Twin, "killed", None, 0),
        ] {
            assert_eq!(report(entry(expected, role, verdict, checked)).faults().len(), faults, "{expected} {role:?} {verdict} {checked:?}");
        }
    }

    #[test]
    fn a_failing_run_of_a_good_program_is_a_fault() {
        let mut entry = entry("true", Role::Instance, "unknown", None);
        entry.confirmation = Some(Confirmation::Fails("on a = {0}".into()));
        assert_eq!(report(entry).faults().len(), 1);
    }

    #[test]
    fn a_miss_has_its_explanation() {
        let mut report = report(entry("true", Role::Instance, "unknown", None));
        report.explanations.insert("str-f".into(), "the search ends".into());
        assert!(report.markdown().contains("| str-f | unknown | the search ends |"));
    }

    #[test]
    fn misses_of_a_class_have_one_explanation() {
        let mut report = report(entry("true", Role::Instance, "unknown", None));
        report.explanations.insert("string".into(), "no strings yet".into());
        assert!(report.markdown().contains("| 1 of class string | unknown | no strings yet |"));
        report.entries[0].record.verdict = "unsafe".into();
        report.entries[0].record.checked = Some(4);
        assert!(report.markdown().contains("| str-f | **unsafe (wrong)** |"));
    }

    #[test]
    fn each_class_has_a_column() {
        let mut report = report(entry("true", Role::Instance, "proved", Some(0)));
        let mut list = entry("true", Role::Instance, "unknown", None);
        list.program.instance.class = "list".into();
        report.entries.push(list);
        let text = report.markdown();
        assert!(text.contains("| | list | string | all | aim |"), "{text}");
        assert!(text.contains("| of these that hold: proved | 0 of 1 (0%) | 1 of 1 (100%) | 1 of 2 (50%) |"), "{text}");
    }
}
