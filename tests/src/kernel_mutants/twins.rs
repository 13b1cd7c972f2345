//! Faults of the rule `Twin`, and of what an instruction reads, writes and leads to.

use super::{Mutant, mutant};

pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "checker/src/twin.rs",
        "registers",
        "registers that differ are no matter",
        ["target != Ok(None) && ahead.reads(budget, register)?", "target != Ok(None) && target.is_ok() && ahead.reads(budget, register)?"],
        &["twin-register", "twin-one-way", "twin-written-on-one-way", "twin-read-and-written", "twin-loop"],
    ),
    mutant(
        "checker/src/twin.rs",
        "objects",
        "objects are not compared",
        ["ensure(state == other, Rejection::NotTwin)?;", ""],
        &["twin-cell", "twin-behind", "twin-name", "twin-local", "twin-freed"],
    ),
    mutant(
        "checker/src/twin.rs",
        "objects",
        "pointers in memory lead nowhere",
        ["reached.extend(same(*cell, *cell)?);", "same(*cell, *cell)?;"],
        &["twin-behind"],
    ),
    mutant("checker/src/twin.rs", "names", "nothing is addressed by name", ["reached.push(live);", ""], &["twin-name", "twin-local"]),
    mutant(
        "checker/src/twin.rs",
        "names",
        "what no member knows is not addressed",
        ["let live = name(primary).ok_or(Rejection::NotTwin)?;", "let Some(live) = name(primary) else { continue };"],
        &["twin-name-forgotten"],
    ),
    mutant(
        "checker/src/twin.rs",
        "same",
        "what is forgotten is the same",
        [
            "Slot::Uninitialised | Slot::Null | Slot::Integer(_) if left == right",
            "Slot::Forgotten | Slot::Uninitialised | Slot::Null | Slot::Integer(_) if left == right",
        ],
        &["twin-register-forgotten", "twin-cell-forgotten"],
    ),
    mutant(
        "checker/src/twin.rs",
        "same",
        "folded parts of one name are the same",
        [
            "Slot::Uninitialised | Slot::Null | Slot::Integer(_) if left == right",
            "Slot::Folded(_) | Slot::Uninitialised | Slot::Null | Slot::Integer(_) if left == right",
        ],
        &["twin-folded"],
    ),
    mutant(
        "checker/src/twin.rs",
        "twin",
        "a twin may be elsewhere",
        ["ensure(scapegoat.place == primary.place, Rejection::NotTwin)?;", ""],
        &["twin-elsewhere"],
    ),
    mutant(
        "checker/src/twin.rs",
        "twin",
        "what is lost is no matter",
        ["ensure(!setting.checks_leaks(), Rejection::Leak)?;", ""],
        &["twin-leak"],
    ),
    mutant(
        "checker/src/twin.rs",
        "twin",
        "a twin on the same input",
        ["ensure(scapegoat.size == InputSize::Smaller, Rejection::NotSmaller)?;", ""],
        &["twin-same-input"],
    ),
    mutant(
        "checker/src/twin.rs",
        "meets",
        "what is renewed on one way is on all",
        ["Use::Renewed => {}", "Use::Renewed => break,"],
        &["twin-written-on-one-way"],
    ),
    mutant(
        "checker/src/twin.rs",
        "reads",
        "what an instruction writes it does not read",
        [
            "flow::read(instruction).any(|read| read == register)",
            "flow::written(instruction) != Some(register) && flow::read(instruction).any(|read| read == register)",
        ],
        &["twin-read-and-written"],
    ),
    mutant(
        "checker/src/twin.rs",
        "addresses",
        "any object that is entered is the one",
        ["Instruction::Enter { object } if *object == declaration => Use::Renewed", "Instruction::Enter { .. } => Use::Renewed"],
        &["twin-local"],
    ),
    mutant(
        "checker/src/flow.rs",
        "successors",
        "of two ways the first is taken",
        [
            "Instruction::Choose { then, otherwise } => [Some(then), Some(otherwise)]",
            "Instruction::Choose { then, otherwise } => [Some(then), Some(otherwise).filter(|_| false)]",
        ],
        &["twin-one-way"],
    ),
    mutant(
        "checker/src/flow.rs",
        "successors",
        "no jump leads back",
        [
            "Instruction::Jump { target } => [Some(target), None]",
            "Instruction::Jump { target } => [Some(target).filter(|target| *target > location), None]",
        ],
        &["twin-loop"],
    ),
];
