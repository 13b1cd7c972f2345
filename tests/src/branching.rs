//! A hand-made claim about paths: of two branches, one way through the second is infeasible.

use crate::{forge::Forge, programs};
use goatherd_certificates::{
    certificate::{Certificate, Claim, Ends, Evidence, Parameters},
    derivation::{Rule, VertexId},
    program::{Input, Instruction, IntegerType, Operand, Program, Relation},
};
use goatherd_checker::configuration::{Configuration, Place};

/// `if (x > 0) x = 0; assert(x < 1);`
pub fn program() -> Program {
    let mut program = programs::empty();
    let x = programs::integer(&mut program, "x", IntegerType::I8);
    program.inputs.push(Input::Integer { register: x });
    let of_x = Operand::Register(x);
    program.instructions = vec![
        programs::branch(Relation::LessOrEqual, of_x, Operand::Constant(0), 1, 2),
        Instruction::Jump { target: goatherd_certificates::program::Location(3) },
        programs::assign(x, 0),
        programs::branch(Relation::Less, of_x, Operand::Constant(1), 4, 5),
        Instruction::Halt,
        programs::FAIL,
    ];
    program
}

/// The nodes: entry; one way, the second branch, the end; the other way, the second branch, the end. The second branches are one vertex.
pub const VERTICES: [u32; 7] = [0, 1, 2, 3, 4, 2, 3];

/// Steps to the ends of all paths; what can be refuted is.
pub fn walk(forge: &mut Forge<'_>, configuration: Configuration) {
    let mut open = vec![configuration];
    while let Some(configuration) = open.pop() {
        let place = configuration.members[0].place;
        let instruction = forge.setting.instruction(place);
        if place == Place::Failed || matches!(instruction, Some(Instruction::Halt | Instruction::Fail { .. } | Instruction::Ignore)) {
            forge.rules.push(Rule::End);
        } else {
            let mut children = forge.step(configuration);
            children.reverse();
            open.extend(children);
        }
    }
}

/// The certificate of what has been derived, with these vertices; 99 stands for none.
pub fn certificate(forge: &Forge<'_>, ends: Ends, vertices: &[u32]) -> Certificate {
    let mut certificate = forge.certificate_of(&forge.proof());
    let Evidence::Proof(proof) = certificate.evidence else { panic!("a proof") };
    let vertices = vertices.iter().map(|vertex| (*vertex != 99).then_some(VertexId(*vertex))).collect();
    certificate.evidence = Evidence::Paths { proof, vertices };
    certificate.statement.claim = Claim::Paths(ends);
    certificate
}

/// The certificate of a program's paths, all of them walked to their ends.
pub fn walked(program: &Program, parameters: &Parameters, ends: Ends, vertices: &[u32]) -> Certificate {
    let mut forge = Forge::new(program, parameters, 0);
    for class in 0.. {
        let Some(root) = forge.root(class) else { break };
        walk(&mut forge, root);
    }
    certificate(&forge, ends, vertices)
}
