//! Evaluate: an operation or a read carried out on known values; its premises violated, one at a time, and at random.

use super::deductions::{DEDUCTION, combined, deduced, literal};
use goatherd_certificates::{
    derivation::{Deduction, FactId},
    program::{IntegerType, Operation, Table, TableId},
    term::{ArrayId, ArrayVariable, Atom, AtomId, Computation, LinearId, Literal, Sign, Variable},
};
use goatherd_checker::{
    budget::Budget,
    parts::{Part, open_atom},
    rejection::Rejection,
    term::Arena,
};
use goatherd_interpreter::{
    Random,
    arithmetic::{OPERATIONS, TYPES},
};
use goatherd_tests::{
    conformance::programs::{one_in, pick, value},
    forge::MEMORY,
    valuation::{Function, Valuation},
};

fn evaluate(atom: AtomId, values: &[(i128, u32, u32)]) -> Deduction {
    let values = values.iter().map(|(value, low, high)| (*value, (FactId(*low), FactId(*high))));
    Deduction::Evaluate { atom, values: values.collect() }
}

fn atom(arena: &Arena, term: LinearId) -> AtomId {
    arena.linear(term).expect("a term").summands[0].0
}

/// A table of two entries, and one of a 0.
fn tables() -> [Table; 2] {
    [vec![-3, 7], vec![0]].map(|values| Table { kind: IntegerType::I16, values })
}

/// Three integers without a sort.
fn arena() -> (Arena, [LinearId; 3]) {
    let mut arena = Arena::new(&tables(), Budget::new(MEMORY)).expect("room for the tables");
    let variables = [0, 1, 2].map(|number| arena.variable(Variable { sort: None, number }).expect("room for a variable"));
    (arena, variables)
}

/// That the term is the value: both bounds.
fn bounds(arena: &mut Arena, term: LinearId, value: i128) -> [Literal; 2] {
    arena.within(term, (value, value)).expect("small integers")
}

/// That the term is above the value, and that it is below it.
fn differs(arena: &mut Arena, term: LinearId, value: i128) -> [Literal; 2] {
    [(value + 1, -1), (1 - value, 1)].map(|(constant, factor)| {
        let term = arena.combine(constant, &[(term, factor)]).expect("small integers");
        literal(Sign::AtMostZero, term)
    })
}

/// Does the checker refute that the atom is above the value, and that it is below it, by the facts and Evaluate with these values?
fn is_value(arena: &mut Arena, facts: &[Literal], atom: AtomId, values: &[(i128, u32, u32)], value: i128) -> Result<(), Rejection> {
    let term = arena.of_atom(atom)?;
    let count = u32::try_from(facts.len()).expect("few facts");
    for (other, factor) in differs(arena, term, value).into_iter().zip([1, -1]) {
        let facts = [facts, &[other]].concat();
        deduced(&facts, vec![evaluate(atom, values), combined(&[(count, 1), (count + 1, factor)])], arena)?;
    }
    Ok(())
}

