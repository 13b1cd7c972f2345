//! Tree models against the truth: random models whose reachable configurations are enumerated, and the models of `examples/trees`.

use goatherd::trees::{
    certify::certify,
    model::Model,
    search::{Answer, Options, Repair, search},
};
use goatherd_certificates::certificate::Origin;
use goatherd_tests::tree_models::{is_true, numbered, reaches_bad, trees, variants, verdict};

fn origin() -> Origin {
    Origin { file: String::from("random"), digest: [0; 32], definitions: Vec::new() }
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
    for (repair, number) in
        [(Repair::FreshRounds, 0), (Repair::AbstractedBad, 0), (Repair::ExactRoot, 0), (Repair::OwnSets, 0), (Repair::EarlierVisits, 0)]
    {
        let model = numbered(number);
        let truth = Some(reaches_bad(&model, &all));
        assert_eq!(verdict(&model, &Options::default()), truth, "{repair:?}");
        assert_ne!(verdict(&model, &Options { without: [repair].into(), steps: 100_000, ..Options::default() }), truth, "{repair:?}");
    }
}
