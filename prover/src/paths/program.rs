//! A program as a transition system: one location per instruction, one edge per way on (`spec/paths.md#programs`).
//!
//! What is not linear over the integer registers is any value of its type. Ways on that fail without the program's own `Fail`, or that are
//! ignored, have no edge: such a path need not be kept.

use super::{
    literal::{Linear, Literal, Overflow, Variable, negated, sum},
    lts::{Edge, Location as LtsLocation, Lts, LtsVariable, Value},
};
use goatherd_certificates::{
    certificate::{Parameters, SignedOverflow},
    program::{Condition, Instruction, IntegerType, Location, Operand, Operation, Program, RegisterId, Relation, Type},
};
use goatherd_checker::arithmetic::range;

/// The transition system of a program: variable `n` is register `n`, location `n` is instruction `n`.
pub fn transition_system(program: &Program, parameters: &Parameters) -> Result<Lts, Overflow> {
    let mut lts = Lts { variables: program.registers.iter().map(variable).collect(), ..Lts::default() };
    let mut conversion = Conversion { program, parameters, edges: Vec::new(), source: 0 };
    for (location, instruction) in (0..).zip(&program.instructions) {
        if matches!(instruction, Instruction::Halt | Instruction::Fail { .. }) {
            lts.finals.insert(location);
        }
        conversion.source = location;
        conversion.instruction(instruction)?;
    }
    lts.edges = conversion.edges;
    Ok(lts)
}

fn variable(register: &goatherd_certificates::program::Register) -> LtsVariable {
    let range = match register.kind {
        Type::Integer(kind) => Some(range(kind)),
        Type::Pointer => None,
    };
    LtsVariable { name: register.name.clone(), range }
}

fn number(register: RegisterId) -> Variable {
    register.0
}

fn linear(operand: Operand) -> Linear {
    match operand {
        Operand::Register(register) => Linear::variable(number(register)),
        Operand::Constant(value) => Linear::constant(value),
    }
}

struct Conversion<'a> {
    program: &'a Program,
    parameters: &'a Parameters,
    edges: Vec<Edge>,
    /// The location of the instruction at hand.
    source: LtsLocation,
}

impl Conversion<'_> {
    fn edge(&mut self, target: LtsLocation, guard: Vec<Literal>, assignments: Vec<(Variable, Value)>) {
        self.edges.push(Edge { source: self.source, target, guard, assignments });
    }

    fn goto(&mut self, target: Location, guard: Vec<Literal>) {
        self.edge(target.0, guard, Vec::new());
    }

    /// Goes on at the next instruction.
    fn assign(&mut self, guard: Vec<Literal>, assignments: Vec<(Variable, Value)>) {
        self.edge(self.source + 1, guard, assignments);
    }

    fn integer_type(&self, register: RegisterId) -> Option<IntegerType> {
        match self.program.registers.get(register.index())?.kind {
            Type::Integer(kind) => Some(kind),
            Type::Pointer => None,
        }
    }

    fn instruction(&mut self, instruction: &Instruction) -> Result<(), Overflow> {
        match instruction {
            Instruction::Halt | Instruction::Fail { .. } | Instruction::Ignore => {}
            Instruction::Jump { target } => self.goto(*target, Vec::new()),
            // Whatever decides, there is one way on.
            Instruction::Branch { then, otherwise, .. } | Instruction::Choose { then, otherwise } if then == otherwise => {
                self.goto(*then, Vec::new());
            }
            Instruction::Choose { then, otherwise } => {
                self.goto(*then, Vec::new());
                self.goto(*otherwise, Vec::new());
            }
            Instruction::Branch { condition, then, otherwise } => {
                let (holds, fails) = match condition {
                    Condition::Integers { relation, left, right } => guards(*relation, &linear(*left), &linear(*right))?,
                    Condition::Pointers { .. } => (Vec::new(), Vec::new()),
                };
                self.goto(*then, holds);
                self.goto(*otherwise, fails);
            }
            Instruction::Assign { target, value } => self.assign(Vec::new(), vec![(number(*target), Value::InRange(linear(*value)))]),
            Instruction::Compute { target, operation, left, right } => self.compute(*target, *operation, *left, *right)?,
            Instruction::Havoc { target } | Instruction::Uninitialise { target } | Instruction::Distance { target, .. } => {
                self.unknown(*target);
            }
            Instruction::Load { target, .. } => self.unknown(*target),
            Instruction::Null { .. }
            | Instruction::Copy { .. }
            | Instruction::Address { .. }
            | Instruction::Advance { .. }
            | Instruction::Store { .. }
            | Instruction::Allocate { .. }
            | Instruction::Free { .. }
            | Instruction::Enter { .. }
            | Instruction::Leave { .. } => self.assign(Vec::new(), Vec::new()),
        }
        Ok(())
    }

    fn unknown(&mut self, target: RegisterId) {
        let assignments = if self.integer_type(target).is_some() { vec![(number(target), Value::Unknown)] } else { Vec::new() };
        self.assign(Vec::new(), assignments);
    }

    fn compute(&mut self, target: RegisterId, operation: Operation, left: Operand, right: Operand) -> Result<(), Overflow> {
        let (first, second) = (linear(left), linear(right));
        let result = match (operation, left, right) {
            (Operation::Add, ..) => Some(first.plus(&second, 1)?),
            (Operation::Subtract, ..) => Some(first.plus(&second, -1)?),
            (Operation::Multiply, _, Operand::Constant(factor)) => Some(Linear::default().plus(&first, factor)?),
            (Operation::Multiply, Operand::Constant(factor), _) => Some(Linear::default().plus(&second, factor)?),
            _ => None,
        };
        let Some(result) = result else {
            self.unknown(target);
            return Ok(());
        };
        let fails = self.parameters.signed_overflow == SignedOverflow::Fails;
        let is_signed = self.integer_type(target).is_some_and(|kind| range(kind).0 < 0);
        // Where overflow fails, only what is in range goes on.
        let guard = if fails && is_signed { variable(&self.program.registers[target.index()]).range_of(&result)? } else { Vec::new() };
        let guard = guard.into_iter().filter(|literal| *literal != Literal::True).collect();
        self.assign(guard, vec![(number(target), Value::InRange(result))]);
        Ok(())
    }
}

/// When a comparison holds, and when it fails.
fn guards(relation: Relation, left: &Linear, right: &Linear) -> Result<(Vec<Literal>, Vec<Literal>), Overflow> {
    let Linear { term, constant } = left.plus(right, -1)?;
    let opposite = constant.checked_neg().ok_or(Overflow)?;
    Ok(match relation {
        Relation::Equal => {
            let equal = vec![Literal::at_most(term.clone(), opposite), Literal::at_most(negated(&term), constant)];
            (equal, vec![Literal::differs(term, opposite)])
        }
        Relation::Less => (vec![Literal::at_most(term.clone(), opposite - 1)], vec![Literal::at_most(sum(&[], &term, -1)?, constant)]),
        Relation::LessOrEqual => {
            (vec![Literal::at_most(term.clone(), opposite)], vec![Literal::at_most(sum(&[], &term, -1)?, constant - 1)])
        }
    })
}