#[test]
fn each_condition() {
    let (mut arena, [x, y, z]) = arena();
    let product = arena.apply(Operation::Multiply, IntegerType::U8, x, y).unwrap();
    let product = atom(&arena, product);
    // 200 <= x <= 200 and 2 <= y <= 2: 400 is 144 in U8.
    let known = [bounds(&mut arena, x, 200), bounds(&mut arena, y, 2)].concat();
    let values = [(200, 1, 0), (2, 3, 2)];
    assert_eq!(is_value(&mut arena, &known, product, &values, 144), Ok(()));
    // It says that, and nothing more.
    for other in [143, 145, 400] {
        assert_eq!(is_value(&mut arena, &known, product, &values, other), Err(Rejection::NotRefuted));
    }
    for wrong in [
        // Too few, too many, in another order.
        &values[..0],
        &values[..1],
        &values[1..],
        &[values[0], values[1], values[1]],
        &[values[1], values[0]],
        // Another value, equal in the type or not; a bound that is missing; bounds of another term, or that there are not.
        &[(201, 1, 0), values[1]],
        &[(200 - 256, 1, 0), values[1]],
        &[(200, 1, 1), values[1]],
        &[(200, 0, 0), values[1]],
        &[(200, 0, 1), values[1]],
        &[(200, 3, 2), values[1]],
        &[values[0], (2, 1, 0)],
        &[values[0], (2, 3, 5)],
    ] {
        assert_eq!(is_value(&mut arena, &known, product, wrong, 144), DEDUCTION, "{wrong:?}");
    }
    // A bound that says less, alone; that says more contradicts the other one, and does.
    for (number, constant, expected) in [(0, 199, DEDUCTION), (0, 201, Ok(())), (1, -201, DEDUCTION), (1, -199, Ok(()))] {
        let mut facts = known.clone();
        let factor = if number == 0 { -1 } else { 1 };
        facts[number].term = arena.combine(constant, &[(x, factor)]).unwrap();
        assert_eq!(is_value(&mut arena, &facts, product, &values, 144), expected, "{factor} x + {constant}");
    }
    // Equalities, either way round; a disequality, or an equality of something else, is none.
    for (sign, constant, factor, term, expected) in [
        (Sign::Zero, -200, 1, x, Ok(())),
        (Sign::Zero, 200, -1, x, Ok(())),
        (Sign::Zero, -200, -1, x, DEDUCTION),
        (Sign::Zero, -400, 2, x, DEDUCTION),
        (Sign::Zero, -200, 1, z, DEDUCTION),
        (Sign::NotZero, -200, 1, x, DEDUCTION),
        (Sign::AtMostZero, -200, 1, x, DEDUCTION),
    ] {
        let facts = [literal(sign, arena.combine(constant, &[(term, factor)]).unwrap()), known[2], known[3]];
        assert_eq!(
            is_value(&mut arena, &facts, product, &[(200, 0, 0), (2, 2, 1)], 144),
            expected,
            "{sign:?} {factor} {term:?} + {constant}"
        );
    }
}

#[test]
fn constants_take_no_value() {
    let (mut arena, [x, y, _]) = arena();
    let two = arena.constant(2).unwrap();
    let product = arena.apply(Operation::Multiply, IntegerType::U8, two, x).unwrap();
    let product = atom(&arena, product);
    let facts = bounds(&mut arena, x, 200);
    assert_eq!(is_value(&mut arena, &facts, product, &[(200, 1, 0)], 144), Ok(()));
    // Not even its own.
    for wrong in [&[(2, 1, 0), (200, 1, 0)], &[(200, 1, 0), (2, 1, 0)], &[(2, 0, 0), (200, 1, 0)]] {
        assert_eq!(is_value(&mut arena, &facts, product, wrong, 144), DEDUCTION);
    }
    // One whose value is evident, but no constant, takes that, and no facts.
    let zeros = arena.table(TableId(1)).unwrap();
    let none = arena.select(zeros, y).unwrap();
    let sum = arena.apply(Operation::Add, IntegerType::U8, none, two).unwrap();
    let sum = atom(&arena, sum);
    assert_eq!(is_value(&mut arena, &[], sum, &[(0, 99, 99)], 2), Ok(()));
    for wrong in [&[][..], &[(1, 99, 99)], &[(256, 99, 99)], &[(0, 99, 99), (2, 99, 99)]] {
        assert_eq!(is_value(&mut arena, &[], sum, wrong, 2), DEDUCTION);
    }
    // A variable has no arguments: it is itself, and nothing is known of it.
    let variable = atom(&arena, x);
    assert_eq!(is_value(&mut arena, &facts, variable, &[], 200), Err(Rejection::NotRefuted));
    assert_eq!(is_value(&mut arena, &facts, variable, &[(200, 1, 0)], 200), DEDUCTION);
}

