//! Between which bounds results lie of which the calculus has no rule (`spec/program.md#bounds-of-results`).
//!
//! Of `a % b` the calculus knows no more than the range of its type, unless b is a constant. So a program that is to be proved says it itself: behind
//! such an operation stand branches to `Ignore` that no execution takes.

use super::{
    available::{Available, available},
    emit::clean::locations,
    groups::{Group, Placed, replace},
    products::{Wide, is_compared, product},
    steps::{IMPOSSIBLE, Order, Steps, at_most},
    types::{is_signed, width},
};
use goatherd_certificates::program::{
    Compute, Instruction, IntegerType, Location, Operand, Operation, Program, Register, RegisterId, Relation, Type,
};
use std::collections::BTreeSet;

/// What registers are called that hold a result until its bounds have been stated: no variable is called so.
const NAME: &str = "%bounded";

/// Within how many instructions what was loaded is compared, if it was loaded for that: it may be converted before.
const COMPARED: usize = 2;

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

/// Where all guards hold, all bounds do.
struct Bounds {
    guards: Vec<Order>,
    bounds: Vec<Order>,
}

/// The program that states bounds of its results.
pub(crate) fn bounded(placed: Placed) -> Placed {
    let has_products = placed.0.instructions.iter().any(is_product);
    let (mut program, offsets) = if has_products { keep_loaded(placed) } else { placed };
    let available = if has_products { available(&program) } else { Vec::new() };
    let own = program.instructions.clone();
    let sums: BTreeSet<RegisterId> = own.iter().filter_map(sum).collect();
    // Where something is said of one product all are computed alike: the same factors have one product.
    let is_stated = |(instruction, known): (&Instruction, &Option<Available>)| {
        is_product(instruction) && known.as_ref().is_some_and(|known| is_compared(instruction, known))
    };
    let states_products = own.iter().zip(&available).any(is_stated);
    let mut wide = Wide::default();
    let groups = own.into_iter().enumerate().map(|(at, instruction)| {
        let known = available.get(at).and_then(Option::as_ref).filter(|_| states_products && is_product(&instruction));
        group((&mut program.registers, &mut wide), instruction, (known, &sums))
    });
    let groups = groups.collect();
    let start = offsets.first().copied().unwrap_or_default();
    let (mut program, mut offsets) = replace((program, offsets), groups);
    let end = Location(u32::try_from(program.instructions.len()).unwrap_or(u32::MAX));
    let mut is_stated = false;
    for location in program.instructions.iter_mut().flat_map(locations).filter(|location| **location == IMPOSSIBLE) {
        (*location, is_stated) = (end, true);
    }
    if is_stated {
        program.instructions.push(Instruction::Ignore);
        offsets.push(start);
    }
    (program, offsets)
}

/// Keeps what was loaded to be compared: the register that it is loaded into is one for many expressions.
fn keep_loaded((mut program, offsets): Placed) -> Placed {
    let own = program.instructions.clone();
    let groups = own.iter().enumerate().map(|(at, instruction)| {
        let is_compared = own.iter().skip(at + 1).take(COMPARED).any(|next| matches!(next, Instruction::Branch(_)));
        match *instruction {
            Instruction::Load { target, address, offset } if is_compared && program.registers[target.index()].kind != Type::Pointer => {
                let kept = RegisterId(u32::try_from(program.registers.len()).unwrap_or(u32::MAX));
                program.registers.push(Register { name: NAME.to_owned(), ..program.registers[target.index()].clone() });
                let assign = Instruction::Assign { target, value: Operand::Register(kept) };
                Group::Several(vec![Instruction::Load { target: kept, address, offset }, assign])
            }
            _ => Group::Own(instruction.clone()),
        }
    });
    let groups = groups.collect();
    replace((program, offsets), groups)
}

/// Is it a product of two registers?
const fn is_product(instruction: &Instruction) -> bool {
    matches!(
        instruction,
        Instruction::Compute(Compute { operation: Operation::Multiply, left: Operand::Register(_), right: Operand::Register(_), .. })
    )
}

/// What a sum is computed into.
const fn sum(instruction: &Instruction) -> Option<RegisterId> {
    match instruction {
        Instruction::Compute(Compute { target, operation: Operation::Add, .. }) => Some(*target),
        _ => None,
    }
}

/// The operation, its bounds, and what receives its result.
fn group(
    (registers, wide): (&mut Vec<Register>, &mut Wide),
    instruction: Instruction,
    (available, sums): (Option<&Available>, &BTreeSet<RegisterId>),
) -> Group {
    let Instruction::Compute(compute) = instruction else { return Group::Own(instruction) };
    let Some(Register { kind: Type::Integer(kind), .. }) = registers.get(compute.target.index()) else { return Group::Own(instruction) };
    let kind = *kind;
    if let Some(available) = available {
        return product((registers, NAME, wide), compute, kind, available).unwrap_or(Group::Own(instruction));
    }
    let result = RegisterId(u32::try_from(registers.len()).unwrap_or(u32::MAX));
    let stated = stated(Compute { target: result, ..compute }, kind, sums);
    if stated.is_empty() {
        return Group::Own(instruction);
    }
    let mut steps = Steps::new(registers);
    steps.register(NAME, kind);
    steps.push(Instruction::Compute(Compute { target: result, ..compute }));
    for Bounds { guards, bounds } in stated {
        let end = steps.mark();
        steps.require(&guards, end);
        for bound in bounds {
            steps.state(bound);
        }
        steps.bind(end);
    }
    steps.push(Instruction::Assign { target: compute.target, value: Operand::Register(result) });
    steps.finish()
}

/// Where the result of an operation of this type lies (C11 6.5.5p6, 6.5.7p4 and p5, and 6.5.10p4), if the calculus does not say it.
fn stated(Compute { target, operation, left, right }: Compute, kind: IntegerType, sums: &BTreeSet<RegisterId>) -> Vec<Bounds> {
    let (result, zero, one) = (Operand::Register(target), Operand::Constant(0), Operand::Constant(1));
    let is_open = |operand| matches!(operand, Operand::Register(_));
    // What is not signed is not less than 0 anyway.
    let signed = |orders: Vec<Order>| if is_signed(kind) { orders } else { Vec::new() };
    let up_to = |operand| [signed(vec![at_most(zero, result)]), vec![at_most(result, operand)]].concat();
    match operation {
        Operation::Divide | Operation::Remainder if is_open(left) && is_open(right) => {
            let is_less = (operation == Operation::Remainder).then_some((result, Relation::Less, right));
            let guards = signed(vec![at_most(zero, left), at_most(one, right)]);
            // Of a place in a ring, `(first + 1) % size`, that would only tell apart whether it has come round.
            let is_sum = matches!(left, Operand::Register(left) if sums.contains(&left));
            let is_all = (operation == Operation::Remainder && !is_sum).then(|| {
                let guards = signed(vec![at_most(zero, left)]).into_iter().chain([(left, Relation::Less, right)]).collect();
                Bounds { guards, bounds: vec![at_most(left, result)] }
            });
            let bounds = Bounds { guards, bounds: up_to(left).into_iter().chain(is_less).collect() };
            [bounds].into_iter().chain(is_all).collect()
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
