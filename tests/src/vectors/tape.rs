//! Scapegoats on the same input that consume fewer nondeterministic values.

use super::Catalogue;
use crate::{
    forge::{Forge, PARAMETERS},
    programs::{FAIL, assign, branch, empty, increment, integer},
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

/// The scapegoat has failed.
const DESCENT: Rule = Rule::Descent { member: MemberId(1) };

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
            forge.rules.push(DESCENT);
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
        forge.rules.push(if has_failed { DESCENT } else { Rule::End });
    }
    forge.certificate_of(&forge.proof())
}

/// `i = 0; do i++; while (i <= 2); fail`: two steps back, whoever runs it.
fn counting() -> Program {
    let mut program = empty();
    let i = integer(&mut program, "i", IntegerType::I32);
    let (value, last) = (Operand::Register(i), Operand::Constant(2));
    program.instructions = vec![assign(i, 0), increment(i), branch(Relation::LessOrEqual, value, last, 1, 3), FAIL];
    program
}

/// The members take so many steps, each of which has one outcome; then the scapegoat is said to have failed before.
fn run_out(forge: &mut Forge<'_>, configuration: Configuration, primary: usize, scapegoat: usize) {
    let mut configuration = forge.steps(configuration, primary);
    (0..scapegoat).for_each(|_| forge.follow(&mut configuration, 1, None));
    forge.rules.push(DESCENT);
}

/// The scapegoat runs to the end; the primary has made both rounds, too.
fn same_rounds() -> Certificate {
    let program = counting();
    let mut forge = Forge::new(&program, &PARAMETERS, 1);
    let mut configuration = forge.root(0).expect("a class");
    forge.add(&mut configuration, &[], &[]);
    run_out(&mut forge, configuration, 5, 7);
    forge.certificate_of(&forge.proof())
}

/// Where the scapegoat has made a round more than the primary, a template forgets both numbers; then it makes one less.
fn counted_anew() -> Certificate {
    let program = counting();
    let mut forge = Forge::new(&program, &PARAMETERS, 1);
    let mut configuration = forge.root(0).expect("a class");
    forge.add(&mut configuration, &[], &[]);
    let mut configuration = forge.steps(configuration, 1);
    (0..4).for_each(|_| forge.follow(&mut configuration, 1, None));
    let forget = |_: &mut Forge<'_>, template: &mut Template| {
        template.members.iter_mut().for_each(|member| member.consumed = Slot::Forgotten);
    };
    forge.forge_template(&configuration, forget, |forge, configuration| run_out(forge, configuration, 4, 3));
    forge.certificate_of(&forge.proof())
}

/// `while (either()) ; fail`: before the primary does anything, the scapegoat makes a round and fails.
fn more_rounds() -> Certificate {
    let mut program = empty();
    program.instructions = vec![Instruction::Choose { then: Location(0), otherwise: Location(1) }, FAIL];
    let mut forge = Forge::new(&program, &PARAMETERS, 1);
    let mut configuration = forge.root(0).expect("a class");
    forge.add(&mut configuration, &[], &[]);
    forge.decide(&mut configuration, 1, 0, None);
    forge.decide(&mut configuration, 1, 1, None);
    forge.rules.push(DESCENT);
    forge.certificate_of(&forge.proof())
}

/// `y = 0; if (either()) x = nondet(); else { i = 0; do i++; while (i <= 2); }`, and then this check: a value, or two rounds.
fn value_or_rounds(check: [Instruction; 3]) -> (Program, RegisterId) {
    let mut program = empty();
    let [x, y, i] = ["x", "y", "i"].map(|name| integer(&mut program, name, IntegerType::I32));
    let (value, last) = (Operand::Register(i), Operand::Constant(2));
    program.instructions = vec![assign(y, 0), Instruction::Choose { then: Location(2), otherwise: Location(4) }];
    program.instructions.extend([Instruction::Havoc { target: x }, Instruction::Jump { target: Location(7) }]);
    program.instructions.extend([assign(i, 0), increment(i), branch(Relation::LessOrEqual, value, last, 5, 7)]);
    program.instructions.extend(check);
    (program, y)
}