#[test]
fn arguments_are_reduced_and_nothing_is_undefined() {
    use IntegerType::{Bool, I8, I32, U8, U32};
    let (mut arena, [x, y, _]) = arena();
    for (operation, kind, left, right, result) in [
        (Operation::Add, Bool, 2, 1, 1),
        (Operation::Add, Bool, -1, 1, 0),
        (Operation::Add, I8, 127, 1, -128),
        (Operation::And, U8, -1, 0x1f0, 0xf0),
        (Operation::Divide, I8, 7, 0, 0),
        (Operation::Divide, U8, 7, 256, 0),
        (Operation::Divide, I8, -128, -1, -128),
        (Operation::Divide, I8, -7, 2, -3),
        (Operation::Remainder, I8, -7, 2, -1),
        (Operation::Remainder, U32, 7, 0, 0),
        (Operation::ShiftLeft, I32, 1, 31, -0x8000_0000),
        (Operation::ShiftLeft, I32, 1, 32, 0),
        (Operation::ShiftLeft, U8, 1, -1, 0),
        (Operation::ShiftLeft, U8, 1, 257, 2),
        (Operation::ShiftRight, I8, -1, 7, -1),
        (Operation::ShiftRight, I8, -1, 8, 0),
        (Operation::ShiftRight, Bool, 1, 2, 1),
    ] {
        let term = arena.apply(operation, kind, x, y).unwrap();
        let applied = atom(&arena, term);
        let facts = [bounds(&mut arena, x, left), bounds(&mut arena, y, right)].concat();
        assert_eq!(
            is_value(&mut arena, &facts, applied, &[(left, 1, 0), (right, 3, 2)], result),
            Ok(()),
            "{operation:?} {kind:?} {left} {right}"
        );
    }
    for (divisor, argument, result) in [(2, -1, -1), (2, 1, 0), (256, -256, -1), (3, -4, -2)] {
        let term = arena.quotient(x, divisor).unwrap();
        let quotient = atom(&arena, term);
        let facts = bounds(&mut arena, x, argument);
        assert_eq!(is_value(&mut arena, &facts, quotient, &[(argument, 1, 0)], result), Ok(()), "{argument} / {divisor}");
    }
    let table = arena.table(TableId(0)).unwrap();
    let term = arena.select(table, x).unwrap();
    let entry = atom(&arena, term);
    for (index, result) in [(0, -3), (1, 7), (2, 0), (-1, 0), (1 << 64, 0), (i128::MAX - 1, 0)] {
        let facts = bounds(&mut arena, x, index);
        assert_eq!(is_value(&mut arena, &facts, entry, &[(index, 1, 0)], result), Ok(()), "entry {index}");
    }
}

/// Beyond 128 bits there is a rejection, and no fault.
#[test]
fn extreme_values() {
    let (mut arena, [x, y, _]) = arena();
    let term = arena.apply(Operation::Multiply, IntegerType::U64, x, y).unwrap();
    let shifted = arena.plus(x, 5).unwrap();
    let sum = arena.apply(Operation::Add, IntegerType::I8, shifted, y).unwrap();
    let quotient = arena.quotient(x, i128::MAX).unwrap();
    let table = arena.table(TableId(0)).unwrap();
    let entry = arena.select(table, x).unwrap();
    let facts = [literal(Sign::Zero, x), literal(Sign::Zero, y)];
    for value in [i128::MIN, i128::MIN + 1, i128::MAX, i128::MAX - 4] {
        for term in [term, sum, quotient, entry] {
            let atom = atom(&arena, term);
            for values in [&[(value, 0, 0)][..], &[(value, 0, 0), (0, 1, 1)], &[(value, 0, 0), (value, 1, 1)]] {
                let answer = deduced(&facts, vec![evaluate(atom, values)], &mut arena);
                assert!(matches!(answer, Err(Rejection::Overflow | Rejection::Deduction)), "{value} {answer:?}");
            }
        }
    }
    // The least integer has no opposite, so that no difference to it is formed; the next one is as good as any.
    for (value, expected) in [(i128::MIN, Err(Rejection::Overflow)), (i128::MIN + 1, Ok(()))] {
        let argument = arena.plus(x, value).unwrap();
        let sum = arena.apply(Operation::Add, IntegerType::I8, argument, y).unwrap();
        let sum = atom(&arena, sum);
        assert_eq!(is_value(&mut arena, &facts, sum, &[(value, 0, 0), (0, 1, 1)], 1), expected);
    }
    // 0 <= x <= 2^64 - 1 at its greatest: the square is beyond 127 bits.
    let facts = [bounds(&mut arena, x, u64::MAX.into()), bounds(&mut arena, y, u64::MAX.into())].concat();
    let square = evaluate(atom(&arena, term), &[(u64::MAX.into(), 1, 0), (u64::MAX.into(), 3, 2)]);
    assert_eq!(deduced(&facts, vec![square], &mut arena), Err(Rejection::Overflow));
}

