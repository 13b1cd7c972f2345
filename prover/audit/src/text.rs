//! What has been found out of checks, in lines.

use crate::{
    argument::{Argument, Fact, Inference},
    checks::{Because, Blamed, Check, Taken, Visit, WayToFail},
};
use goatherd_frontend::print::Page;

/// What is written in these texts, and what it means.
const NOTATION: [(&str, &str); 7] = [
    ("'", "i' is what the first scapegoat's i holds, i'' the second's; without a mark it is the run at hand"),
    ("%", "%1: a value in between, as `goatherd lower` and `goatherd-check --print` show it"),
    (" - ", "p - s is the index in s of the element that p points to"),
    ("len(", "len(s): how many elements s has"),
    ("@", "i@24: what i held when its run was last at line 24, where it has changed since"),
    ("rest(", "rest(s[i]): s[i], unless i is below the number of elements that stand apart, or negative"),
    ("rounds", "rounds: how many nondeterministic values and rounds of loops a run has consumed"),
];

/// The checks of a line.
pub fn checks(place: &str, source: Option<&str>, checks: &[Check]) -> String {
    let mut page = Page::default();
    page.line(0, place);
    if let Some(source) = source {
        page.line(2, source.trim());
    }
    page.line(0, "");
    if checks.is_empty() {
        page.line(1, "Nothing is checked on this line.");
    }
    for check in checks {
        write_check(check, &mut page);
    }
    let body = page.text.clone();
    let used: Vec<_> = NOTATION.iter().filter(|(sign, _)| has(&body, sign)).collect();
    if !used.is_empty() {
        page.line(0, "How to read this");
        for (_, words) in used {
            page.line(1, words);
        }
    }
    page.text
}

/// Does a sign occur in formulas?
fn has(text: &str, sign: &str) -> bool {
    match sign {
        "'" => text.contains('\''),
        "@" => text.split('@').skip(1).any(|rest| rest.starts_with(|character: char| character.is_ascii_digit())),
        sign => text.contains(sign),
    }
}

fn write_check(check: &Check, page: &mut Page) {
    let Check { line, column, kind, instruction, visits, omitted, .. } = check;
    page.line(0, format!("{} at {line}:{column}: {instruction}", kind.name()));
    if visits.is_empty() {
        page.line(1, "The proof never comes here: whatever would lead here is excluded before, or is taken care of by a smaller run.");
    }
    // What is told of several visits is told once.
    let mut told: Vec<usize> = Vec::new();
    for (number, visit) in visits.iter().enumerate() {
        if told.contains(&number) {
            continue;
        }
        let is_alike = |other: &Visit| (&other.state, &other.failures) == (&visit.state, &visit.failures);
        let alike: Vec<usize> = (number..visits.len()).filter(|other| is_alike(&visits[*other])).collect();
        for other in &alike {
            page.line(1, format!("{}. {}", other + 1, visits[*other].herd));
        }
        told.extend(alike);
        write_visit(visit, page);
    }
    if *omitted > 0 {
        page.line(1, format!("and {omitted} times more (--all)"));
    }
    page.line(0, "");
}

fn write_visit(Visit { state, failures, .. }: &Visit, page: &mut Page) {
    if !state.is_empty() {
        page.line(2, format!("Here {}.", state.join("; ")));
    }
    if failures.is_empty() {
        page.line(2, "So it cannot fail: that follows from what these values are.");
    }
    for WayToFail { supposed, because } in failures {
        let supposed = if supposed.is_empty() { String::from("it fails") } else { format!("it fails: {}", supposed.join(" and ")) };
        page.line(2, format!("Suppose {supposed}."));
        for because in because {
            write_because(because, page);
        }
    }
}

fn write_because(because: &Because, page: &mut Page) {
    match because {
        Because::Refuted(argument) => write_argument(3, argument, page),
        Because::Blame(blame) => {
            write_blame(blame, page);
            page.line(
                3,
                format!(
                    "At {} scapegoat {} fails: a smaller run that fails. So no smallest failing run fails here, and none does.",
                    blame.fails, blame.scapegoat
                ),
            );
        }
        Because::Twin(blame) => {
            write_blame(blame, page);
            page.line(3, format!("At {} scapegoat {} has come to the same state as the run at hand, as far as the rest of the program can tell: if this fails, so does that smaller run.", blame.fails, blame.scapegoat));
        }
        Because::Covered(template) => page.line(3, format!("What is known then is what is known of herd {template}, where it goes on.")),
    }
}

fn write_blame(Blamed { scapegoat, smaller, steps, .. }: &Blamed, page: &mut Page) {
    page.line(3, format!("Scapegoat {scapegoat} takes the blame. Its run is smaller: {}.", smaller.join("; or ")));
    for Taken { place, way, known, arguments } in steps {
        let (way, known) = (way.join(" and "), known.join(" and "));
        let same = if way == known { String::new() } else { format!(", that is {known}") };
        let end = if arguments.is_empty() { ", as is known." } else { ", since otherwise:" };
        page.line(3, format!("At {place} it goes where {way}{same}{end}"));
        for argument in arguments {
            write_argument(4, argument, page);
        }
    }
}

fn write_argument(level: usize, Argument { supposed, facts, steps }: &Argument, page: &mut Page) {
    if level > 3 && !supposed.is_empty() {
        page.line(level, format!("suppose {}", supposed.join(" and ")));
    }
    let longest = facts.iter().map(|fact| fact.fact.chars().count()).chain(steps.iter().map(|step| step.fact.chars().count())).max();
    let width = longest.unwrap_or(0).min(40);
    for Fact { number, fact, from } in facts {
        page.line(level, format!("({number}) {fact:<width$}  {from}"));
    }
    for (position, Inference { number, fact, why, depth }) in steps.iter().enumerate() {
        let end = if position + 1 == steps.len() { ": impossible" } else { "" };
        let indent = "| ".repeat(*depth);
        page.line(level, format!("({number}) {indent}{fact:<width$}  by {why}{end}"));
    }
}
