//! In what two accepted certificates differ: claim, program, herds, rules.

use crate::{graph::ProofVertex, page::FirstPage, state::HerdWords};
use goatherd_certificates::{
    certificate::Position,
    program::{Branch, Instruction, Location, Program},
};
use goatherd_frontend::print::{Page, list, program::Names};
use serde::Serialize;
use similar::{ChangeTag, TextDiff};
use std::collections::{BTreeMap, BTreeSet};

/// So many lines beside a change are shown.
const BESIDE: usize = 2;
/// So many herds that one side has alone are told in full.
const MOST_HERDS: usize = 4;
/// So many changed lines of a program are told.
const MOST_LINES: usize = 60;

/// One of two certificates.
#[derive(Clone, Copy, Debug)]
pub struct Compared<'a> {
    /// What it claims.
    pub page: &'a FirstPage,
    /// The program.
    pub program: &'a Program,
    /// Where its instructions stand.
    pub positions: &'a [Position],
    /// The proof, if it is one: the entry, then herds.
    pub graph: &'a [ProofVertex],
}

/// In what two certificates differ.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Debug)]
pub struct Difference {
    /// What is claimed: what of it, and both sides.
    pub claim: Vec<(String, String, String)>,
    /// The program's instructions: `-`, `+` or a space, and the line.
    pub program: Vec<(char, String)>,
    /// How many lines of the program differ.
    pub lines: usize,
    /// How many herds both have, the first alone, the second alone.
    pub herds: (usize, usize, usize),
    /// Of the herds that one has alone, some: `-` or `+`, its name, and its facts that no herd of the other at this place has.
    pub changed: Vec<(char, String, Vec<String>)>,
    /// By rule, how many each has, where that differs.
    pub rules: Vec<(&'static str, usize, usize)>,
}

impl Difference {
    /// Between two certificates.
    pub fn new(left: Compared<'_>, right: Compared<'_>) -> Self {
        let (program, lines) = programs(left, right);
        let mut this = Self { claim: claims(left.page, right.page), program, lines, ..Self::default() };
        this.compare_herds(left.graph, right.graph);
        let rules = |graph: &[ProofVertex]| {
            let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
            for (name, count) in graph.iter().flat_map(|vertex| &vertex.rules) {
                *counts.entry(name).or_insert(0) += count;
            }
            counts
        };
        let (left, right) = (rules(left.graph), rules(right.graph));
        let names: BTreeSet<_> = left.keys().chain(right.keys()).copied().collect();
        let count = |side: &BTreeMap<&'static str, usize>, name| side.get(name).copied().unwrap_or(0);
        this.rules = names
            .into_iter()
            .map(|name| (name, count(&left, name), count(&right, name)))
            .filter(|(_, left, right)| left != right)
            .collect();
        this
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.claim.is_empty() && self.lines == 0 && (self.herds.1, self.herds.2) == (0, 0) && self.rules.is_empty()
    }

    /// Herds are the same if the same is known of them, wherever their lines have moved.
    fn compare_herds(&mut self, left: &[ProofVertex], right: &[ProofVertex]) {
        let all = |graph: &[ProofVertex]| -> Vec<(String, BTreeSet<String>)> {
            let herds = graph.iter().filter_map(|vertex| Some((vertex.template?, vertex)));
            herds
                .map(|(number, vertex)| (format!("herd {number} ({})", vertex.place), vertex.begins.iter().flat_map(known).collect()))
                .collect()
        };
        let (left, mut right) = (all(left), all(right));
        let mut alone = Vec::new();
        for herd in left {
            match right.iter().position(|(_, facts)| *facts == herd.1) {
                Some(position) => {
                    right.remove(position);
                    self.herds.0 += 1;
                }
                None => alone.push(herd),
            }
        }
        (self.herds.1, self.herds.2) = (alone.len(), right.len());
        for (sign, own, others) in [('-', &alone, &right), ('+', &right, &alone)] {
            for (name, facts) in own.iter().take(MOST_HERDS) {
                // The herd of the other side that is most like it.
                let nearest = others.iter().max_by_key(|(_, other)| facts.intersection(other).count());
                let facts = facts.iter().filter(|fact| nearest.is_none_or(|(_, other)| !other.contains(*fact)));
                self.changed.push((sign, name.clone(), facts.cloned().collect()));
            }
        }
    }