/// Facts of a case that is closed say nothing any more.
#[test]
fn closed_cases() {
    let (mut arena, [x, ..]) = arena();
    let two = arena.constant(2).unwrap();
    let term = arena.apply(Operation::Xor, IntegerType::U8, x, two).unwrap();
    let product = atom(&arena, term);
    let [low, high] = bounds(&mut arena, x, 3);
    let [other, _] = differs(&mut arena, term, 1);
    // Where x <= 3 it is 3, so that x ^ 2 is 1 and not less; nothing is known where x is 4.
    let [evaluated, case] = [evaluate(product, &[(3, 2, 0)]), Deduction::Case(high)];
    let facts = [low, other];
    assert_eq!(deduced(&facts, vec![case.clone(), evaluated.clone()], &mut arena), Err(Rejection::NotRefuted));
    let closed = vec![case, evaluated.clone(), combined(&[(1, 1), (3, 1)])];
    assert_eq!(deduced(&facts, closed.clone(), &mut arena), Err(Rejection::NotRefuted));
    assert_eq!(deduced(&facts, [closed, vec![evaluated]].concat(), &mut arena), DEDUCTION);
}

/// A read looks through as many stores as there are: each is a step of work.
#[test]
fn a_long_read_is_paid_for() {
    const STORES: u32 = 1000;
    let (mut arena, [x, y, _]) = arena();
    let mut array = arena.array_variable(ArrayVariable { sort: IntegerType::U8, number: 0 }).unwrap();
    for index in 1..=STORES {
        let at = arena.constant(index.into()).unwrap();
        array = arena.store(array, at, y).unwrap();
    }
    let term = arena.select(array, x).unwrap();
    let read = evaluate(atom(&arena, term), &[(0, 0, 0)]);
    let facts = [literal(Sign::Zero, x)];
    let mut cost = |count: usize| {
        let before = arena.budget.worked();
        assert_eq!(deduced(&facts, vec![read.clone(); count], &mut arena), Err(Rejection::NotRefuted));
        arena.budget.worked() - before
    };
    assert!(cost(1) > u64::from(STORES));
    assert!(cost(10) > 10 * u64::from(STORES));
}

/// How many deductions are tried at random.
const ATTEMPTS: u64 = 20_000;

/// A valuation, and terms and facts that hold under it.
struct World {
    arena: Arena,
    tables: [Table; 2],
    valuation: Valuation,
    terms: Vec<LinearId>,
    arrays: Vec<ArrayId>,
    facts: Vec<Literal>,
}

impl World {
    /// Variables of every sort, and of none, and arrays of each kind.
    fn new(random: &mut Random) -> Result<Self, Rejection> {
        let arena = Arena::new(&tables(), Budget::new(MEMORY)).expect("room for the tables");
        let (valuation, tables) = (Valuation::default(), tables());
        let mut world = Self { arena, tables, valuation, terms: Vec::new(), arrays: Vec::new(), facts: Vec::new() };
        for sort in [None, None].into_iter().chain(TYPES.map(Some)) {
            let variable = Variable { sort, number: u32::from(world.terms.len() == 1) };
            let chosen = match sort {
                Some(sort) => value(random, sort),
                None => *pick(random, &[-300, -129, -2, -1, 0, 1, 2, 7, 31, 63, 64, 255, 256, 1 << 40, i128::MAX - 1, i128::MIN + 1]),
            };
            world.valuation.integers.insert(variable, chosen);
            world.terms.push(world.arena.variable(variable)?);
        }
        for sort in [IntegerType::I8, IntegerType::Bool] {
            let variable = ArrayVariable { sort, number: 0 };
            let exceptions = (-2..4).map(|index| (index, value(random, sort))).collect();
            world.valuation.arrays.insert(variable, Function { exceptions, otherwise: value(random, sort) });
            world.arrays.push(world.arena.array_variable(variable)?);
        }
        for table in [0, 1] {
            world.arrays.push(world.arena.table(TableId(table))?);
        }
        Ok(world)
    }

