//! Claims about paths: each side condition violated alone (`spec/calculus.md#paths`), forged graphs, and random transition systems.

use goatherd_certificates::{
    InputSize,
    certificate::{Arithmetic, Certificate, Claim, Ends, Evidence, GroundRun, Parameters},
    configuration::{Member, Template},
    derivation::{Lemma, Matching, MemberId, OutcomeId, Refutation, Rule, TemplateId, VertexId},
    program::{
        Compute, Condition, Input, Instruction, IntegerType, Location, Operand, Operation, Origin, Program, RegisterId, Relation, Type,
    },
    term::{Literal, Scope, Sign},
};
use goatherd_checker::{
    error::Failure,
    rejection::{Rejection, Unsupported},
    wellformed::Fault,
};
use goatherd_interpreter::Random;
use goatherd_tests::{
    branching::{VERTICES, certificate, program, walk, walked},
    forge::{Forge, PARAMETERS, check, rejection},
    path_experiments::{self, Experiment, ThesisResult},
    programs::{self, branch, empty, integer},
    random_exactness::{Generator, examine as examine_exactness},
    random_paths::{Strategy, examine, random_lts, red_black_parameters},
};

const UNBOUNDED: Parameters = Parameters { arithmetic: Arithmetic::Unbounded, ..PARAMETERS };

fn with(ends: Ends, vertices: &[u32]) -> Option<Rejection> {
    let answer = check(&walked(&program(), &PARAMETERS, ends, vertices));
    assert_eq!(rejection(&answer).is_none(), answer.is_ok(), "{answer:?}");
    rejection(&answer)
}

fn changed(change: impl FnOnce(&mut Certificate)) -> Option<Rejection> {
    let mut certificate = walked(&program(), &PARAMETERS, Ends::Complete, &VERTICES);
    change(&mut certificate);
    rejection(&check(&certificate))
}

fn rules(change: impl FnOnce(&mut Vec<Rule>)) -> Option<Rejection> {
    changed(|certificate| {
        let Evidence::Paths { proof, .. } = &mut certificate.evidence else { panic!("a claim about paths") };
        change(&mut proof.roots);
    })
}

#[test]
fn the_graph_is_the_image_of_the_derivation() {
    let graph = check(&walked(&program(), &PARAMETERS, Ends::Complete, &VERTICES)).unwrap().graph.unwrap();
    assert_eq!(graph.root, Some(VertexId(0)));
    assert_eq!(graph.vertices, [0, 1, 3, 4, 2].map(Location));
    assert_eq!(graph.edges, [(0, 1), (0, 4), (1, 2), (2, 3), (4, 2)].map(|(from, to)| (VertexId(from), VertexId(to))));
    // Without merging, and as a claim about prefixes.
    assert_eq!(with(Ends::Complete, &[0, 1, 2, 3, 4, 5, 6]), None);
    assert_eq!(with(Ends::Anywhere, &VERTICES), None);
}

#[test]
fn vertices() {
    assert_eq!(with(Ends::Complete, &VERTICES[..6]), Some(Rejection::VertexCount));
    assert_eq!(with(Ends::Complete, &[0, 1, 2, 3, 4, 2, 3, 3]), Some(Rejection::VertexCount));
    assert_eq!(with(Ends::Complete, &[0, 1, 2, 3, 5, 2, 3]), Some(Rejection::VertexOrder));
    assert_eq!(with(Ends::Complete, &[0, 1, 2, 3, 1, 2, 3]), Some(Rejection::VertexLocation));
    // A feasible path is cut off at its end, and before it.
    assert_eq!(with(Ends::Complete, &[0, 1, 2, 3, 4, 2, 99]), Some(Rejection::EndLost));
    assert_eq!(with(Ends::Complete, &[0, 1, 2, 3, 99, 2, 3]), Some(Rejection::SourceLost));
}

