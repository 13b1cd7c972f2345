//! Scapegoats on the same input that consume fewer nondeterministic values.

use super::Catalogue;
use crate::{
    forge::{Forge, PARAMETERS},
    programs::{FAIL, assign, branch, empty, integer},
};
use goatherd_certificates::{
    certificate::Certificate,
    configuration::{InputSize, Member, Slot, Template},
    derivation::{Choice, Matching, MemberId, Rule, TemplateId},
    program::{Instruction, IntegerType, Location, Operand, Program, RegisterId, Relation},
    term::{LinearId, Scope, Variable},
};
use goatherd_checker::{configuration::Configuration, rejection::Rejection, term::sort_index};

/// `y = 0; while (nondet()) ; assert(y == 0)`, or with this check.
fn reading(check: [Instruction; 3]) -> (Program, RegisterId, RegisterId) {
    let mut program = empty();
    let [x, y] = ["x", "y"].map(|name| integer(&mut program, name, IntegerType::I32));
    let (zero, value) = (Operand::Constant(0), Operand::Register(x));
    program.instructions = vec![assign(y, 0), Instruction::Havoc { target: x }, branch(Relation::Equal, value, zero, 4, 3)];
    program.instructions.push(Instruction::Jump { target: Location(1) });
    program.instructions.extend(check);
    (program, x, y)
}

/// What of the proof is changed.
#[derive(Clone, Copy)]
struct Counts {
    /// Of the template, how much more the primary has consumed; none for a forgotten number.
    primary: Option<i128>,
    /// What the scapegoat has consumed is forgotten.
    scapegoat: bool,
    /// How the template's scapegoat's input compares.
    size: InputSize,
    /// By how much the number grows in a round: it has a value and a step back.
    round: i128,
}

const RIGHT: Counts = Counts { primary: Some(2), scapegoat: true, size: InputSize::NotLarger, round: 2 };

/// At the loop's head the scapegoat has consumed a value and a round less than the primary, and `y` is the same in both.
fn template(forge: &mut Forge<'_>, y: RegisterId, counts: Counts) -> Template {
    let [least, value] = [None, Some(IntegerType::I32)].map(|sort| forge.arena.variable(Variable { sort, number: 0 }).expect("a variable"));
    let mut scope = Scope::default();
    for sort in [None, Some(IntegerType::I32)] {
        scope.integers[sort_index(sort)] = 1;
    }
    let mut member = |size, more: Option<i128>| Member {
        location: Location(1),
        size,
        consumed: more.map_or(Slot::Forgotten, |more| Slot::Integer(forge.arena.plus(least, more).expect("a sum"))),
        registers: vec![(y, Slot::Integer(value))],
        objects: Vec::new(),
        folded: Vec::new(),
    };
    let members = vec![member(InputSize::NotLarger, counts.primary), member(counts.size, counts.scapegoat.then_some(0))];
    Template { scope, trees: Vec::new(), predicate: Vec::new(), members }
}

/// `consumed` and `y` for the template's variables.
fn cover(forge: &mut Forge<'_>, configuration: &Configuration, integers: [LinearId; 2]) {
    forge.cover(
        configuration,
        TemplateId(0),
        Matching { integers: integers.to_vec(), objects: vec![Vec::new(); 2], ..Matching::default() },
    );
}

/// One round of both members, the scapegoat with the primary's value; to the check or to the head of the loop.
fn round(forge: &mut Forge<'_>, configuration: Configuration, x: RegisterId, next: [LinearId; 2]) {
    let mut configuration = forge.steps(configuration, 1);
    let value = forge.integer(&configuration, 0, x);
    forge.follow(&mut configuration, 1, Some(Choice::Value(value)));
    for mut child in forge.step(configuration) {
        forge.follow(&mut child, 1, None);
        if child.members[0].place == goatherd_checker::Place::At(Location(3)) {
            child = forge.steps(child, 1);
            forge.follow(&mut child, 1, None);
            cover(forge, &child, next);
            continue;
        }
        for mut end in forge.step(child) {
            if forge.setting.instruction(end.members[0].place) == Some(&Instruction::Halt) {
                forge.rules.push(Rule::End);
                continue;
            }
            forge.follow(&mut end, 1, None);
            forge.rules.push(Rule::Descent { member: MemberId(1) });
        }
    }
}

/// The primary reads once before the scapegoat begins.
fn primary_first(forge: &mut Forge<'_>, configuration: &Configuration) {
    let configuration = forge.steps(configuration.clone(), 1);
    for child in forge.step(configuration) {
        if child.members[0].place == goatherd_checker::Place::At(Location(3)) {
            let child = forge.steps(child, 1);
            let zero = forge.constant(0);
            cover(forge, &child, [zero, zero]);
        } else {
            forge.auto(child);
        }
    }
}

