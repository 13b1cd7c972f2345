//! Witnesses: integers and pointers that say where an element with a known value is (`spec/search.md#witnesses`).
//!
//! That a string has a terminator is known of the element at which a loop has found it, or at which it was written. Nothing reads that index any more, so templates would
//! forget it; a search without scapegoats keeps it, and with it that whatever walks the string comes to it. So does one for programs that search
//! twice, and with it also where two arrays were found different.

use super::{derivation::End, found::keeps_entered, path::Path, state::Search, stuck::Stuck};
use crate::{
    state::{herd::Herd, template::key::Keys},
    ways::strategy::Drops,
};
use goatherd_certificates::{
    configuration::{Address, Slot},
    program::{Advance, Branch, Condition, Instruction, Location, Operand, Program, RegisterId, Relation},
    term::{Array, ArrayId, ArrayStore, LinearId, Literal, Sign},
};
use goatherd_checker::term::Arena;
use goatherd_flow::{
    Flow,
    focus::Focus,
    instruction::{successors, written},
    loops::Loop,
};
use std::collections::BTreeSet;

/// So many elements a round looks at, at most, before it goes on behind all of them.
const LOOKED_AT: i128 = 4;
/// So many witnesses that loops have moved are kept at most.
const MOVED: usize = 2;
/// So many indices are kept at most where constants are noted at constant indices.
const FIXED: usize = 4;

/// A register that is left where an element is a constant, and where it is so from.
struct Witness {
    register: RegisterId,
    known: Known,
    from: Location,
}

/// How an element is known to be a constant.
enum Known {
    /// This comparison has found it equal.
    Compared(Location),
    /// It was stored, as the terminator behind what was copied.
    Stored,
}

/// The same, where witnesses are as good as read until they are written. Where all that comes to a head shares a template, only those are that
/// the program assumes: others would be known on some ways and unknown on others.
pub fn with_witnesses(program: &Program, flow: &Flow, keys: Keys) -> Flow {
    let mut with_witnesses = flow.clone();
    if !keys.have_focus() {
        with_witnesses.focus = Focus::default();
    }
    if keys == Keys::Partners {
        with_witnesses.focus.partners.clone_from(&flow.partners);
        keep_distances(program, &mut with_witnesses);
    }
    with_witnesses.keeps_entered = keeps_entered(program, keys);
    with_witnesses.keeps_ends = moves_ends(program, flow);
    with_witnesses.fixed_ends = fixed_ends(program);
    for Witness { register, known, from } in compared(program).into_iter().chain(stored(program, flow)) {
        with_witnesses.witnesses.insert(register);
        if let Known::Compared(branch) = known
            && matches!(keys, Keys::Heads | Keys::Witnesses)
            && !is_assumed(program, flow, branch)
        {
            continue;
        }
        keep_from(program, &mut with_witnesses, from, register);
    }
    with_witnesses
}

/// The register is as good as read from the location on, until it is written.
fn keep_from(program: &Program, flow: &mut Flow, from: Location, register: RegisterId) {
    let mut open = vec![from];
    let mut seen = BTreeSet::new();
    while let Some(location) = open.pop() {
        if !seen.insert(location) {
            continue;
        }
        flow.keep_alive(location, register);
        if written(&program.instructions[location.index()]) != Some(register) {
            open.extend(successors(program, location));
        }
    }
}

/// What says how far elements are apart that are exchanged is as good as read once it is written.
fn keep_distances(program: &Program, flow: &mut Flow) {
    let registers: Vec<RegisterId> = flow.focus.partners.iter().filter_map(|place| Some(place.other?.0)).collect();
    for register in registers {
        for location in (0..).map(Location).take(program.instructions.len()) {
            if written(&program.instructions[location.index()]) == Some(register) {
                for next in successors(program, location) {
                    keep_from(program, flow, next, register);
                }
            }
        }
    }
}

