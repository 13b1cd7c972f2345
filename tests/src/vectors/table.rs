//! Terms by number: what the certificate's table does not have means nothing (`spec/calculus.md#attacks`, K1 and K2).

use super::{Catalogue, heaps::of};
use crate::{
    forge::{PARAMETERS, certificate, certificate_of_run, check},
    heaps::{list, template},
    programs::{FAIL, is_null},
    vectors::heaps::Forgery,
};
use goatherd_certificates::{
    certificate::{Certificate, Evidence, GroundRun},
    configuration::Slot,
    derivation::{Deduction, FactId, Lengths, Matching, Proof, Refutation, Rule, TemplateId},
    program::{Instruction, Program},
    term::{ArrayId, AtomId, Linear, LinearId, Literal, Sign, Term},
};
use goatherd_checker::{error::Defect, rejection::Rejection};

/// What is not there.
const MISSING: Rejection = Rejection::Malformed(Defect::Term);

fn constant(constant: i128) -> Term {
    Term::Linear(Linear { constant, summands: Vec::new() })
}

const fn at_most_zero(term: u32) -> Literal {
    Literal { sign: Sign::AtMostZero, term: LinearId(term) }
}

/// The predicate alone is false.
fn infeasible() -> Rule {
    Rule::Infeasible { refutation: Refutation { deductions: vec![Deduction::Combine(vec![(FactId(0), 1)])] } }
}

/// A list that is not NULL fails; the derivation from the only root is this one, over a table of -6 and 5.
fn derived(program: &Program, roots: Vec<Rule>) -> Certificate {
    let proof = Proof {
        k: 1,
        lengths: Lengths::Classes,
        lemmas: Vec::new(),
        sorts: Vec::new(),
        templates: Vec::new(),
        roots,
        derivations: Vec::new(),
    };
    certificate(program, PARAMETERS, vec![constant(-6), constant(5)], Evidence::Proof(proof))
}

/// A template's predicate names the first term behind the table. Where each derivation counts terms on its own, that is 0 to the root, so that nothing is to be shown there, and 7 = 1 - -6 below the template, so that nothing is left there.
fn beyond_the_table(program: &Program) -> Certificate {
    let predicate = |term| {
        let mut made = template(0, &[], &[], Vec::new(), &[]);
        made.predicate.push(at_most_zero(term));
        made
    };
    let count = 97;
    let mut templates = vec![predicate(1); count];
    let mut derivations = vec![vec![infeasible()]; count];
    templates[1] = predicate(2);
    derivations[1] = vec![Rule::Split { literal: at_most_zero(0) }, infeasible(), infeasible()];
    let matching = Matching { objects: vec![Vec::new()], ..Matching::default() };
    let roots = vec![Rule::Subsume { template: TemplateId(1), matching, hints: Vec::new() }];
    let proof = Proof { k: 1, lengths: Lengths::Classes, lemmas: Vec::new(), sorts: Vec::new(), templates, roots, derivations };
    certificate(program, PARAMETERS, vec![constant(-6), constant(5)], Evidence::Proof(proof))
}

/// A list that is not NULL makes it fail.
fn failing() -> Program {
    let (mut program, l, _) = list();
    program.instructions = vec![is_null(l, 2, 1), FAIL, Instruction::Halt];
    program
}

/// K1: a proof that no program fails.
pub fn forgery() -> Forgery {
    let program = failing();
    let run = GroundRun { inputs: vec![of(&[1])], choices: Vec::new(), steps: 2 };
    let run = certificate_of_run(&program, PARAMETERS, run);
    assert!(check(&run).is_ok(), "the program fails");
    let reason = "97 templates, one of which names a term that the table does not have";
    Forgery { name: "table-template", rejection: MISSING, reason, proof: beyond_the_table(&program), run }
}

/// Adds them.
pub(super) fn add(vectors: &mut Catalogue) {
    let program = failing();
    let Forgery { name, rejection, reason, proof, .. } = forgery();
    vectors.rejected(name, rejection, reason, &proof);
    let split = vec![Rule::Split { literal: at_most_zero(2) }];
    vectors.rejected("table-linear", MISSING, "Split names linear term 2, and there are two", &derived(&program, split));
    let axiom = Rule::Infeasible { refutation: Refutation { deductions: vec![Deduction::Axiom(AtomId(0))] } };
    vectors.rejected("table-atom", MISSING, "a deduction names atom 0, and there is none", &derived(&program, vec![axiom]));
    let matching = Matching { arrays: vec![ArrayId(0)], objects: vec![Vec::new()], ..Matching::default() };
    let subsume = Rule::Subsume { template: TemplateId(0), matching, hints: Vec::new() };
    vectors.rejected("table-array", MISSING, "a substitution names array 0, and there is none", &derived(&program, vec![subsume]));
    let mut slot = beyond_the_table(&program);
    if let Evidence::Proof(proof) = &mut slot.evidence {
        proof.templates[1].predicate.clear();
        proof.templates[1].members[0].consumed = Slot::Integer(LinearId(2));
    }
    vectors.rejected("table-slot", MISSING, "a slot of a template holds linear term 2, and there are two", &slot);
}
