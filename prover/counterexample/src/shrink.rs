//! Makes a failing run small: fewest elements, then values nearest to 0, keeping the failing instruction and the kind of failure.

use crate::inputs::elements;
use goatherd_certificates::{
    certificate::Parameters,
    program::{Input, Program},
};
use goatherd_interpreter::{Environment, InputValue, LinkedNode, Outcome, Question, Run, Tracing, run};

/// At most so many steps are spent on one failure.
const BUDGET: u64 = 2_000_000;

/// A failing run made small.
pub struct Shrunk {
    /// Its inputs.
    pub inputs: Vec<InputValue>,
    /// The run, with its trace.
    pub run: Run,
    /// Interpreter steps that were spent.
    pub spent: u64,
}

/// Makes the failing run with these inputs small, and gives it a trace.
pub fn shrink(program: &Program, parameters: Parameters, inputs: Vec<InputValue>, run: Run) -> Shrunk {
    let limit = run.steps;
    let mut shrinking =
        Shrinking { program, parameters, limit, outcome: run.outcome, size: size(&inputs, &run.choices), inputs, run, spent: 0 };
    while shrinking.spent < BUDGET && shrinking.round() {}
    // Once more as it is, for the trace.
    let (inputs, choices) = (shrinking.inputs.clone(), shrinking.run.choices.clone());
    shrinking.limit = shrinking.run.steps;
    if let Some(traced) = shrinking.failing(&inputs, &choices, Tracing::On) {
        shrinking.run = traced;
    }
    Shrunk { inputs: shrinking.inputs, run: shrinking.run, spent: shrinking.spent }
}

struct Shrinking<'p> {
    program: &'p Program,
    parameters: Parameters,
    limit: u64,
    outcome: Outcome,
    size: [u128; 4],
    inputs: Vec<InputValue>,
    run: Run,
    spent: u64,
}

impl Shrinking<'_> {
    /// Tries every change once; was there a good one?
    fn round(&mut self) -> bool {
        let before = self.size;
        self.drop_elements();
        self.reduce_inputs();
        self.reduce_choices();
        self.size < before
    }

    /// Drops one element from one input or from each of two, or one element and 1 from an integer input. Of a tree a node is dropped with all
    /// below it, or all but the subtree of a child, which takes its place.
    fn drop_elements(&mut self) {
        for first in 0..self.inputs.len() {
            let mut place = 0;
            while place < length(&self.inputs[first]) && self.spent < BUDGET {
                let mut dropped = Vec::new();
                for value in self.without(first, place) {
                    let mut one = self.inputs.clone();
                    one[first] = value;
                    dropped.push(one.clone());
                    for second in 0..self.inputs.len() {
                        let mut both = one.clone();
                        if let InputValue::Integer(value) = &mut both[second] {
                            *value -= 1;
                            dropped.push(both);
                        } else if second > first {
                            let values = (0..length(&self.inputs[second])).flat_map(|other| self.without(second, other));
                            dropped.extend(values.map(|value| {
                                let mut both = one.clone();
                                both[second] = value;
                                both
                            }));
                        }
                    }
                }
                if !dropped.into_iter().any(|inputs| self.accept(inputs, None)) {
                    place += 1;
                }
            }
            if let InputValue::Single(Some(_)) = &self.inputs[first] {
                let mut inputs = self.inputs.clone();
                inputs[first] = InputValue::Single(None);
                self.accept(inputs, None);
            }
        }
    }

    /// The values of an input without an element or a node, smallest first.
    fn without(&self, input: usize, place: usize) -> Vec<InputValue> {
        match &self.inputs[input] {
            InputValue::Array(elements) => {
                let mut fewer = elements.clone();
                fewer.remove(place);
                vec![InputValue::Array(fewer)]
            }
            InputValue::Linked(nodes) => {
                let Input::Linked { object, .. } = self.program.inputs[input] else { return Vec::new() };
                let declarations = LinkedNode::declarations(self.program, object, nodes).unwrap_or_default();
                let heirs = nodes[place].children.iter().flatten().filter(|child| declarations.get(**child) == declarations.get(place));
                let heirs = std::iter::once(None).chain(heirs.map(|heir| Some(*heir)));
                heirs.map(|heir| InputValue::Linked(cut(nodes, place, heir))).collect()
            }
            InputValue::Integer(_) | InputValue::Single(_) => Vec::new(),
        }
    }

    fn reduce_inputs(&mut self) {
        for input in 0..self.inputs.len() {
            for position in 0..integers_of(&mut self.inputs[input]).len() {
                loop {
                    let value = *integers_of(&mut self.inputs[input])[position];
                    let reduced = smaller(value).into_iter().any(|smaller| {
                        let mut inputs = self.inputs.clone();
                        *integers_of(&mut inputs[input])[position] = smaller;
                        self.accept(inputs, None)
                    });
                    if !reduced || self.spent >= BUDGET {
                        break;
                    }
                }
            }
        }
    }

    fn reduce_choices(&mut self) {
        let mut position = 0;
        while position < self.run.choices.len() && self.spent < BUDGET {
            let mut fewer = self.run.choices.clone();
            fewer.remove(position);
            let value = self.run.choices[position];
            let with = |smaller| {
                let mut choices = self.run.choices.clone();
                choices[position] = smaller;
                choices
            };
            let mut changed = vec![fewer];
            changed.extend(smaller(value).into_iter().map(with));
            let inputs = self.inputs.clone();
            if !changed.into_iter().any(|choices| self.accept(inputs.clone(), Some(choices))) {
                position += 1;
            }
        }
    }

    /// Keeps the run if it fails in the same way and is smaller.
    fn accept(&mut self, inputs: Vec<InputValue>, choices: Option<Vec<i128>>) -> bool {
        let choices = choices.unwrap_or_else(|| self.run.choices.clone());
        let Some(run) = self.failing(&inputs, &choices, Tracing::Off) else { return false };
        let size = size(&inputs, &run.choices);
        if size >= self.size {
            return false;
        }
        (self.size, self.inputs, self.run) = (size, inputs, run);
        true
    }

    fn failing(&mut self, inputs: &[InputValue], choices: &[i128], tracing: Tracing) -> Option<Run> {
        let mut environment = Lenient { choices: choices.iter() };
        let run = run(self.program, self.parameters, inputs, &mut environment, self.limit.saturating_mul(2), tracing).ok();
        self.spent += 1 + run.as_ref().map_or(0, |run| run.steps);
        run.filter(|run| run.outcome == self.outcome)
    }
}