/// Is a run ignored where the loop around the branch ends without the witness?
fn is_assumed(program: &Program, flow: &Flow, branch: Location) -> bool {
    let around = flow.loops.values().filter(|around| around.body.contains(&branch)).min_by_key(|around| around.body.len());
    let body = around.map_or_else(|| BTreeSet::from([branch]), |around| around.body.clone());
    let mut beyond = body.iter().flat_map(|location| successors(program, *location)).filter(|location| !body.contains(location));
    beyond.any(|location| matches!(program.instructions[location.index()], Instruction::Ignore))
}

/// The indices, or where there is none the pointers, at which elements were read that are then compared with a constant.
fn compared(program: &Program) -> Vec<Witness> {
    let mut witnesses = Vec::new();
    for (branch, window) in (2..).map(Location).zip(program.instructions.windows(3)) {
        let [before, Instruction::Load { target, address, .. }, Instruction::Branch(Branch { condition, then, .. })] = window else {
            continue;
        };
        let Condition::Integers { relation: Relation::Equal, left: Operand::Register(left), right: Operand::Constant(_) } = condition
        else {
            continue;
        };
        let register = match before {
            Instruction::Advance(Advance { target, index: Operand::Register(index), .. }) if target == address => *index,
            _ => *address,
        };
        if left == target {
            witnesses.push(Witness { register, known: Known::Compared(branch), from: *then });
        }
    }
    witnesses
}

/// The indices at which a constant is stored, but in loops that move them: behind `while (*s) d[i++] = *s++;` the one of `d[i] = 0;`.
fn stored(program: &Program, flow: &Flow) -> Vec<Witness> {
    let is_moved =
        |store, register| flow.loops.values().any(|around| around.body.contains(&store) && is_written(program, around, register));
    let stays = constants_stored(program).filter(|(store, register)| !is_moved(*store, *register));
    stays.map(|(store, register)| Witness { register, known: Known::Stored, from: Location(store.0 + 1) }).collect()
}

/// By how many bytes constants are stored behind where pointers lead: the terminator at the end of a buffer of constant size.
fn fixed_ends(program: &Program) -> BTreeSet<i64> {
    let stored = program.instructions.windows(2).filter_map(|window| match window {
        [Instruction::Assign { target, value: Operand::Constant(_) }, Instruction::Store { offset, source, .. }] if target == source => {
            Some(*offset)
        }
        _ => None,
    });
    stored.filter(|offset| *offset > 0).collect()
}

/// Where a constant is stored, each with the index of the element.
fn constants_stored(program: &Program) -> impl Iterator<Item = (Location, RegisterId)> {
    (2..).map(Location).zip(program.instructions.windows(3)).filter_map(|(store, window)| match window {
        [
            Instruction::Advance(Advance { target, index: Operand::Register(register), .. }),
            Instruction::Assign { target: value, value: Operand::Constant(_) },
            Instruction::Store { address, source, .. },
        ] if (target, value) == (address, source) => Some((store, *register)),
        _ => None,
    })
}

fn is_written(program: &Program, around: &Loop, register: RegisterId) -> bool {
    around.body.iter().any(|at| written(&program.instructions[at.index()]) == Some(register))
}

/// Does a loop move an index and store a constant there, as `d[n++] = c; d[n] = 0;` does? Where it moves the index behind that, as a loop that fills an
/// array does, what is at it is no constant when the round is over.
fn moves_ends(program: &Program, flow: &Flow) -> bool {
    let is_kept = |head: &Location, around: &Loop, store: Location, register: RegisterId| {
        let mut open = vec![Location(store.0 + 1)];
        let mut seen = BTreeSet::new();
        while let Some(location) = open.pop() {
            if location == *head {
                return true;
            }
            let is_new = around.body.contains(&location) && seen.insert(location);
            if is_new && written(&program.instructions[location.index()]) != Some(register) {
                open.extend(successors(program, location));
            }
        }
        false
    };
    constants_stored(program).any(|(store, register)| {
        let mut moving = flow.loops.iter().filter(|(_, around)| around.body.contains(&store) && is_written(program, around, register));
        moving.any(|(head, around)| is_kept(head, around, store, register))
    })
}

