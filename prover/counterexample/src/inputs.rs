//! Builds inputs, and answers what the environment is asked, from the picks of a source.

use crate::{candidates::Candidates, source::Source};
use goatherd_certificates::program::{ArrayInput, Input, IntegerType, Layout, LayoutId, Link, ObjectId, Program, Type};
use goatherd_interpreter::{Environment, InputShape, InputValue, LinkedNode, Question, arithmetic, links_of};

/// How large runs may be, and how varied.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// The most elements of an array, or nodes of a linked input.
    pub longest: usize,
    /// The most candidates per integer.
    pub variety: usize,
    /// Skip so many candidates after the first, 0.
    pub skipped: usize,
}

/// Draws runs of one program.
pub struct Drawing<'a, S> {
    /// The program.
    pub program: &'a Program,
    /// What is worth trying.
    pub candidates: &'a Candidates,
    /// Who picks.
    pub source: &'a mut S,
    /// How large.
    pub extent: Extent,
}

impl<S: Source> Drawing<'_, S> {
    /// One value per input; of arrays only their lengths, as their elements are drawn when they are read.
    pub fn inputs(&mut self) -> Vec<InputShape> {
        let program = self.program;
        program.inputs.iter().map(|input| self.input(input)).collect()
    }

    fn input(&mut self, input: &Input) -> InputShape {
        InputShape::Whole(match *input {
            Input::Integer { register } => match self.program.registers[register.index()].kind {
                Type::Integer(kind) => InputValue::Integer(self.integer(kind)),
                Type::Pointer => InputValue::Integer(0),
            },
            Input::Array(ArrayInput { length, .. }) => {
                let most = match self.program.registers[length.index()].kind {
                    Type::Integer(kind) => u64::try_from(arithmetic::maximum(kind)).unwrap_or(u64::MAX),
                    Type::Pointer => 0,
                };
                return InputShape::Length(u64::try_from(self.length()).unwrap_or(u64::MAX).min(most));
            }
            Input::Single { object, .. } => {
                let layout = self.layout_of(object);
                InputValue::Single((self.source.pick(2) == 1).then(|| self.integers(layout)))
            }
            Input::Linked { object, .. } => InputValue::Linked(self.tree(object)),
        })
    }

    fn layout_of(&self, object: ObjectId) -> LayoutId {
        self.program.objects[object.index()].layout
    }

    fn length(&mut self) -> usize {
        let lengths = self.candidates.lengths();
        if self.source.bits().is_some() && !lengths.is_empty() {
            return lengths[self.source.pick(lengths.len())];
        }
        self.source.pick(self.extent.longest + 1)
    }

    fn integers(&mut self, layout: LayoutId) -> Vec<i128> {
        let layout: &Layout = &self.program.layouts[layout.index()];
        let kinds = layout.fields.iter().filter_map(|field| match field.kind {
            Type::Integer(kind) => Some(kind),
            Type::Pointer => None,
        });
        kinds.map(|kind| self.integer(kind)).collect()
    }

    /// A tree, breadth first, so that children come after their parents.
    fn tree(&mut self, root: ObjectId) -> Vec<LinkedNode> {
        let most = self.extent.longest;
        let mut declarations = vec![root; self.source.pick(most.min(1) + 1)];
        let mut nodes = Vec::new();
        while let Some(declaration) = declarations.get(nodes.len()).copied() {
            let integers = self.integers(self.layout_of(declaration));
            let mut children = Vec::new();
            for link in links_of(self.program, declaration) {
                let Link::Child(child) = link else { continue };
                let grows = declarations.len() < most && self.source.pick(2) == 1;
                children.push(grows.then_some(declarations.len()));
                if grows {
                    declarations.push(ObjectId(child.0));
                }
            }
            nodes.push(LinkedNode { integers, children });
        }
        nodes
    }

    fn integer(&mut self, kind: IntegerType) -> i128 {
        if let Some(bits) = self.source.bits() {
            return arithmetic::wrap(kind, i128::from(bits));
        }
        let values = self.candidates.values(kind);
        let variety = self.extent.variety.min(values.len());
        match self.source.pick(variety) {
            0 => values[0],
            picked => values[1 + (picked - 1 + self.extent.skipped) % (values.len() - 1)],
        }
    }
}

impl<S: Source> Environment for Drawing<'_, S> {
    fn answer(&mut self, question: Question) -> Option<i128> {
        match question {
            Question::Havoc { kind } | Question::Contents { kind, .. } | Question::Element { kind } => Some(self.integer(kind)),
            Question::Direction => Some(i128::from(self.source.pick(2) == 1)),
            // An object first: failing allocations end most programs early.
            Question::Allocation { .. } => Some(i128::from(self.source.pick(2) == 0)),
            // A run that rests on such an answer shows nothing.
            Question::Comparison => None,
        }
    }
}

/// The size of an input's value: elements of arrays, nodes.
pub(crate) fn elements(value: &InputValue) -> u64 {
    let count = match value {
        InputValue::Integer(_) => 0,
        InputValue::Array(elements) => elements.len(),
        InputValue::Single(fields) => usize::from(fields.is_some()),
        InputValue::Linked(nodes) => nodes.len(),
    };
    u64::try_from(count).unwrap_or(u64::MAX)
}
