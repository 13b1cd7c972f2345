//! The examples in `spec/numbering.md` are what the kernel gives: lists of outcomes, with their literals, in order.

#![expect(clippy::many_single_char_names, reason = "the variables of the examples")]

use goatherd_certificates::{
    certificate::{Allocation, Parameters, PointerFormation, SignedOverflow},
    configuration::{Address, Slot},
    derivation::{Lengths, MemberId},
    program::{
        Advance, Allocate, Branch, Compute, Condition, Distance, Fresh, Instruction, IntegerType, Location, ObjectId, Operand, Operation,
        Origin, PointerOperand, Program, RegisterId, Relation, Type,
    },
    term::{Array, ArrayId, Atom, AtomId, Computation, LinearId, Literal, Sign},
};
use goatherd_checker::{
    budget::Budget,
    configuration::{Configuration, Setting},
    outcome::{Creation, Effect, Element, FieldWrite, Outcome, Tag},
    rules, step,
    term::Arena,
};
use goatherd_frontend::print::program::Names;
use goatherd_tests::{
    forge::{MEMORY, PARAMETERS},
    programs::{array, branch, empty, integer, layout, object, pointer},
    workspace_root,
};
use std::{collections::BTreeMap, fs};

/// As many outcomes as there can be.
const STRICT: Parameters = Parameters {
    signed_overflow: SignedOverflow::Fails,
    pointer_formation: PointerFormation::InsideObject,
    allocation: Allocation::MayFail,
    ..PARAMETERS
};

/// The program of the examples, of which each instruction is tried at the entry, and the pointer that is not where an object begins.
fn program() -> (Program, RegisterId) {
    let mut program = empty();
    let kinds = [("x", IntegerType::I32), ("y", IntegerType::I32), ("u", IntegerType::U32), ("c", IntegerType::I8)];
    let [x, y, u, c] = kinds.map(|(name, kind)| integer(&mut program, name, kind));
    let d = integer(&mut program, "d", IntegerType::I64);
    let (a, _, _) = array(&mut program, "a", IntegerType::I8, IntegerType::U8);
    let (b, _, _) = array(&mut program, "b", IntegerType::I8, IntegerType::U8);
    let p = pointer(&mut program, "p");
    let element = layout(&mut program, &[Type::Integer(IntegerType::I8)]);
    let heap = object(&mut program, element, Origin::Heap);
    for register in [x, y, c] {
        program.inputs.push(goatherd_certificates::program::Input::Integer { register });
    }
    let [of_x, of_y] = [x, y].map(Operand::Register);
    let compute = |operation, right| Instruction::Compute(Compute { target: x, operation, left: of_x, right });
    let pointers = |relation, left, right| {
        Instruction::Branch(Branch {
            condition: Condition::Pointers { relation, left: PointerOperand::Register(left), right },
            then: Location(7),
            otherwise: Location(8),
        })
    };
    program.instructions = vec![
        Instruction::Choose { then: Location(7), otherwise: Location(8) },
        branch(Relation::Less, of_x, of_y, 7, 8),
        pointers(Relation::LessOrEqual, p, PointerOperand::Register(a)),
        pointers(Relation::Equal, p, PointerOperand::Null),
        pointers(Relation::Equal, p, PointerOperand::Register(b)),
        Instruction::Assign { target: u, value: of_x },
        Instruction::Assign { target: c, value: of_x },
        compute(Operation::Add, of_y),
        compute(Operation::Multiply, of_y),
        compute(Operation::Xor, of_y),
        compute(Operation::And, Operand::Constant(12)),
        compute(Operation::ShiftLeft, Operand::Constant(3)),
        compute(Operation::ShiftRight, of_y),
        compute(Operation::Divide, Operand::Constant(7)),
        compute(Operation::Remainder, of_y),
        Instruction::Advance(Advance { target: p, base: p, index: of_y, scale: 1 }),
        Instruction::Distance(Distance { target: d, left: p, right: a, scale: 1 }),
        Instruction::Load { target: c, address: p, offset: 0 },
        Instruction::Store { address: p, offset: 0, source: c },
        Instruction::Allocate(Allocate { target: p, object: heap, bytes: Operand::Constant(5), fresh: Fresh::Arbitrary }),
        Instruction::Free { pointer: p },
    ];
    (program, p)
}

/// Terms in words.
struct Words<'a> {
    arena: &'a Arena,
    atoms: BTreeMap<AtomId, String>,
    arrays: BTreeMap<ArrayId, String>,
    names: Names<'a>,
}

impl<'a> Words<'a> {
    /// The variables have the names of the registers and elements that hold them.
    fn new(arena: &'a Arena, program: &'a Program, configuration: &Configuration) -> Self {
        let mut words = Self { arena, atoms: BTreeMap::new(), arrays: BTreeMap::new(), names: Names::new(program) };
        let member = &configuration.members[0];
        for (register, slot) in program.registers.iter().zip(&member.registers) {
            words.call(*slot, &register.name);
        }
        for state in member.objects.iter().flatten() {
            let name = words.names.object(state.object);
            let [field] = state.fields.as_slice() else { panic!("objects of one field") };
            words.call(field.cells[0], &format!("{name}[0]"));
            words.arrays.extend(field.rest.map(|rest| (rest, format!("{name}[]"))));
        }
        words
    }