impl Search<'_> {
    /// Splits on what follows from witnesses, but not by addition: that a walk has not passed one, and that another element was written.
    pub(crate) fn keep_before_witnesses(&mut self, herd: &mut Herd, path: &Path<'_>, head: Location) -> Result<Option<End>, Stuck> {
        self.note_mismatch(herd, path, head);
        self.note_moved(herd, path, head);
        self.note_fixed(herd);
        self.note_entered(herd, path, head);
        let Some(literal) = self.consequence(herd) else { return Ok(None) };
        let children = self.split(herd, literal, path)?;
        Ok(Some(End::Split(literal, children)))
    }

    /// Behind each of the first rounds of the first loop that compares arrays in each of its rounds, notes where they were found different; behind
    /// the last of those of a later one it is forgotten.
    fn note_mismatch(&mut self, herd: &mut Herd, path: &Path<'_>, head: Location) {
        let comparing = &self.flow.comparing;
        let is_first = path.visits.get(&head).is_some_and(|visit| *visit >= 1) && !path.heads.contains(&head);
        if self.strategy.keys != Keys::Witnesses || !is_first || !comparing.contains(&head) {
            return;
        }
        if comparing.first() != Some(&head) {
            if path.visits.get(&head).is_some_and(|visit| *visit >= self.setting.k) {
                herd.kept_indices.clear();
            }
            return;
        }
        let k = i128::from(self.setting.k);
        let is_apart = |index: &LinearId| self.arena.value(*index).is_some_and(|index| index < k);
        if !herd.different.iter().any(is_apart) {
            herd.kept_indices.extend(herd.different.iter().copied());
            herd.kept_indices.sort_unstable();
            herd.kept_indices.dedup();
        }
    }

    /// Before a loop moves a witness, keeps its index: behind `d[i] = 0;`, as `while (s[i]) i++;` does.
    fn note_moved(&mut self, herd: &mut Herd, path: &Path<'_>, head: Location) {
        let is_first = path.visits.get(&head).is_none_or(|visit| *visit == 0);
        let Some(around) = self.flow.loops.get(&head).filter(|_| is_first && self.strategy.drops == Drops::None) else { return };
        let Some(primary) = herd.configuration.members.first() else { return };
        let fields = || primary.objects.iter().flatten().flat_map(|state| &state.fields);
        let arrays: Vec<ArrayId> = fields().filter_map(|field| field.rest).collect();
        for register in around.relevant.iter().filter(|register| self.flow.witnesses.contains(register)) {
            let Ok(Slot::Integer(index) | Slot::Pointer(Address { index, .. })) = primary.register(*register) else { continue };
            let is_constant = |arena: &mut Arena, array| arena.select(array, index).is_ok_and(|element| arena.value(element).is_some());
            if arrays.iter().any(|array| is_constant(self.arena, *array))
                && !herd.kept_indices.contains(&index)
                && herd.kept_indices.iter().filter(|kept| self.arena.value(**kept).is_none()).count() < MOVED
                && self.arena.value(index).is_none()
            {
                herd.kept_indices.push(index);
            }
        }
    }

    /// Before a witness is overwritten, as where the next loop begins at the first element again, keeps its index, if an element there is known to be a
    /// constant.
    pub(crate) fn note_overwritten(&mut self, herd: &mut Herd, location: Location) {
        let Instruction::Assign { target, .. } = self.setting.program.instructions[location.index()] else { return };
        if !self.strategy.keys.have_focus() || !self.flow.witnesses.contains(&target) {
            return;
        }
        let Some(primary) = herd.configuration.members.first() else { return };
        let Ok(Slot::Integer(index)) = primary.register(target) else { return };
        let fields = primary.objects.iter().flatten().flat_map(|state| &state.fields);
        let arrays: Vec<ArrayId> = fields.filter_map(|field| field.rest).collect();
        if self.arena.value(index).is_none()
            && !herd.kept_indices.contains(&index)
            && herd.kept_indices.iter().filter(|kept| self.arena.value(**kept).is_none()).count() < MOVED
            && arrays.into_iter().any(|array| self.is_constant(herd, array, index))
        {
            herd.kept_indices.push(index);
        }
    }

    /// Keeps the constant indices at which elements are known to be constants, where the program stores one so far behind a pointer.
    fn note_fixed(&mut self, herd: &mut Herd) {
        let Some(primary) = herd.configuration.members.first() else { return };
        let mut ends = Vec::new();
        for state in primary.objects.iter().flatten() {
            let Ok(layout) = self.setting.layout(state.declaration) else { continue };
            for (field, declared) in state.fields.iter().zip(&layout.fields) {
                let (size, start) = (i128::from(layout.size), i128::from(declared.offset));
                let behind = self.flow.fixed_ends.iter().map(|offset| i128::from(*offset) - start);
                let indices = behind.filter(|behind| behind.rem_euclid(size) == 0).map(|behind| behind.div_euclid(size));
                ends.extend(field.rest.into_iter().flat_map(|array| indices.clone().map(move |index| (array, index))));
            }
        }
        for (array, index) in ends {
            if herd.kept_indices.len() < FIXED
                && let Ok(index) = self.arena.constant(index)
                && !herd.kept_indices.contains(&index)
                && self.is_constant(herd, array, index)
            {
                herd.kept_indices.push(index);
            }
        }
    }

    /// Is the element of the array known to be a constant, though others of it are not?
    fn is_constant(&mut self, herd: &mut Herd, array: ArrayId, index: LinearId) -> bool {
        let (Ok(element), Ok(zero)) = (self.arena.select(array, index), self.arena.constant(0)) else { return false };
        let is_uniform = matches!(self.arena.array(array), Ok(Array::Constant(_) | Array::Table(_)));
        !is_uniform && matches!(herd.context.difference_bounds(self.arena, element, zero), (Some(least), Some(most)) if least == most)
    }

    fn consequence(&mut self, herd: &mut Herd) -> Option<Literal> {
        let primary = herd.configuration.members.first()?.clone();
        let index = |slot: &Slot| match *slot {
            Slot::Integer(index) | Slot::Pointer(Address { index, .. }) => Some(index),
            _ => None,
        };
        let indices: BTreeSet<LinearId> = primary.registers.iter().filter_map(index).collect();
        let mut stores = BTreeSet::new();
        for mut array in primary.objects.iter().flatten().flat_map(|state| &state.fields).filter_map(|field| field.rest) {
            while let Ok(Array::Store(ArrayStore { array: below, index, .. })) = self.arena.array(array) {
                stores.insert(*index);
                array = *below;
            }
        }
        let kept = self.flow.witnesses.iter().filter_map(|register| primary.registers.get(register.index()).and_then(index));
        let witnesses: Vec<LinearId> = kept.chain(herd.kept_indices.iter().copied()).collect();
        for witness in witnesses {
            let reached = indices.iter().map(|index| (*index, Sign::AtMostZero)).chain(stores.iter().map(|index| (*index, Sign::NotZero)));
            for (index, sign) in reached {
                let (_, greatest) = herd.context.difference_bounds(self.arena, index, witness);
                // A round that has looked at two elements, as one is that skips a character and what escapes it, comes nearer by one and by one.
                let (is_near, beyond) = match (sign, greatest) {
                    (Sign::AtMostZero, Some(greatest)) => ((1..=LOOKED_AT).contains(&greatest), greatest.saturating_sub(1)),
                    _ => (greatest == Some(0), 0),
                };
                let limit = self.arena.plus(witness, beyond).ok()?;
                let literal = Literal { sign, term: self.arena.difference(index, limit).ok()? };
                if is_near && !herd.configuration.predicate.contains(&literal) && herd.context.entails(self.arena, literal) {
                    return Some(literal);
                }
            }
        }
        for witness in herd.kept_indices.clone() {
            // Where arrays were found different is before what ends them.
            for index in &indices {
                let before = self.arena.plus(witness, 1).ok()?;
                let literal = self.arena.at_most(before, *index).ok()?;
                let (_, greatest) = herd.context.difference_bounds(self.arena, witness, *index);
                if greatest == Some(0) && !herd.configuration.predicate.contains(&literal) && herd.context.entails(self.arena, literal) {
                    return Some(literal);
                }
            }
        }
        None
    }
}
