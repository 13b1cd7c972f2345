//! Proofs of `Safe`: templates and derivations.

use super::{position, terms::Terms};
use crate::report::names::rule_name;
use goatherd_certificates::{
    certificate::Certificate,
    configuration::{
        Address, Folded, InputSize, Life, Member, ObjectState, Root, Slot, Sort, Template, TreeSort,
    },
    derivation::{
        Choice, DroppedElement, InputDrop, Lengths, Matching, MemberId, Proof, Refutation, Rule,
        SegmentEnd,
    },
    program::{Location, ObjectId},
    term::Scope,
};
use goatherd_checker::{budget::Budget, decode::Rules, term::SORTS};
use goatherd_frontend::print::{
    Page, list,
    program::{Names, integer_name},
};
use std::fmt::Display;

/// What the parts of a proof are printed with.
struct Printer<'a> {
    certificate: &'a Certificate<Rules<'a>>,
    names: &'a Names<'a>,
    terms: &'a Terms,
}

/// A proof, for people.
pub fn proof(
    proof: &Proof<Rules<'_>>,
    certificate: &Certificate<Rules<'_>>,
    names: &Names<'_>,
    terms: &Terms,
    page: &mut Page,
) {
    let printer = Printer {
        certificate,
        names,
        terms,
    };
    for (
        number,
        Sort {
            object,
            root,
            shapes,
            within,
        },
    ) in names.further_sorts().zip(&proof.sorts)
    {
        let null = match root {
            Root::Any | Root::AnyAt(_) => "NULL or ",
            Root::Node | Root::NodeAt(_) => "",
        };
        let byte = match root {
            Root::Any | Root::Node => String::new(),
            Root::AnyAt(byte) | Root::NodeAt(byte) => format!(" from byte {byte} on"),
        };
        let shapes: Vec<_> = shapes.iter().map(|links| names.links(links)).collect();
        let within = within.map_or_else(String::new, |outer| {
            format!(" (within {})", names.sort(outer))
        });
        page.line(
            0,
            format!(
                "{}{within}: {null}nodes of {}{byte}: {}",
                names.sort(number),
                names.object(*object),
                shapes.join(" | ")
            ),
        );
    }
    for (position, lemma) in proof.lemmas.iter().enumerate() {
        page.line(
            0,
            format!(
                "Lemma {position}, before {}: {}",
                lemma.location.0,
                names.condition(lemma.condition)
            ),
        );
    }
    if !proof.lemmas.is_empty() {
        page.line(0, "");
    }
    for (position, template) in proof.templates.iter().enumerate() {
        page.line(0, format!("Template {position}"));
        printer.template(template, page);
        page.line(0, "");
    }
    page.line(0, roots(proof));
    printer.derivation(proof.roots, page);
    for (position, derivation) in proof.derivations.iter().enumerate() {
        page.line(0, "");
        page.line(0, format!("Derivation from template {position}"));
        printer.derivation(*derivation, page);
    }
    page.line(0, "");
}

/// What the derivation from the entry begins with.
fn roots(proof: &Proof<Rules<'_>>) -> String {
    match proof.lengths {
        Lengths::Classes => format!(
            "Derivation from all inputs, by size classes: every array of 0 to {} elements, or of more",
            proof.k
        ),
        Lengths::Open => String::from("Derivation from all inputs, arrays of any length"),
    }
}

