//! C's pointers and objects.

use super::*;
use goatherd_certificates::configuration::Address;
use goatherd_certificates::program::Advance;

#[test]
fn b1_a_freed_pointer_is_compared() {
    let (mut program, p, _, allocate) = with_malloc();
    program.instructions =
        vec![allocate, Instruction::Free { pointer: p }, equal_pointers(p, PointerOperand::Null, 3, 3), Instruction::Halt];
    assert_eq!(forged(&program, PARAMETERS, &[], auto), Rejection::NotRefuted);
}

#[test]
fn b1_a_template_revives_an_object() {
    let (mut program, p, _, allocate) = with_malloc();
    let x = integer(&mut program, "x", IntegerType::I32);
    program.instructions =
        vec![allocate, Instruction::Free { pointer: p }, Instruction::Load { target: x, address: p, offset: 0 }, Instruction::Halt];
    let answer = forged(&program, PARAMETERS, &[], |forge, _, configuration| {
        let configuration = forge.steps(configuration, 2);
        edited_template(|_, template| template.members[0].objects[0].life = Life::Live)(forge, &configuration);
    });
    assert_eq!(answer, Rejection::Shape);
}

#[test]
fn b1_one_past_the_end_may_be_the_next_object() {
    let mut program = empty();
    let (a, length, _) = array(&mut program, "a", IntegerType::I32, IntegerType::U8);
    let (b, ..) = array(&mut program, "b", IntegerType::I32, IntegerType::U8);
    let end = pointer(&mut program, "end");
    program.instructions = vec![
        Instruction::Advance(Advance { target: end, base: a, index: of(length), scale: 4 }),
        equal_pointers(end, PointerOperand::Register(b), 2, 3),
        FAIL,
        Instruction::Halt,
    ];
    let inputs = [elements(1), elements(1)].concat();
    assert_eq!(forged(&program, PARAMETERS, &inputs, auto), Rejection::NotRefuted);
}

#[test]
fn b1_null_and_arithmetic() {
    let mut program = empty();
    let p = pointer(&mut program, "p");
    for (index, null) in [(1, false), (0, true)] {
        program.instructions = vec![
            Instruction::Null { target: p },
            Instruction::Advance(Advance { target: p, base: p, index: number(index), scale: 4 }),
            equal_pointers(p, PointerOperand::Null, 3, 4),
            if null { FAIL } else { Instruction::Halt },
            Instruction::Halt,
        ];
        assert_eq!(forged(&program, PARAMETERS, &[], auto), Rejection::NotRefuted);
    }
}

#[test]
fn b1_frees_that_fail() {
    let (mut program, p, _, allocate) = with_malloc();
    let local = object(&mut program, goatherd_certificates::program::LayoutId(0), Origin::Local { count: 1 });
    let free = Instruction::Free { pointer: p };
    let moved = Instruction::Advance(Advance { target: p, base: p, index: number(1), scale: 4 });
    for instructions in [
        vec![allocate.clone(), free.clone(), free.clone(), Instruction::Halt],
        vec![allocate, moved, free.clone(), Instruction::Halt],
        vec![Instruction::Enter { object: local }, Instruction::Address { target: p, object: local }, free.clone(), Instruction::Halt],
        vec![free, Instruction::Halt],
    ] {
        program.instructions = instructions;
        // No two instructions allocate one object.
        if program.instructions.len() > 2 {
            assert_eq!(forged(&program, PARAMETERS, &[], auto), Rejection::NotRefuted);
        }
    }
}

#[test]
fn b4_an_object_renamed_by_a_template() {
    let mut program = empty();
    let (a, ..) = array(&mut program, "a", IntegerType::I32, IntegerType::U8);
    let (_, _, b) = array(&mut program, "b", IntegerType::I32, IntegerType::U8);
    let p = pointer(&mut program, "p");
    program.instructions =
        vec![Instruction::Copy { target: p, source: a }, equal_pointers(p, PointerOperand::Register(a), 2, 3), FAIL, Instruction::Halt];
    let inputs = [elements(1), elements(1)].concat();
    let answer = forged(&program, PARAMETERS, &inputs, |forge, _, configuration| {
        let configuration = forge.steps(configuration, 1);
        edited_template(move |_, template| {
            for (register, slot) in &mut template.members[0].registers {
                if let (true, Slot::Pointer(Address { object, .. })) = (*register == p, slot) {
                    *object = b;
                }
            }
        })(forge, &configuration);
    });
    assert_eq!(answer, Rejection::Slot);
}

#[test]
fn c4_a_run_rests_on_an_open_comparison() {
    let mut program = empty();
    let (a, length, _) = array(&mut program, "a", IntegerType::I32, IntegerType::U8);
    let (b, ..) = array(&mut program, "b", IntegerType::I32, IntegerType::U8);
    program.instructions = vec![
        Instruction::Advance(Advance { target: a, base: a, index: of(length), scale: 4 }),
        equal_pointers(a, PointerOperand::Register(b), 2, 3),
        FAIL,
        Instruction::Halt,
    ];
    let one = || goatherd_certificates::certificate::InputValue::Array(vec![vec![0]]);
    for choices in [Vec::new(), vec![0], vec![1]] {
        let run = GroundRun { inputs: vec![one(), one()], choices, steps: 3 };
        assert_eq!(rejection(&check(&certificate_of_run(&program, PARAMETERS, run))), Some(Rejection::Ignorance));
    }
}