    /// In lines; the names are those of the two files.
    pub fn text(&self, left: &str, right: &str) -> String {
        let mut page = Page::default();
        if self.is_empty() {
            page.line(0, format!("{left} and {right} claim and show the same."));
            return page.text;
        }
        page.line(0, format!("- {left}"));
        page.line(0, format!("+ {right}"));
        page.line(0, "");
        page.line(0, if self.claim.is_empty() { "The claim is the same." } else { "What is claimed" });
        for (what, left, right) in &self.claim {
            page.line(1, what);
            page.line(1, format!("- {left}"));
            page.line(1, format!("+ {right}"));
        }
        page.line(0, "");
        page.line(
            0,
            if self.lines == 0 { String::from("The program is the same.") } else { format!("The program: {} lines differ", self.lines) },
        );
        for (sign, line) in &self.program {
            page.line(1, format!("{sign} {line}"));
        }
        page.line(0, "");
        let (both, first, second) = self.herds;
        page.line(0, format!("Herds: {both} in both, {first} in the first alone, {second} in the second alone"));
        for (sign, name, facts) in &self.changed {
            page.line(1, format!("{sign} {name}{}", if facts.is_empty() { ": nothing that another one does not know" } else { "" }));
            for fact in facts {
                page.line(2, format!("{sign} {fact}"));
            }
        }
        if first > MOST_HERDS || second > MOST_HERDS {
            page.line(1, "and others");
        }
        page.line(0, "");
        if self.rules.is_empty() {
            page.line(0, "As many rules of each kind.");
        } else {
            page.line(0, "Rules");
            for (name, left, right) in &self.rules {
                page.line(1, format!("{name:<14}{left:>7} -> {right}"));
            }
        }
        page.text
    }
}

/// What is known of a herd, without its lines.
fn known(HerdWords { members, known }: &HerdWords) -> Vec<String> {
    let facts = members.iter().flat_map(|member| &member.facts).chain(known);
    facts.cloned().chain([format!("{} scapegoats", members.len().saturating_sub(1))]).collect()
}

fn claims(left: &FirstPage, right: &FirstPage) -> Vec<(String, String, String)> {
    let of = |page: &FirstPage| {
        let assertions = page.assertions.iter().map(|assertion| if assertion.reached { "reached" } else { "not reached" });
        let checks = page.checks.iter().map(|(kind, count)| format!("{} {count}", kind.name()));
        [
            ("claim", page.claim.clone()),
            ("entry", page.entry.clone()),
            ("inputs", page.inputs.join("; ")),
            ("under", page.under.join("; ")),
            ("source", page.source.file.clone()),
            ("definitions", list(&page.source.definitions)),
            ("include folders", list(&page.source.includes)),
            ("waived assertions", list(&page.source.waived)),
            ("checks", list(checks)),
            ("assertions", list(assertions)),
        ]
    };
    let sides = of(left).into_iter().zip(of(right));
    let differing = sides.filter(|((_, left), (_, right))| left != right);
    differing.map(|((what, left), (_, right))| (what.to_owned(), left, right)).collect()
}

/// The lines of two programs that differ, with some beside; and how many these are.
fn programs(left: Compared<'_>, right: Compared<'_>) -> (Vec<(char, String)>, usize) {
    let (left_lines, right_lines) = (listing(left), listing(right));
    let text = |lines: &[(String, String)]| lines.iter().flat_map(|(line, _)| [line.as_str(), "\n"]).collect::<String>();
    let (left_text, right_text) = (text(&left_lines), text(&right_lines));
    let diff = TextDiff::from_lines(&left_text, &right_text);
    let (mut lines, mut count) = (Vec::new(), 0);
    for group in diff.grouped_ops(BESIDE) {
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let (sign, place) = match change.tag() {
                ChangeTag::Delete => ('-', change.old_index().and_then(|index| left_lines.get(index))),
                ChangeTag::Insert => ('+', change.new_index().and_then(|index| right_lines.get(index))),
                ChangeTag::Equal => (' ', change.new_index().and_then(|index| right_lines.get(index))),
            };
            count += usize::from(sign != ' ');
            if lines.len() < MOST_LINES {
                let place = place.map_or("", |(_, place)| place);
                lines.push((sign, format!("{place:>8}  {}", change.value().trim_end())));
            }
        }
    }
    (lines, count)
}

/// Declarations and instructions without their numbers, each with its place in the source: jumps lead to what stands there.
fn listing(Compared { program, positions, .. }: Compared<'_>) -> Vec<(String, String)> {
    let names = Names::new(program);
    let mut declarations = Page::default();
    names.declarations(&mut declarations);
    let mut lines: Vec<(String, String)> = declarations.text.lines().map(|line| (line.trim().to_owned(), String::new())).collect();
    lines.retain(|(line, _)| !line.is_empty());
    let target = |location: Location| {
        let instruction = program.instructions.get(location.index());
        instruction.map_or_else(String::new, |instruction| match instruction {
            Instruction::Jump { .. } | Instruction::Branch(_) | Instruction::Choose { .. } => String::from("a branch"),
            instruction => format!("`{}`", names.instruction(instruction)),
        })
    };
    for (location, instruction) in program.instructions.iter().enumerate() {
        let text = match instruction {
            Instruction::Jump { target: next } => format!("goto {}", target(*next)),
            Instruction::Branch(Branch { condition, then, otherwise }) => {
                format!("if ({}) goto {}; else goto {}", names.condition(*condition), target(*then), target(*otherwise))
            }
            Instruction::Choose { then, otherwise } => format!("if (any) goto {}; else goto {}", target(*then), target(*otherwise)),
            instruction => names.instruction(instruction),
        };
        let place = positions.get(location).map_or_else(String::new, |position| format!("{}:{}", position.line, position.column));
        lines.push((text, place));
    }
    lines
}
