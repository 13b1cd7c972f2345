//! What Twin says of random states: that what it does not compare makes no difference to the rest of the program (`spec/calculus.md#twin`).
//!
//! A random program is followed symbolically; somewhere on the way its state is copied and the copy spoilt in places. If Twin takes the copy for a
//! twin of the original, both are followed further, by the same outcomes: each instruction has to find the same in both.

use crate::{
    conformance::programs::{index, one_in, parameters, program},
    forge::MEMORY,
};
use goatherd_certificates::{
    configuration::{InputSize, Life, Slot},
    derivation::{Lengths, MemberId},
    program::Instruction,
};
use goatherd_checker::{
    budget::Budget,
    configuration::{Configuration, Member, Setting},
    outcome::Outcome,
    rules, step,
    term::Arena,
    twin::twin,
};
use goatherd_interpreter::Random;
use std::sync::Arc;

/// How many steps are taken before the copy is made, at most, and behind it.
const STEPS: [u64; 2] = [25, 60];

/// What became of the copies of one program.
#[derive(Clone, Copy, Default, Debug)]
pub struct Seen {
    /// How many differed from the original.
    pub spoilt: u64,
    /// How many of these were taken for twins.
    pub twins: u64,
    /// How many instructions were followed behind those.
    pub steps: u64,
}

/// Follows a random program; says where a twin is none.
pub fn run(seed: u64, seen: &mut Seen) -> Result<(), String> {
    let random = &mut Random::new(seed);
    let mut program = program(random);
    // Where leaks are checked there are no twins.
    program.instructions.iter_mut().for_each(|instruction| {
        if let Instruction::CheckLeaks { .. } = instruction {
            *instruction = Instruction::Halt;
        }
    });
    let parameters = parameters(random);
    let setting = Setting { program: &program, parameters: &parameters, k: 2, sorts: &[] };
    let arena = &mut Arena::new(&program.tables, Budget::new(MEMORY)).expect("room for the tables");
    let class = random.below(2);
    let root = rules::root(arena, setting, Lengths::Open, class).map_err(|rejection| format!("{rejection:?}"))?;
    let Some(mut configuration) = root else { return Ok(()) };
    for _ in 0..random.below(STEPS[0]) {
        let Some(outcome) = any_outcome(arena, setting, random, &configuration) else { return Ok(()) };
        if configuration.change(arena, setting, MemberId(0)).follow(&outcome).is_err() {
            return Ok(());
        }
    }
    for _ in 0..8 {
        let mut copy = configuration.clone();
        for _ in 0..=random.below(3) {
            spoil(arena, random, &mut copy.members[0]);
        }
        copy.members[0].size = InputSize::Smaller;
        if copy.members[0].registers == configuration.members[0].registers && copy.members[0].objects == configuration.members[0].objects {
            continue;
        }
        seen.spoilt += 1;
        let mut pair = configuration.clone();
        pair.members.push(copy.members[0].clone());
        if twin(arena, setting, &pair, MemberId(1)).is_ok() {
            seen.twins += 1;
            follow(arena, setting, random, [configuration.clone(), copy], seen).map_err(|fault| format!("seed {seed}: {fault}"))?;
        }
    }
    Ok(())
}

/// An outcome that is possible; none at an end, or where the kernel says no more.
fn any_outcome(arena: &mut Arena, setting: Setting<'_>, random: &mut Random, configuration: &Configuration) -> Option<Outcome> {
    let mut all = step::outcomes(arena, setting, &configuration.members[0]).ok()?;
    all.retain(|outcome| !rules::is_excluded(arena, outcome));
    // Failures are many, and nothing comes behind them.
    if all.len() > 1 && !one_in(random, 8) {
        all.retain(|outcome| outcome.effect != goatherd_checker::outcome::Effect::Fail);
    }
    if all.is_empty() { None } else { Some(all.swap_remove(index(random, all.len()))) }
}

/// Changes a register, a cell, a life or a bound.
fn spoil(arena: &mut Arena, random: &mut Random, member: &mut Member) {
    let number = arena.constant(i128::from(random.below(3))).expect("a constant");
    let copied = member.registers[index(random, member.registers.len())];
    let slot = [Slot::Forgotten, Slot::Uninitialised, Slot::Null, Slot::Integer(number), copied][index(random, 5)];
    if one_in(random, 2) {
        let register = index(random, member.registers.len());
        member.registers[register] = slot;
        return;
    }
    let position = index(random, member.objects.len());
    let Some(state) = member.objects[position].as_mut().map(Arc::make_mut) else { return };
    match random.below(4) {
        // What is dead stays so: of a local declaration one object lives at most.
        0 => state.life = Life::Dead,
        1 => state.upper = arena.plus(state.upper, 1).expect("a sum"),
        _ => {
            let field = index(random, state.fields.len());
            let cells = &mut state.fields[field].cells;
            if !cells.is_empty() {
                let cell = index(random, cells.len());
                cells[cell] = slot;
            }
        }
    }
}

/// Follows both by the same outcomes, as long as there are any.
fn follow(
    arena: &mut Arena,
    setting: Setting<'_>,
    random: &mut Random,
    mut pair: [Configuration; 2],
    seen: &mut Seen,
) -> Result<(), String> {
    for _ in 0..STEPS[1] {
        let [original, copy] = [&pair[0], &pair[1]].map(|configuration| step::outcomes(arena, setting, &configuration.members[0]));
        let place = pair[0].members[0].place;
        let instruction = setting.instruction(place);
        let (original, copy) = match (original, copy) {
            (Ok(original), Ok(copy)) => (original, copy),
            (Err(rejection), Err(other)) if rejection == other => return Ok(()),
            (original, copy) => return Err(format!("{place:?} {instruction:?}: {original:?}, of the twin {copy:?}")),
        };
        // What ends there, nothing may lead to: then it lives in one of both at most.
        let is_leaving = matches!(instruction, Some(Instruction::Leave { .. }));
        if place != pair[1].members[0].place || (original != copy && !is_leaving) {
            return Err(format!("{place:?} {instruction:?}: {original:?}, of the twin {copy:?}"));
        }
        seen.steps += 1;
        let open: Vec<usize> = (0..original.len()).filter(|number| !rules::is_excluded(arena, &original[*number])).collect();
        let Some(number) = open.get(index(random, open.len().max(1))) else { return Ok(()) };
        for (configuration, all) in pair.iter_mut().zip([&original, &copy]) {
            if configuration.change(arena, setting, MemberId(0)).follow(&all[*number]).is_err() {
                return Ok(());
            }
        }
    }
    Ok(())
}
