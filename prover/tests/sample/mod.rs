//! Certificates with every variant of every type. They prove nothing.

use goatherd_certificates::{
    InputSize,
    certificate::{
        Allocation, Arithmetic, Certificate, Claim, DataModel, Evidence, GroundRun, InputValue, Limits, Origin as SourceOrigin, Parameters,
        PointerFormation, Position, SignedOverflow, Statement,
    },
    configuration::{Address, FieldState, Folded, FoldedId, Life, Member, ObjectState, Root, Slot, Sort, Template, TreeId, TreeSort},
    derivation::{
        Choice, Deduction, DroppedElement, FactId, InputDrop, Lemma, Lengths, Matching, MemberId, OutcomeId, Proof, Refutation, Rule,
        SegmentEnd, TemplateId,
    },
    program::{
        Access, Advance, Allocate, ArrayInput, Branch, Compute, Condition, Contents, Distance, FailKind, Field, Fresh, Input, Instruction,
        IntegerType, Layout, LayoutId, Link, Location, Object, ObjectId, Operand, Operation, Origin, PointerOperand, Program, Register,
        RegisterId, Relation, SortId, Table, TableId, Type,
    },
    term::{Array, ArrayId, ArrayStore, ArrayVariable, Atom, AtomId, Computation, Linear, LinearId, Literal, Scope, Sign, Term, Variable},
};
use goatherd_interpreter::arithmetic::{OPERATIONS, TYPES};

/// A certificate with a proof for evidence.
pub fn of_proof() -> Certificate {
    Certificate {
        limits: Limits { memory: 1 << 20, work: 1 << 20 },
        statement: Statement {
            landmarks: Vec::new(),
            claim: Claim::Safe,
            parameters: Parameters {
                data_model: DataModel::Lp64SignedChar,
                signed_overflow: SignedOverflow::Wraps,
                pointer_formation: PointerFormation::Anywhere,
                allocation: Allocation::Succeeds,
                arithmetic: Arithmetic::C,
            },
            origin: SourceOrigin {
                file: String::from("größe.c"),
                digest: [255; 32],
                definitions: vec![String::from("N=3"), String::from("DEBUG")],
                includes: vec![String::from("include")],
                waived: vec![String::from("test.c:1:1")],
            },
            program: program(),
        },
        files: vec![String::from("größe.c"), String::from("größe.h")],
        positions: vec![Position { file: 0, line: 1, column: 250 }, Position { file: 1, line: 251, column: u32::MAX }],
        terms: terms(),
        evidence: Evidence::Proof(proof()),
        witnesses: vec![run()],
    }
}

/// A certificate with a run for evidence, the other parameters, and no witness.
pub fn of_run() -> Certificate {
    let mut certificate = of_proof();
    certificate.statement.claim = Claim::Unsafe;
    certificate.statement.parameters.signed_overflow = SignedOverflow::Fails;
    certificate.statement.parameters.pointer_formation = PointerFormation::InsideObject;
    certificate.statement.parameters.allocation = Allocation::MayFail;
    certificate.evidence = Evidence::Run(run());
    certificate.witnesses.clear();
    certificate
}

fn program() -> Program {
    let mut registers: Vec<_> = TYPES.into_iter().map(|kind| Register { name: format!("{kind:?}"), kind: Type::Integer(kind) }).collect();
    registers.push(Register { name: String::new(), kind: Type::Pointer });
    let object = |name: &str, origin| Object { name: String::from(name), layout: LayoutId(0), origin };
    let fields = vec![
        Field { name: String::from("x"), offset: 0, kind: Type::Integer(IntegerType::U64) },
        Field { name: String::from("next"), offset: 8, kind: Type::Pointer },
    ];
    let contents = vec![
        Contents::Zero,
        Contents::Table(TableId(1 << 16)),
        Contents::Pointers(vec![None, Some(ObjectId(0)), Some(ObjectId(u32::MAX))]),
    ];
    Program {
        entry: String::from("test"),
        registers,
        layouts: vec![Layout { name: String::from("struct s"), size: u64::MAX, fields }],
        objects: vec![
            object("input", Origin::Input),
            object("constant", Origin::Static { count: 1 << 32, contents, access: Access::ReadOnly }),
            object("variable", Origin::Static { count: 65_535, contents: Vec::new(), access: Access::ReadWrite }),
            object("local", Origin::Local { count: 65_536 }),
            object("heap", Origin::Heap),
        ],
        tables: vec![Table {
            kind: IntegerType::I8,
            values: vec![0, 1, -1, 125, -125, -126, 126, 1 << 40, 1 << 70, -(1 << 70), i128::MAX, i128::MIN],
        }],
        inputs: vec![
            Input::Integer { register: RegisterId(0) },
            Input::Array(ArrayInput { pointer: RegisterId(1), length: RegisterId(2), object: ObjectId(3) }),
            Input::Single { pointer: RegisterId(4), object: ObjectId(5) },
            Input::Linked { pointer: RegisterId(6), object: ObjectId(7) },
        ],
        instructions: instructions(),
        assertions: vec![Location(1), Location(251)],
    }
}

