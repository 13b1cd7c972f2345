//! What drives a run, changed a little at random: a way to come from runs that are known to others that are close to them.

use goatherd_certificates::program::{
    ArrayInput, Branch, Condition, Input, Instruction, IntegerType, Link, ObjectId, Operand, Program, Type,
};
use goatherd_counterexample::candidates::Candidates;
use goatherd_interpreter::{InputValue, LinkedNode, Machine, Random, Value, arithmetic, links_of};

/// Arrays and lists are not made longer than this.
const LONGEST: usize = 512;

/// At most so many changes are made at once.
const CHANGES: u64 = 3;

/// What drives a run.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Given {
    /// One value per input.
    pub inputs: Vec<InputValue>,
    /// What the environment chooses; what is asked beyond has default answers.
    pub choices: Vec<i128>,
}

/// Two integers that a run compared: what would make the comparison come out otherwise is near them, or as far from what is there as they are
/// from each other.
pub type ComparedPair = (i128, i128);

/// Of runs, only the last so many comparisons and accesses tell what is to be changed.
const LAST: usize = 4;

/// What a run did last, so that it went on as it did.
#[derive(Clone, Default, Debug)]
pub struct MutationHints {
    /// What it compared.
    pub compared: Vec<ComparedPair>,
    /// Which elements of arrays it read or wrote, each with the position of its input.
    pub places: Vec<(usize, usize)>,
}

impl MutationHints {
    /// Notes what the next instruction does.
    pub fn see(&mut self, machine: &Machine<'_>) {
        push(&mut self.compared, compared(machine));
        push(&mut self.places, place(machine));
    }
}

fn push<T>(last: &mut Vec<T>, new: Option<T>) {
    if let Some(new) = new {
        if last.len() == LAST {
            last.remove(0);
        }
        last.push(new);
    }
}

/// The element of an input that the next instruction reads or writes.
fn place(machine: &Machine<'_>) -> Option<(usize, usize)> {
    let place = machine.place_of_access()?;
    let declaration = machine.objects().get(place.object.0)?.declaration?;
    let is_it = |input: &Input| matches!(input, Input::Array(array) if array.object == declaration);
    Some((machine.program().inputs.iter().position(is_it)?, usize::try_from(place.index).ok()?))
}

/// What the next instruction compares, where it is a branch on integers.
pub fn compared(machine: &Machine<'_>) -> Option<ComparedPair> {
    let instruction = machine.program().instructions.get(machine.location().index())?;
    let Instruction::Branch(Branch { condition: Condition::Integers { left, right, .. }, .. }) = instruction else { return None };
    let value = |operand: &Operand| match operand {
        Operand::Constant(value) => Some(*value),
        Operand::Register(register) => match machine.registers().get(register.index())? {
            Value::Integer(value) => Some(*value),
            _ => None,
        },
    };
    Some((value(left)?, value(right)?))
}

/// Changes at random, the same ones each time.
pub struct Mutation<'a> {
    program: &'a Program,
    candidates: Candidates,
    random: Random,
}

impl<'a> Mutation<'a> {
    /// Of what drives this program.
    pub fn new(program: &'a Program, seed: u64) -> Self {
        Self { program, candidates: Candidates::of(program), random: Random::new(seed) }
    }

