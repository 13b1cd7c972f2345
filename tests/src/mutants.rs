//! Mutated certificates: what is still accepted must still be true.

use crate::{conformance::programs::pick, forge::MEMORY};
use goatherd::encode;
use goatherd_certificates::{
    certificate::{Arithmetic, Certificate, Claim, Ends, Evidence, Parameters, Statement},
    derivation::{Deduction, Rule, VertexId},
    program::{ArrayInput, Branch, Input, Instruction, IntegerType, Location, Program, Type},
};
use goatherd_checker::{Limits, budget::Budget, decode::Rules, error::Failure};
use goatherd_claims::{Graph, Subject, Verdict, decode};
use goatherd_interpreter::{self as interpreter, InputValue, Outcome, Random, Tracing, arithmetic};

use std::{collections::BTreeMap, iter};

/// How many bytes a digest has.
const DIGEST: usize = 32;

/// Where the parts of a certificate's bytes stand.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Where the statement digest begins.
    pub digest: usize,
    /// Where the statement begins.
    pub statement: usize,
    /// Where it ends.
    pub end: usize,
}

/// Finds the statement in an accepted certificate's bytes by its digest.
pub fn frame(bytes: &[u8], verdict: &Verdict) -> Option<Frame> {
    let digest = bytes.windows(DIGEST).position(|window| window == verdict.statement_digest)?;
    // The length of the statement takes one to nine bytes.
    let (statement, end) = (1..=9).find_map(|length| {
        let statement = digest + DIGEST + length;
        let ends = statement..bytes.len() - DIGEST;
        ends.rev().find(|end| encode::digest(&bytes[statement..*end]) == verdict.statement_digest).map(|end| (statement, end))
    })?;
    Some(Frame { digest, statement, end })
}

/// Makes the trailer right again.
pub fn repair_trailer(bytes: &mut [u8]) {
    let end = bytes.len() - DIGEST;
    let trailer = encode::digest(&bytes[..end]);
    bytes[end..].copy_from_slice(&trailer);
}

/// Makes the statement digest and the trailer right again.
pub fn repair(bytes: &mut [u8], frame: Frame) {
    let digest = encode::digest(&bytes[frame.statement..frame.end]);
    bytes[frame.digest..frame.digest + DIGEST].copy_from_slice(&digest);
    repair_trailer(bytes);
}

/// What the checker says.
pub fn check(bytes: &[u8]) -> Result<Verdict, Failure> {
    goatherd_claims::check(bytes, Limits::of_memory(MEMORY), encode::digest)
}

/// Is what an accepted certificate claims true, as far as small runs can tell? Says what is wrong.
pub fn is_true(bytes: &[u8], random: &mut Random) -> Result<(), String> {
    let mut budget = Budget::new(MEMORY);
    let decoded = decode(bytes, &mut budget, Limits::of_memory(MEMORY), encode::digest).map_err(|failure| format!("{failure:?}"))?;
    // Of a tree model there are no small runs here: tests/trees.rs looks at those.
    let Subject::Program(decoded) = &decoded else { return Ok(()) };
    let certificate = decoded.certificate();
    let statement = &certificate.statement;
    match (&certificate.evidence, statement.claim) {
        (Evidence::Run(run), _) => {
            let values = statement.program.inputs.iter().zip(&run.inputs);
            let inputs =
                values.filter_map(|(input, value)| InputValue::from_certificate(&statement.program, input, value)).collect::<Vec<_>>();
            let mut environment = interpreter::Replay::new(&run.choices);
            let end = interpreter::run(&statement.program, statement.parameters, &inputs, &mut environment, run.steps, Tracing::Off);
            match end.map(|run| run.outcome) {
                Ok(Outcome::Failed { .. }) => Ok(()),
                other => Err(format!("the run ends with {other:?}")),
            }
        }
        (_, Claim::Paths(ends)) => {
            let graph = check(bytes).map_err(|failure| format!("{failure:?}"))?.graph.ok_or("no graph")?;
            are_paths_kept(statement, ends, &graph, random)
        }
        (_, Claim::Unsafe | Claim::Invariant | Claim::Unsatisfiable) => Err(String::from("no run")),
        (_, Claim::Safe) => {
            for inputs in small_inputs(&statement.program, random) {
                let end =
                    interpreter::run(&statement.program, statement.parameters, &inputs, random, 2000, Tracing::Off).map(|run| run.outcome);
                if let Ok(Outcome::Failed { location, failure }) = end {
                    return Err(format!("{location:?}: {failure} on {inputs:?}"));
                }
            }
            Ok(())
        }
    }
}

