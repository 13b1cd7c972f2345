//! What has been computed and compared wherever execution comes from: available expressions (Aho, Sethi, Ullman, Compilers, 10.5).
//!
//! Of each register that a comparison, product or quotient mentions, execution has used the value, or given it one, and nothing has written to it since: so
//! it holds a value. That is what has to be right. What an expression says of values is a hint: whoever states something by it, guards it.

use super::{
    emit::clean::{locations, written},
    types::in_range,
};
use goatherd_certificates::program::{
    Branch, Compute, Condition, Instruction, IntegerType, Location, Operand, Operation, Program, RegisterId, Relation,
};
use std::collections::BTreeSet;

/// An expression whose registers hold what they held in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Expression {
    /// The first was found to be at most the other, or less; or what it was computed from, by adding a constant, or converted from.
    AtMost(RegisterId, RegisterId),
    /// The register was found to be at most the constant, which is positive; or what it was computed from so.
    Bounded(RegisterId, i128),
    /// The register was found to be positive; or what it was computed from so.
    Positive(RegisterId),
    /// The first was computed as the other times the constant, which is more than 1; or converted from what was.
    Multiple(RegisterId, RegisterId, i128),
    /// Both were multiplied.
    Multiplied(RegisterId, RegisterId),
    /// The constant, which is positive, was divided by the register; or by what that was converted from.
    Divided(i128, RegisterId),
    /// The first was given the value of the other, if that has one, converted to its own type.
    Copied(RegisterId, RegisterId),
}

impl Expression {
    /// The registers that nothing has written to since.
    fn registers(self) -> [RegisterId; 2] {
        match self {
            Self::AtMost(one, other) | Self::Multiple(one, other, _) | Self::Multiplied(one, other) | Self::Copied(one, other) => {
                [one, other]
            }
            Self::Bounded(register, _) | Self::Positive(register) | Self::Divided(_, register) => [register; 2],
        }
    }

    /// What is known of the register that has been converted from another one, or computed from it by adding a constant.
    fn carried(self, source: RegisterId, target: RegisterId, added: i128) -> Option<Self> {
        match self {
            Self::AtMost(register, other) if register == source && other != target => Some(Self::AtMost(target, other)),
            Self::Bounded(register, bound) if register == source => bounded(target, bound.checked_add(added)?),
            Self::Multiple(register, other, factor) if register == source && other != target && added == 0 => {
                Some(Self::Multiple(target, other, factor))
            }
            Self::Positive(register) if register == source && added >= 0 => Some(Self::Positive(target)),
            Self::Divided(dividend, register) if register == source && added == 0 => Some(Self::Divided(dividend, target)),
            Self::Copied(register, other) if register == source && other != target && added == 0 => Some(Self::Copied(target, other)),
            _ => None,
        }
    }
}

fn bounded(register: RegisterId, bound: i128) -> Option<Expression> {
    (bound > 0 && in_range(IntegerType::U64, bound)).then_some(Expression::Bounded(register, bound))
}

/// The expressions that are available at a place.
pub(super) type Available = BTreeSet<Expression>;

/// The expressions that are available before each instruction; none where nothing comes to.
pub(super) fn available(program: &Program) -> Vec<Option<Available>> {
    let mut before: Vec<Option<Available>> = vec![None; program.instructions.len()];
    if let Some(first) = before.first_mut() {
        *first = Some(Available::new());
    }
    // The first place comes first: where ways meet, all that come from above have come.
    let mut open = BTreeSet::from([0]);
    while let Some(at) = open.pop_first() {
        let (Some(instruction), Some(Some(known))) = (program.instructions.get(at), before.get(at)) else { continue };
        for (next, arriving) in behind(instruction, at, known) {
            let Some(known) = before.get_mut(next) else { continue };
            let joined = known.as_ref().map_or_else(|| arriving.clone(), |known| known & &arriving);
            if known.as_ref() != Some(&joined) {
                *known = Some(joined);
                open.insert(next);
            }
        }
    }
    before
}

/// Where execution goes on behind an instruction, and what is available there.
fn behind(instruction: &Instruction, at: usize, before: &Available) -> Vec<(usize, Available)> {
    let kept = |register: RegisterId| before.iter().copied().filter(move |expression| !expression.registers().contains(&register));
    match *instruction {
        Instruction::Halt | Instruction::Fail { .. } | Instruction::Ignore => Vec::new(),
        Instruction::Branch(Branch { condition: Condition::Integers { relation, left, right }, then, otherwise }) => {
            let [holds, fails] = compared(relation, [left, right].map(|side| held(side, before)));
            let with = |found: Vec<Expression>| before.iter().copied().chain(found).collect();
            vec![(then.index(), with(holds)), (otherwise.index(), with(fails))]
        }
        Instruction::Jump { .. } | Instruction::Branch(_) | Instruction::Choose { .. } => {
            locations(&mut instruction.clone()).into_iter().map(|Location(next)| (*next as usize, before.clone())).collect()
        }
        Instruction::Assign { target, value: Operand::Register(source) } => {
            let carried = before.iter().filter_map(|expression| expression.carried(source, target, 0));
            let copied = (source != target).then_some(Expression::Copied(target, source));
            vec![(at + 1, kept(target).chain(carried).chain(copied).collect())]
        }
        Instruction::Compute(compute) => {
            let (carried, own) = (added(compute, before), multiplied(compute));
            vec![(at + 1, kept(compute.target).chain(carried).chain(own).collect())]
        }
        _ => vec![(at + 1, written(instruction).map_or_else(|| before.clone(), |register| kept(register).collect()))],
    }
}