    /// One of several, of which there is one at least.
    pub fn pick<'t, T>(&mut self, several: &'t [T]) -> Option<&'t T> {
        several.get(self.below(several.len()))
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.random.below(u64::try_from(bound).unwrap_or(u64::MAX))).unwrap_or(0)
    }

    /// Something close to what is given.
    pub fn change(&mut self, given: &Given, hints: &MutationHints) -> Given {
        let mut changed = given.clone();
        let (program, compared) = (self.program, &hints.compared[..]);
        for _ in 0..=self.random.below(CHANGES) {
            let is_near = self.below(2) == 0;
            if let Some((position, index)) = self.pick(&hints.places).copied().filter(|_| is_near)
                && let (Some(Input::Array(array)), Some(InputValue::Array(elements))) =
                    (program.inputs.get(position), changed.inputs.get_mut(position))
                && let Some(element) = elements.get_mut(index)
            {
                self.change_one(array.object, element, compared);
                continue;
            }
            let place = self.below(program.inputs.len() + usize::from(!given.choices.is_empty() || program.inputs.is_empty()));
            match (program.inputs.get(place), changed.inputs.get_mut(place)) {
                (Some(input), Some(value)) => self.change_input(input, value, compared),
                _ => self.change_choices(&mut changed.choices, compared),
            }
        }
        changed
    }

    fn change_input(&mut self, input: &Input, value: &mut InputValue, compared: &[ComparedPair]) {
        match (input, value) {
            (Input::Integer { register }, InputValue::Integer(value)) => {
                if let Type::Integer(kind) = self.program.registers[register.index()].kind {
                    *value = self.integer(kind, *value, compared);
                }
            }
            (Input::Array(array), InputValue::Array(elements)) => self.change_array(array, elements, compared),
            (Input::Single { object, .. }, InputValue::Single(fields)) => match fields {
                Some(fields) if self.below(8) > 0 => self.change_one(*object, fields, compared),
                Some(_) => *fields = None,
                None => *fields = Some(vec![0; self.kinds(*object).len()]),
            },
            (Input::Linked { object, .. }, InputValue::Linked(nodes)) => self.change_nodes(*object, nodes, compared),
            _ => {}
        }
    }

    /// Sets elements, or makes the array shorter or longer.
    fn change_array(&mut self, array: &ArrayInput, elements: &mut Vec<Vec<i128>>, compared: &[ComparedPair]) {
        let (place, other) = (self.below(elements.len()), self.below(elements.len()));
        let (first, last) = (place.min(other), place.max(other));
        match self.below(8) {
            0 if !elements.is_empty() => drop(elements.remove(place)),
            1 if !elements.is_empty() => elements.swap(place, other),
            2 if !elements.is_empty() => elements.insert(place, elements[other].clone()),
            3 if !elements.is_empty() => elements.extend_from_within(first..=last),
            4 => {
                let mut element = vec![0; self.kinds(array.object).len()];
                self.change_one(array.object, &mut element, compared);
                let place = self.below(elements.len() + 1);
                elements.insert(place, element);
            }
            _ => {
                if let Some(element) = elements.get_mut(place) {
                    self.change_one(array.object, element, compared);
                }
            }
        }
        elements.truncate(greatest_length(self.program, array).min(LONGEST));
    }

    fn kinds(&self, object: ObjectId) -> Vec<IntegerType> {
        kinds(self.program, object).collect()
    }

    /// Sets one of the integers in an object.
    fn change_one(&mut self, object: ObjectId, fields: &mut [i128], compared: &[ComparedPair]) {
        let (place, kinds) = (self.below(fields.len()), self.kinds(object));
        if let (Some(field), Some(kind)) = (fields.get_mut(place), kinds.get(place)) {
            *field = self.integer(*kind, *field, compared);
        }
    }

    /// Sets an integer in a node, adds a node below another, or takes away the last one.
    fn change_nodes(&mut self, root: ObjectId, nodes: &mut Vec<LinkedNode>, compared: &[ComparedPair]) {
        let Some(declarations) = LinkedNode::declarations(self.program, root, nodes) else { return };
        let place = self.below(nodes.len());
        match self.below(4) {
            0 if nodes.is_empty() => nodes.push(self.node(root)),
            0 | 1 if nodes.len() < LONGEST && !nodes.is_empty() => {
                let free = nodes[place].children.iter().position(Option::is_none);
                let children = links_of(self.program, declarations[place]).iter();
                let child = children.filter_map(|link| if let Link::Child(child) = link { Some(ObjectId(child.0)) } else { None });
                if let Some((free, child)) = free.and_then(|free| Some((free, child.clone().nth(free)?))) {
                    nodes[place].children[free] = Some(nodes.len());
                    nodes.push(self.node(child));
                }
            }
            2 => {
                nodes.pop();
                let count = nodes.len();
                for child in nodes.iter_mut().flat_map(|node| &mut node.children) {
                    *child = child.filter(|child| *child < count);
                }
            }
            _ => {
                if let Some(node) = nodes.get_mut(place) {
                    self.change_one(declarations[place], &mut node.integers, compared);
                }
            }
        }
    }

    /// A node without children.
    fn node(&self, declaration: ObjectId) -> LinkedNode {
        let children = links_of(self.program, declaration).iter().filter(|link| matches!(link, Link::Child(_))).count();
        LinkedNode { integers: vec![0; self.kinds(declaration).len()], children: vec![None; children] }
    }

    /// Of what type a choice is, the program knows when it asks: it refuses those that are out of range.
    fn change_choices(&mut self, choices: &mut Vec<i128>, compared: &[ComparedPair]) {
        let place = self.below(choices.len() + 1);
        let old = choices.get(place).copied().unwrap_or(0);
        let value = if self.below(2) == 0 { i128::from(old == 0) } else { self.integer(IntegerType::I32, old, compared) };
        if place == choices.len() && place < LONGEST {
            choices.push(value);
        } else if let Some(choice) = choices.get_mut(place) {
            *choice = value;
        }
    }

    fn integer(&mut self, kind: IntegerType, old: i128, compared: &[ComparedPair]) -> i128 {
        let near = i128::from(self.random.below(3)) - 1;
        let value = match (self.below(8), self.pick(compared).copied()) {
            (0..=4, Some((left, right))) => match self.below(4) {
                0 => left.saturating_add(near),
                1 => right.saturating_add(near),
                2 => old.saturating_add(right.saturating_sub(left)).saturating_add(near),
                _ => old.saturating_sub(right.saturating_sub(left)).saturating_add(near),
            },
            (0..=2 | 5, _) => {
                let place = self.below(self.candidates.values(kind).len());
                self.candidates.values(kind)[place]
            }
            (3 | 6, _) => old ^ (1 << self.below(usize::try_from(arithmetic::width(kind)).unwrap_or(1))),
            _ => self.random.value(kind),
        };
        arithmetic::wrap(kind, value)
    }
}

/// The types of the integers in an element.
pub(super) fn kinds(program: &Program, object: ObjectId) -> impl Iterator<Item = IntegerType> {
    let layout = &program.layouts[program.objects[object.index()].layout.index()];
    layout.fields.iter().filter_map(|field| if let Type::Integer(kind) = field.kind { Some(kind) } else { None })
}

/// How many elements the type of the length allows.
pub(super) fn greatest_length(program: &Program, array: &ArrayInput) -> usize {
    match program.registers[array.length.index()].kind {
        Type::Integer(kind) => usize::try_from(arithmetic::maximum(kind)).unwrap_or(usize::MAX),
        Type::Pointer => 0,
    }
}