#[test]
fn prefixes_are_not_trimmed() {
    let mut program = program();
    // The second way ends in a loop, so that no complete path goes there.
    program.instructions[2] = Instruction::Ignore;
    let answer = |ends, vertices: &[u32]| rejection(&check(&walked(&program, &PARAMETERS, ends, vertices)));
    assert_eq!(answer(Ends::Complete, &[0, 1, 2, 3, 99]), None);
    assert_eq!(answer(Ends::Anywhere, &[0, 1, 2, 3, 99]), None, "what is ignored need not be kept");
    program.instructions[2] = programs::assign(RegisterId(0), 0);
    program.instructions[5] = Instruction::Ignore;
    program.instructions[3] = branch(Relation::Less, Operand::Constant(0), Operand::Constant(1), 5, 4);
    let answer = |ends, vertices: &[u32]| rejection(&check(&walked(&program, &PARAMETERS, ends, vertices)));
    assert_eq!(answer(Ends::Complete, &[99; 7]), None);
    assert_eq!(answer(Ends::Anywhere, &[99; 7]), Some(Rejection::EndLost));
    assert_eq!(answer(Ends::Anywhere, &[0, 1, 2, 99, 3, 2, 99]), None);
}

#[test]
fn graphs_are_deterministic() {
    let mut twice = empty();
    let x = integer(&mut twice, "x", IntegerType::I8);
    twice.inputs.push(Input::Integer { register: x });
    twice.instructions = vec![branch(Relation::Less, Operand::Register(x), Operand::Constant(0), 1, 1), Instruction::Halt];
    let answer = |vertices: &[u32]| rejection(&check(&walked(&twice, &PARAMETERS, Ends::Complete, vertices)));
    assert_eq!(answer(&[0, 1, 1]), None);
    assert_eq!(answer(&[0, 1, 2]), Some(Rejection::Nondeterministic));
    // Two entries: NULL, and an object.
    let mut single = empty();
    let layout = programs::layout(&mut single, &[Type::Integer(IntegerType::I8)]);
    let object = programs::object(&mut single, layout, Origin::Input);
    let pointer = programs::pointer(&mut single, "p");
    single.inputs.push(Input::Single { pointer, object });
    single.instructions = vec![Instruction::Halt];
    let answer = |vertices: &[u32]| rejection(&check(&walked(&single, &PARAMETERS, Ends::Complete, vertices)));
    assert_eq!(answer(&[0, 0]), None);
    assert_eq!(answer(&[0, 1]), Some(Rejection::Nondeterministic));
}

#[test]
fn rules_that_a_claim_about_paths_does_not_allow() {
    for rule in [
        Rule::Drop { member: MemberId(0) },
        Rule::Descent { member: MemberId(0) },
        Rule::StepDecided { member: MemberId(0), outcome: OutcomeId(0), choice: None, hints: Vec::new() },
        Rule::AddScapegoat { drops: Vec::new(), integers: Vec::new(), hints: Vec::new() },
        Rule::Steps { member: MemberId(0), count: 1 },
    ] {
        assert_eq!(rules(|rules| rules.insert(0, rule)), Some(Rejection::Rule));
    }
}

/// The halves of a split are reached as the whole was: that which is split makes no node, and they may not be told apart.
#[test]
fn halves_of_a_split_are_one_vertex() {
    let program = program();
    let split = |vertices: &[u32]| {
        let mut forge = Forge::new(&program, &PARAMETERS, 0);
        let root = forge.root(0).unwrap();
        let x = forge.integer(&root, 0, RegisterId(0));
        for half in forge.split(root, Literal { sign: Sign::AtMostZero, term: x }) {
            walk(&mut forge, half);
        }
        check(&certificate(&forge, Ends::Complete, vertices))
    };
    // Both halves begin at the entry.
    let graph = split(&[0, 1, 2, 3, 0, 4, 2, 3]).unwrap().graph.unwrap();
    assert_eq!(graph, check(&walked(&program, &PARAMETERS, Ends::Complete, &VERTICES)).unwrap().graph.unwrap());
    assert_eq!(rejection(&split(&[0, 1, 2, 3, 4, 5, 2, 3])), Some(Rejection::Nondeterministic));
    assert_eq!(rejection(&split(&[0, 1, 2, 3, 0, 4, 2])), Some(Rejection::VertexCount));
}

