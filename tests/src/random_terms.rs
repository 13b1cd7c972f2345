//! Random terms: what the kernel's normal forms and ranges say is what the terms mean (`spec/calculus.md#terms`).

use crate::{
    conformance::programs::{pick, value},
    forge::{MEMORY, PARAMETERS},
    programs,
    valuation::{Function, Valuation, apply, floor},
};
use goatherd_certificates::{
    InputSize,
    configuration::{Member, Slot, Template},
    program::{Instruction, IntegerType, Location, RegisterId, Table, TableId, Type},
    term::{Array, ArrayId, ArrayStore, ArrayVariable, Atom, Computation, LinearId, Literal, Scope, Sign, Variable},
};
use goatherd_checker::{
    budget::Budget,
    configuration::{Configuration, Setting},
    outcome::Oracle,
    parts::Part,
    rejection::Rejection,
    subsume,
    term::{Arena, lies_in, sort_index},
};
use goatherd_interpreter::{
    Random,
    arithmetic::{OPERATIONS, TYPES, contains},
};
use goatherd_logic::terms::matching;
use std::collections::BTreeMap;

/// How many valuations each term is evaluated under.
const VALUATIONS: usize = 6;

/// A term, and its values computed beside the kernel.
#[derive(Clone)]
struct Known {
    term: LinearId,
    values: Vec<Option<i128>>,
}

/// Arrays are compared at these indices.
const INDICES: std::ops::RangeInclusive<i128> = -2..=3;

#[derive(Clone)]
struct KnownArray {
    array: ArrayId,
    values: Vec<BTreeMap<i128, Option<i128>>>,
}

struct Terms<'a> {
    arena: Arena,
    random: &'a mut Random,
    tables: Vec<Table>,
    valuations: Vec<Valuation>,
    known: Vec<Known>,
    arrays: Vec<KnownArray>,
}

/// Builds random terms; says where the kernel disagrees.
pub fn run(seed: u64) -> Result<(), String> {
    let random = &mut Random::new(seed);
    let tables = vec![Table { kind: IntegerType::I16, values: vec![-3, 7] }];
    let arena = Arena::new(&tables, Budget::new(MEMORY)).expect("room for the tables");
    let mut terms =
        Terms { arena, random, tables, valuations: vec![Valuation::default(); VALUATIONS], known: Vec::new(), arrays: Vec::new() };
    match terms.build().and_then(|()| terms.substitute()) {
        // Integers beyond 128 bits are refused, and that is no disagreement.
        Ok(()) | Err(Rejection::Overflow) => {}
        Err(rejection) => return Err(format!("seed {seed}: {rejection:?}")),
    }
    terms.compare().map_err(|fault| format!("seed {seed}: {fault}"))
}