/// So many copies of one value are followed: what is compared is copied once or twice.
const COPIES: usize = 8;

/// What holds the value of an operand.
fn held(operand: Operand, before: &Available) -> Vec<Operand> {
    let copied = before.iter().filter_map(|expression| match expression {
        Expression::Copied(copy, source) if operand == Operand::Register(*copy) => Some(Operand::Register(*source)),
        _ => None,
    });
    std::iter::once(operand).chain(copied.take(COPIES)).collect()
}

/// What a comparison tells where it holds, and where it does not, of all that holds the value of either side.
fn compared(relation: Relation, [left, right]: [Vec<Operand>; 2]) -> [Vec<Expression>; 2] {
    let order = |lesser: &[Operand], greater: &[Operand], gap: i128| -> Vec<Expression> {
        lesser.iter().flat_map(|lesser| greater.iter().filter_map(|greater| ordered(*lesser, *greater, gap))).collect()
    };
    match relation {
        Relation::Less => [order(&left, &right, 1), order(&right, &left, 0)],
        Relation::LessOrEqual => [order(&left, &right, 0), order(&right, &left, 1)],
        Relation::Equal => {
            let both = |gap| [order(&left, &right, gap), order(&right, &left, gap)].concat();
            let has_constant = left.iter().chain(&right).any(|side| matches!(side, Operand::Constant(_)));
            // Who counts up to something asks whether he has come there.
            [both(0), if has_constant { Vec::new() } else { both(1) }]
        }
    }
}

/// What it tells that one side is less than the other by at least so much.
fn ordered(lesser: Operand, greater: Operand, gap: i128) -> Option<Expression> {
    match (lesser, greater) {
        (Operand::Register(lesser), Operand::Register(greater)) => (lesser != greater).then_some(Expression::AtMost(lesser, greater)),
        (Operand::Register(register), Operand::Constant(bound)) => bounded(register, bound.checked_sub(gap)?),
        (Operand::Constant(bound), Operand::Register(register)) => (bound.checked_add(gap)? > 0).then_some(Expression::Positive(register)),
        (Operand::Constant(_), Operand::Constant(_)) => None,
    }
}

/// What is carried over to a sum with a constant.
fn added(Compute { target, operation, left, right }: Compute, before: &Available) -> Vec<Expression> {
    let (source, added) = match (operation, left, right) {
        (Operation::Add, Operand::Register(source), Operand::Constant(added))
        | (Operation::Add, Operand::Constant(added), Operand::Register(source)) => (source, added),
        (Operation::Subtract, Operand::Register(source), Operand::Constant(subtracted)) => (source, -subtracted),
        _ => return Vec::new(),
    };
    before.iter().filter_map(|expression| expression.carried(source, target, added)).collect()
}

/// What a product or a quotient tells, if it does not take the place of what it was computed from.
fn multiplied(Compute { target, operation, left, right }: Compute) -> Option<Expression> {
    let product = match (operation, left, right) {
        (Operation::Multiply, Operand::Register(left), Operand::Register(right)) => Expression::Multiplied(left, right),
        (Operation::Multiply, Operand::Register(source), Operand::Constant(factor))
        | (Operation::Multiply, Operand::Constant(factor), Operand::Register(source))
            if factor > 1 =>
        {
            Expression::Multiple(target, source, factor)
        }
        (Operation::Divide, Operand::Constant(dividend), Operand::Register(divisor)) if dividend > 0 => {
            Expression::Divided(dividend, divisor)
        }
        _ => return None,
    };
    let is_kept = match product {
        Expression::Multiple(_, source, _) => source != target,
        other => !other.registers().contains(&target),
    };
    is_kept.then_some(product)
}

#[cfg(test)]
mod tests {
    use super::{Available, Expression, behind};
    use goatherd_certificates::program::{Instruction, Operand, RegisterId};

    /// What is written holds something else, or nothing: no expression of it is available behind the instruction.
    #[test]
    fn nothing_is_known_of_what_is_written() {
        let [kept, target, address] = [0, 1, 2].map(RegisterId);
        let known = Available::from([
            Expression::AtMost(kept, target),
            Expression::AtMost(target, kept),
            Expression::Multiplied(kept, target),
            Expression::Copied(kept, target),
            Expression::Bounded(target, 9),
            Expression::Bounded(kept, 9),
        ]);
        let instructions = [
            Instruction::Uninitialise { target },
            Instruction::Havoc { target },
            Instruction::Load { target, address, offset: 0 },
            Instruction::Assign { target, value: Operand::Constant(3) },
        ];
        for instruction in instructions {
            let left = Available::from([Expression::Bounded(kept, 9)]);
            assert_eq!(behind(&instruction, 4, &known), [(5, left)], "{instruction:?}");
        }
    }
}
