//! Random predicates: what a context refutes has a hint that the checker accepts, and no valuation satisfies it.

use goatherd_certificates::{
    program::{IntegerType, Operation},
    term::{Array, ArrayId, ArrayStore, ArrayVariable, Atom, Computation, LinearId, Literal, Sign, Variable},
};
use goatherd_checker::{arithmetic::apply, budget::Budget, term::Arena};
use goatherd_logic::{Context, refute};

/// A small deterministic generator (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[usize::try_from(self.below(from.len() as u64)).unwrap()]
    }

    fn small(&mut self) -> i128 {
        i128::from(self.below(7)) - 3
    }
}

/// Terms over a few variables, with reads, stores and quotients.
struct Terms {
    integers: Vec<LinearId>,
}

impl Terms {
    fn random(random: &mut Random, arena: &mut Arena, size: usize) -> Self {
        let sorts = [None, None, Some(IntegerType::Bool)];
        let mut integers: Vec<_> =
            (0..4).map(|number| arena.variable(Variable { sort: sorts[number as usize % 3], number }).unwrap()).collect();
        let mut arrays: Vec<_> =
            (0..2).map(|number| arena.array_variable(ArrayVariable { sort: IntegerType::Bool, number }).unwrap()).collect();
        for _ in 0..size {
            let (left, right) = (random.pick(&integers), random.pick(&integers));
            match random.below(9) {
                0..3 => {
                    let index = arena.plus(left, random.small()).unwrap();
                    integers.push(arena.select(random.pick(&arrays), index).unwrap());
                }
                3..5 => arrays.push(arena.store(random.pick(&arrays), left, right).unwrap()),
                5 => integers.push(arena.combine(0, &[(left, 1), (right, 1)]).unwrap()),
                6 => {
                    let divisor = random.pick(&[2, 3, 8]);
                    integers.push(arena.quotient(left, divisor).unwrap());
                }
                7 => {
                    let zero = arena.constant(0).unwrap();
                    let kind = random.pick(&[IntegerType::I8, IntegerType::U8, IntegerType::U16]);
                    let value = arena.combine(0, &[(left, random.pick(&[1, 100]))]).unwrap();
                    integers.push(arena.apply(Operation::Add, kind, value, zero).unwrap());
                }
                _ => {
                    let wide = arena.quotient(left, 8).unwrap();
                    integers.push(arena.combine(0, &[(left, 1), (wide, -8)]).unwrap());
                }
            }
        }
        Self { integers }
    }

    fn literal(&self, random: &mut Random, arena: &mut Arena) -> Literal {
        let (left, right) = (random.pick(&self.integers), random.pick(&self.integers));
        let constant = random.small();
        let scale = if random.below(12) == 0 { 2 } else { 1 };
        let parts = if random.below(4) == 0 { vec![(left, scale)] } else { vec![(left, scale), (right, -1)] };
        let term = arena.combine(constant, &parts).unwrap();
        let sign = random.pick(&[Sign::AtMostZero, Sign::AtMostZero, Sign::Zero, Sign::NotZero]);
        Literal { sign, term }
    }
}

/// A valuation: integers by number, array elements by a hash of array and index.
struct Valuation {
    integers: Vec<i128>,
    seed: i128,
}

impl Valuation {
    fn linear(&self, arena: &Arena, term: LinearId) -> i128 {
        let linear = arena.linear(term).unwrap();
        linear.constant
            + linear.summands.iter().map(|(atom, coefficient)| self.atom(arena, arena.atom(*atom).unwrap()) * coefficient).sum::<i128>()
    }

    fn atom(&self, arena: &Arena, atom: &Atom) -> i128 {
        match *atom {
            Atom::Variable(variable) => {
                let value = self.integers[variable.number as usize];
                if variable.sort.is_some() { value.rem_euclid(2) } else { value }
            }
            Atom::Select { array, index } => self.read(arena, array, self.linear(arena, index)),
            Atom::Quotient { divisor, argument } => self.linear(arena, argument).div_euclid(divisor),
            Atom::Apply(Computation { operation, kind, left, right }) => {
                apply(operation, kind, self.linear(arena, left), self.linear(arena, right)).unwrap()
            }
        }
    }

