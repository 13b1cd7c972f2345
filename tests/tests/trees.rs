//! Tree models against the truth: random models whose reachable configurations are enumerated, and the models of `examples/trees`.

use goatherd::certify::models::certify;
use goatherd_certificates::certificate::{Claim, Origin};
use goatherd_tests::{
    is_buggy_twin, models,
    tree_models::{is_true, numbered, reaches_bad, trees, variants, verdict},
};
use goatherd_trees::{
    abstraction::Kind,
    model::Model,
    options::{Backward, Options, Repair},
    search::{Answer, Reason, search},
};

fn origin() -> Origin {
    Origin { file: String::from("random"), digest: [0; 32], definitions: Vec::new(), includes: Vec::new(), waived: Vec::new() }
}

#[test]
fn every_verdict_is_right_and_accepted() {
    let all = trees(3);
    let variants = variants();
    let mut reachable = 0;
    for number in 0..2000 {
        let model = numbered(number);
        let truth = reaches_bad(&model, &all);
        reachable += u32::from(truth);
        let searched = Model::new(&model);
        let outcome = search(&searched, &variants[usize::try_from(number).unwrap() % variants.len()], &mut |_| {});
        let accepted = certify(&model, &origin(), &searched, &outcome);
        assert!(matches!(accepted, Ok(Some(_))), "model {number}: {:?} {accepted:?}", outcome.answer);
        match &outcome.answer {
            Answer::Invariant(_) => assert!(!truth, "model {number}: a bad configuration is reachable"),
            Answer::Error(trace) => assert!(is_true(&model, &trace.to_evidence(), &all), "model {number}: the trace is not one"),
            Answer::Undecided(reason) => panic!("model {number}: {reason:?}"),
        }
    }
    assert!((400..1600).contains(&reachable), "{reachable} of 2000 reach a bad configuration");
}

/// Each of the repairs is needed: without it, the verdict on this model is wrong or there is none. The command `tree-models` finds such models.
#[test]
fn without_a_repair_a_verdict_is_wrong() {
    let all = trees(3);
    let models = [
        (Repair::FreshRounds, 32),
        (Repair::AbstractedBad, 772),
        (Repair::ExactRoot, 38),
        (Repair::OwnSets, 387),
        (Repair::EarlierVisits, 19),
    ];
    for (repair, number) in models {
        let model = numbered(number);
        let truth = Some(reaches_bad(&model, &all));
        assert_eq!(verdict(&model, &Options::default()), truth, "{repair:?}");
        assert_ne!(verdict(&model, &Options { without: [repair].into(), steps: 20_000, ..Options::default() }), truth, "{repair:?}");
    }
}

/// Every model of `examples/trees` is decided as its name says, with every abstraction but one: no finite height suffices for `percolate`.
#[test]
fn the_examples_are_decided() {
    let files = models("examples/trees");
    assert!(files.len() >= 18, "{files:?}");
    for path in files {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let file = goatherd_frontend::trees::read(&path).expect("a model");
        let model = Model::new(&file.model);
        for options in variants() {
            let options = Options { steps: 100_000, ..options };
            let outcome = search(&model, &options, &mut |_| {});
            let accepted = certify(&file.model, &origin(), &model, &outcome).expect("the kernel agrees");
            let expected = match (name.as_str(), options.kind) {
                ("percolate", Kind::FiniteHeight) => None,
                _ if is_buggy_twin(&path) => Some(Claim::Unsafe),
                _ => Some(Claim::Invariant),
            };
            assert_eq!(accepted.map(|accepted| accepted.verdict.claim), expected, "{name} with {options:?}: {:?}", outcome.answer);
        }
    }
}

/// The paper's Fig. 1: the legacy analysis blames the same set again, the repaired one finds the trace 1, 2, 5.
#[test]
fn the_legacy_analysis_goes_round_in_circles() {
    let path = goatherd_tests::workspace_root().join("examples/trees/last-cell.buggy.trees");
    let file = goatherd_frontend::trees::read(&path).expect("a model");
    let model = Model::new(&file.model);
    let names = |lines: &[usize]| lines.iter().map(|line| file.model.lines[*line].name.clone()).collect::<Vec<_>>();
    let outcome = search(&model, &Options::default(), &mut |_| {});
    let Answer::Error(trace) = outcome.answer else { panic!("{:?}", outcome.answer) };
    assert_eq!(names(&trace.lines()), ["1", "2", "5"]);
    assert_eq!(names(&outcome.rounds[0].path), ["1", "2", "3", "4", "2", "5"]);
    let outcome = search(&model, &Options { backward: Backward::Legacy, ..Options::default() }, &mut |_| {});
    assert!(matches!(outcome.answer, Answer::Undecided(Reason::Cycle { .. })), "{:?}", outcome.answer);
    assert!(outcome.rounds.iter().all(|round| round.blame.as_ref().is_some_and(|blame| !blame.is_abstraction)));
}

/// The bound on steps ends a search at the same place each time.
#[test]
fn steps_are_bounded() {
    let path = goatherd_tests::workspace_root().join("examples/trees/list-reversal.trees");
    let file = goatherd_frontend::trees::read(&path).expect("a model");
    let model = Model::new(&file.model);
    for steps in [0, 10, 100, 500] {
        let options = Options { steps, ..Options::default() };
        let outcomes = [search(&model, &options, &mut |_| {}), search(&model, &options, &mut |_| {})];
        for outcome in &outcomes {
            assert!(matches!(outcome.answer, Answer::Undecided(Reason::Steps)));
            assert_eq!(outcome.steps, steps);
        }
        assert_eq!(outcomes[0].rounds.len(), outcomes[1].rounds.len());
    }
}
