//! Between which bounds results lie of which the calculus has no rule (`spec/program.md#bounds-of-results`).
//!
//! Of `a % b` the calculus knows no more than the range of its type, unless b is a constant. So a program that is to be proved says it itself: behind
//! such an operation stand branches to `Ignore` that no execution takes.

use super::{
    emit::clean::locations,
    groups::{Group, Placed, replace},
    types::{is_signed, width},
};
use goatherd_certificates::program::{
    Branch, Compute, Condition, Instruction, IntegerType, Location, Operand, Operation, Program, Register, RegisterId, Relation, Type,
};

/// What registers are called that hold a result until its bounds have been stated: no variable is called so.
const NAME: &str = "%bounded";

/// What a program says of the results of its operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Results {
    /// Nothing.
    Bare,
    /// Where those lie that the calculus has no rule for.
    Bounded,
}

impl Results {
    /// What a program says of them.
    pub fn of(program: &Program) -> Self {
        if program.registers.iter().any(|register| register.name == NAME) { Self::Bounded } else { Self::Bare }
    }
}

/// The left side is at most the right one, or less.
type Order = (Operand, Relation, Operand);

/// Where all guards hold, all bounds do.
struct Bounds {
    guards: Vec<Order>,
    bounds: Vec<Order>,
}

/// Where no execution comes to, until its place is known.
const IMPOSSIBLE: Location = Location(u32::MAX);

/// The program that states bounds of its results.
pub(crate) fn bounded((mut program, offsets): Placed) -> Placed {
    let own = program.instructions.clone();
    let groups = own.into_iter().map(|instruction| group(&mut program.registers, instruction)).collect();
    let start = offsets.first().copied().unwrap_or_default();
    let (mut program, mut offsets) = replace((program, offsets), groups);
    if Results::of(&program) == Results::Bounded {
        let end = location(program.instructions.len());
        let all = program.instructions.iter_mut().flat_map(locations);
        all.filter(|location| **location == IMPOSSIBLE).for_each(|location| *location = end);
        program.instructions.push(Instruction::Ignore);
        offsets.push(start);
    }
    (program, offsets)
}

/// The operation, its bounds, and what receives its result.
fn group(registers: &mut Vec<Register>, instruction: Instruction) -> Group {
    let Instruction::Compute(compute) = instruction else { return Group::Own(instruction) };
    let Some(Register { kind: Type::Integer(kind), .. }) = registers.get(compute.target.index()) else { return Group::Own(instruction) };
    let (kind, Location(number)) = (*kind, location(registers.len()));
    let result = RegisterId(number);
    let stated = stated(Compute { target: result, ..compute }, kind);
    if stated.is_empty() {
        return Group::Own(instruction);
    }
    registers.push(Register { name: NAME.to_owned(), kind: Type::Integer(kind) });
    let mut group = vec![Instruction::Compute(Compute { target: result, ..compute })];
    for Bounds { guards, bounds } in stated {
        let end = location(group.len() + guards.len() + bounds.len());
        let guards = guards.into_iter().map(|order| (order, end));
        for ((left, relation, right), otherwise) in guards.chain(bounds.into_iter().map(|order| (order, IMPOSSIBLE))) {
            let then = location(group.len() + 1);
            let condition = Condition::Integers { relation, left, right };
            group.push(Instruction::Branch(Branch { condition, then, otherwise }));
        }
    }
    group.push(Instruction::Assign { target: compute.target, value: Operand::Register(result) });
    Group::Several(group)
}

fn location(position: usize) -> Location {
    u32::try_from(position).map_or(IMPOSSIBLE, Location)
}

const fn at_most(left: Operand, right: Operand) -> Order {
    (left, Relation::LessOrEqual, right)
}

/// Where the result of an operation of this type lies (C11 6.5.5p6, 6.5.7p4 and p5, and 6.5.10p4), if the calculus does not say it.
fn stated(Compute { target, operation, left, right }: Compute, kind: IntegerType) -> Vec<Bounds> {
    let (result, zero, one) = (Operand::Register(target), Operand::Constant(0), Operand::Constant(1));
    let is_open = |operand| matches!(operand, Operand::Register(_));
    // What is not signed is not less than 0 anyway.
    let signed = |orders: Vec<Order>| if is_signed(kind) { orders } else { Vec::new() };
    let up_to = |operand| [signed(vec![at_most(zero, result)]), vec![at_most(result, operand)]].concat();
    match operation {
        Operation::Divide | Operation::Remainder if is_open(left) && is_open(right) => {
            let is_less = (operation == Operation::Remainder).then_some((result, Relation::Less, right));
            let guards = signed(vec![at_most(zero, left), at_most(one, right)]);
            vec![Bounds { guards, bounds: up_to(left).into_iter().chain(is_less).collect() }]
        }
        Operation::And if is_open(left) && is_open(right) => {
            let below = |operand| Bounds { guards: signed(vec![at_most(zero, operand)]), bounds: up_to(operand) };
            vec![below(left), below(right)]
        }
        Operation::ShiftRight if is_open(left) && is_open(right) => {
            vec![Bounds { guards: signed(vec![at_most(zero, left)]), bounds: up_to(left) }]
        }
        // A power of two is more than its exponent, but for the one that is the sign.
        Operation::ShiftLeft if left == one && is_open(right) => {
            let guards = signed(vec![at_most(right, Operand::Constant(i128::from(width(kind)) - 2))]);
            vec![Bounds { guards, bounds: vec![at_most(one, result)] }]
        }
        _ => Vec::new(),
    }
}