    fn value(&self, term: LinearId) -> Option<i128> {
        self.valuation.linear(&self.arena, &self.tables, term)
    }

    /// A new term or array, made of those that there are.
    fn grow(&mut self, random: &mut Random) -> Result<(), Rejection> {
        let (left, right) = (*pick(random, &self.terms), *pick(random, &self.terms));
        let array = *pick(random, &self.arrays);
        let constant = *pick(random, &[-256, -1, 0, 1, 2, 7, 8, 32, 255]);
        let term = match random.below(8) {
            0 => self.arena.constant(constant)?,
            1 => self.arena.combine(constant, &[(left, *pick(random, &[-3, -1, 1, 2])), (right, 1)])?,
            2 => self.arena.quotient(left, *pick(random, &[2, 3, 8, 256]))?,
            3 | 4 => self.arena.apply(*pick(random, &OPERATIONS), *pick(random, &TYPES), left, right)?,
            5 => {
                let array = if one_in(random, 4) { self.arena.constant_array(right)? } else { self.arena.store(array, left, right)? };
                self.arrays.push(array);
                return Ok(());
            }
            _ => self.arena.select(array, left)?,
        };
        self.terms.push(term);
        Ok(())
    }

    /// Something true about the term, mostly all that there is to know.
    fn learn(&mut self, random: &mut Random, term: LinearId) -> Result<(), Rejection> {
        let Some(value) = self.value(term).and_then(i128::checked_neg) else { return Ok(()) };
        let slack = *pick(random, &[0, 0, 0, 0, 1, 256]);
        let exact = self.arena.plus(term, value)?;
        let (low, high) = (self.arena.combine(-slack, &[(exact, -1)])?, self.arena.plus(exact, -slack)?);
        let learnt = match random.below(6) {
            0 => vec![(Sign::Zero, exact)],
            1 => vec![(Sign::Zero, self.arena.combine(0, &[(exact, -1)])?)],
            2 => vec![(Sign::NotZero, self.arena.plus(exact, 1)?), (Sign::AtMostZero, low)],
            _ => vec![(Sign::AtMostZero, low), (Sign::AtMostZero, high)],
        };
        self.facts.extend(learnt.into_iter().map(|(sign, term)| Literal { sign, term }));
        Ok(())
    }

    /// Of an argument, its value or one near, by the facts that say so or by any.
    fn premise(&mut self, random: &mut Random, term: LinearId) -> (i128, (FactId, FactId)) {
        let value = self.value(term).unwrap_or(0);
        let value = if one_in(random, 6) { value.wrapping_add(*pick(random, &[-256, -1, 1, 2, 256])) } else { value };
        let any = |random: &mut Random, count| FactId(u32::try_from(random.below(count)).expect("few facts"));
        let count = u64::try_from(self.facts.len()).expect("few facts");
        let about: Vec<u32> =
            (0..).zip(&self.facts).filter(|(_, fact)| same_atoms(&self.arena, fact.term, term)).map(|(id, _)| id).collect();
        let mut choose = || if about.is_empty() || one_in(random, 8) { any(random, count) } else { FactId(*pick(random, &about)) };
        (value, (choose(), choose()))
    }
}

fn same_atoms(arena: &Arena, left: LinearId, right: LinearId) -> bool {
    let atoms = |term| arena.linear(term).expect("a term").summands.iter().map(|(atom, _)| *atom).collect::<Vec<_>>();
    atoms(left) == atoms(right)
}

/// What an attempt has shown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Shown {
    /// Evaluate was accepted, and nothing follows that is false.
    Sound,
    Rejected,
    /// Integers are beyond 128 bits.
    TooLarge,
}

