//! Every deduction, and its premises violated.

use super::*;
use goatherd_checker::arithmetic::{apply, range};

/// What the checker says of one deduction from these facts, closed by the last one.
pub(super) fn deduced(facts: &[Literal], deductions: Vec<Deduction>, arena: &mut Arena) -> Result<(), Rejection> {
    refute::check(arena, facts, &[], &Refutation { deductions })
}

pub(super) fn combined(parts: &[(u32, i128)]) -> Deduction {
    Deduction::Combine(parts.iter().map(|(fact, coefficient)| (FactId(*fact), *coefficient)).collect())
}

fn arena() -> (Arena, [LinearId; 3]) {
    let mut arena = Arena::new(&[], Budget::new(goatherd_tests::forge::MEMORY)).expect("room for the tables");
    let variables = [0, 1, 2].map(|number| arena.variable(Variable { sort: None, number }).unwrap());
    (arena, variables)
}

pub(super) fn literal(sign: Sign, term: LinearId) -> Literal {
    Literal { sign, term }
}

pub(super) const DEDUCTION: Result<(), Rejection> = Err(Rejection::Deduction);

#[test]
fn combine() {
    let (mut arena, [x, ..]) = arena();
    let above = arena.combine(1, &[(x, 1)]).unwrap();
    let below = arena.combine(1, &[(x, -1)]).unwrap();
    // x <= -1 and x >= 1.
    let facts = [literal(Sign::AtMostZero, above), literal(Sign::AtMostZero, below)];
    assert_eq!(deduced(&facts, vec![combined(&[(0, 1), (1, 1)])], &mut arena), Ok(()));
    assert_eq!(deduced(&facts, vec![combined(&[(0, 1), (1, -1)])], &mut arena), DEDUCTION);
    assert_eq!(deduced(&facts, vec![combined(&[(0, 0)])], &mut arena), DEDUCTION);
    assert_eq!(deduced(&facts, vec![combined(&[(0, 1), (2, 1)])], &mut arena), DEDUCTION);
    assert_eq!(deduced(&facts, vec![combined(&[(0, 1)])], &mut arena), Err(Rejection::NotRefuted));
    assert_eq!(deduced(&facts, Vec::new(), &mut arena), Err(Rejection::NotRefuted));
    // Nothing stands behind a contradiction.
    let closed = combined(&[(0, 1), (1, 1)]);
    assert_eq!(deduced(&facts, vec![closed.clone(), closed.clone()], &mut arena), Err(Rejection::NotRefuted));
    // A disequality is not summed; an equality is, either way.
    let facts = [literal(Sign::AtMostZero, above), literal(Sign::NotZero, below)];
    assert_eq!(deduced(&facts, vec![closed], &mut arena), DEDUCTION);
    let facts = [literal(Sign::AtMostZero, above), literal(Sign::Zero, x)];
    assert_eq!(deduced(&facts, vec![combined(&[(0, 1), (1, -1)])], &mut arena), Ok(()));
    // 2x = 1 by rounding: x <= 0 and x >= 1.
    let odd = arena.combine(-1, &[(x, 2)]).unwrap();
    let facts = [literal(Sign::Zero, odd)];
    let halves = vec![combined(&[(0, 1)]), combined(&[(0, -1)]), combined(&[(1, 1), (2, 1)])];
    assert_eq!(deduced(&facts, halves, &mut arena), Ok(()));
    assert_eq!(deduced(&[], vec![combined(&[(0, 1)])], &mut arena), DEDUCTION);
}

