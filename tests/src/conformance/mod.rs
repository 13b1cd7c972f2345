//! The step function against the interpreter, in both directions (`spec/calculus.md#outcomes`).
//!
//! Random programs are run; each state on the way is described by a random configuration with a valuation. *For all*: whatever the
//! interpreter does next is an outcome whose literals hold. *Exists*: each *Exact* or *Real* outcome whose literals hold is something that the
//! interpreter may do next.

mod folding;
pub mod programs;
mod reading;
pub mod state;

use crate::{forge::MEMORY, valuation::Valuation};
use goatherd_certificates::{
    derivation::MemberId,
    program::{Compute, Program},
};
use goatherd_checker::{
    budget::Budget,
    configuration::Setting,
    environment,
    outcome::{Effect, FieldWrite, Outcome, Tag},
    rejection::Rejection,
    step,
    term::Arena,
};
use goatherd_interpreter::{self as interpreter, Environment, Event, Machine, Question, Random};
use std::collections::BTreeMap;

/// How often something was seen.
pub type Census = BTreeMap<String, u64>;

/// Answers open questions one way, and gives values at random, the same for the same seed.
struct Scripted {
    way: i128,
    values: Random,
}

impl Environment for Scripted {
    fn answer(&mut self, question: Question) -> Option<i128> {
        Some(match question {
            Question::Havoc { kind } | Question::Contents { kind, .. } | Question::Element { kind } => self.values.value(kind),
            Question::Direction | Question::Allocation { .. } | Question::Comparison => self.way,
        })
    }
}

/// What a census of enough programs holds: every instruction, operation, tag, effect and failure of the kernel, and folded parts.
pub const EVERYTHING: [&str; 59] = [
    "effect Create",
    "effect Fail",
    "effect Goto",
    "effect Havoc",
    "effect Kill",
    "effect Register",
    "effect Store",
    "element Cell",
    "element Rest",
    "failure DeadObject",
    "failure DivisionByZero",
    "failure DivisionOverflow",
    "failure InvalidFree",
    "failure Leak",
    "failure NullAccess",
    "failure OutOfBounds",
    "failure PointerComparison",
    "failure PointerDifference",
    "failure PointerFormation",
    "failure Program",
    "failure ReadOnly",
    "failure ShiftAmount",
    "failure SignedOverflow",
    "failure Uninitialised",
    "folded Segment",
    "folded Tree",
    "instruction Address",
    "instruction Advance",
    "instruction Allocate",
    "instruction Assign",
    "instruction Branch",
    "instruction CheckLeaks",
    "instruction Choose",
    "instruction Compute",
    "instruction Copy",
    "instruction Distance",
    "instruction Enter",
    "instruction Fail",
    "instruction Free",
    "instruction Havoc",
    "instruction Jump",
    "instruction Leave",
    "instruction Load",
    "instruction Null",
    "instruction Store",
    "instruction Uninitialise",
    "operation Add",
    "operation And",
    "operation Divide",
    "operation Multiply",
    "operation Or",
    "operation Remainder",
    "operation ShiftLeft",
    "operation ShiftRight",
    "operation Subtract",
    "operation Xor",
    "tag Exact",
    "tag Ignorance",
    "tag Real",
];

/// Steps of one random program; adds what was seen to the census.
pub fn run(seed: u64, census: &mut Census) -> Result<(), String> {
    let random = &mut Random::new(seed);
    let (program, parameters) = (programs::program(random), programs::parameters(random));
    interpreter::well_formed::check(&program).map_err(|fault| format!("ill-formed: {fault:?}"))?;
    let inputs = programs::inputs(random, &program);
    let mut machine = Machine::new(&program, parameters, &inputs).map_err(|fault| fault.to_string())?;
    let k = u32::try_from(random.below(3)).unwrap_or(0) + 1;
    let setting = Setting { program: &program, parameters: &parameters, k, sorts: &[] };
    for _ in 0..40 {
        // Each state in two ways.
        for _ in 0..2 {
            step_both_ways(setting, random, &machine, census).map_err(|fault| {
                let instruction = &program.instructions[machine.location().index()];
                format!("seed {seed}, {:?} {instruction:?}: {fault}", machine.location())
            })?;
        }
        let mut environment = Scripted { way: i128::from(random.below(2)), values: Random::new(random.next_bits()) };
        if let Event::Ended(_) = machine.step(&mut environment) {
            break;
        }
    }
    Ok(())
}

fn count(census: &mut Census, what: &str) {
    *census.entry(String::from(what)).or_insert(0) += 1;
}

/// The name of a variant, without its fields.
fn variant(value: &impl std::fmt::Debug) -> String {
    let text = format!("{value:?}");
    text.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default().to_owned()
}