fn instructions() -> Vec<Instruction> {
    let (target, pointer) = (RegisterId(1), RegisterId(9));
    let integers = |relation| Condition::Integers { relation, left: Operand::Register(target), right: Operand::Constant(-7) };
    let pointers =
        Condition::Pointers { relation: Relation::LessOrEqual, left: PointerOperand::Register(pointer), right: PointerOperand::Null };
    let branch = |condition| Instruction::Branch(Branch { condition, then: Location(2), otherwise: Location(3) });
    let compute = |operation| {
        Instruction::Compute(Compute { target, operation, left: Operand::Register(target), right: Operand::Constant(i128::MIN) })
    };
    let allocate = |fresh| Instruction::Allocate(Allocate { target: pointer, object: ObjectId(4), bytes: Operand::Constant(8), fresh });
    let fails = [FailKind::Assertion, FailKind::Reached, FailKind::MissingReturn, FailKind::Unreachable];
    let mut instructions = vec![
        Instruction::Jump { target: Location(65_536) },
        branch(integers(Relation::Equal)),
        branch(integers(Relation::Less)),
        branch(pointers),
        Instruction::Choose { then: Location(4), otherwise: Location(5) },
        Instruction::Halt,
        Instruction::Ignore,
        Instruction::Assign { target, value: Operand::Register(target) },
        Instruction::Havoc { target },
        Instruction::Uninitialise { target },
        Instruction::Null { target: pointer },
        Instruction::Copy { target: pointer, source: pointer },
        Instruction::Address { target: pointer, object: ObjectId(2) },
        Instruction::Advance(Advance { target: pointer, base: pointer, index: Operand::Register(target), scale: i64::MIN }),
        Instruction::Distance(Distance { target, left: pointer, right: pointer, scale: 8 }),
        Instruction::Load { target, address: pointer, offset: -8 },
        Instruction::Store { address: pointer, offset: i64::MAX, source: target },
        allocate(Fresh::Arbitrary),
        allocate(Fresh::Zero),
        Instruction::Free { pointer },
        Instruction::Enter { object: ObjectId(3) },
        Instruction::Leave { object: ObjectId(3) },
    ];
    instructions.extend(OPERATIONS.map(compute));
    instructions.extend(fails.map(|kind| Instruction::Fail { kind }));
    instructions
}

fn terms() -> Vec<Term> {
    let apply = |kind| Atom::Apply(Computation { operation: Operation::Xor, kind, left: LinearId(0), right: LinearId(1) });
    let mut terms = vec![
        Term::Atom(Atom::Variable(Variable { sort: None, number: 0 })),
        Term::Atom(Atom::Variable(Variable { sort: Some(IntegerType::U64), number: 251 })),
        Term::Array(Array::Variable(ArrayVariable { sort: IntegerType::I8, number: 1 })),
        Term::Array(Array::Store(ArrayStore { array: ArrayId(0), index: LinearId(0), value: LinearId(1) })),
        Term::Array(Array::Constant(LinearId(1))),
        Term::Array(Array::Table(TableId(0))),
        Term::Atom(Atom::Select { array: ArrayId(0), index: LinearId(1) }),
        Term::Atom(Atom::Quotient { divisor: 1 << 64, argument: LinearId(2) }),
        Term::Linear(Linear { constant: -1, summands: vec![(AtomId(0), 1), (AtomId(3), -(1 << 64))] }),
        Term::Linear(Linear::default()),
    ];
    // So many that the number of one takes more than a byte.
    terms.extend((0..300).map(|constant| Term::Linear(Linear { constant, summands: Vec::new() })));
    terms.extend(TYPES.into_iter().map(|kind| Term::Atom(apply(kind))));
    terms
}