impl Terms<'_> {
    fn build(&mut self) -> Result<(), Rejection> {
        for number in 0..2 {
            for sort in [None, Some(*pick(self.random, &TYPES))] {
                let variable = Variable { sort, number };
                for valuation in &mut self.valuations {
                    let chosen = match sort {
                        None => i128::from(self.random.below(9)) - 4,
                        Some(sort) => value(self.random, sort),
                    };
                    valuation.integers.insert(variable, chosen);
                }
                let term = self.arena.variable(variable)?;
                let values = self.valuations.iter().map(|valuation| valuation.integers.get(&variable).copied()).collect();
                self.known.push(Known { term, values });
            }
            let sort = *pick(self.random, &TYPES);
            let variable = ArrayVariable { sort, number };
            for valuation in &mut self.valuations {
                let exceptions = INDICES.map(|index| (index, value(self.random, sort))).collect();
                valuation.arrays.insert(variable, Function { exceptions, otherwise: value(self.random, sort) });
            }
            let array = self.arena.array_variable(variable)?;
            let at = |valuation: &Valuation| {
                let function = &valuation.arrays[&variable];
                INDICES.map(|index| (index, Some(function.at(index)))).collect()
            };
            self.arrays.push(KnownArray { array, values: self.valuations.iter().map(at).collect() });
        }
        let table = self.arena.table(TableId(0))?;
        let entries = |index: i128| usize::try_from(index).ok().and_then(|index| self.tables[0].values.get(index)).copied().unwrap_or(0);
        let values = vec![INDICES.map(|index| (index, Some(entries(index)))).collect(); VALUATIONS];
        self.arrays.push(KnownArray { array: table, values });
        for _ in 0..25 {
            self.next()?;
        }
        Ok(())
    }

    fn next(&mut self) -> Result<(), Rejection> {
        let (left, right) = (pick(self.random, &self.known).clone(), pick(self.random, &self.known).clone());
        let both = |compute: &dyn Fn(i128, i128) -> Option<i128>| -> Vec<Option<i128>> {
            left.values.iter().zip(&right.values).map(|(left, right)| compute((*left)?, (*right)?)).collect()
        };
        match self.random.below(9) {
            0 => {
                let constant = value(self.random, IntegerType::I16);
                let term = self.arena.constant(constant)?;
                self.known.push(Known { term, values: vec![Some(constant); VALUATIONS] });
            }
            1 | 2 => {
                let factors = (i128::from(self.random.below(7)) - 3, i128::from(self.random.below(5)) - 2);
                let constant = i128::from(self.random.below(5)) - 2;
                let term = self.arena.combine(constant, &[(left.term, factors.0), (right.term, factors.1)])?;
                let values =
                    both(&|left, right| left.checked_mul(factors.0)?.checked_add(right.checked_mul(factors.1)?)?.checked_add(constant));
                self.known.push(Known { term, values });
            }
            3 => {
                let divisor = *pick(self.random, &[1i128, 2, 3, 4, 8, 256]);
                let term = self.arena.quotient(left.term, divisor)?;
                let values = left.values.iter().map(|value| Some(floor((*value)?, divisor))).collect();
                self.known.push(Known { term, values });
            }
            4 | 5 => {
                let (operation, kind) = (*pick(self.random, &OPERATIONS[2..]), *pick(self.random, &TYPES));
                let term = self.arena.apply(operation, kind, left.term, right.term)?;
                self.known.push(Known { term, values: both(&|left, right| Some(apply(operation, kind, left, right))) });
            }
            6 => {
                let array = pick(self.random, &self.arrays).clone();
                let term = self.arena.select(array.array, left.term)?;
                let at = |(values, index): (&BTreeMap<i128, Option<i128>>, &Option<i128>)| values.get(&(*index)?).copied()?;
                let values: Vec<Option<i128>> = array.values.iter().zip(&left.values).map(at).collect();
                self.known.push(Known { term, values });
            }
            7 => {
                let array = pick(self.random, &self.arrays).clone();
                let stored = self.arena.store(array.array, left.term, right.term)?;
                let mut values = array.values;
                for (function, (index, value)) in values.iter_mut().zip(left.values.iter().zip(&right.values)) {
                    match index {
                        Some(index) if INDICES.contains(index) => drop(function.insert(*index, *value)),
                        Some(_) => {}
                        None => function.values_mut().for_each(|value| *value = None),
                    }
                }
                self.arrays.push(KnownArray { array: stored, values });
            }
            _ => {
                let array = self.arena.constant_array(left.term)?;
                let values = left.values.iter().map(|value| INDICES.map(|index| (index, *value)).collect()).collect();
                self.arrays.push(KnownArray { array, values });
            }
        }
        Ok(())
    }

    fn compare(&self) -> Result<(), String> {
        let mut arena = self.arena.clone();
        for (number, valuation) in self.valuations.iter().enumerate() {
            for known in &self.known {
                // Values that one side cannot hold in 128 bits are not compared.
                let (Some(expected), Some(found)) = (known.values[number], valuation.linear(&self.arena, &self.tables, known.term)) else {
                    continue;
                };
                if expected != found {
                    return Err(format!("{:?} is {found}, not {expected}", self.arena.linear(known.term)));
                }
                if let Some((least, greatest)) = self.arena.range(known.term)
                    && (found < least || found > greatest)
                {
                    return Err(format!("{:?} is {found}, outside {least} to {greatest}", self.arena.linear(known.term)));
                }
                self.compare_literals(&mut arena, known.term, valuation)?;
            }
            for known in &self.arrays {
                for (index, expected) in &known.values[number] {
                    let found = valuation.element(&self.arena, &self.tables, known.array, *index);
                    if let (Some(expected), Some(found)) = (expected, found)
                        && *expected != found
                    {
                        return Err(format!("{:?} holds {found} at {index}, not {expected}", self.arena.array(known.array)));
                    }
                    if let (Some((least, greatest)), Some(found)) = (self.arena.array_range(known.array), found)
                        && (found < least || found > greatest)
                    {
                        return Err(format!("{:?} holds {found}, outside {least} to {greatest}", self.arena.array(known.array)));
                    }
                }
            }
        }
        Ok(())
    }

    /// What is evident holds; a negation is false where the literal is true.
    fn compare_literals(&self, arena: &mut Arena, term: LinearId, valuation: &Valuation) -> Result<(), String> {
        for sign in [Sign::AtMostZero, Sign::Zero, Sign::NotZero] {
            let literal = Literal { sign, term };
            let Some(holds) = valuation.holds(&self.arena, &self.tables, literal) else { continue };
            if self.arena.evident(literal).is_some_and(|evident| evident != holds) {
                return Err(format!("{literal:?} is not evident"));
            }
            if let Ok(negation) = arena.negate(literal)
                && valuation.holds(arena, &self.tables, negation) == Some(holds)
            {
                return Err(format!("{literal:?} and its negation are both {holds}"));
            }
        }
        Ok(())
    }

    /// Substitution: a template's term under theta has the value that the term has under the valuation after theta.
    fn substitute(&mut self) -> Result<(), Rejection> {
        let mut program = programs::empty();
        programs::register(&mut program, "x", Type::Integer(IntegerType::I64));
        program.instructions = vec![Instruction::Halt];
        program.tables = self.tables.clone();
        let setting = Setting { program: &program, parameters: &PARAMETERS, k: 1, sorts: &[] };
        let terms = self.known.iter().map(|known| self.arena.scope(Part::Linear(known.term)));
        let arrays = self.arrays.iter().map(|known| self.arena.scope(Part::Array(known.array)));
        let mut scope = Scope::default();
        for other in terms.chain(arrays) {
            let other = other?;
            scope.integers.iter_mut().zip(other.integers).for_each(|(count, other)| *count = (*count).max(other));
            scope.arrays.iter_mut().zip(other.arrays).for_each(|(count, other)| *count = (*count).max(other));
        }
        let target = pick(self.random, &self.known).term;
        let member = |slot| Member {
            location: Location(0),
            size: InputSize::NotLarger,
            consumed: Slot::Forgotten,
            registers: vec![(RegisterId(0), slot)],
            objects: Vec::new(),
            folded: Vec::new(),
        };
        let template = Template { scope, trees: Vec::new(), predicate: Vec::new(), members: vec![member(Slot::Integer(target))] };
        let template = subsume::template(&self.arena, setting, &template)?;
        let (integers, arrays) = goatherd_logic::terms::variables(&scope);
        let mut images = Vec::new();
        for variable in &integers {
            let fits = |known: &&Known| match variable.sort {
                None => true,
                Some(sort) => self.arena.range(known.term).is_some_and(|(least, greatest)| within(sort, least) && within(sort, greatest)),
            };
            let fitting: Vec<LinearId> = self.known.iter().filter(fits).map(|known| known.term).collect();
            images.push(if fitting.is_empty() { self.arena.constant(0)? } else { *pick(self.random, &fitting) });
        }
        let mut array_images = Vec::new();
        for variable in &arrays {
            let fitting: Vec<ArrayId> = self
                .arrays
                .iter()
                .map(|known| known.array)
                .filter(|array| lies_in(self.arena.array_range(*array), variable.sort))
                .collect();
            array_images.push(if fitting.is_empty() {
                let zero = self.arena.constant(0)?;
                self.arena.constant_array(zero)?
            } else {
                *pick(self.random, &fitting)
            });
        }
        // A variable of its own receives the value; the obligations say that it equals the image.
        let mut configuration = Configuration { progress: true, ..template.clone() };
        let receiver = Variable { sort: None, number: scope.integers[sort_index(None)] };
        configuration.scope.integers[sort_index(None)] += 1;
        let term = self.arena.variable(receiver)?;
        configuration.members[0].registers[0] = Slot::Integer(term);
        let mut recorder = Recorder::default();
        let matching = matching(&template, images.clone(), array_images.clone());
        subsume::subsume(&mut self.arena, setting, &configuration, &template, &matching, &mut recorder)?;
        let theta = Theta {
            arena: &self.arena,
            tables: &self.tables,
            integers: integers.into_iter().zip(images).collect(),
            arrays: arrays.into_iter().zip(array_images).collect(),
        };
        for valuation in &self.valuations {
            let Some(value) = theta.linear(valuation, target) else { continue };
            let mut with_receiver = valuation.clone();
            with_receiver.integers.insert(receiver, value);
            // Each obligation is that something else than equality is impossible.
            let is_other = |obligation: &Literal| with_receiver.holds(&self.arena, &self.tables, *obligation) == Some(true);
            if recorder.obligations.iter().any(is_other) {
                return Err(Rejection::Substitution);
            }
        }
        Ok(())
    }
}