#[test]
fn feasible_paths_are_not_marked() {
    let first = |rules: &mut Vec<Rule>, rule| rules[0] = rule;
    let refuted = vec![(OutcomeId(1), Refutation::default())];
    assert_eq!(rules(|rules| first(rules, Rule::Step { refuted })), Some(Rejection::NotRefuted));
    assert_eq!(rules(|rules| first(rules, Rule::Infeasible { refutation: Refutation::default() })), Some(Rejection::NotRefuted));
    assert_eq!(rules(|rules| first(rules, Rule::End)), Some(Rejection::NotEnded));
    assert_eq!(rules(|rules| drop(rules.pop())), Some(Rejection::Open));
}

#[test]
fn claim_and_evidence() {
    assert_eq!(changed(|certificate| certificate.statement.claim = Claim::Safe), Some(Rejection::Claim));
    let as_proof = |certificate: &mut Certificate| {
        let Evidence::Paths { proof, .. } = certificate.evidence.clone() else { panic!("a claim about paths") };
        certificate.evidence = Evidence::Proof(proof);
    };
    assert_eq!(changed(as_proof), Some(Rejection::Claim));
    let run = GroundRun { inputs: Vec::new(), choices: Vec::new(), steps: 0 };
    assert_eq!(changed(|certificate| certificate.witnesses.push(run)), Some(Rejection::Claim));
    let apart = |certificate: &mut Certificate| {
        let Evidence::Paths { proof, .. } = &mut certificate.evidence else { panic!("a claim about paths") };
        proof.k = 1;
    };
    assert_eq!(changed(apart), Some(Rejection::Root));
    let strengthened = |certificate: &mut Certificate| {
        let Evidence::Paths { proof, .. } = &mut certificate.evidence else { panic!("a claim about paths") };
        let zero = Operand::Constant(0);
        let condition = Condition::Integers { relation: Relation::Equal, left: zero, right: zero };
        proof.lemmas = vec![Lemma { location: Location(0), condition }];
    };
    assert_eq!(changed(strengthened), Some(Rejection::Root));
    // Safety is of C's integers.
    let unbounded = |certificate: &mut Certificate| {
        as_proof(certificate);
        certificate.statement.claim = Claim::Safe;
        certificate.statement.parameters = UNBOUNDED;
    };
    assert_eq!(changed(unbounded), Some(Rejection::Claim));
    let unsafe_run = |certificate: &mut Certificate| {
        certificate.evidence = Evidence::Run(GroundRun { inputs: Vec::new(), choices: Vec::new(), steps: 0 });
        certificate.statement.claim = Claim::Unsafe;
        certificate.statement.parameters = UNBOUNDED;
    };
    assert_eq!(changed(unsafe_run), Some(Rejection::Claim));
}

#[test]
fn landmarks() {
    let fault = |landmarks: &[u32], claim: Option<Claim>| {
        let mut certificate = walked(&program(), &PARAMETERS, Ends::Complete, &VERTICES);
        certificate.statement.landmarks = landmarks.iter().copied().map(Location).collect();
        certificate.statement.claim = claim.unwrap_or(certificate.statement.claim);
        match check(&certificate) {
            Err(Failure::Rejected { rejection: Rejection::IllFormed(fault), .. }) => Some(fault),
            _ => None,
        }
    };
    assert_eq!(fault(&[0, 3], None), None);
    assert_eq!(fault(&[3, 0], None), Some(Fault::LandmarkOrder));
    assert_eq!(fault(&[0, 0], None), Some(Fault::LandmarkOrder));
    assert_eq!(fault(&[0, 3], Some(Claim::Safe)), Some(Fault::LandmarkOrder));
}