/// Does the graph have the paths of small runs, and no steps that the program does not make?
fn are_paths_kept(statement: &Statement, ends: Ends, graph: &Graph, random: &mut Random) -> Result<(), String> {
    let program = &statement.program;
    let mut successors: BTreeMap<VertexId, Vec<VertexId>> = BTreeMap::new();
    for (source, target) in &graph.edges {
        let (from, to) = (graph.vertices[source.index()], graph.vertices[target.index()]);
        let is_step = match program.instructions.get(from.index()) {
            Some(Instruction::Jump { target }) => *target == to,
            Some(Instruction::Branch(Branch { then, otherwise, .. }) | Instruction::Choose { then, otherwise }) => {
                [then, otherwise].contains(&&to)
            }
            _ => to.0 == from.0 + 1,
        };
        if !is_step {
            return Err(format!("no step leads from {from:?} to {to:?}"));
        }
        successors.entry(*source).or_default().push(*target);
    }
    // The interpreter has the integers of C: great ones wrap around.
    let is_unbounded = statement.parameters.arithmetic == Arithmetic::Unbounded;
    if is_unbounded && program.instructions.iter().any(|instruction| matches!(instruction, Instruction::Havoc { .. })) {
        return Ok(());
    }
    let is_small = |input: &InputValue| !is_unbounded || matches!(input, InputValue::Integer(value) if value.abs() < 100);
    for inputs in small_inputs(program, random).into_iter().filter(|inputs| inputs.iter().all(is_small)) {
        let parameters = Parameters { arithmetic: Arithmetic::C, ..statement.parameters };
        let Ok(run) = interpreter::run(program, parameters, &inputs, random, 200, Tracing::On) else { continue };
        let mut trace: Vec<Location> = run.trace.iter().map(|step| step.location).collect();
        let last = trace.last().and_then(|location| program.instructions.get(location.index()));
        let is_complete = matches!(last, Some(Instruction::Halt | Instruction::Fail { .. }));
        if last == Some(&Instruction::Ignore) {
            trace.pop();
        }
        if !is_complete && ends == Ends::Complete {
            continue;
        }
        let mut vertex = graph.root;
        for (position, location) in trace.iter().enumerate() {
            if position > 0 {
                let next = vertex.and_then(|vertex| successors.get(&vertex)).into_iter().flatten();
                vertex = next.copied().find(|next| graph.vertices[next.index()] == *location);
            }
            if vertex.is_none_or(|vertex| graph.vertices[vertex.index()] != *location) {
                return Err(format!("the path {trace:?} is lost on {inputs:?}"));
            }
        }
    }
    Ok(())
}

