//! Lemmas that ask which failure is looked at (`spec/calculus.md#lemmas`).

use super::{Catalogue, heaps::Forgery};
use crate::{
    forge::{Forge, PARAMETERS, certificate_of_run},
    programs::{self, FAIL, assign, branch, empty, increment},
};
use goatherd_certificates::{
    certificate::{Certificate, Evidence, GroundRun, InputValue},
    derivation::{Lemma, Rule},
    program::{Branch, Condition, Input, Instruction, IntegerType, Location, Operand, Program, Register, RegisterId, Relation, Type},
};
use goatherd_checker::{
    Configuration,
    rejection::Rejection,
    wellformed::{Fault, add_lemmas},
};

/// The registers of the programs here: a `signed char` and an `unsigned char` that come in; and the first one behind them.
const X: RegisterId = RegisterId(0);
const Y: RegisterId = RegisterId(1);
const NEW: RegisterId = RegisterId(2);

/// A program with these inputs.
fn with_inputs(instructions: Vec<Instruction>) -> Program {
    let mut program = empty();
    for (name, kind) in [("x", IntegerType::I8), ("y", IntegerType::U8)] {
        let register = programs::integer(&mut program, name, kind);
        program.inputs.push(Input::Integer { register });
    }
    program.instructions = instructions;
    program
}

/// `if (x RELATION constant) fail;`
fn fails_where(relation: Relation, constant: i128) -> Program {
    with_inputs(vec![branch(relation, Operand::Register(X), Operand::Constant(constant), 1, 2), FAIL, Instruction::Halt])
}

fn lemma(location: u32, relation: Relation, right: RegisterId) -> Lemma {
    let condition = Condition::Integers { relation, left: Operand::Register(X), right: Operand::Register(right) };
    Lemma { location: Location(location), condition }
}

/// The program's proof with the lemma, whose derivation is about this program.
fn proof(program: &Program, lemma: Lemma, derived: &Program, derivation: impl FnOnce(&mut Forge<'_>, Configuration)) -> Certificate {
    let mut forge = Forge::new(derived, &PARAMETERS, 1);
    let root = forge.root(0).expect("one class");
    derivation(&mut forge, root);
    let mut certificate = forge.certificate_of(&forge.proof());
    certificate.statement.program = program.clone();
    if let Evidence::Proof(proof) = &mut certificate.evidence {
        proof.lemmas = vec![lemma];
    }
    certificate
}

fn by_steps(forge: &mut Forge<'_>, configuration: Configuration) {
    forge.auto(configuration);
}

/// What a kernel would make of the program that does not ask where the lemma stands, how it compares, or whether its register is new.
fn taken_for_one(program: &Program, Lemma { location, condition }: Lemma, kind: IntegerType) -> Program {
    let mut program = program.clone();
    let length = u32::try_from(program.instructions.len()).expect("a small program");
    let branch = Instruction::Branch(Branch { condition, then: Location(length + 1), otherwise: Location(length + 2) });
    let instruction = std::mem::replace(&mut program.instructions[location.index()], branch);
    program.instructions.extend([FAIL, instruction, Instruction::Ignore]);
    let Condition::Integers { right: Operand::Register(register), .. } = condition else { return program };
    program.registers.push(Register { name: String::new(), kind: Type::Integer(kind) });
    program.inputs.push(Input::Integer { register });
    program
}

/// The program with the lemma, as the kernel has it.
fn strengthened(program: &Program, lemma: Lemma) -> Program {
    let mut program = program.clone();
    add_lemmas(&mut program, &[lemma]).expect("a lemma of the program");
    program
}

/// What fails after two rounds of a loop that counts: of no two rounds is the count the same.
fn counts_to_two() -> Program {
    let is_less = branch(Relation::Less, Operand::Register(X), Operand::Constant(2), 2, 4);
    with_inputs(vec![assign(X, 0), is_less, increment(X), Instruction::Jump { target: Location(1) }, FAIL])
}

fn run(program: &Program, x: i128, y: i128, steps: u64) -> Certificate {
    let inputs = vec![InputValue::Integer(x), InputValue::Integer(y)];
    certificate_of_run(program, PARAMETERS, GroundRun { inputs, choices: Vec::new(), steps })
}

/// Each violates one condition.
pub fn forgeries() -> Vec<Forgery> {
    let missing = Rejection::IllFormed(Fault::Register);
    let forged = |name, rejection, reason, (program, lemma): (Program, Lemma), kind, (x, y, steps)| Forgery {
        name,
        rejection,
        reason,
        proof: proof(&program, lemma, &taken_for_one(&program, lemma, kind), by_steps),
        run: run(&program, x, y, steps),
    };
    let same = IntegerType::I8;
    vec![
        forged(
            "lemma-new-elsewhere",
            missing,
            "a register that is new, but before the head of a loop: each round has another value",
            (counts_to_two(), lemma(1, Relation::Equal, NEW)),
            same,
            (0, 0, 9),
        ),
        forged(
            "lemma-new-less",
            missing,
            "a register that is new is not greater than 127, which is what fails",
            (fails_where(Relation::Equal, 127), lemma(1, Relation::Less, NEW)),
            same,
            (127, 0, 2),
        ),
        forged(
            "lemma-not-new",
            Rejection::NotRefuted,
            "before a failure a register that is not new: it never holds the value that fails",
            (fails_where(Relation::Equal, -1), lemma(1, Relation::Equal, Y)),
            same,
            (-1, 0, 2),
        ),
        forged(
            "lemma-new-type",
            Rejection::NotRefuted,
            "the register that is new is said to be of another type, which has no negative values",
            (fails_where(Relation::Equal, -1), lemma(1, Relation::Equal, NEW)),
            IntegerType::U8,
            (-1, 0, 2),
        ),
    ]
}

/// Adds them.
pub(super) fn add(vectors: &mut Catalogue) {
    // What fails for no value: x is 0, and fails where it is not.
    let never =
        with_inputs(vec![assign(X, 0), branch(Relation::Equal, Operand::Register(X), Operand::Constant(0), 3, 2), FAIL, Instruction::Halt]);
    let new = lemma(2, Relation::Equal, NEW);
    let accepted = proof(&never, new, &strengthened(&never, new), by_steps);
    vectors.accepted("lemma-new-accepted", "before a failure a register that is new: for each value nothing fails", &accepted);
    let (fails, new) = (fails_where(Relation::Equal, 5), lemma(1, Relation::Equal, NEW));
    let ended = proof(&fails, new, &strengthened(&fails, new), |forge, root| {
        let mut children = forge.step(root);
        let other = children.pop().expect("two ways");
        let _ = forge.step(children.pop().expect("two ways"));
        forge.rules.extend([Rule::End, Rule::End]);
        forge.auto(other);
    });
    vectors.rejected("lemma-new-failure", Rejection::NotEnded, "the failure with the value that comes in is said to be an end", &ended);
    // Unsupported, and so a failure, but no run that a certificate could show.
    let off_end = with_inputs(vec![Instruction::Jump { target: Location(2) }, FAIL, assign(X, 0)]);
    let mut ended = strengthened(&off_end, new);
    ended.instructions[off_end.instructions.len()] = Instruction::Ignore;
    let ended = proof(&off_end, new, &ended, by_steps);
    vectors.rejected("lemma-new-off-end", Rejection::NotEnded, "what runs off the end of the program is said to end", &ended);
    for Forgery { name, rejection, reason, proof, .. } in forgeries() {
        vectors.rejected(name, rejection, reason, &proof);
    }
}