/// Evaluate on an atom of a random world. All facts hold there, so that nothing may be refuted by them.
fn attempt(random: &mut Random) -> Result<Shown, Rejection> {
    let mut world = World::new(random)?;
    for _ in 0..random.below(12) {
        world.grow(random)?;
    }
    let atoms: Vec<AtomId> = (0..=u32::MAX).map(AtomId).take_while(|atom| world.arena.atom(*atom).is_ok()).collect();
    let atom = atoms[atoms.len() - 1 - usize::try_from(random.below(3)).expect("small")];
    let (_, parts) = open_atom(world.arena.atom(atom)?)?;
    let arguments: Vec<LinearId> = parts
        .iter()
        .filter_map(|part| match part {
            Part::Linear(term) => Some(*term),
            Part::Array(_) => None,
        })
        .collect();
    let constant = world.arena.constant(0)?;
    for term in arguments.iter().copied().chain([constant, *pick(random, &world.terms.clone())]) {
        world.learn(random, term)?;
    }
    if world.facts.is_empty() {
        return Ok(Shown::TooLarge);
    }
    let mut values = Vec::new();
    for argument in arguments {
        if world.arena.value(argument).is_none() || one_in(random, 20) {
            values.push(world.premise(random, argument));
        }
    }
    if one_in(random, 10) {
        values.pop();
    }
    // What the atom is, with the values: this may be another atom, of which the value is known here as well.
    let result = result(&mut world.arena, atom, &values)?;
    let term = world.arena.of_atom(atom)?;
    let equation = world.arena.difference(term, result)?;
    let mut closing = Vec::new();
    for (atom, coefficient) in world.arena.linear(equation)?.summands.clone() {
        let Some(value) = world.valuation.atom(&world.arena, &world.tables, atom).and_then(i128::checked_neg) else {
            return Ok(Shown::TooLarge);
        };
        let term = world.arena.of_atom(atom)?;
        let known = world.arena.plus(term, value)?;
        closing.push((FactId(u32::try_from(world.facts.len()).expect("few facts")), coefficient));
        world.facts.push(literal(Sign::Zero, known));
    }
    assert!(world.facts.iter().all(|fact| world.valuation.holds(&world.arena, &world.tables, *fact) != Some(false)), "facts hold");
    let evaluated = FactId(u32::try_from(world.facts.len()).expect("few facts"));
    let mut shown = Shown::Sound;
    for sign in [1, -1] {
        let sum = closing.iter().map(|(fact, coefficient)| (*fact, -sign * coefficient)).chain([(evaluated, sign)]).collect();
        let deductions = vec![Deduction::Evaluate { atom, values: values.clone() }, Deduction::Combine(sum)];
        match deduced(&world.facts, deductions.clone(), &mut world.arena) {
            Err(Rejection::NotRefuted) => {}
            Err(Rejection::Deduction) => shown = Shown::Rejected,
            Err(rejection) => return Err(rejection),
            Ok(()) => panic!("{deductions:?} refutes {:?}, but {:?}", world.facts, world.valuation),
        }
    }
    Ok(shown)
}

/// The atom with these values for arguments that are no constants, or any others where they are too few.
fn result(arena: &mut Arena, atom: AtomId, values: &[(i128, (FactId, FactId))]) -> Result<LinearId, Rejection> {
    let mut values = values.iter().map(|(value, _)| *value);
    let mut constant = |arena: &mut Arena, term| {
        if arena.value(term).is_some() { Ok(term) } else { arena.constant(values.next().unwrap_or(0)) }
    };
    match *arena.atom(atom)? {
        Atom::Variable(_) => arena.of_atom(atom),
        Atom::Select { array, index } => {
            let index = constant(arena, index)?;
            arena.select(array, index)
        }
        Atom::Quotient { divisor, argument } => {
            let argument = constant(arena, argument)?;
            arena.quotient(argument, divisor)
        }
        Atom::Apply(Computation { operation, kind, left, right }) => {
            let (left, right) = (constant(arena, left)?, constant(arena, right)?);
            arena.apply(operation, kind, left, right)
        }
    }
}

#[test]
fn what_follows_at_random_holds() {
    let random = &mut Random::new(1);
    let mut shown: Vec<Shown> = (0..ATTEMPTS).map(|_| attempt(random).unwrap_or(Shown::TooLarge)).collect();
    shown.sort_unstable();
    let count = |wanted| shown.iter().filter(|shown| **shown == wanted).count();
    let counts = [Shown::Sound, Shown::Rejected, Shown::TooLarge].map(count);
    println!("{counts:?}");
    assert!(counts[0] > shown.len() / 8 && counts[1] > shown.len() / 8, "{counts:?}");
}
