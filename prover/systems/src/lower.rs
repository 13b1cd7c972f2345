//! A transition system as a program of unbounded integers (`spec/paths.md#lowering`): what its certificate is about.

use crate::{
    literal::{Linear, Literal, Residue, Term, Variable, negated},
    lts::{self, Edge, EdgeId, Location as LtsLocation, Lts, Value},
    realisation::Realisation,
};
use goatherd_certificates::program::{
    Branch, Compute, Condition, Input, Instruction, IntegerType, Location, Operand, Operation, Program, Register, RegisterId, Relation,
    Type,
};
use goatherd_checker::arithmetic::fits;
use std::{collections::BTreeMap, fmt};

/// What a program cannot say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unlowered {
    /// A number beyond 64 bits.
    Number(i128),
    /// The variable has a range.
    Range(Variable),
    /// In C such a condition could wrap around: it compares a variable with a number, or with another variable.
    Condition,
}

impl fmt::Display for Unlowered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number} is beyond 64 bits"),
            Self::Condition => f.write_str("a precondition in C compares a variable with a number, or with another variable"),
            Self::Range(variable) => write!(f, "variable {variable} has a range: only programs in C have those"),
        }
    }
}

impl std::error::Error for Unlowered {}

/// The type of all registers. Arithmetic is unbounded, so that it says nothing of their values.
const ANY: IntegerType = IntegerType::I64;

/// The program of a transition system whose runs satisfy the precondition.
pub fn lower(lts: &Lts, precondition: &[Literal], name: &str) -> Result<Realisation, Unlowered> {
    let register = |variable: &lts::LtsVariable| Register { name: variable.name.clone(), kind: Type::Integer(ANY) };
    if let Some(position) = lts.variables.iter().position(|variable| variable.range.is_some()) {
        return Err(Unlowered::Range(Variable::try_from(position).unwrap_or(Variable::MAX)));
    }
    let registers: Vec<Register> = lts.variables.iter().map(register).collect();
    let inputs = (0..).map(RegisterId).take(registers.len()).map(|register| Input::Integer { register }).collect();
    let mut block = Block { instructions: Vec::new(), variables: registers.len(), temporaries: 0, greatest: 0 };
    block.require_all(precondition)?;
    block.leave(lts.initial);
    let mut starts = BTreeMap::new();
    let mut edges = Vec::new();
    let mut halts = Vec::new();
    let outgoing = lts.edges_by_source();
    for location in lts.reachable() {
        starts.insert(location, block.here());
        let ways = outgoing.get(lts::index(location)).map_or(&[][..], Vec::as_slice);
        let is_final = lts.finals.contains(&location);
        let count = ways.len() + usize::from(is_final);
        // All ways on but the last are chosen one after the other.
        for position in 0..count.max(1) {
            let choice = block.here();
            if position + 1 < count {
                block.instructions.push(Line::Choose(Location(0)));
            }
            match ways.get(position.wrapping_sub(usize::from(is_final))) {
                _ if position == 0 && is_final => {
                    halts.push(block.here());
                    block.instructions.push(Line::Plain(Instruction::Halt));
                }
                Some(edge) => {
                    let first = block.here();
                    block.edge(&lts.edges[*edge])?;
                    edges.extend((first.0..block.here().0).map(|at| (Location(at), *edge)));
                }
                None => block.instructions.push(Line::Plain(Instruction::Ignore)),
            }
            let next = block.here();
            if let Some(Line::Choose(otherwise)) = block.instructions.get_mut(choice.index()) {
                *otherwise = next;
            }
        }
    }
    let ignore = block.here();
    let (temporaries, lines) = (block.greatest, block.instructions);
    let instructions: Vec<Instruction> =
        (0..).zip(&lines).map(|(at, line)| line.instruction(Location(at), ignore, &starts)).chain([Instruction::Ignore]).collect();
    let mut program = Program {
        entry: name.to_owned(),
        registers,
        layouts: Vec::new(),
        objects: Vec::new(),
        tables: Vec::new(),
        inputs,
        instructions,
        assertions: Vec::new(),
    };
    let temporary = |number: usize| Register { name: format!("temporary {number}"), kind: Type::Integer(ANY) };
    program.registers.extend((0..temporaries).map(temporary));
    let steps = edges.into_iter().map(|(at, edge): (Location, EdgeId)| {
        let target = if let Instruction::Jump { target } = program.instructions[at.index()] { target } else { Location(at.0 + 1) };
        ((at, target), edge)
    });
    let edges = steps.collect();
    let landmarks = starts.into_iter().map(|(location, start)| (start, location)).collect();
    Ok(Realisation { program, landmarks, edges, elements: BTreeMap::new() })
}