/// Answers from a list that was made for another run: clamped into range, and as little as possible beyond its end.
struct Lenient<'a> {
    choices: std::slice::Iter<'a, i128>,
}

impl Environment for Lenient<'_> {
    fn answer(&mut self, question: Question) -> Option<i128> {
        let (least, most) = question.range();
        match question {
            Question::Comparison => None,
            Question::Allocation { .. } => Some(self.choices.next().map_or(1, |choice| *choice.clamp(&least, &most))),
            _ => Some(self.choices.next().map_or(0, |choice| *choice.clamp(&least, &most))),
        }
    }
}

/// What is to become small, the first first: elements, distance of the inputs' values from 0, number of choices, their distance from 0.
fn size(inputs: &[InputValue], choices: &[i128]) -> [u128; 4] {
    let mut inputs = inputs.to_vec();
    let count = inputs.iter().map(|input| u128::from(elements(input))).sum();
    let distance = |values: &mut dyn Iterator<Item = i128>| values.map(weight).fold(0, u128::saturating_add);
    let values = distance(&mut inputs.iter_mut().flat_map(integers_of).map(|value| *value));
    [count, values, u128::try_from(choices.len()).unwrap_or(u128::MAX), distance(&mut choices.iter().copied())]
}

/// The distance from 0; of two values as far away the positive one is less.
fn weight(value: i128) -> u128 {
    value.unsigned_abs().saturating_mul(2).saturating_add(u128::from(value < 0))
}

/// Values to try in place of this one, nearest to 0 first.
fn smaller(value: i128) -> Vec<i128> {
    let near = [0, 1, -1, i128::from(b'a'), value / 2, value - value.signum(), -value];
    near.into_iter().filter(|other| weight(*other) < weight(value)).collect()
}

fn length(value: &InputValue) -> usize {
    match value {
        InputValue::Array(elements) => elements.len(),
        InputValue::Linked(nodes) => nodes.len(),
        InputValue::Integer(_) | InputValue::Single(_) => 0,
    }
}

/// The tree without a node and everything below it, but for the subtree of a child, if there is an heir, which takes its place.
fn cut(nodes: &[LinkedNode], place: usize, heir: Option<usize>) -> Vec<LinkedNode> {
    // Children come after their parents, so one pass finds all that is below.
    let mut gone = vec![false; nodes.len()];
    gone[place] = true;
    for (number, node) in nodes.iter().enumerate() {
        if gone[number] {
            for child in node.children.iter().flatten().filter(|child| Some(**child) != heir) {
                gone[*child] = true;
            }
        }
    }
    let mut kept = 0;
    let mut moved = Vec::with_capacity(nodes.len());
    for gone in &gone {
        moved.push((!gone).then_some(kept));
        kept += usize::from(!gone);
    }
    let child = |child: usize| if child == place { heir.and_then(|heir| moved[heir]) } else { moved[child] };
    let node = |node: &LinkedNode| LinkedNode {
        integers: node.integers.clone(),
        children: node.children.iter().map(|number| number.and_then(child)).collect(),
    };
    nodes.iter().zip(&gone).filter(|(_, gone)| !**gone).map(|(kept, _)| node(kept)).collect()
}

/// All integers of an input's value.
fn integers_of(value: &mut InputValue) -> Vec<&mut i128> {
    match value {
        InputValue::Integer(value) => vec![value],
        InputValue::Array(elements) => elements.iter_mut().flatten().collect(),
        InputValue::Single(fields) => fields.iter_mut().flatten().collect(),
        InputValue::Linked(nodes) => nodes.iter_mut().flat_map(|node| &mut node.integers).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_takes_the_place_of_what_is_cut() {
        let node = |value, children: &[Option<usize>]| LinkedNode { integers: vec![value], children: children.to_vec() };
        let list = [node(1, &[Some(1)]), node(2, &[Some(2)]), node(3, &[None])];
        assert_eq!(cut(&list, 1, None), [node(1, &[None])]);
        assert_eq!(cut(&list, 1, Some(2)), [node(1, &[Some(1)]), node(3, &[None])]);
        assert_eq!(cut(&list, 0, Some(1)), [node(2, &[Some(1)]), node(3, &[None])]);
        assert_eq!(cut(&list, 0, None), []);
        let tree = [node(1, &[Some(1), Some(2)]), node(2, &[Some(3), None]), node(3, &[None, None]), node(4, &[None, None])];
        assert_eq!(cut(&tree, 0, Some(1)), [node(2, &[Some(1), None]), node(4, &[None, None])]);
        assert_eq!(cut(&tree, 1, Some(3)), [node(1, &[Some(2), Some(1)]), node(3, &[None, None]), node(4, &[None, None])]);
    }
}