/// Goes round as long as it is chosen.
fn round() -> Program {
    let mut program = empty();
    program.instructions = vec![
        Instruction::Choose { then: Location(1), otherwise: Location(2) },
        Instruction::Jump { target: Location(0) },
        Instruction::Halt,
    ];
    program
}

fn template() -> Template {
    let member = Member {
        location: Location(0),
        size: InputSize::NotLarger,
        consumed: goatherd_certificates::Slot::Forgotten,
        registers: Vec::new(),
        objects: Vec::new(),
        folded: Vec::new(),
    };
    Template { scope: Scope::default(), trees: Vec::new(), predicate: Vec::new(), members: vec![member] }
}

/// The loop, with what closes it.
fn looping(close: impl Fn(&mut Forge<'_>, goatherd_checker::configuration::Configuration), vertices: &[u32]) -> Certificate {
    let program = round();
    let mut forge = Forge::new(&program, &PARAMETERS, 0);
    forge.template(template(), |forge, configuration| {
        let mut children = forge.step(configuration);
        let end = children.pop().unwrap();
        let back = forge.steps(children.remove(0), 1);
        close(forge, back);
        walk(forge, end);
    });
    let root = forge.root(0).unwrap();
    forge.subsume(&root, TemplateId(0), &[], &[]);
    certificate(&forge, Ends::Complete, vertices)
}

#[test]
fn a_covered_configuration_is_its_template() {
    let edges = [(0, 1), (0, 2), (1, 0)].map(|(from, to)| (VertexId(from), VertexId(to)));
    let covered = looping(|forge, configuration| forge.subsume(&configuration, TemplateId(0), &[], &[]), &[0, 1, 2]);
    let graph = check(&covered).unwrap().graph.unwrap();
    assert_eq!((graph.root, &graph.edges[..]), (Some(VertexId(0)), &edges[..]));
    // Also where a term has been named since the last step.
    let named = looping(
        |forge, configuration| {
            let term = forge.constant(3);
            forge.rules.push(Rule::Let { term });
            forge.subsume(&configuration, TemplateId(0), &[], &[]);
        },
        &[0, 1, 2],
    );
    assert_eq!(check(&named).unwrap().graph.unwrap().edges, edges);
    let lost = looping(|forge, configuration| forge.subsume(&configuration, TemplateId(0), &[], &[]), &[0, 99, 1]);
    assert_eq!(rejection(&check(&lost)), Some(Rejection::SourceLost));
}

#[test]
fn no_template_covers_its_own_root() {
    let program = round();
    let mut forge = Forge::new(&program, &PARAMETERS, 0);
    forge.template(template(), |forge, _| {
        forge.rules.push(Rule::Subsume { template: TemplateId(0), matching: Matching::default(), hints: Vec::new() });
    });
    let root = forge.root(0).unwrap();
    forge.subsume(&root, TemplateId(0), &[], &[]);
    // All paths would be lost.
    assert_eq!(rejection(&check(&certificate(&forge, Ends::Complete, &[99]))), Some(Rejection::Progress));
}

/// A straight line of which each location but the last is a template's; the derivation from this one takes much memory.
fn straight(heavy: u32) -> Certificate {
    let mut program = empty();
    program.instructions = (1..=LENGTH).map(|next| Instruction::Jump { target: Location(next) }).collect();
    program.instructions.push(Instruction::Halt);
    let mut forge = Forge::new(&program, &PARAMETERS, 0);
    let term = forge.constant(3);
    for location in 0..LENGTH {
        let mut template = template();
        template.members[0].location = Location(location);
        forge.template(template, |forge, _| {
            let lets = if location == heavy { 200 } else { 0 };
            forge.rules.extend(std::iter::repeat_n(Rule::Let { term }, lets));
            forge.rules.push(Rule::Step { refuted: Vec::new() });
            forge.rules.push(if location + 1 < LENGTH {
                let matching = Matching { objects: vec![Vec::new()], ..Matching::default() };
                Rule::Subsume { template: TemplateId(location + 1), matching, hints: Vec::new() }
            } else {
                Rule::End
            });
        });
    }
    let root = forge.root(0).unwrap();
    forge.subsume(&root, TemplateId(0), &[], &[]);
    certificate(&forge, Ends::Complete, &(0..=LENGTH).collect::<Vec<_>>())
}

const LENGTH: u32 = 50;

/// What derivations have recorded is held while others are replayed (`spec/calculus.md#paths`): 64 bytes for each edge.
#[test]
fn what_is_recorded_is_paid_for() {
    let [first, last] = [0, LENGTH - 2].map(|heavy| check(&straight(heavy)).unwrap().peak_memory);
    assert_eq!(last - first, u64::from(LENGTH - 2) * 64);
}

/// `y = x + 1; if (y <= x) halt; else halt;`
fn successor(operation: Operation) -> Program {
    let mut program = empty();
    let (x, y) = (integer(&mut program, "x", IntegerType::I8), integer(&mut program, "y", IntegerType::I8));
    program.inputs.push(Input::Integer { register: x });
    let (left, right) = (Operand::Register(x), Operand::Constant(1));
    program.instructions = vec![
        Instruction::Compute(Compute { target: y, operation, left, right }),
        branch(Relation::LessOrEqual, Operand::Register(y), Operand::Register(x), 2, 3),
        Instruction::Halt,
        Instruction::Halt,
    ];
    program
}

#[test]
fn unbounded_integers_do_not_wrap() {
    let add = successor(Operation::Add);
    let answer = |parameters: &Parameters, vertices: &[u32]| rejection(&check(&walked(&add, parameters, Ends::Complete, vertices)));
    assert_eq!(answer(&UNBOUNDED, &[0, 1, 2]), None);
    // In C the sum wraps, and what is smaller then is another node.
    assert_eq!(answer(&PARAMETERS, &[0, 1, 2]), Some(Rejection::VertexCount));
    assert_eq!(answer(&PARAMETERS, &[0, 1, 2, 1, 3]), None);
    let mut certificate = walked(&add, &UNBOUNDED, Ends::Complete, &[0, 1, 2]);
    certificate.statement.parameters = PARAMETERS;
    assert!(rejection(&check(&certificate)).is_some());
    // Havoc gives any integer: one that is above all values of the type, too.
    let mut any = empty();
    let x = integer(&mut any, "x", IntegerType::I8);
    any.instructions = vec![
        Instruction::Havoc { target: x },
        branch(Relation::Less, Operand::Constant(300), Operand::Register(x), 2, 3),
        Instruction::Halt,
        Instruction::Halt,
    ];
    let answer = |parameters: &Parameters, vertices: &[u32]| rejection(&check(&walked(&any, parameters, Ends::Complete, vertices)));
    assert_eq!(answer(&UNBOUNDED, &[0, 1, 2, 3]), None);
    assert_eq!(answer(&PARAMETERS, &[0, 1, 2]), None);
}

#[test]
fn unbounded_integers_are_linear_and_in_no_memory() {
    let unsupported = Some(Rejection::Unsupported(Unsupported::Unbounded));
    for operation in [Operation::And, Operation::Divide, Operation::ShiftLeft, Operation::Or] {
        let mut certificate = walked(&successor(Operation::Add), &UNBOUNDED, Ends::Complete, &[0, 1, 2]);
        certificate.statement.program = successor(operation);
        assert_eq!(rejection(&check(&certificate)), unsupported, "{operation:?}");
    }
    let mut certificate = walked(&successor(Operation::Add), &UNBOUNDED, Ends::Complete, &[0, 1, 2]);
    let program = &mut certificate.statement.program;
    let layout = programs::layout(program, &[Type::Integer(IntegerType::I8)]);
    programs::object(program, layout, Origin::Heap);
    assert_eq!(rejection(&check(&certificate)), unsupported);
}

#[test]
fn experiments_keep_what_runs_take() {
    for (system, precondition) in [("merging-sort", None), ("bubble-sort", None), ("bloop", Some("start == 0 && n >= 2"))] {
        let experiment = Experiment::read(system, precondition).unwrap();
        let feasible = experiment.feasible_paths(30);
        assert_eq!(u64::try_from(feasible.len()), Ok(path_experiments::feasible(&experiment).unwrap()[0]), "{system}");
        let results = path_experiments::thesis().unwrap();
        let of = |result: &&ThesisResult| result.experiment.name() == experiment.name();
        let strategies = results.iter().filter(of).map(|result| Strategy::RedBlack(result.parameters));
        for strategy in strategies.chain([Strategy::NeededLiterals(100)]) {
            let states = strategy.states(&experiment.lts, &experiment.literals).unwrap();
            let (_, contracted) = experiment.certify(&states).unwrap();
            assert_eq!(experiment.lost(&contracted, &feasible), 0, "{system} {strategy:?}");
        }
    }
}

#[test]
fn random_systems_keep_what_runs_take() {
    let mut certified = 0;
    for seed in 0..100 {
        let mut random = Random::new(seed);
        let lts = random_lts(&mut random);
        match examine(&lts, Strategy::NeededLiterals(60)) {
            Ok(result) => certified += usize::from(result.is_some()),
            Err(why) => panic!("seed {seed}: {why}\n{lts:#?}"),
        }
    }
    assert!(certified == 100, "{certified} of 100 have a certificate");
}

#[test]
fn random_systems_keep_what_runs_take_with_red_black() {
    let parameters = red_black_parameters();
    // Every fifth, since five divides no number of values that a parameter has.
    let sample: Vec<_> = (0..288).zip(parameters.iter().cycle()).step_by(5).collect();
    let mut certified = 0;
    for (seed, parameters) in &sample {
        let lts = random_lts(&mut Random::new(*seed));
        match examine(&lts, Strategy::RedBlack(**parameters)) {
            Ok(result) => certified += usize::from(result.is_some()),
            Err(why) => panic!("seed {seed}, {parameters:?}: {why}\n{lts:#?}"),
        }
    }
    assert!(certified + 3 >= sample.len(), "{certified} of {} have a certificate", sample.len());
}

/// Exact is said only where every path was driven, and no path that a run takes is lost, on random systems of three kinds.
#[test]
fn random_systems_are_called_exact_only_if_they_are() {
    for generator in Generator::ALL {
        let (mut certified, mut exact, mut refined) = (0, 0, 0);
        let (mut driven, mut infeasible) = (0, 0);
        for seed in 0..12 {
            match examine_exactness(&generator.system(seed), 60) {
                Ok([analysed, better]) => {
                    certified += analysed.certified;
                    exact += analysed.exact;
                    refined += better.exact;
                    driven += better.driven;
                    infeasible += better.infeasible;
                    assert!(better.infeasible <= analysed.infeasible && better.driven == analysed.driven, "{generator:?}, seed {seed}");
                }
                Err(why) => panic!("{generator:?}, seed {seed}: {why}"),
            }
        }
        assert!(certified == 12 && exact >= 5 && refined >= exact, "{generator:?}: {certified} certified, {exact} and {refined} exact");
        // Of a hundred paths that are kept where guards have nothing to do with each other, one at most is infeasible.
        let is_few = generator != Generator::Unstructured || infeasible * 100 <= driven;
        assert!(is_few, "{generator:?}: {infeasible} infeasible paths are kept beside {driven}");
    }
}
