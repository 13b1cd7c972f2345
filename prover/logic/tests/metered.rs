//! The search for hints is paid for: what cannot be paid is not found, and what can be paid is found within it.

use goatherd_certificates::term::{LinearId, Literal, Sign, Variable};
use goatherd_checker::{budget::Budget, outcome::Oracle, refute::check, term::Arena};
use goatherd_logic::{meter::Meter, paths::congruence::Recorder};

fn variables(arena: &mut Arena, count: u32) -> Vec<LinearId> {
    (0..count).map(|number| arena.variable(Variable { sort: None, number }).unwrap()).collect()
}

/// What a search is given, made of terms.
type Facts<'a> = &'a dyn Fn(&mut Arena) -> Vec<Literal>;

/// Different numbers from 1 to `holes`, one more than there are: cases alone refute it.
fn pigeons(arena: &mut Arena, holes: i128) -> Vec<Literal> {
    let numbers = variables(arena, u32::try_from(holes).unwrap() + 1);
    let (least, greatest) = (arena.constant(1).unwrap(), arena.constant(holes).unwrap());
    let mut literals = Vec::new();
    for (position, number) in numbers.iter().enumerate() {
        literals.extend([arena.at_most(least, *number).unwrap(), arena.at_most(*number, greatest).unwrap()]);
        for other in &numbers[position + 1..] {
            literals.push(Literal { sign: Sign::NotZero, term: arena.difference(*number, *other).unwrap() });
        }
    }
    literals
}

/// `15 x + 21 y + 35 z = 2`, with x one more than a multiple of 7: elimination modulo 7 refutes it.
fn equations(arena: &mut Arena) -> Vec<Literal> {
    let [x, y, z, q] = variables(arena, 4)[..] else { panic!("four variables") };
    let sum = arena.combine(-2, &[(x, 15), (y, 21), (z, 35)]).unwrap();
    let remainder = arena.combine(-1, &[(x, 1), (q, -7)]).unwrap();
    [sum, remainder].map(|term| Literal { sign: Sign::Zero, term }).to_vec()
}

/// The steps that a refutation takes; none where it is not found within the limit.
fn steps(predicate: impl Fn(&mut Arena) -> Vec<Literal>, limit: usize) -> Option<usize> {
    let mut arena = Arena::new(&[], Budget::new(u64::MAX)).unwrap();
    let predicate = predicate(&mut arena);
    let meter = Meter::new(limit);
    let mut recorder = Recorder::new(&meter);
    let is_found = recorder.refute(&mut arena, &predicate, &[]).is_ok();
    assert!(meter.spent() <= limit);
    assert_eq!(is_found, recorder.take().iter().any(|hint| check(&mut arena, &predicate, &[], hint).is_ok()));
    if is_found { Some(meter.spent()) } else { None }
}

#[test]
fn cases_and_eliminations_are_paid_for() {
    let searches: [(&str, Facts<'_>); 3] = [
        ("cases", &|arena: &mut Arena| pigeons(arena, 2)),
        ("more cases", &|arena: &mut Arena| pigeons(arena, 3)),
        ("equations", &equations),
    ];
    for (name, predicate) in searches {
        let spent = steps(predicate, 100_000_000).unwrap_or_else(|| panic!("{name}: no refutation"));
        assert_eq!(steps(predicate, spent), Some(spent), "{name}");
        assert_eq!(steps(predicate, spent / 2), None, "{name}: {spent}");
    }
    let [few, more] = [2, 3].map(|holes| steps(|arena: &mut Arena| pigeons(arena, holes), 100_000_000));
    assert!(more > few, "{few:?} {more:?}");
}