#[test]
fn tighten_and_case() {
    let (mut arena, [x, y, _]) = arena();
    let opposite = arena.combine(0, &[(x, -1)]).unwrap();
    let positive = arena.combine(0, &[(x, -1)]).unwrap();
    // x <= 0, x != 0, x >= 0.
    let facts = [literal(Sign::AtMostZero, x), literal(Sign::NotZero, opposite), literal(Sign::AtMostZero, positive)];
    let tighten = |bound, disequality| Deduction::Tighten { bound: FactId(bound), disequality: FactId(disequality) };
    assert_eq!(deduced(&facts, vec![tighten(0, 1), combined(&[(2, 1), (3, 1)])], &mut arena), Ok(()));
    assert_eq!(deduced(&facts, vec![tighten(0, 2), combined(&[(2, 1), (3, 1)])], &mut arena), DEDUCTION);
    assert_eq!(deduced(&facts, vec![tighten(1, 1), combined(&[(2, 1), (3, 1)])], &mut arena), DEDUCTION);
    let others = [literal(Sign::AtMostZero, x), literal(Sign::NotZero, y), literal(Sign::AtMostZero, positive)];
    assert_eq!(deduced(&others, vec![tighten(0, 1), combined(&[(2, 1), (3, 1)])], &mut arena), DEDUCTION);
    // One case is not both, and its facts are gone with it.
    let facts = [literal(Sign::NotZero, x)];
    let case = Deduction::Case(literal(Sign::AtMostZero, x));
    assert_eq!(deduced(&facts, vec![case.clone(), tighten(1, 0)], &mut arena), Err(Rejection::NotRefuted));
    let contradiction = arena.constant(1).unwrap();
    let facts = [literal(Sign::AtMostZero, contradiction)];
    assert_eq!(deduced(&facts, vec![case.clone(), combined(&[(0, 1)])], &mut arena), Err(Rejection::NotRefuted));
    assert_eq!(deduced(&facts, vec![case.clone(), combined(&[(0, 1)]), combined(&[(0, 1)])], &mut arena), Ok(()));
    let positive = arena.combine(1, &[(x, -1)]).unwrap();
    let facts = [literal(Sign::AtMostZero, positive)];
    assert_eq!(deduced(&facts, vec![case, combined(&[(0, 1), (1, 1)]), combined(&[(0, 1), (2, 1)])], &mut arena), DEDUCTION);
}

/// A premise may follow from a stronger fact about the same difference, and from no other.
#[test]
fn premises() {
    let (mut arena, [x, y, _]) = arena();
    let atom = |arena: &Arena, term: LinearId| arena.linear(term).unwrap().summands[0].0;
    let (half, other) = (arena.quotient(x, 2).unwrap(), arena.quotient(y, 2).unwrap());
    let (left, right) = (atom(&arena, half), atom(&arena, other));
    let (gap, opposite) = (arena.difference(x, y).unwrap(), arena.difference(y, x).unwrap());
    let (low, high) = (literal(Sign::AtMostZero, gap), literal(Sign::AtMostZero, opposite));
    let congruence = Deduction::Congruence { left, right, facts: vec![(FactId(0), FactId(1))] };
    let tighten = Deduction::Tighten { bound: FactId(1), disequality: FactId(0) };
    let holds = |sign, value: i128| match sign {
        Sign::AtMostZero => value <= 0,
        Sign::Zero => value == 0,
        Sign::NotZero => value != 0,
    };
    let mut accepted = Vec::new();
    for sign in [Sign::AtMostZero, Sign::Zero, Sign::NotZero] {
        for (factor, constant) in [1, -1].into_iter().flat_map(|factor| (-2..=2).map(move |constant| (factor, constant))) {
            let fact = literal(sign, arena.combine(constant, &[(gap, factor)]).unwrap());
            let follows = |needed| (-9..=9).all(|gap| !holds(sign, factor * gap + constant) || holds(needed, gap));
            for (needed, given, deduction) in [(Sign::AtMostZero, high, &congruence), (Sign::NotZero, low, &tighten)] {
                let is_taken = deduced(&[fact, given], vec![deduction.clone()], &mut arena) != DEDUCTION;
                assert!(!is_taken || follows(needed), "{sign:?} of {factor} * gap + {constant} is no {needed:?}");
                accepted.extend(is_taken.then_some((sign, needed)));
            }
        }
    }
    for (sign, needed, count) in [
        (Sign::AtMostZero, Sign::AtMostZero, 3),
        (Sign::Zero, Sign::AtMostZero, 6),
        (Sign::AtMostZero, Sign::NotZero, 4),
        (Sign::NotZero, Sign::NotZero, 2),
    ] {
        assert_eq!(accepted.iter().filter(|pair| **pair == (sign, needed)).count(), count, "{sign:?} for {needed:?}");
    }
}