fn proof() -> Proof {
    let slots = [
        Slot::Forgotten,
        Slot::Uninitialised,
        Slot::Integer(LinearId(0)),
        Slot::Null,
        Slot::Pointer(Address { object: ObjectId(1), index: LinearId(2), byte: 3 }),
        Slot::Folded(FoldedId(0)),
        Slot::Last(FoldedId(1)),
    ];
    let object = |life| ObjectState {
        object: ObjectId(0),
        declaration: ObjectId(1),
        life,
        lower: LinearId(0),
        upper: LinearId(1),
        fields: vec![FieldState { cells: slots.to_vec(), rest: Some(ArrayId(1)) }, FieldState { cells: Vec::new(), rest: None }],
    };
    let template = Template {
        scope: Scope { integers: [0, 1, 2, 3, 4, 5, 6, 7, 8, 999], arrays: [9, 8, 7, 6, 5, 4, 3, 2, 70_000] },
        trees: vec![TreeSort::Tree(SortId(4)), TreeSort::Segment(SortId(5))],
        predicate: [Sign::AtMostZero, Sign::Zero, Sign::NotZero].map(|sign| Literal { sign, term: LinearId(4) }).to_vec(),
        members: vec![Member {
            location: Location(3),
            size: InputSize::Smaller,
            consumed: Slot::Integer(LinearId(1)),
            registers: slots.into_iter().map(|slot| (RegisterId(7), slot)).collect(),
            objects: vec![object(Life::Live), object(Life::Dead)],
            folded: vec![Folded { tree: TreeId(1), above: Slot::Null, same: Slot::Forgotten, below: Slot::Folded(FoldedId(1)) }],
        }],
    };
    let condition = Condition::Integers { relation: Relation::Equal, left: Operand::Register(RegisterId(1)), right: Operand::Constant(-1) };
    let lemmas = vec![Lemma { location: Location(2), condition }];
    let links = vec![Link::Data, Link::Child(SortId(6)), Link::Up, Link::Other, Link::Null];
    let shapes = vec![links, vec![Link::Range { least: -1, greatest: 300 }]];
    let sorts = [Root::Any, Root::Node].map(|root| Sort { object: ObjectId(4), root, shapes: shapes.clone(), within: None }).to_vec();
    Proof {
        k: 16,
        lengths: Lengths::Open,
        lemmas,
        sorts,
        templates: vec![template],
        roots: rules(),
        derivations: vec![Vec::new(), vec![Rule::End]],
    }
}

fn rules() -> Vec<Rule> {
    let literal = Literal { sign: Sign::Zero, term: LinearId(300) };
    let (fact, other, atom) = (FactId(0), FactId(1), AtomId(2));
    let refutation = Refutation {
        deductions: vec![
            Deduction::Combine(vec![(fact, 1), (other, i128::MAX)]),
            Deduction::Tighten { bound: fact, disequality: other },
            Deduction::Axiom(atom),
            Deduction::Congruence { left: atom, right: AtomId(3), facts: vec![(fact, other)] },
            Deduction::ReadSame { atom, facts: (fact, other) },
            Deduction::ReadOther { atom, fact },
            Deduction::Case(literal),
        ],
    };
    let hints = || vec![refutation.clone(), Refutation::default()];
    let (member, outcome) = (MemberId(1), OutcomeId(2));
    let allocation =
        Choice::Allocation { lower: LinearId(0), fields: vec![(vec![LinearId(1), LinearId(2)], Some(ArrayId(0))), (Vec::new(), None)] };
    vec![
        Rule::Step { refuted: vec![(outcome, refutation.clone())] },
        Rule::StepDecided { member, outcome, choice: None, hints: hints() },
        Rule::StepDecided { member, outcome, choice: Some(Choice::Value(LinearId(1))), hints: Vec::new() },
        Rule::StepDecided { member, outcome, choice: Some(allocation), hints: hints() },
        Rule::Split { literal },
        Rule::Infeasible { refutation: refutation.clone() },
        Rule::AddScapegoat {
            drops: vec![
                InputDrop { input: 0, element: DroppedElement::First(1) },
                InputDrop { input: 2, element: DroppedElement::Last },
                InputDrop { input: 3, element: DroppedElement::Node { object: ObjectId(1), child: Some(2) } },
            ],
            integers: vec![(3, LinearId(4))],
            hints: hints(),
        },
        Rule::Drop { member },
        Rule::Subsume {
            template: TemplateId(0),
            matching: Matching {
                integers: vec![LinearId(0)],
                arrays: vec![ArrayId(1)],
                paths: vec![vec![0, 300]],
                shapes: vec![vec![1]],
                objects: vec![Vec::new(), vec![ObjectId(2)]],
            },
            hints: hints(),
        },
        Rule::Unfold { tree: TreeId(3), end: SegmentEnd::Bottom },
        Rule::Steps { member, count: 300 },
        Rule::Descent { member },
        Rule::End,
        Rule::Let { term: LinearId(1) },
    ]
}

fn run() -> GroundRun {
    GroundRun {
        inputs: vec![
            InputValue::Integer(-1),
            InputValue::Array(vec![vec![1, 2], vec![3, 4], Vec::new()]),
            InputValue::Single(None),
            InputValue::Single(Some(vec![i128::MIN])),
        ],
        choices: vec![0, 1, -300],
        steps: u64::MAX,
    }
}