impl Printer<'_> {
    fn line(&self, page: &mut Page, level: usize, line: impl AsRef<str>) {
        self.terms.line(page, level, line.as_ref());
    }

    fn template(&self, template: &Template, page: &mut Page) {
        self.line(page, 1, format!("variables: {}", scope(&template.scope)));
        for (position, symbol) in template.trees.iter().enumerate() {
            let (kind, sort) = match symbol {
                TreeSort::Tree(sort) => ("tree", sort),
                TreeSort::Segment(sort) => ("segment", sort),
            };
            self.line(
                page,
                1,
                format!("symbol.{position}: {kind} of {}", self.names.sort(*sort)),
            );
        }
        for literal in &template.predicate {
            self.line(page, 1, format!("where {}", self.terms.literal(*literal)));
        }
        for (position, member) in template.members.iter().enumerate() {
            self.member(position, member, page);
        }
    }

    fn member(&self, position: usize, member: &Member, page: &mut Page) {
        let name = if position == 0 {
            String::from("primary")
        } else {
            format!("scapegoat {position}")
        };
        self.line(
            page,
            1,
            format!("{name} at {}", self.location(member.location)),
        );
        if position > 0 {
            let size = if member.size == InputSize::Smaller {
                "a smaller input"
            } else {
                "an input that is no larger"
            };
            self.line(page, 2, format!("on {size}"));
        }
        if member.consumed != Slot::Forgotten {
            self.line(
                page,
                2,
                format!(
                    "values and rounds consumed = {}",
                    self.slot(member.consumed)
                ),
            );
        }
        for (register, slot) in &member.registers {
            self.line(
                page,
                2,
                format!("{} = {}", self.names.register(*register), self.slot(*slot)),
            );
        }
        for ObjectState {
            object,
            declaration,
            life,
            lower,
            upper,
            fields,
        } in &member.objects
        {
            let life = match life {
                Life::Live => "live",
                Life::Dead => "dead",
            };
            let bounds = format!(
                "{} <= index < {}",
                self.terms.linear(*lower),
                self.terms.linear(*upper)
            );
            self.line(
                page,
                2,
                format!("{} is {life}, {bounds}", self.names.object(*object)),
            );
            for (position, field) in fields.iter().enumerate() {
                let rest = field
                    .rest
                    .map(|rest| format!("others {}", self.terms.array(rest)));
                let cells = field.cells.iter().map(|slot| self.slot(*slot));
                let name = self.names.field(*declaration, position);
                self.line(page, 3, format!("{name}: {}", list(cells.chain(rest))));
            }
        }
        for (
            position,
            Folded {
                tree,
                above,
                same,
                below,
            },
        ) in member.folded.iter().enumerate()
        {
            let [above, same, below] = [above, same, below].map(|slot| self.slot(*slot));
            self.line(
                page,
                2,
                format!(
                    "part.{position} is symbol.{}, above it {above}, same {same}, below {below}",
                    tree.0
                ),
            );
        }
    }

    fn location(&self, location: Location) -> String {
        match position(self.certificate, location) {
            Some(position) => format!("{} ({position})", location.0),
            None => location.0.to_string(),
        }
    }

    fn slot(&self, slot: Slot) -> String {
        match slot {
            Slot::Forgotten => String::from("anything"),
            Slot::Uninitialised => String::from("no value"),
            Slot::Integer(value) => self.terms.linear(value),
            Slot::Null => String::from("NULL"),
            Slot::Pointer(Address {
                object,
                index,
                byte: 0,
            }) => format!(
                "&{}[{}]",
                self.names.object(object),
                self.terms.linear(index)
            ),
            Slot::Pointer(Address {
                object,
                index,
                byte,
            }) => {
                format!(
                    "(char *) &{}[{}] + {byte}",
                    self.names.object(object),
                    self.terms.linear(index)
                )
            }
            Slot::Folded(id) => format!("root of part.{}", id.0),
            Slot::Last(id) => format!("last cell of part.{}", id.0),
        }
    }

    fn derivation(&self, mut rules: Rules<'_>, page: &mut Page) {
        let mut budget = Budget::new(self.certificate.limits.memory);
        for position in 0.. {
            let line = match rules.next(&mut budget) {
                Ok(Some(rule)) => format!("{}{}", rule_name(&rule), self.rule(&rule)),
                Ok(None) => return,
                Err(_) => return self.line(page, 0, format!("{position:>5}  is not a rule")),
            };
            self.line(page, 0, format!("{position:>5}  {line}"));
        }
    }

    /// What follows the name of a rule.
    fn rule(&self, rule: &Rule) -> String {
        match rule {
            Rule::End => String::new(),
            Rule::Step { refuted } => {
                let refuted = refuted.iter();
                let refuted = refuted.map(|(outcome, refutation)| {
                    format!(
                        ", not outcome {}{}",
                        outcome.0,
                        self.terms.refutation(refutation)
                    )
                });
                refuted.collect::<Vec<_>>().concat()
            }
            Rule::StepDecided {
                member,
                outcome,
                choice,
                hints,
            } => {
                let choice = choice
                    .as_ref()
                    .map_or_else(String::new, |choice| self.choice(choice));
                format!(
                    " of scapegoat {}: outcome {}{choice}{}",
                    member.0,
                    outcome.0,
                    self.hints(hints)
                )
            }
            Rule::Split { literal } => format!(" on {}", self.terms.literal(*literal)),
            Rule::Infeasible { refutation } => self.terms.refutation(refutation),
            Rule::AddScapegoat {
                drops,
                integers,
                hints,
            } => {
                let drops = drops.iter().map(|drop| self.drop(drop));
                let integers = integers.iter().map(|(input, value)| {
                    format!("{} = {}", self.input(*input), self.terms.linear(*value))
                });
                format!(" {}{}", list(drops.chain(integers)), self.hints(hints))
            }
            Rule::Drop { member } => format!(" scapegoat {}", member.0),
            Rule::Steps {
                member: MemberId(0),
                count,
            } => format!(" of the primary: {count}"),
            Rule::Steps { member, count } => format!(" of scapegoat {}: {count}", member.0),
            Rule::Subsume {
                template,
                matching,
                hints,
            } => {
                format!(
                    " under template {}{}{}",
                    template.0,
                    self.matching(matching),
                    self.hints(hints)
                )
            }
            Rule::Descent { member } | Rule::Twin { member } => {
                format!(" to scapegoat {}", member.0)
            }
            Rule::Unfold { tree, end } => {
                let end = match end {
                    SegmentEnd::Top => "top",
                    SegmentEnd::Bottom => "bottom",
                };
                format!(" symbol.{} at the {end}", tree.0)
            }
            Rule::Let { term } => format!(" {}", self.terms.linear(*term)),
        }
    }

    fn choice(&self, choice: &Choice) -> String {
        match choice {
            Choice::Value(value) => format!(", choosing {}", self.terms.linear(*value)),
            Choice::Allocation { lower, fields } => {
                let field = |(cells, rest): &(Vec<_>, Option<_>)| {
                    let cells = cells.iter().map(|cell| self.terms.linear(*cell));
                    let all = cells.chain(rest.map(|rest| self.terms.array(rest)));
                    format!("{{{}}}", list(all))
                };
                let lower = self.terms.linear(*lower);
                let fields = list(fields.iter().map(field));
                format!(", choosing an object from {lower} with {fields}")
            }
        }
    }

    fn input(&self, input: u32) -> String {
        usize::try_from(input).map_or_else(|_| input.to_string(), |input| self.names.input(input))
    }

    /// What is left out of an input.
    fn drop(&self, drop: &InputDrop) -> String {
        let input = self.input(drop.input);
        match drop.element {
            DroppedElement::First(element) => format!("without {input}[{element}]"),
            DroppedElement::Last => format!("without the last element of {input}"),
            DroppedElement::Node {
                object,
                child: None,
            } => format!("NULL for {} of {input}", self.names.object(object)),
            DroppedElement::Node {
                object,
                child: Some(field),
            } => {
                let node = self.names.object(object);
                format!("its child at field {field} for {node} of {input}")
            }
        }
    }

    /// What the variables, objects and parts of a template are.
    fn matching(&self, matching: &Matching) -> String {
        let Matching {
            integers,
            arrays,
            paths,
            shapes,
            objects,
        } = matching;
        let integers = integers.iter().map(|term| self.terms.linear(*term));
        let arrays = arrays.iter().map(|term| self.terms.array(*term));
        let substitution = list(integers.chain(arrays));
        let name = |object: &ObjectId| self.names.object(*object);
        let named = |objects: &Vec<ObjectId>| format!("[{}]", list(objects.iter().map(name)));
        let numbered = |numbers: &Vec<u32>| format!("[{}]", list(numbers));
        let some = |name: &str, text: String| {
            if text.is_empty() {
                text
            } else {
                format!("{name} {text}")
            }
        };
        [
            some(" with", substitution),
            some(", objects", list(objects.iter().map(named))),
            some(", paths", list(paths.iter().map(numbered))),
            some(", shapes", list(shapes.iter().map(numbered))),
        ]
        .concat()
    }

    fn hints(&self, hints: &[Refutation]) -> String {
        hints
            .iter()
            .map(|hint| self.terms.refutation(hint))
            .collect()
    }
}

/// The variables of a template.
fn scope(scope: &Scope) -> String {
    let [any, typed @ ..] = scope.integers;
    let count = |number: u32, sort: &dyn Display| (number > 0).then(|| format!("{number} {sort}"));
    let integers = typed
        .into_iter()
        .zip(SORTS)
        .filter_map(|(number, kind)| count(number, &integer_name(kind)));
    let arrays = scope.arrays.into_iter().zip(SORTS);
    let arrays = arrays
        .filter_map(|(number, kind)| count(number, &format!("arrays of {}", integer_name(kind))));
    let all: Vec<_> = count(any, &"integers")
        .into_iter()
        .chain(integers)
        .chain(arrays)
        .collect();
    if all.is_empty() {
        String::from("none")
    } else {
        list(all)
    }
}
