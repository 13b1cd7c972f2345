//! Inputs of a turned run that keep what they can of the inputs before: what the beginning does not read is as it was, so that the run goes on
//! as the one before did, if only the beginning matters.

use super::realise::{Drive, drive};
use goatherd_certificates::{
    certificate::Parameters,
    program::{Input, Location, Program},
};
use goatherd_interpreter::{Event, InputValue, Machine, Replay};
use std::collections::BTreeSet;

/// The inputs that drive the beginning of a path, with elements of the inputs before where the beginning reads none; none where these do not drive it.
pub fn kept(program: &Program, parameters: Parameters, path: &[Location], found: &Drive, before: &[InputValue]) -> Option<Drive> {
    let read = elements_read(program, parameters, path, found)?;
    let values = found.inputs.iter().zip(before).enumerate();
    let inputs: Vec<InputValue> = values
        .map(|(position, (found, before))| match (found, before) {
            (InputValue::Array(found), InputValue::Array(before)) => {
                let element = |index: usize| {
                    let (new, old) = (found.get(index), before.get(index));
                    let is_read = read.contains(&(position, index));
                    if is_read { new.or(old) } else { old.or(new) }.cloned()
                };
                InputValue::Array((0..found.len().max(before.len())).filter_map(element).collect())
            }
            _ => found.clone(),
        })
        .collect();
    if inputs.len() != found.inputs.len() || inputs == found.inputs {
        return None;
    }
    drive(program, parameters, path, &inputs, &found.choices)
}

/// The elements of arrays that a run along the beginning reads or writes, each with the position of its input.
fn elements_read(program: &Program, parameters: Parameters, path: &[Location], found: &Drive) -> Option<BTreeSet<(usize, usize)>> {
    let mut machine = Machine::new(program, parameters, &found.inputs).ok()?;
    let mut answers = Replay::new(&found.choices);
    let object = |input: &Input| match input {
        Input::Array(array) => machine.objects().iter().position(|object| object.declaration == Some(array.object)),
        _ => None,
    };
    let objects: Vec<Option<usize>> = program.inputs.iter().map(object).collect();
    let mut read = BTreeSet::new();
    for _ in 1..path.len() {
        if let Some(place) = machine.place_of_access()
            && let Some(position) = objects.iter().position(|object| *object == Some(place.object.0))
        {
            read.extend(usize::try_from(place.index).ok().map(|index| (position, index)));
        }
        if !matches!(machine.step(&mut answers), Event::Continued(_)) {
            break;
        }
    }
    Some(read)
}