/// Small inputs: arrays of up to four elements, small integers and limits.
fn small_inputs(program: &Program, random: &mut Random) -> Vec<Vec<InputValue>> {
    let kinds = |object: goatherd_certificates::program::ObjectId| -> Vec<IntegerType> {
        let layout = program.objects.get(object.index()).and_then(|object| program.layouts.get(object.layout.index()));
        let fields = layout.into_iter().flat_map(|layout| &layout.fields);
        fields.filter_map(|field| if let Type::Integer(kind) = field.kind { Some(kind) } else { None }).collect()
    };
    let integer = |random: &mut Random, kind: IntegerType| {
        let (least, most) = (arithmetic::minimum(kind), arithmetic::maximum(kind));
        (*pick(random, &[least, most, -1, 0, 0, 1, 1, 2, 3])).clamp(least, most)
    };
    let element = |random: &mut Random, kinds: &[IntegerType]| kinds.iter().map(|kind| integer(random, *kind)).collect::<Vec<_>>();
    (0..40)
        .map(|number| {
            let inputs = program.inputs.iter().map(|input| match *input {
                Input::Integer { register } => match program.registers.get(register.index()).map(|register| register.kind) {
                    Some(Type::Integer(kind)) => InputValue::Integer(integer(random, kind)),
                    _ => InputValue::Integer(0),
                },
                Input::Array(ArrayInput { object, .. }) => {
                    let kinds = kinds(object);
                    InputValue::Array((0..number % 5).map(|_| element(random, &kinds)).collect())
                }
                Input::Single { object, .. } => {
                    let kinds = kinds(object);
                    InputValue::Single((number % 3 > 0).then(|| element(random, &kinds)))
                }
                Input::Linked { .. } => InputValue::Linked(Vec::new()),
            });
            inputs.collect()
        })
        .collect()
}

/// Changes a few bytes of the body at random, and makes the digests right again.
pub fn mutate_bytes(bytes: &[u8], frame: Frame, random: &mut Random) -> Vec<u8> {
    let mut mutant = bytes.to_vec();
    let below = |random: &mut Random, bound: usize| usize::try_from(random.below(u64::try_from(bound).unwrap_or(1))).unwrap_or(0);
    for _ in 0..=random.below(3) {
        let position = frame.statement + below(random, bytes.len() - DIGEST - frame.statement);
        let byte = mutant[position];
        mutant[position] = match random.below(4) {
            0 => byte.wrapping_add(1),
            1 => byte.wrapping_sub(1),
            2 => byte ^ (1 << random.below(8)),
            _ => *pick(random, &[0, 1, 2, 3, 4]),
        };
    }
    repair(&mut mutant, frame);
    mutant
}

/// Changes the structure of a proof: rules and deductions go, come twice, or change places; parts of templates and of the program go.
pub fn mutate_structure(certificate: &Certificate, random: &mut Random) -> Certificate {
    let mut mutant = certificate.clone();
    if random.below(3) == 0 {
        let program = &mut mutant.statement.program;
        shuffle(&mut program.instructions, random);
        mutant.positions.clear();
    }
    let Evidence::Proof(proof) = &mut mutant.evidence else { return mutant };
    match random.below(6) {
        0 => shuffle(&mut proof.roots, random),
        1 => {
            if let Some(template) = choose(&mut proof.templates, random) {
                match random.below(5) {
                    0 => shuffle(&mut template.predicate, random),
                    1 => shuffle(&mut template.members, random),
                    2 => {
                        if let Some(member) = choose(&mut template.members, random) {
                            shuffle(&mut member.registers, random);
                        }
                    }
                    3 => {
                        if let Some(member) = choose(&mut template.members, random) {
                            let registers = &mut member.registers;
                            let other = choose(registers, random).map(|(_, slot)| *slot);
                            if let (Some((_, slot)), Some(other)) = (choose(registers, random), other) {
                                *slot = other;
                            }
                        }
                    }
                    _ => {
                        if let Some(member) = choose(&mut template.members, random) {
                            shuffle(&mut member.objects, random);
                        }
                    }
                }
            }
        }
        _ => {
            let derivation = if random.below(2) == 0 { Some(&mut proof.roots) } else { choose(&mut proof.derivations, random) };
            let Some(derivation) = derivation else { return mutant };
            if random.below(2) == 0 {
                shuffle(derivation, random);
            } else if let Some(rule) = choose(derivation, random) {
                mutate_rule(rule, random);
            }
        }
    }
    mutant
}

fn choose<'a, T>(list: &'a mut [T], random: &mut Random) -> Option<&'a mut T> {
    let position = random.below(u64::try_from(list.len()).unwrap_or(0));
    list.get_mut(usize::try_from(position).unwrap_or(0))
}

