//! Programs that build a few nodes, link them, and ask how they are linked: whether a field is NULL, two pointers are equal, a value is that one, or
//! a node is there still.

use crate::writer::{World, Writer};
use goatherd_certificates::program::{
    Advance, Allocate, Branch, Condition, Fresh, Input, Instruction, IntegerType, Link, ObjectId, Operand, Origin, PointerOperand,
    RegisterId, Relation, SortId, Type,
};

/// Most pointers of a node.
const LINKS: usize = 3;

impl Writer<'_> {
    /// Declares nodes, of one or two declarations, pointers, and rarely an input of such nodes.
    pub(crate) fn declare_built(&mut self, kind: IntegerType) {
        debug_assert_eq!(self.world, World::Built, "all objects are nodes");
        let declarations = 1 + usize::from(self.dice.once_in(3));
        let links = 1 + self.dice.below(LINKS);
        let mut kinds = vec![Type::Integer(kind)];
        kinds.resize(1 + links, Type::Pointer);
        let layout = self.layout(&kinds);
        for _ in 0..declarations {
            let mut fields = vec![Link::Data];
            for _ in 0..links {
                let child = Link::Child(SortId(self.dice.id(declarations)));
                let link = self.dice.one([child, child, Link::Other, Link::Up]);
                fields.push(if link == Link::Up && fields.contains(&link) { Link::Other } else { link });
            }
            self.object(layout, Origin::Node { links: fields });
        }
        if self.dice.once_in(4) {
            let pointer = self.register(Type::Pointer);
            self.program.inputs.push(Input::Linked { pointer, object: ObjectId(0) });
        }
        for _ in 0..3 + self.dice.below(2) {
            self.register(Type::Pointer);
        }
    }

    /// All of such a program but its declarations.
    pub(crate) fn push_built(&mut self) {
        let inputs = self.program.inputs.iter();
        let mut nodes: Vec<RegisterId> =
            inputs.filter_map(|input| if let Input::Linked { pointer, .. } = input { Some(*pointer) } else { None }).collect();
        let mut targets: Vec<RegisterId> = self.pointers.iter().copied().filter(|pointer| !nodes.contains(pointer)).collect();
        self.dice.shuffle(&mut targets);
        let made = self.dice.one([1, 2, 2, 3, 3]).min(targets.len());
        for target in targets.split_off(made) {
            if !self.dice.once_in(8) {
                self.program.instructions.push(Instruction::Null { target });
            }
        }
        for target in targets {
            self.push_node(target);
            nodes.push(target);
        }
        let changes = 1 + self.dice.below(5);
        for _ in 0..changes {
            self.push_change(&nodes);
        }
        if self.dice.once_in(2) {
            let target = self.goes_on();
            self.program.instructions.push(Instruction::Jump { target });
        }
        self.push_inquiry(&nodes);
    }

    fn push_node(&mut self, target: RegisterId) {
        let object = ObjectId(self.dice.id(self.program.objects.len()));
        let size = self.program.layouts.first().map_or(0, |layout| i128::from(layout.size));
        let fresh = if self.dice.once_in(5) { Fresh::Arbitrary } else { Fresh::Zero };
        self.program.instructions.push(Instruction::Allocate(Allocate { target, object, bytes: Operand::Constant(size), fresh }));
    }

    /// Where a field of pointers is.
    fn link(&mut self) -> i64 {
        let links: Vec<i64> = self.places.iter().filter(|(_, kind)| *kind == Type::Pointer).map(|(offset, _)| *offset).collect();
        self.dice.pick(&links).unwrap_or(0)
    }

    /// One of these, or rarely any pointer.
    fn node(&mut self, nodes: &[RegisterId]) -> RegisterId {
        if self.dice.once_in(16) { self.pointer() } else { self.dice.pick(nodes).unwrap_or(RegisterId(0)) }
    }

    /// Links two nodes, stores a value, or changes a pointer or the life of a node.
    fn push_change(&mut self, nodes: &[RegisterId]) {
        let (target, source) = (self.pointer(), self.node(nodes));
        let (value, kind) = self.integer();
        let changed = match self.dice.below(16) {
            0..9 => Instruction::Store { address: self.node(nodes), offset: self.link(), source },
            9..12 => {
                let constant = Operand::Constant(i128::try_from(self.dice.below(4)).unwrap_or(0));
                self.program.instructions.push(match self.dice.below(4) {
                    0 => Instruction::Uninitialise { target: value },
                    _ if kind == IntegerType::Bool => Instruction::Havoc { target: value },
                    _ => Instruction::Assign { target: value, value: constant },
                });
                Instruction::Store { address: source, offset: 0, source: value }
            }
            12 => Instruction::Free { pointer: source },
            13 => Instruction::Copy { target, source },
            14 if self.dice.once_in(2) => Instruction::Null { target },
            14 => Instruction::Uninitialise { target },
            _ => {
                let scale = self.scale();
                Instruction::Advance(Advance { target: source, base: source, index: Operand::Constant(1), scale })
            }
        };
        self.program.instructions.push(changed);
    }

    /// Follows pointers and frees what they lead to; whether that is there still, where the last one leads or what is there decides.
    fn push_inquiry(&mut self, nodes: &[RegisterId]) {
        let start = self.node(nodes);
        let mut at = self.push_load(start);
        let questions = self.dice.one([0, 1, 1, 2, 2, 3]);
        for _ in 0..questions {
            match self.dice.below(10) {
                0..8 => at = self.push_load(at),
                8 => {
                    self.program.instructions.push(Instruction::Free { pointer: at });
                    let next = self.node(nodes);
                    at = self.push_load(next);
                }
                _ => at = self.node(nodes),
            }
        }
        let left = PointerOperand::Register(at);
        match self.dice.below(10) {
            0 | 1 => self.push_value(at),
            2 | 3 => {
                if !self.dice.once_in(4) {
                    self.push_unless_null(at);
                }
                let (target, offset) = (self.pointer(), self.link());
                self.program.instructions.push(Instruction::Load { target, address: at, offset });
            }
            4..7 => self.push_branch(Condition::Pointers { relation: Relation::Equal, left, right: PointerOperand::Null }),
            _ => {
                let right = PointerOperand::Register(self.node(nodes));
                self.push_branch(Condition::Pointers { relation: Relation::Equal, left, right });
            }
        }
    }

    /// Follows a pointer, unless it is NULL.
    fn push_load(&mut self, address: RegisterId) -> RegisterId {
        if !self.dice.once_in(12) {
            self.push_unless_null(address);
        }
        let (target, offset) = (self.pointer(), self.link());
        self.program.instructions.push(Instruction::Load { target, address, offset });
        target
    }

    /// Reads the value of a node, and asks which one it is.
    fn push_value(&mut self, address: RegisterId) {
        let Some((target, _)) = self.integers.first().copied() else { return };
        self.push_unless_null(address);
        self.program.instructions.push(Instruction::Load { target, address, offset: 0 });
        let right = Operand::Constant(i128::try_from(self.dice.below(4)).unwrap_or(0));
        let condition = Condition::Integers { relation: Relation::Equal, left: Operand::Register(target), right };
        if self.dice.once_in(2) {
            // That there is a value is all that is asked.
            let on = self.goes_on();
            self.program.instructions.push(Instruction::Branch(Branch { condition, then: on, otherwise: on }));
        } else {
            self.push_branch(condition);
        }
    }
}
