//! Tree models against the truth: random models whose reachable configurations are enumerated.

use goatherd::trees::{
    abstraction::{Kind, Scope},
    certify::certify,
    model::Model,
    search::{Answer, Options, Places, Repair, search},
};
use goatherd_certificates::{automata as data, certificate::Origin};
use goatherd_interpreter::Random;
use goatherd_tests::tree_models::{is_true, random, reaches_bad, trees};

fn origin() -> Origin {
    Origin { file: String::from("random"), digest: [0; 32], definitions: Vec::new() }
}

/// The verdict: is a bad configuration reachable?
fn verdict(model: &data::Model, options: &Options) -> Option<bool> {
    match search(&Model::new(model), options, &mut |_| {}).answer {
        Answer::Invariant(_) => Some(false),
        Answer::Error(_) => Some(true),
        Answer::Undecided(_) => None,
    }
}

#[test]
fn every_verdict_is_right_and_accepted() {
    let all = trees(3);
    let mut generator = Random::new(1);
    let mut reachable = 0;
    for number in 0..1500 {
        let model = random(&mut generator);
        let truth = reaches_bad(&model, &all);
        reachable += u32::from(truth);
        let kind = [Kind::Predicates, Kind::FiniteHeight][number % 2];
        let scope = [Scope::AllLines, Scope::PerLine][number / 2 % 2];
        let places = [Places::EveryLine, Places::LoopHeads][number / 4 % 2];
        let options = Options { kind, scope, places, ..Options::default() };
        let searched = Model::new(&model);
        let outcome = search(&searched, &options, &mut |_| {});
        let accepted = certify(&model, &origin(), &searched, &outcome);
        assert!(matches!(accepted, Ok(Some(_))), "model {number}: {:?} {accepted:?}", outcome.answer);
        match &outcome.answer {
            Answer::Invariant(_) => assert!(!truth, "model {number}: a bad configuration is reachable"),
            Answer::Error(trace) => assert!(is_true(&model, &trace.to_evidence(), &all), "model {number}: the trace is not one"),
            Answer::Undecided(reason) => panic!("model {number}: {reason:?}"),
        }
    }
    assert!((300..1200).contains(&reachable), "{reachable} of 1500 reach a bad configuration");
}

/// Each of the repairs is needed: without it, some verdict is wrong or there is none.
#[test]
fn without_a_repair_verdicts_are_wrong() {
    let all = trees(3);
    for repair in [Repair::FreshRounds, Repair::AbstractedBad, Repair::ExactRoot, Repair::OwnSets, Repair::EarlierVisits] {
        let mut generator = Random::new(2);
        let options = Options { without: [repair].into(), steps: 100_000, ..Options::default() };
        let wrong = (0..20_000).find(|_| {
            let model = random(&mut generator);
            verdict(&model, &options) != Some(reaches_bad(&model, &all))
        });
        println!("{repair:?}: {wrong:?}");
        assert!(wrong.is_some(), "{repair:?} is not needed");
    }
}