fn step_both_ways(setting: Setting<'_>, random: &mut Random, machine: &Machine<'_>, census: &mut Census) -> Result<(), String> {
    let mut arena = Arena::new(&setting.program.tables, Budget::new(MEMORY)).expect("room for the tables");
    let this = match state::describe(&mut arena, setting, random, machine) {
        Ok(this) => this,
        // So many pointers that no configuration can hold them.
        Err(Rejection::Unsupported(_)) => return Ok(()),
        Err(rejection) => return Err(format!("{rejection:?}")),
    };
    if !state::describes(&arena, setting, &this, machine, Some(machine.location())) {
        return Err(format!("the configuration does not describe the state: {:?}", this.configuration.members));
    }
    let instruction = &setting.program.instructions[machine.location().index()];
    let all = match step::outcomes(&mut arena, setting, &this.configuration.members[0]) {
        Ok(all) => all,
        Err(rejection) => {
            count(census, &format!("rejection {}", variant(&rejection)));
            return is_allowed(rejection, &this, machine, instruction);
        }
    };
    reading::follows_the_tables(&mut arena, setting, &this.configuration, (instruction, machine.location()), &all)?;
    count(census, &format!("instruction {}", variant(instruction)));
    for tree in &this.configuration.trees {
        count(census, &format!("folded {}", variant(tree)));
    }
    if let goatherd_certificates::program::Instruction::Compute(Compute { operation, .. }) = instruction {
        count(census, &format!("operation {operation:?}"));
    }
    if all.is_empty() {
        return Err(String::from("no outcomes"));
    }
    let values = random.next_bits();
    let successors: Vec<_> = [0, 1].into_iter().map(|way| successor(machine, way, values)).collect();
    if successors.iter().any(|(_, event)| matches!(event, Event::Ended(interpreter::Outcome::Unsupported { .. }))) {
        count(census, "unsupported by the interpreter");
        return Ok(());
    }
    let Some(holding) = holding(&arena, setting.program, &this.valuation, &all)? else {
        count(census, "beyond 128 bits");
        return Ok(());
    };
    for (number, (successor, event)) in successors.iter().enumerate() {
        if let Event::Ended(interpreter::Outcome::Failed { failure, .. }) = event {
            count(census, &format!("failure {}", variant(failure)));
        }
        if !holding.iter().any(|outcome| leads_to(&mut arena, setting, &this, outcome, successor, event)) {
            return Err(format!("for all: no outcome leads to {event:?} (way {number}); {holding:?}"));
        }
    }
    for outcome in holding {
        count(census, &format!("tag {:?}", outcome.tag));
        count(census, &format!("effect {}", variant(&outcome.effect)));
        if let Effect::Store(FieldWrite { element, .. }) = outcome.effect {
            count(census, &format!("element {}", variant(&element)));
        }
        if outcome.tag != Tag::Ignorance
            && !successors.iter().any(|(successor, event)| leads_to(&mut arena, setting, &this, outcome, successor, event))
        {
            return Err(format!("exists: {outcome:?} is impossible; {:?}", successors.iter().map(|(_, event)| event).collect::<Vec<_>>()));
        }
    }
    Ok(())
}

/// Only what is forgotten, unsupported or over may be rejected.
fn is_allowed(
    rejection: Rejection,
    this: &state::Abstraction,
    machine: &Machine<'_>,
    instruction: &goatherd_certificates::program::Instruction,
) -> Result<(), String> {
    use goatherd_certificates::{configuration::Slot, program::Instruction};
    let member = &this.configuration.members[0];
    let fields = member.objects.iter().flatten().flat_map(|state| &state.fields);
    let slots: Vec<Slot> = member.registers.iter().chain(fields.flat_map(|field| &field.cells)).copied().collect();
    let is_allowed = match rejection {
        Rejection::Forgotten => slots.contains(&Slot::Forgotten),
        Rejection::Folded => slots.iter().any(|slot| matches!(slot, Slot::Folded(_) | Slot::Last(_))),
        Rejection::Unsupported(_) | Rejection::Shape => true,
        // What is forgotten, or may hold a pointer.
        Rejection::Leak => matches!(instruction, Instruction::CheckLeaks { .. }),
        // Products of two 64-bit constants.
        Rejection::Overflow => matches!(instruction, Instruction::Compute(_)),
        Rejection::AtEnd => matches!(instruction, Instruction::Halt | Instruction::Ignore),
        Rejection::Missing => match instruction {
            // Before its scope, or after.
            Instruction::Address { object, .. } => machine.object_of(*object).is_none_or(|state| state.life == interpreter::Life::Dead),
            _ => false,
        },
        _ => false,
    };
    if is_allowed { Ok(()) } else { Err(format!("rejected: {rejection:?}")) }
}

fn successor<'p>(machine: &Machine<'p>, way: i128, values: u64) -> (Machine<'p>, Event) {
    let mut machine = machine.clone();
    let event = machine.step(&mut Scripted { way, values: Random::new(values) });
    (machine, event)
}

/// The outcomes whose literals hold; none where a value is beyond 128 bits.
fn holding<'a>(arena: &Arena, program: &Program, valuation: &Valuation, all: &'a [Outcome]) -> Result<Option<Vec<&'a Outcome>>, String> {
    let mut holding = Vec::new();
    for outcome in all {
        let mut holds = true;
        for literal in &outcome.literals {
            let Some(is_true) = valuation.holds(arena, &program.tables, *literal) else { return Ok(None) };
            if arena.evident(*literal).is_some_and(|evident| evident != is_true) {
                return Err(format!("{literal:?} is evidently {}", !is_true));
            }
            holds &= is_true;
        }
        if holds {
            holding.push(outcome);
        }
    }
    Ok(Some(holding))
}

fn leads_to(
    arena: &mut Arena,
    setting: Setting<'_>,
    this: &state::Abstraction,
    outcome: &Outcome,
    successor: &Machine<'_>,
    event: &Event,
) -> bool {
    let mut this = this.clone();
    if this.configuration.change(arena, setting, MemberId(0)).apply(outcome.effect, &mut environment::Environment::Any).is_err() {
        // An object whose contents this kernel does not handle: the step is rejected.
        return matches!(outcome.effect, Effect::Create(_));
    }
    let place = match event {
        Event::Continued(_) => Some(successor.location()),
        Event::Ended(interpreter::Outcome::Failed { .. }) => None,
        Event::Ended(_) => return false,
    };
    state::describes(arena, setting, &this, successor, place)
}