/// The program, with branches to `Ignore` before its first instruction where the precondition does not hold; and how many there are.
pub fn with_precondition(realisation: Realisation, precondition: &[Literal]) -> Result<(Realisation, usize), Unlowered> {
    if precondition.is_empty() {
        return Ok((realisation, 0));
    }
    let Realisation { mut program, landmarks, edges, elements } = realisation;
    let mut block = Block { instructions: Vec::new(), variables: program.registers.len(), temporaries: 0, greatest: 0 };
    block.require_all(precondition)?;
    // A jump around the one `Ignore`.
    let ignore = Location(block.here().0 + 1);
    if block.greatest > 0 {
        return Err(Unlowered::Condition);
    }
    let mut instructions: Vec<Instruction> =
        (0..).zip(&block.instructions).map(|(at, line)| line.instruction(Location(at), ignore, &BTreeMap::new())).collect();
    let shift = ignore.0 + 1;
    instructions.extend([Instruction::Jump { target: Location(shift) }, Instruction::Ignore]);
    let moved = |location: Location| Location(location.0.saturating_add(shift));
    for instruction in &mut program.instructions {
        match instruction {
            Instruction::Jump { target } => *target = moved(*target),
            Instruction::Branch(Branch { then, otherwise, .. }) | Instruction::Choose { then, otherwise } => {
                (*then, *otherwise) = (moved(*then), moved(*otherwise));
            }
            _ => {}
        }
    }
    instructions.append(&mut program.instructions);
    program.instructions = instructions;
    program.assertions.iter_mut().for_each(|location| *location = moved(*location));
    let landmarks = landmarks.into_iter().map(|(location, of)| (moved(location), of)).collect();
    let edges = edges.into_iter().map(|((from, to), edge)| ((moved(from), moved(to)), edge)).collect();
    Ok((Realisation { program, landmarks, edges, elements }, lts::index(shift)))
}

/// An instruction whose targets are not known yet.
enum Line {
    Plain(Instruction),
    /// Goes on at the next line, or at the location.
    Choose(Location),
    /// Goes on at the next line if the condition has this value.
    Require(Condition, bool),
    /// Goes on where the location of the system begins.
    Leave(LtsLocation),
}

impl Line {
    fn instruction(&self, at: Location, ignore: Location, starts: &BTreeMap<LtsLocation, Location>) -> Instruction {
        let next = Location(at.0 + 1);
        match self {
            Self::Plain(instruction) => instruction.clone(),
            Self::Choose(otherwise) => Instruction::Choose { then: next, otherwise: *otherwise },
            Self::Require(condition, true) => Instruction::Branch(Branch { condition: *condition, then: next, otherwise: ignore }),
            Self::Require(condition, false) => Instruction::Branch(Branch { condition: *condition, then: ignore, otherwise: next }),
            Self::Leave(location) => Instruction::Jump { target: starts.get(location).copied().unwrap_or(ignore) },
        }
    }
}

/// Instructions being written.
struct Block {
    instructions: Vec<Line>,
    variables: usize,
    /// Temporary registers in use, and the most that ever were.
    temporaries: usize,
    greatest: usize,
}

impl Block {
    fn here(&self) -> Location {
        Location(u32::try_from(self.instructions.len()).unwrap_or(u32::MAX))
    }

    fn leave(&mut self, target: LtsLocation) {
        self.instructions.push(Line::Leave(target));
        self.temporaries = 0;
    }

    fn temporary(&mut self) -> RegisterId {
        let number = self.variables + self.temporaries;
        self.temporaries += 1;
        self.greatest = self.greatest.max(self.temporaries);
        RegisterId(u32::try_from(number).unwrap_or(u32::MAX))
    }

    fn edge(&mut self, edge: &Edge) -> Result<(), Unlowered> {
        self.require_all(&edge.guard)?;
        self.temporaries = 0;
        if let [(target, value)] = &*edge.assignments {
            self.assign(RegisterId(*target), value)?;
        } else {
            let mut values = Vec::new();
            for (_, value) in &edge.assignments {
                values.push(match value {
                    Value::Exact(linear) => {
                        let held = self.temporary();
                        let value = self.evaluate(linear, Some(held))?;
                        self.copy(held, value);
                        Some(held)
                    }
                    Value::Where(_) | Value::Unknown => None,
                });
            }
            for ((target, _), value) in edge.assignments.iter().zip(values) {
                let target = RegisterId(*target);
                self.instructions.push(Line::Plain(match value {
                    Some(held) => Instruction::Assign { target, value: Operand::Register(held) },
                    None => Instruction::Havoc { target },
                }));
            }
        }
        self.leave(edge.target);
        Ok(())
    }

    fn assign(&mut self, target: RegisterId, value: &Value) -> Result<(), Unlowered> {
        match value {
            Value::Exact(linear) => {
                let value = self.evaluate(linear, Some(target))?;
                self.copy(target, value);
            }
            Value::Where(_) | Value::Unknown => self.instructions.push(Line::Plain(Instruction::Havoc { target })),
        }
        Ok(())
    }

    fn copy(&mut self, target: RegisterId, value: Operand) {
        if value != Operand::Register(target) {
            self.instructions.push(Line::Plain(Instruction::Assign { target, value }));
        }
    }