/// One goes, comes twice, or changes places with another.
fn shuffle<T: Clone>(list: &mut Vec<T>, random: &mut Random) {
    if list.is_empty() {
        return;
    }
    let position = |random: &mut Random| usize::try_from(random.below(u64::try_from(list.len()).unwrap_or(1))).unwrap_or(0);
    let (one, other) = (position(random), position(random));
    match random.below(4) {
        0 => drop(list.remove(one)),
        1 => list.insert(other, list[one].clone()),
        2 => list[other] = list[one].clone(),
        _ => list.swap(one, other),
    }
}

fn mutate_rule(rule: &mut Rule, random: &mut Random) {
    match rule {
        Rule::Step { refuted } => shuffle(refuted, random),
        Rule::StepDecided { outcome, hints, .. } => {
            if random.below(2) == 0 {
                outcome.0 = u32::try_from(random.below(3)).unwrap_or(0);
            } else {
                shuffle(hints, random);
            }
        }
        Rule::AddScapegoat { drops, hints, .. } => {
            if random.below(2) == 0 {
                shuffle(drops, random);
            } else {
                shuffle(hints, random);
            }
        }
        Rule::Steps { member, count } => {
            if random.below(2) == 0 {
                member.0 = u32::try_from(random.below(3)).unwrap_or(0);
            } else {
                *count = count.wrapping_add(u32::try_from(random.below(3)).unwrap_or(0)).wrapping_sub(1);
            }
        }
        Rule::Subsume { template, matching, hints } => match random.below(3) {
            0 => template.0 = u32::try_from(random.below(3)).unwrap_or(0),
            1 => shuffle(&mut matching.integers, random),
            _ => shuffle(hints, random),
        },
        Rule::Infeasible { refutation } => {
            shuffle(&mut refutation.deductions, random);
            if let Some(Deduction::Combine(parts)) = choose(&mut refutation.deductions, random) {
                shuffle(parts, random);
            }
        }
        Rule::Split { .. }
        | Rule::Drop { .. }
        | Rule::Descent { .. }
        | Rule::Twin { .. }
        | Rule::End
        | Rule::Let { .. }
        | Rule::Unfold { .. } => {
            *rule = Rule::End;
        }
    }
}

/// What became of mutants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// How many there were.
    pub mutants: u64,
    /// How many were accepted.
    pub accepted: u64,
    /// How many of those claim something of another program, or another claim.
    pub of_other_statements: u64,
}

/// Mutates an accepted certificate so often; says what is accepted and false.
pub fn run(bytes: &[u8], count: u64, seed: u64) -> Result<Counts, String> {
    let random = &mut Random::new(seed);
    let verdict = check(bytes).map_err(|failure| format!("not accepted: {failure:?}"))?;
    let frame = frame(bytes, &verdict).ok_or("no statement")?;
    let decoded =
        decode(bytes, &mut Budget::new(MEMORY), Limits::of_memory(MEMORY), encode::digest).map_err(|failure| format!("{failure:?}"))?;
    let Subject::Program(decoded) = decoded else { return Err(String::from("about a tree model")) };
    let certificate = decoded.into_certificate();
    let budget = &mut Budget::new(MEMORY);
    let rules = |rules: &Rules<'_>| {
        let mut rules = *rules;
        iter::from_fn(|| rules.next(budget).transpose()).collect()
    };
    let certificate = certificate.map(rules).map_err(|failure: Failure| format!("{failure:?}"))?;
    let mut counts = Counts::default();
    for number in 0..count {
        let mutant = if number % 2 == 0 {
            mutate_bytes(bytes, frame, random)
        } else {
            let mutant = mutate_structure(&certificate, random);
            encode::certificate(&mutant).map_err(|failure| failure.to_string())?
        };
        counts.mutants += 1;
        if let Ok(other) = check(&mutant) {
            counts.accepted += 1;
            counts.of_other_statements += u64::from(other.statement_digest != verdict.statement_digest);
            is_true(&mutant, random)?;
        }
    }
    Ok(counts)
}