/// The scapegoat goes one way to the check, and the primary the other one: to where it has read a value, or made two rounds.
fn other_way(forge: &mut Forge<'_>, mut configuration: Configuration, way: u32) -> Configuration {
    let [own, others] = if way == 0 { [2, 5] } else { [7, 1] };
    forge.decide(&mut configuration, 1, way, None);
    (0..own).for_each(|_| forge.follow(&mut configuration, 1, None));
    forge.steps(configuration, others)
}

/// Each way is said to be excused by the other one: a value by two rounds, and two rounds by a value.
fn excusing_each_other() -> Certificate {
    let (program, _) = value_or_rounds([FAIL, Instruction::Halt, Instruction::Halt]);
    let mut forge = Forge::new(&program, &PARAMETERS, 1);
    let mut configuration = forge.root(0).expect("a class");
    forge.add(&mut configuration, &[], &[]);
    let mut configuration = forge.steps(configuration, 1);
    forge.follow(&mut configuration, 1, None);
    for (child, way) in forge.step(configuration).into_iter().zip([1, 0]) {
        other_way(&mut forge, child, way);
        forge.rules.push(DESCENT);
    }
    forge.certificate_of(&forge.proof())
}

/// The primary makes two rounds, the scapegoat reads a value; `y` is the same in both, and nobody knows what it is.
fn value_for_rounds() -> Certificate {
    let zero = Operand::Constant(0);
    let (program, y) = value_or_rounds([branch(Relation::Equal, Operand::Register(RegisterId(1)), zero, 9, 8), FAIL, Instruction::Halt]);
    let mut forge = Forge::new(&program, &PARAMETERS, 1);
    let configuration = forge.root(0).expect("a class");
    let mut configuration = forge.steps(configuration, 1);
    forge.add(&mut configuration, &[], &[]);
    forge.follow(&mut configuration, 1, None);
    let value = forge.arena.variable(Variable { sort: Some(IntegerType::I32), number: 0 }).expect("a variable");
    let mut scope = Scope::default();
    scope.integers[sort_index(Some(IntegerType::I32))] = 1;
    let consumed = Slot::Integer(forge.constant(0));
    let member = |location| Member {
        location: Location(location),
        size: InputSize::NotLarger,
        consumed,
        registers: vec![(y, Slot::Integer(value))],
        objects: Vec::new(),
        folded: Vec::new(),
    };
    let template = Template { scope, trees: Vec::new(), predicate: Vec::new(), members: vec![member(4), member(1)] };
    let template = forge.template(template, |forge, configuration| {
        let configuration = other_way(forge, configuration, 0);
        let configuration = forge.steps(configuration, 2);
        for mut end in forge.step(configuration) {
            if forge.setting.instruction(end.members[0].place) == Some(&Instruction::Halt) {
                forge.rules.push(Rule::End);
            } else {
                forge.follow(&mut end, 1, None);
                forge.rules.push(DESCENT);
            }
        }
    });
    let mut ways = forge.step(configuration).into_iter();
    let (reading, counting) = ways.next().zip(ways.next()).expect("two ways");
    forge.auto(reading);
    let zero = forge.constant(0);
    forge.cover(&counting, template, Matching { integers: vec![zero], objects: vec![Vec::new(); 2], ..Matching::default() });
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
    let not_smaller = Rejection::NotSmaller;
    vectors.rejected("tape-same-rounds", not_smaller, "the scapegoat makes as many rounds as the primary", &same_rounds());
    vectors.rejected("tape-more-rounds", not_smaller, "the scapegoat makes a round, and the primary none so far", &more_rounds());
    let reason = "both numbers are forgotten, and what is consumed later is compared";
    vectors.rejected("tape-counted-anew", not_smaller, reason, &counted_anew());
    let reason = "two rounds excuse a value, and a value two rounds";
    vectors.rejected("tape-each-other", not_smaller, reason, &excusing_each_other());
    vectors.accepted(
        "tape-value-for-rounds-accepted",
        "a scapegoat that reads a value where the primary makes two rounds",
        &value_for_rounds(),
    );
}