#[test]
fn axiom_and_congruence() {
    let (mut arena, [x, y, z]) = arena();
    let atom = |arena: &Arena, term: LinearId| arena.linear(term).unwrap().summands[0].0;
    let unbounded = Deduction::Axiom(atom(&arena, x));
    assert_eq!(deduced(&[], vec![unbounded], &mut arena), DEDUCTION);
    let (half, other) = (arena.quotient(x, 2).unwrap(), arena.quotient(y, 2).unwrap());
    let third = arena.quotient(y, 3).unwrap();
    let gap = arena.difference(x, y).unwrap();
    let apart = arena.difference(half, other).unwrap();
    let halves = [atom(&arena, half), atom(&arena, other), atom(&arena, third)];
    // x = y, and halves that differ by at least one.
    let differ = arena.plus(apart, 1).unwrap();
    let facts = [literal(Sign::Zero, gap), literal(Sign::AtMostZero, differ)];
    let congruence = |left, right, facts: &[(u32, u32)]| Deduction::Congruence {
        left,
        right,
        facts: facts.iter().map(|(low, high)| (FactId(*low), FactId(*high))).collect(),
    };
    let closed = combined(&[(1, 1), (2, -1)]);
    assert_eq!(deduced(&facts, vec![congruence(halves[0], halves[1], &[(0, 0)]), closed.clone()], &mut arena), Ok(()));
    for wrong in [
        congruence(halves[0], halves[2], &[(0, 0)]),
        congruence(halves[0], halves[1], &[]),
        congruence(halves[0], halves[1], &[(0, 0), (0, 0)]),
        congruence(halves[0], halves[1], &[(1, 1)]),
        congruence(halves[0], halves[0], &[(0, 0)]),
        congruence(atom(&arena, x), atom(&arena, y), &[(0, 0)]),
    ] {
        assert_eq!(deduced(&facts, vec![wrong, closed.clone()], &mut arena), DEDUCTION);
    }
    // x <= y alone does not do.
    let facts = [literal(Sign::AtMostZero, gap), literal(Sign::AtMostZero, differ)];
    assert_eq!(deduced(&facts, vec![congruence(halves[0], halves[1], &[(0, 0)]), closed.clone()], &mut arena), DEDUCTION);
    // Other arrays, operations, types.
    let arrays = [0, 1].map(|number| arena.array_variable(ArrayVariable { sort: IntegerType::I8, number }).unwrap());
    let selects = arrays.map(|array| {
        let term = arena.select(array, z).unwrap();
        atom(&arena, term)
    });
    assert_eq!(deduced(&facts, vec![congruence(selects[0], selects[1], &[]), closed.clone()], &mut arena), DEDUCTION);
    let applied = [(Operation::Xor, IntegerType::I8), (Operation::Or, IntegerType::I8), (Operation::Xor, IntegerType::I16)];
    let applied = applied.map(|(operation, kind)| {
        let term = arena.apply(operation, kind, x, y).unwrap();
        atom(&arena, term)
    });
    for other in [applied[1], applied[2]] {
        assert_eq!(deduced(&facts, vec![congruence(applied[0], other, &[]), closed.clone()], &mut arena), DEDUCTION);
    }
}

