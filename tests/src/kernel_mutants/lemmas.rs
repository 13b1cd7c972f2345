//! Faults of lemmas that ask for one failure (`spec/calculus.md#asking-for-one-failure`, L1 to L5).

use super::{Mutant, mutant};

/// One condition each.
pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "checker/src/wellformed.rs",
        "is_question",
        "what comes in anew ends runs before anything, and not before failures alone",
        ["let Some(Instruction::Fail { .. }) =", "let Some(_) ="],
        &["lemma-new-elsewhere"],
    ),
    mutant(
        "checker/src/wellformed.rs",
        "is_question",
        "what comes in anew is compared in any way",
        ["relation: Relation::Equal,", "relation: _,"],
        &["lemma-new-less"],
    ),
    mutant(
        "checker/src/wellformed.rs",
        "is_question",
        "what comes in anew is a register that there is",
        ["register.index() == program.registers.len()", "register.index() <= program.registers.len()"],
        &["lemma-not-new"],
    ),
    mutant(
        "checker/src/wellformed.rs",
        "is_question",
        "what comes in anew is of another type than what it is compared with",
        ["Names(program).register(left)", "Names(program).register(left).map(|_| Type::Integer(IntegerType::U8))"],
        &["lemma-new-type"],
    ),
    mutant(
        "checker/src/wellformed.rs",
        "add_lemmas",
        "what runs off the end of the program ends",
        [
            "[Instruction::Fail { kind }, instruction, last]",
            "[if asks { Instruction::Ignore } else { Instruction::Fail { kind } }, instruction, last]",
        ],
        &["lemma-new-off-end"],
    ),
];
