//! Certificates written by hand.

use goatherd::encode;
use goatherd_certificates::{
    certificate::{
        Allocation, Arithmetic, Certificate, Claim, DataModel, Evidence, GroundRun, InputValue,
        Limits, Origin, Parameters, PointerFormation, Position, SignedOverflow, Statement,
    },
    derivation::{Lengths, OutcomeId, Proof, Refutation, Rule},
    program::{
        Branch, Condition, FailKind, Input, Instruction, IntegerType, Location, Operand, Program,
        Register, RegisterId, Relation, Type,
    },
};

/// `void test(unsigned char x) { if (x == 3) fail; }`
pub fn certificate(claim: Claim, evidence: Evidence) -> Certificate {
    let x = RegisterId(0);
    let condition = Condition::Integers {
        relation: Relation::Equal,
        left: Operand::Register(x),
        right: Operand::Constant(3),
    };
    let program = Program {
        entry: String::from("test"),
        registers: vec![Register {
            name: String::from("x"),
            kind: Type::Integer(IntegerType::U8),
        }],
        layouts: Vec::new(),
        objects: Vec::new(),
        tables: Vec::new(),
        inputs: vec![Input::Integer { register: x }],
        instructions: vec![
            Instruction::Branch(Branch {
                condition,
                then: Location(1),
                otherwise: Location(2),
            }),
            Instruction::Fail {
                kind: FailKind::Assertion,
            },
            Instruction::Halt,
        ],
        assertions: vec![Location(0)],
    };
    Certificate {
        limits: Limits {
            memory: 1 << 20,
            work: 1 << 20,
        },
        statement: Statement {
            claim,
            parameters: Parameters {
                data_model: DataModel::Lp64SignedChar,
                signed_overflow: SignedOverflow::Wraps,
                pointer_formation: PointerFormation::Anywhere,
                allocation: Allocation::MayFail,
                arithmetic: Arithmetic::C,
            },
            landmarks: Vec::new(),
            origin: Origin {
                file: String::from("te\u{1b}st.c"),
                digest: [7; 32],
                definitions: vec![String::from("N=3")],
                includes: Vec::new(),
                waived: Vec::new(),
            },
            program,
        },
        files: vec![String::from("test.c")],
        positions: [(1, 33), (1, 41), (1, 47)]
            .map(|(line, column)| Position {
                file: 0,
                line,
                column,
            })
            .to_vec(),
        terms: Vec::new(),
        evidence,
        witnesses: Vec::new(),
    }
}

/// It fails for 3.
pub fn failing() -> Certificate {
    let run = GroundRun {
        inputs: vec![InputValue::Integer(3)],
        choices: Vec::new(),
        steps: 2,
    };
    certificate(Claim::Unsafe, Evidence::Run(run))
}

/// The same program with the failure turned into `Ignore`: safe.
pub fn safe() -> Certificate {
    let step = Rule::Step {
        refuted: Vec::new(),
    };
    let proof = Proof {
        k: 1,
        lengths: Lengths::Classes,
        lemmas: Vec::new(),
        sorts: Vec::new(),
        templates: Vec::new(),
        roots: vec![step, Rule::End, Rule::End],
        derivations: Vec::new(),
    };
    let mut certificate = certificate(Claim::Safe, Evidence::Proof(proof));
    certificate.statement.program.instructions[1] = Instruction::Ignore;
    certificate
}

/// The safe certificate with a hint that shows nothing.
pub fn wrong() -> Certificate {
    let mut certificate = safe();
    let Evidence::Proof(proof) = &mut certificate.evidence else {
        unreachable!("it is safe")
    };
    proof.roots[0] = Rule::Step {
        refuted: vec![(OutcomeId(0), Refutation::default())],
    };
    certificate
}

pub fn bytes(certificate: &Certificate) -> Vec<u8> {
    encode::certificate(certificate).unwrap()
}

/// A certificate of some 40 KB that says so many letters of each of so many assertions.
pub fn repetitive(assertions: usize, letters: usize) -> Certificate {
    let mut certificate = failing();
    certificate.limits.memory = 1 << 24;
    let branch = certificate.statement.program.instructions[0].clone();
    certificate
        .statement
        .program
        .instructions
        .extend(vec![branch; assertions]);
    certificate.statement.program.assertions = (3..).map(Location).take(assertions).collect();
    certificate.statement.program.registers[0].name = "x".repeat(letters);
    certificate.positions =
        vec![certificate.positions[0]; certificate.statement.program.instructions.len()];
    certificate.files = vec!["f".repeat(letters)];
    certificate
}