    fn read(&self, arena: &Arena, array: ArrayId, index: i128) -> i128 {
        match *arena.array(array).unwrap() {
            Array::Variable(variable) => ((index * 31 + self.seed) * (i128::from(variable.number) + 7) / 3).rem_euclid(2),
            Array::Store(ArrayStore { array, index: at, value }) => {
                if self.linear(arena, at) == index {
                    self.linear(arena, value)
                } else {
                    self.read(arena, array, index)
                }
            }
            Array::Constant(value) => self.linear(arena, value),
            Array::Table(_) => 0,
        }
    }

    fn satisfies(&self, arena: &Arena, literal: Literal) -> bool {
        let value = self.linear(arena, literal.term);
        match literal.sign {
            Sign::AtMostZero => value <= 0,
            Sign::Zero => value == 0,
            Sign::NotZero => value != 0,
        }
    }
}

fn has_model(random: &mut Random, arena: &Arena, literals: &[Literal]) -> bool {
    (0..500).any(|_| {
        let integers = (0..4).map(|_| random.small() * 2 + i128::from(random.below(2))).collect();
        let valuation = Valuation { integers, seed: i128::from(random.below(64)) };
        literals.iter().all(|literal| valuation.satisfies(arena, *literal))
    })
}

#[test]
fn what_a_context_refutes_has_a_hint() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut refuted, mut satisfied, mut total, mut length) = (0, 0, 0, 0);
    for round in 0..400 {
        let mut arena = Arena::new(&[], Budget::new(u64::MAX)).expect("room for the tables");
        let terms = Terms::random(&mut random, &mut arena, 3 + round % 10);
        let predicate: Vec<_> = (0..random.below(10)).map(|_| terms.literal(&mut random, &mut arena)).collect();
        let mut context = Context::of(&mut arena, &predicate);
        for _ in 0..5 {
            let assumptions: Vec<_> = (0..random.below(3)).map(|_| terms.literal(&mut random, &mut arena)).collect();
            let literals: Vec<_> = predicate.iter().chain(&assumptions).copied().collect();
            total += 1;
            let answer = context.refutes(&mut arena, &assumptions);
            let hint = refute(&mut arena, &predicate, &assumptions);
            if answer {
                assert!(hint.is_some(), "no hint in round {round}");
            }
            if let Some(hint) = &hint {
                refuted += 1;
                length += hint.deductions.len();
            }
            if has_model(&mut random, &arena, &literals) {
                satisfied += 1;
                assert!(!answer && hint.is_none(), "round {round}");
            }
        }
    }
    println!("{total} problems: {refuted} refuted with {length} deductions, {satisfied} satisfied by a small valuation");
}

#[cfg(feature = "z3")]
#[test]
fn z3_agrees() {
    use goatherd_logic::z3::{Verdict, check};
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let (mut unsatisfiable, mut closed, mut derived, mut by_core) = (0, 0, 0, 0);
    for round in 0..200 {
        let mut arena = Arena::new(&[], Budget::new(u64::MAX)).expect("room for the tables");
        let terms = Terms::random(&mut random, &mut arena, 3 + round % 10);
        let literals: Vec<_> = (0..=random.below(9)).map(|_| terms.literal(&mut random, &mut arena)).collect();
        let is_closed = Context::of(&mut arena, &literals).is_contradictory(&mut arena);
        let hint = refute(&mut arena, &literals, &[]);
        match check(&arena, &literals) {
            Verdict::Satisfiable(_) => assert!(!is_closed && hint.is_none(), "round {round}"),
            Verdict::Unsatisfiable(core) => {
                let core: Vec<_> = core.into_iter().map(|position| literals[position]).collect();
                unsatisfiable += 1;
                closed += i32::from(is_closed);
                derived += i32::from(hint.is_some());
                by_core += i32::from(refute(&mut arena, &core, &[]).is_some());
            }
            Verdict::Unknown => {}
        }
    }
    println!("{unsatisfiable} without a model: {closed} by closure, {derived} refuted, {by_core} from the core");
    // Z3 also knows what follows modulo the period of a type.
    assert!(derived * 20 >= unsatisfiable * 19);
}