    fn call(&mut self, slot: Slot, name: &str) {
        let Slot::Integer(term) = slot else { return };
        if let [(atom, 1)] = self.arena.linear(term).expect("a term").summands[..] {
            self.atoms.entry(atom).or_insert_with(|| name.to_owned());
        }
    }

    fn term(&self, id: LinearId) -> String {
        let linear = self.arena.linear(id).expect("a term");
        let mut text = String::new();
        let mut add = |value: i128, word: Option<String>| {
            let sign = match (text.is_empty(), value < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            let size = value.unsigned_abs();
            let word = match word {
                Some(word) if size == 1 => word,
                Some(word) => format!("{size} * {word}"),
                None => size.to_string(),
            };
            text.extend([sign, &word]);
        };
        linear.summands.iter().for_each(|(atom, coefficient)| add(*coefficient, Some(self.atom(*atom))));
        if linear.constant != 0 || linear.summands.is_empty() {
            add(linear.constant, None);
        }
        text
    }

    fn atom(&self, id: AtomId) -> String {
        if let Some(name) = self.atoms.get(&id) {
            return name.clone();
        }
        match *self.arena.atom(id).expect("an atom") {
            Atom::Variable(variable) => format!("{variable:?}"),
            Atom::Select { array, index } => format!("select({}, {})", self.array(array), self.term(index)),
            Atom::Quotient { divisor, argument } => format!("quotient({}, {divisor})", self.term(argument)),
            Atom::Apply(Computation { operation, kind, left, right }) => {
                format!("apply({operation:?}, {kind:?}, {}, {})", self.term(left), self.term(right))
            }
        }
    }

    fn array(&self, id: ArrayId) -> String {
        let other = |array: &Array| format!("{array:?}");
        self.arrays.get(&id).cloned().unwrap_or_else(|| other(self.arena.array(id).expect("an array")))
    }

    fn literal(&self, literal: Literal) -> String {
        let sign = match literal.sign {
            Sign::AtMostZero => "<=",
            Sign::Zero => "=",
            Sign::NotZero => "!=",
        };
        format!("{} {sign} 0", self.term(literal.term))
    }

    fn slot(&self, slot: Slot) -> String {
        match slot {
            Slot::Integer(term) => self.term(term),
            Slot::Null => String::from("NULL"),
            Slot::Pointer(Address { object, index, byte: 0 }) => format!("&{}[{}]", self.names.object(object), self.term(index)),
            slot => format!("{slot:?}"),
        }
    }

    fn effect(&self, effect: Effect) -> String {
        match effect {
            Effect::Goto(target) => format!("goes on at {}", target.0),
            Effect::Register(_, slot) => self.slot(slot),
            Effect::Fail => String::from("fails"),
            Effect::Havoc(..) => String::from("any value"),
            Effect::Store(FieldWrite { element: Element::Cell(cell), slot, .. }) => format!("cell {cell} holds {}", self.slot(slot)),
            Effect::Store(FieldWrite { element: Element::Rest(index), slot, .. }) => {
                format!("the rest holds {} at {}", self.slot(slot), self.term(index))
            }
            Effect::Create(Creation { count, .. }) => format!("an object of {} elements", self.term(count)),
            Effect::Kill(ObjectId(object)) => format!("{} is dead", self.names.object(ObjectId(object))),
        }
    }

    fn outcome(&self, (number, outcome): (usize, &Outcome)) -> String {
        let literals: Vec<String> = outcome.literals.iter().map(|literal| self.literal(*literal)).collect();
        let tag = if outcome.tag == Tag::Exact { String::new() } else { format!(" ({:?})", outcome.tag) };
        format!("  {number}  [{}] {}{tag}\n", literals.join(", "), self.effect(outcome.effect))
    }
}

/// All examples.
fn examples() -> String {
    let (mut program, p) = program();
    let instructions = std::mem::take(&mut program.instructions);
    let mut text = String::new();
    for instruction in instructions {
        program.instructions = vec![instruction];
        let mut arena = Arena::new(&program.tables, Budget::new(MEMORY)).expect("memory");
        let setting = Setting { program: &program, parameters: &STRICT, k: 1, sorts: &[] };
        let mut configuration = rules::root(&mut arena, setting, Lengths::Open, 0).expect("a root").expect("one class");
        let member = configuration.member_mut(MemberId(0)).expect("the primary");
        let Slot::Integer(index) = member.registers[0] else { panic!("x is an integer") };
        let array = ObjectId(0);
        member.set_register(p, Slot::Pointer(Address { object: array, index, byte: 0 })).expect("a register");
        let all = step::outcomes(&mut arena, setting, &configuration.members[0]).expect("outcomes");
        let words = Words::new(&arena, &program, &configuration);
        text.extend([words.names.instruction(&program.instructions[0]), String::from("\n")]);
        text.extend(all.iter().enumerate().map(|outcome| words.outcome(outcome)));
    }
    text
}

#[test]
fn outcomes_have_the_documented_numbers() {
    let text = fs::read_to_string(workspace_root().join("spec/numbering.md")).expect("the specification");
    let (_, behind) = text.split_once("### Examples of outcomes\n").expect("the heading");
    let (_, block) = behind.split_once("```text\n").expect("a block");
    let (documented, _) = block.split_once("```\n").expect("its end");
    let found = examples();
    assert!(documented == found, "spec/numbering.md is to say:\n{found}");
}