/// A substitution, to be read rather than applied.
struct Theta<'a> {
    arena: &'a Arena,
    tables: &'a [Table],
    integers: BTreeMap<Variable, LinearId>,
    arrays: BTreeMap<ArrayVariable, ArrayId>,
}

impl Theta<'_> {
    /// The term's value where its variables have the values of their images.
    fn linear(&self, valuation: &Valuation, term: LinearId) -> Option<i128> {
        let linear = self.arena.linear(term).ok()?;
        linear.summands.iter().try_fold(linear.constant, |sum, (atom, coefficient)| {
            let value = match *self.arena.atom(*atom).ok()? {
                Atom::Variable(variable) => valuation.linear(self.arena, self.tables, *self.integers.get(&variable)?)?,
                Atom::Select { array, index } => self.element(valuation, array, self.linear(valuation, index)?)?,
                Atom::Quotient { divisor, argument } => floor(self.linear(valuation, argument)?, divisor),
                Atom::Apply(Computation { operation, kind, left, right }) => {
                    apply(operation, kind, self.linear(valuation, left)?, self.linear(valuation, right)?)
                }
            };
            sum.checked_add(value.checked_mul(*coefficient)?)
        })
    }

    fn element(&self, valuation: &Valuation, array: ArrayId, index: i128) -> Option<i128> {
        match *self.arena.array(array).ok()? {
            Array::Variable(variable) => valuation.element(self.arena, self.tables, *self.arrays.get(&variable)?, index),
            Array::Store(ArrayStore { array: below, index: at, value }) => {
                if self.linear(valuation, at)? == index {
                    self.linear(valuation, value)
                } else {
                    self.element(valuation, below, index)
                }
            }
            Array::Constant(value) => self.linear(valuation, value),
            Array::Table(_) => valuation.element(self.arena, self.tables, array, index),
        }
    }
}

fn within(sort: IntegerType, value: i128) -> bool {
    contains(sort, value)
}

/// Everything holds; what had to be refuted is kept.
#[derive(Default)]
struct Recorder {
    obligations: Vec<Literal>,
}

impl Oracle for Recorder {
    fn refute(&mut self, _: &mut Arena, _: &[Literal], assumptions: &[Literal]) -> Result<(), Rejection> {
        self.obligations.extend_from_slice(assumptions);
        Ok(())
    }
}
