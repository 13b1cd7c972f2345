//! Certificates of a program: a proof of `Safe` whose derivations are built here, or a run.

use crate::{
    dice::Dice,
    enumeration::Failing,
    programs::Case,
    search::{Builder, Closed, Style},
    terms::{Known, table},
};
use goatherd_certificates::{
    certificate::{Certificate, Claim, Evidence, GroundRun, InputValue, Limits, Origin as Source, Statement},
    configuration::{Root, Sort},
    derivation::{Lengths, Proof, Rule},
    program::{IntegerType, Link, ObjectId, Origin, SortId, Source as Handing},
    term::Variable,
};
use goatherd_checker::{budget::Budget, configuration::Setting, term::Arena};

/// What a check may take.
pub const LIMITS: Limits = Limits { memory: 1 << 22, work: 1 << 22 };

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

/// A claim of `Safe`. None where the kernel takes no terms.
pub fn safe(case: &Case, dice: &mut Dice) -> Option<Made> {
    let sorts = if dice.once_in(3) { sorts(case, dice) } else { Vec::new() };
    let k = dice.one([1, 1, 1, 2, 2, 0, 17]).min(if dice.once_in(20) { 17 } else { 2 }).max(u32::from(!dice.once_in(40)));
    let setting = Setting { program: &case.program, parameters: &case.parameters, k, sorts: &sorts };
    let style = Style::draw(dice);
    let mut arena = Arena::new(&case.program.tables, Budget::within(LIMITS)).ok()?;
    // A table that was there before: rules name its terms alone, templates any.
    let known = if dice.once_in(5) {
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

/// Sorts of the proof: those of the declarations with some links changed.
fn sorts(case: &Case, dice: &mut Dice) -> Vec<Sort> {
    let declared = case.program.objects.len();
    let nodes = (0..).map(ObjectId).zip(&case.program.objects);
    let nodes: Vec<(ObjectId, Vec<Link>)> = nodes
        .filter_map(|(id, object)| if let Origin::Node { links } = &object.origin { Some((id, links.clone())) } else { None })
        .collect();
    let count = 1 + dice.below(2);
    let mut sorts = Vec::new();
    for _ in 0..count {
        let Some((object, links)) = nodes.get(dice.below(nodes.len())).cloned() else { break };
        let own = u32::try_from(declared).unwrap_or(0) + dice.id(count);
        let mut shapes = Vec::new();
        for _ in 0..=usize::from(dice.once_in(4)) {
            let mut shape = links.clone();
            for link in &mut shape {
                *link = match *link {
                    Link::Data if dice.once_in(3) => Link::Range { least: 0, greatest: dice.one([0, 1, 3]) },
                    Link::Data => Link::Data,
                    Link::Child(sort) => match dice.below(8) {
                        0 => Link::Null,
                        1 => Link::Child(sort),
                        2 => handed(dice, SortId(own), links.len()),
                        3 | 4 => dice.one([Link::Up, Link::Same, Link::Other, Link::Any]),
                        _ => Link::Child(SortId(own)),
                    },
                    other if dice.once_in(2) => other,
                    _ if dice.once_in(4) => handed(dice, SortId(own), links.len()),
                    _ => dice.one([Link::Up, Link::Null, Link::Same, Link::Other, Link::Any, Link::Child(SortId(own))]),
                };
            }
            shapes.push(shape);
        }
        let root = if dice.once_in(3) { Root::Node } else { Root::Any };
        let within = if dice.once_in(3) { Some(SortId(dice.id(declared + count))) } else { None };
        sorts.push(Sort { object, root, shapes, within });
    }
    sorts
}

/// A child of this sort, to which a node with so many fields hands something.
fn handed(dice: &mut Dice, sort: SortId, fields: usize) -> Link {
    let from = if dice.once_in(3) { Handing::Above } else { Handing::Field(dice.id(fields)) };
    Link::Handed { sort, from }
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