    /// The value of a linear expression; where something is to be computed, the last operation may write to `target`.
    fn evaluate(&mut self, linear: &Linear, target: Option<RegisterId>) -> Result<Operand, Unlowered> {
        let mut operations: Vec<(Operation, Variable, i128)> = Vec::new();
        let positive = linear.term.iter().position(|(_, coefficient)| *coefficient == 1);
        for (position, (variable, coefficient)) in linear.term.iter().enumerate() {
            let operation = if *coefficient < 0 && *coefficient != i128::MIN { Operation::Subtract } else { Operation::Add };
            let entry = (operation, *variable, if operation == Operation::Subtract { -coefficient } else { *coefficient });
            if Some(position) == positive { operations.insert(0, entry) } else { operations.push(entry) }
        }
        let mut parts = Vec::new();
        for (operation, variable, factor) in operations {
            let mut operand = Operand::Register(RegisterId(variable));
            if factor != 1 {
                let scaled = self.temporary();
                self.compute(scaled, Operation::Multiply, operand, number(factor)?);
                operand = Operand::Register(scaled);
            }
            parts.push((operation, operand));
        }
        if linear.constant != 0 || parts.is_empty() {
            parts.push((Operation::Add, number(linear.constant)?));
        }
        let last = parts.len() - 1;
        let mut sum = match parts[0] {
            (Operation::Subtract, _) => number(0)?,
            (_, operand) => operand,
        };
        let is_subtracted = parts[0].0 == Operation::Subtract;
        for (position, (operation, operand)) in parts.into_iter().enumerate().skip(usize::from(!is_subtracted)) {
            let result = target.filter(|_| position == last).unwrap_or_else(|| self.temporary());
            self.compute(result, operation, sum, operand);
            sum = Operand::Register(result);
        }
        Ok(sum)
    }

    fn compute(&mut self, target: RegisterId, operation: Operation, left: Operand, right: Operand) {
        self.instructions.push(Line::Plain(Instruction::Compute(Compute { target, operation, left, right })));
    }

    /// All of the literals; two bounds that are an equality are one comparison.
    fn require_all(&mut self, literals: &[Literal]) -> Result<(), Unlowered> {
        let mut literals = literals.iter().peekable();
        while let Some(literal) = literals.next() {
            self.temporaries = 0;
            match literal {
                Literal::True => {}
                Literal::False => self.require(Relation::Equal, number(0)?, number(1)?, true),
                Literal::AtMost(term, bound) => {
                    let opposite = bound.checked_neg().map(|bound| Literal::AtMost(negated(term), bound));
                    let is_equality = opposite.is_some_and(|opposite| literals.next_if(|next| **next == opposite).is_some());
                    let relation = if is_equality { Relation::Equal } else { Relation::LessOrEqual };
                    self.compare(relation, term, *bound, true)?;
                }
                Literal::Differs(term, value) => self.compare(Relation::Equal, term, *value, false)?,
                Literal::Residue(Residue { term, modulus, remainder }) => {
                    // Some multiple of the modulus is all that the term has above the remainder.
                    let (quotient, multiple) = (self.temporary(), self.temporary());
                    self.instructions.push(Line::Plain(Instruction::Havoc { target: quotient }));
                    self.compute(multiple, Operation::Multiply, Operand::Register(quotient), number(*modulus)?);
                    let above = Linear { term: term.clone(), constant: remainder.checked_neg().ok_or(Unlowered::Number(*remainder))? };
                    let above = self.evaluate(&above, None)?;
                    self.require(Relation::Equal, above, Operand::Register(multiple), true);
                }
            }
        }
        self.temporaries = 0;
        Ok(())
    }

    /// The relation of the term to the number has this value.
    fn compare(&mut self, relation: Relation, term: &Term, value: i128, is_true: bool) -> Result<(), Unlowered> {
        // `x - y <= 0` compares x and y; `-x <= c` compares -c and x.
        // `x - y <= -1` is x < y: in C nothing may be computed that could wrap around.
        if let ([(greater, -1), (less, 1)] | [(less, 1), (greater, -1)], Relation::LessOrEqual, -1) = (&**term, relation, value) {
            let [less, greater] = [less, greater].map(|register| Operand::Register(RegisterId(*register)));
            self.require(Relation::Less, less, greater, is_true);
            return Ok(());
        }
        let (left, right) = match (&**term, value) {
            ([(greater, -1), (less, 1)] | [(less, 1), (greater, -1)], 0) => {
                (Operand::Register(RegisterId(*less)), Operand::Register(RegisterId(*greater)))
            }
            ([(variable, -1)], _) => {
                (number(value.checked_neg().ok_or(Unlowered::Number(value))?)?, Operand::Register(RegisterId(*variable)))
            }
            _ => (self.evaluate(&Linear { term: term.clone(), constant: 0 }, None)?, number(value)?),
        };
        self.require(relation, left, right, is_true);
        Ok(())
    }

    fn require(&mut self, relation: Relation, left: Operand, right: Operand, is_true: bool) {
        self.instructions.push(Line::Require(Condition::Integers { relation, left, right }, is_true));
    }
}

fn number(value: i128) -> Result<Operand, Unlowered> {
    if fits(value, ANY) { Ok(Operand::Constant(value)) } else { Err(Unlowered::Number(value)) }
}