/// Both members come to the loop at once, and neither has read anything.
fn together(forge: &mut Forge<'_>, configuration: &Configuration) {
    let zero = forge.constant(0);
    cover(forge, configuration, [zero, zero]);
    // One number is not more than the other; that it is not less would be the second hint.
    if let Some(Rule::Subsume { hints, .. }) = forge.rules.last_mut() {
        hints.truncate(1);
    }
}

/// How two members at the loop's head, on the same input, are covered.
type Beginning = fn(&mut Forge<'_>, &Configuration);

/// Covered once, both members read the same.
fn proof((program, x, y): &(Program, RegisterId, RegisterId), counts: Counts, begin: Beginning) -> Certificate {
    let mut forge = Forge::new(program, &PARAMETERS, 1);
    let root = forge.root(0).expect("a class");
    let template = template(&mut forge, *y, counts);
    let least = forge.arena.variable(Variable { sort: None, number: 0 }).expect("a variable");
    let value = forge.arena.variable(Variable { sort: Some(IntegerType::I32), number: 0 }).expect("a variable");
    let next = [forge.arena.plus(least, counts.round).expect("a sum"), value];
    forge.template(template, |forge, configuration| round(forge, configuration, *x, next));
    let mut configuration = root;
    forge.add(&mut configuration, &[], &[]);
    let mut configuration = forge.steps(configuration, 1);
    forge.follow(&mut configuration, 1, None);
    begin(&mut forge, &configuration);
    forge.certificate_of(&forge.proof())
}

/// `x = nondet(); if (x == 0) fail`: two members on the same input, and with the same value.
fn same_values() -> Certificate {
    let mut program = empty();
    let x = integer(&mut program, "x", IntegerType::I32);
    let (zero, value) = (Operand::Constant(0), Operand::Register(x));
    program.instructions = vec![Instruction::Havoc { target: x }, branch(Relation::Equal, value, zero, 2, 3), FAIL, Instruction::Halt];
    let mut forge = Forge::new(&program, &PARAMETERS, 1);
    let mut configuration = forge.root(0).expect("a class");
    forge.add(&mut configuration, &[], &[]);
    let mut configuration = forge.steps(configuration, 1);
    let value = forge.integer(&configuration, 0, x);
    forge.follow(&mut configuration, 1, Some(Choice::Value(value)));
    for mut child in forge.step(configuration) {
        forge.follow(&mut child, 1, None);
        let has_failed = child.members[0].place == goatherd_checker::Place::At(Location(2));
        forge.rules.push(if has_failed { Rule::Descent { member: MemberId(1) } } else { Rule::End });
    }
    forge.certificate_of(&forge.proof())
}

/// Adds them.
pub(super) fn add(vectors: &mut Catalogue) {
    let (zero, y) = (Operand::Constant(0), Operand::Register(RegisterId(1)));
    let right = reading([branch(Relation::Equal, y, zero, 6, 5), FAIL, Instruction::Halt]);
    vectors.accepted("tape-accepted", "a scapegoat that reads one value less", &proof(&right, RIGHT, primary_first));
    let mut rejected =
        |name: &str, rejection, reason, counts| vectors.rejected(name, rejection, reason, &proof(&right, counts, primary_first));
    let reason = "nobody knows how many values the primary has read";
    rejected("tape-primary-forgotten", Rejection::NotSmaller, reason, Counts { primary: None, ..RIGHT });
    let reason = "nobody knows how many values the scapegoat has read";
    rejected("tape-scapegoat-forgotten", Rejection::NotSmaller, reason, Counts { scapegoat: false, ..RIGHT });
    let reason = "the template says that the scapegoat's input is smaller";
    rejected("tape-smaller", Rejection::Shape, reason, Counts { size: InputSize::Smaller, ..RIGHT });
    rejected("tape-rounds", Rejection::NotRefuted, "the steps back are not counted", Counts { round: 1, ..RIGHT });
    rejected("tape-count", Rejection::NotRefuted, "each round is said to take one more than it does", Counts { round: 3, ..RIGHT });

    // These failures are real.
    let wrong = reading([FAIL, Instruction::Halt, Instruction::Halt]);
    let reason = "the scapegoat reads as many values as the primary";
    vectors.rejected("tape-not-fewer", Rejection::NotRefuted, reason, &proof(&wrong, RIGHT, together));
    vectors.rejected("tape-same-values", Rejection::NotSmaller, "the scapegoat fails with the same values", &same_values());
}
