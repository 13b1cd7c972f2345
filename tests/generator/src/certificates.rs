//! Certificates of a program: a proof of `Safe` whose derivations are built here, or a run.

use crate::{
    dice::Dice,
    enumeration::Failing,
    programs::{Case, Subject},
    search::{Builder, Closed, Style},
    sorts,
    terms::{Known, table},
};
use goatherd_certificates::{
    certificate::{Certificate, Claim, Evidence, GroundRun, InputValue, Limits, Origin as Source, Statement},
    configuration::Sort,
    derivation::{Lengths, Proof, Rule},
    program::IntegerType,
    term::Variable,
};
use goatherd_checker::{budget::Budget, configuration::Setting, term::Arena, wellformed};

/// What a check may take.
pub const LIMITS: Limits = Limits { memory: 1 << 22, work: 1 << 22 };

/// How often sorts are drawn until they have a meaning.
const SORTS_TRIED: usize = 5;

/// A certificate, and how far it is meant to be one.
pub struct Made {
    /// The certificate.
    pub certificate: Certificate,
    /// Was every configuration closed, as far as the rules' functions say?
    pub closed: Closed,
}

fn around(case: &Case, claim: Claim, terms: Vec<goatherd_certificates::term::Term>, evidence: Evidence) -> Certificate {
    let origin = Source { file: String::new(), digest: [0; 32], definitions: Vec::new(), includes: Vec::new(), waived: Vec::new() };
    Certificate {
        limits: LIMITS,
        statement: Statement { claim, parameters: case.parameters, landmarks: Vec::new(), origin, program: case.program.clone() },
        files: Vec::new(),
        positions: Vec::new(),
        terms,
        evidence,
        witnesses: Vec::new(),
    }
}

/// Sorts of a proof of this subject.
fn draw_sorts(case: &Case, subject: Subject, dice: &mut Dice) -> Vec<Sort> {
    if subject != Subject::Folds {
        return if dice.once_in(3) { sorts::any(case, dice) } else { Vec::new() };
    }
    // What has no meaning would be the end of the certificate.
    let has_meaning = |sorts: &Vec<Sort>| {
        let proof = Proof {
            k: 1,
            lengths: Lengths::Classes,
            lemmas: Vec::new(),
            sorts: sorts.clone(),
            templates: Vec::new(),
            roots: Vec::new(),
            derivations: Vec::<Vec<Rule>>::new(),
        };
        let certificate = around(case, Claim::Safe, Vec::new(), Evidence::Proof(proof));
        wellformed::certificate(&certificate, &mut Budget::within(LIMITS)).is_ok()
    };
    (0..SORTS_TRIED).map(|_| sorts::narrowed(case, dice)).find(has_meaning).unwrap_or_default()
}

/// A claim of `Safe`. None where the kernel takes no terms.
pub fn safe(case: &Case, subject: Subject, dice: &mut Dice) -> Option<Made> {
    let sorts = draw_sorts(case, subject, dice);
    let k = dice.one([1, 1, 1, 2, 2, 0, 17]).min(if dice.once_in(20) { 17 } else { 2 }).max(u32::from(!dice.once_in(40)));
    let setting = Setting { program: &case.program, parameters: &case.parameters, k, sorts: &sorts };
    let style = Style::draw(dice, subject);
    let mut arena = Arena::new(&case.program.tables, Budget::within(LIMITS)).ok()?;
    // A table that was there before: rules name its terms alone, templates any.
    let tables = if matches!(subject, Subject::Any | Subject::Twins) { 5 } else { 20 };
    let known = if dice.once_in(tables) {
        fill(&mut arena, dice);
        Some(Known::of(&arena))
    } else {
        None
    };
    let start = known.map(|_| arena.clone());
    let lengths = dice.one([Lengths::Classes, Lengths::Open]);
    let mut builder = Builder::new(Dice::new(dice.bits()), (setting, lengths), style, arena, known);
    let mut roots = Vec::new();
    let mut closed = builder.roots(&mut roots);
    let mut derivations: Vec<Vec<Rule>> = Vec::new();
    while derivations.len() < builder.templates.len() {
        let mut rules = Vec::new();
        if closed == Closed::Yes {
            // Each derivation begins with the terms of the table alone.
            if let Some(start) = &start {
                builder.begin_with(start.clone());
            }
            closed = builder.derivation(derivations.len(), &mut rules);
        } else {
            rules.push(Rule::End);
        }
        derivations.push(rules);
    }
    let terms = table(start.as_ref().unwrap_or(&builder.arena));
    let templates = builder.templates;
    let proof = Proof { k, lengths, lemmas: Vec::new(), sorts: sorts.clone(), templates, roots, derivations };
    Some(Made { certificate: around(case, Claim::Safe, terms, Evidence::Proof(proof)), closed })
}

/// A few terms.
fn fill(arena: &mut Arena, dice: &mut Dice) {
    for _ in 0..dice.below(6) {
        let constant = dice.one([0, 1, -1, 5, -6, 2]);
        let made = match dice.below(3) {
            0 => arena.variable(Variable { sort: dice.one([None, Some(IntegerType::I32), Some(IntegerType::U8)]), number: dice.id(2) }),
            _ => arena.constant(constant),
        };
        if let Ok(term) = made
            && dice.once_in(3)
        {
            // What cannot be made is not in the table.
            let _ = arena.plus(term, constant);
        }
    }
}

/// A claim of `Unsafe` by a failing run with something changed, most often.
pub fn run(case: &Case, failing: Option<&Failing>, dice: &mut Dice) -> Certificate {
    let mut run = match failing {
        Some(failing) => GroundRun {
            inputs: failing.inputs.iter().map(goatherd_interpreter::InputValue::to_certificate).collect(),
            choices: failing.run.choices.clone(),
            steps: failing.run.steps,
        },
        None => GroundRun { inputs: Vec::new(), choices: Vec::new(), steps: 1 + u64::from(dice.id(10)) },
    };
    for _ in 0..dice.below(3) {
        let value = i128::from(dice.id(5)) - 1;
        let positions = (run.inputs.len(), run.choices.len());
        match dice.below(6) {
            0 => run.steps = run.steps.wrapping_add(u64::from(dice.id(3))).wrapping_sub(1),
            1 => run.choices.push(value),
            2 => run.choices.truncate(dice.below(positions.1)),
            3 => {
                let position = dice.below(positions.1);
                run.choices.iter_mut().skip(position).take(1).for_each(|choice| *choice = value);
            }
            4 => run.inputs.push(InputValue::Integer(value)),
            _ => {
                let changed = match dice.below(4) {
                    0 => InputValue::Integer(value),
                    1 => InputValue::Array(vec![vec![value]; dice.below(3)]),
                    2 => InputValue::Single(Some(vec![value])),
                    _ => InputValue::Linked(vec![Some(vec![value]), None, None]),
                };
                let position = dice.below(positions.0);
                run.inputs.iter_mut().skip(position).take(1).for_each(|input| *input = changed.clone());
            }
        }
    }
    around(case, Claim::Unsafe, Vec::new(), Evidence::Run(run))
}