#[test]
fn reads_and_conversions() {
    let (mut arena, [i, j, v]) = arena();
    let atom = |arena: &Arena, term: LinearId| arena.linear(term).unwrap().summands[0].0;
    let array = arena.array_variable(ArrayVariable { sort: IntegerType::I8, number: 0 }).unwrap();
    let stored = arena.store(array, i, v).unwrap();
    let (read, below) = (arena.select(stored, j).unwrap(), arena.select(array, j).unwrap());
    let (same, other) = (arena.difference(read, v).unwrap(), arena.difference(read, below).unwrap());
    let gap = arena.difference(i, j).unwrap();
    let atoms = [atom(&arena, read), atom(&arena, below)];
    let read_same = |atom, fact| Deduction::ReadSame { atom, facts: (FactId(fact), FactId(fact)) };
    let read_other = |atom, fact| Deduction::ReadOther { atom, fact: FactId(fact) };
    let closed = |term: LinearId, arena: &mut Arena| literal(Sign::AtMostZero, arena.plus(term, 1).unwrap());
    let end = combined(&[(1, 1), (2, -1)]);
    let facts = |sign, gap, term, arena: &mut Arena| [literal(sign, gap), closed(term, arena)];
    let equal = facts(Sign::Zero, gap, same, &mut arena);
    assert_eq!(deduced(&equal, vec![read_same(atoms[0], 0), end.clone()], &mut arena), Ok(()));
    assert_eq!(deduced(&equal, vec![read_same(atoms[0], 1), end.clone()], &mut arena), DEDUCTION);
    assert_eq!(deduced(&equal, vec![read_same(atoms[1], 0), end.clone()], &mut arena), DEDUCTION);
    let unknown = facts(Sign::AtMostZero, gap, same, &mut arena);
    assert_eq!(deduced(&unknown, vec![read_same(atoms[0], 0), end.clone()], &mut arena), DEDUCTION);
    let apart = facts(Sign::NotZero, gap, other, &mut arena);
    assert_eq!(deduced(&apart, vec![read_other(atoms[0], 0), end.clone()], &mut arena), Ok(()));
    assert_eq!(deduced(&apart, vec![read_other(atoms[1], 0), end.clone()], &mut arena), DEDUCTION);
    let at_most = facts(Sign::AtMostZero, gap, other, &mut arena);
    assert_eq!(deduced(&at_most, vec![read_other(atoms[0], 0), end.clone()], &mut arena), DEDUCTION);
    let strictly = arena.plus(gap, 1).unwrap();
    let less = facts(Sign::AtMostZero, strictly, other, &mut arena);
    assert_eq!(deduced(&less, vec![read_other(atoms[0], 0), end.clone()], &mut arena), Ok(()));
    let equal = facts(Sign::Zero, gap, other, &mut arena);
    assert_eq!(deduced(&equal, vec![read_other(atoms[0], 0), end.clone()], &mut arena), DEDUCTION);
    // Conversions: 0 <= v <= 255 is its own value in U8, and nothing else is.
    let zero = arena.constant(0).unwrap();
    let converted = [IntegerType::U8, IntegerType::U16, IntegerType::Bool].map(|kind| arena.apply(Operation::Add, kind, v, zero).unwrap());
    let bounds = [arena.combine(0, &[(v, -1)]).unwrap(), arena.plus(v, -255).unwrap()];
    let difference = arena.difference(converted[0], v).unwrap();
    let last = closed(difference, &mut arena);
    let facts = [literal(Sign::AtMostZero, bounds[0]), literal(Sign::AtMostZero, bounds[1]), last];
    let convert = |atom, value, low, high| Deduction::Convert { atom, value, facts: (FactId(low), FactId(high)) };
    let end = combined(&[(2, 1), (3, -1)]);
    let byte = atom(&arena, converted[0]);
    assert_eq!(deduced(&facts, vec![convert(byte, v, 0, 1), end.clone()], &mut arena), Ok(()));
    let shifted = arena.plus(v, 1).unwrap();
    for wrong in [
        convert(byte, v, 1, 0),
        convert(byte, v, 0, 0),
        convert(byte, shifted, 0, 1),
        convert(byte, converted[2], 0, 1),
        convert(atoms[0], v, 0, 1),
        convert(byte, j, 0, 1),
    ] {
        assert_eq!(deduced(&facts, vec![wrong, end.clone()], &mut arena), DEDUCTION);
    }
}

#[test]
fn bits() {
    let mut arena = Arena::new(&[], Budget::new(goatherd_tests::forge::MEMORY)).expect("room for the tables");
    let [s, t, wide] = [(IntegerType::I8, 0), (IntegerType::I8, 1), (IntegerType::I16, 0)]
        .map(|(kind, number)| arena.variable(Variable { sort: Some(kind), number }).unwrap());
    let atom = |arena: &Arena, term: LinearId| arena.linear(term).unwrap().summands[0].0;
    let facts = [s, t, wide].map(|term| literal(Sign::AtMostZero, arena.combine(0, &[(term, -1)]).unwrap()));
    let bits = |atom, left, right| Deduction::Bits { atom, facts: (FactId(left), FactId(right)) };
    for (operation, excess) in [(Operation::Or, 0), (Operation::Xor, -1)] {
        let result = arena.apply(operation, IntegerType::I8, s, t).unwrap();
        let of_wide = arena.apply(operation, IntegerType::I8, s, wide).unwrap();
        // The opposites of what is added: of fact 4, that it is not negative, and of the three behind it.
        let opposites = [
            arena.plus(result, 1).unwrap(),
            arena.combine(1, &[(result, -1), (s, 1), (t, 1)]).unwrap(),
            arena.combine(1, &[(result, 1), (s, -1), (t, -excess)]).unwrap(),
            arena.combine(1, &[(result, 1), (s, -excess), (t, -1)]).unwrap(),
        ];
        for (number, opposite) in (4..).zip(opposites) {
            let facts = [&facts[..], &[literal(Sign::AtMostZero, opposite)]].concat();
            let end = combined(&[(3, 1), (number, 1)]);
            let with = |deduction, arena: &mut Arena| deduced(&facts, vec![deduction, end.clone()], arena);
            let (right, wrong) = (atom(&arena, result), atom(&arena, of_wide));
            assert_eq!(with(bits(right, 0, 1), &mut arena), Ok(()));
            // Facts about other terms; a term that is not known to lie in the type.
            for wrong in [bits(right, 1, 0), bits(right, 0, 0), bits(right, 0, 3), bits(wrong, 0, 2)] {
                assert_eq!(with(wrong, &mut arena), DEDUCTION);
            }
        }
    }
    for operation in [Operation::And, Operation::Add] {
        let other = arena.apply(operation, IntegerType::I8, s, t).unwrap();
        let other = atom(&arena, other);
        assert_eq!(deduced(&facts, vec![bits(other, 0, 1)], &mut arena), DEDUCTION);
    }
    let variable = atom(&arena, s);
    assert_eq!(deduced(&facts, vec![bits(variable, 0, 1)], &mut arena), DEDUCTION);
}

#[test]
fn bits_of_all_small_values() {
    for kind in [IntegerType::Bool, IntegerType::I8, IntegerType::U8] {
        let greatest = range(kind).1;
        for (s, t) in (0..=greatest).flat_map(|s| (0..=greatest).map(move |t| (s, t))) {
            let [or, xor] = [Operation::Or, Operation::Xor].map(|operation| apply(operation, kind, s, t).unwrap());
            assert!(0 <= or && or <= s + t && s <= or && t <= or, "{s} | {t} = {or}");
            assert!(0 <= xor && xor <= s + t && s - t <= xor && t - s <= xor, "{s} ^ {t} = {xor}");
        }
        let all = range(kind).0..=greatest;
        for (s, t) in all.clone().flat_map(|s| all.clone().map(move |t| (s, t))) {
            // What Step says of `^`, of all values.
            assert_eq!(apply(Operation::Xor, kind, s, t).unwrap() == 0, s == t, "{s} ^ {t}");
        }
    }
}
