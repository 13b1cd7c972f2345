//! A sample of generated certificates, with fixed seeds; `make fuzz` makes as many as one likes.

use goatherd_generator::{
    bytes,
    campaign::{Campaign, Counts},
    dice::Dice,
    programs::Subject,
};

/// Certificates of the sample.
const CERTIFICATES: u64 = 20_000;

/// Certificates of the sample about folding: four times as long as others.
const FOLDS: u64 = 5_000;

/// Certificates of the sample about choices: more is to be refuted there.
const CHOICES: u64 = 3_000;

/// Changed certificates of the sample.
const CHANGED: u64 = 5_000;

/// So many certificates of the subject: what is accepted is true.
fn sample(subject: Subject, count: u64) -> Counts {
    let mut campaign = Campaign::new(1, subject);
    while campaign.counts.executions < count {
        if let Err(wrong) = campaign.execute() {
            panic!("{}: {:#?}", wrong.reason, wrong.certificate);
        }
    }
    println!("{:#?}", campaign.counts);
    assert!(campaign.counts.failing > campaign.counts.programs / 2, "most programs fail");
    campaign.counts
}

#[test]
fn what_is_accepted_is_true() {
    let counts = sample(Subject::Any, CERTIFICATES);
    // The generator gets somewhere: each rule is in certificates that are accepted, and so are runs. All but Descent: where no input fails no
    // scapegoat does, but behind a template that forgets.
    let others = counts.rules.keys().filter(|name| **name != "Descent").count();
    assert_eq!(others, 12, "{:?}", counts.rules);
    assert!(counts.safe > CERTIFICATES / 200 && counts.runs > CERTIFICATES / 200);
}

/// Of arrays beside objects: twins are found, though not many.
#[test]
fn twins_that_are_accepted_are_twins() {
    let counts = sample(Subject::Twins, CERTIFICATES);
    assert!(counts.rules.get("Twin").is_some_and(|twins| *twins > CERTIFICATES / 4000));
}

/// Of integers beside inputs whose size counts: scapegoats are added, and choose.
#[test]
fn choices_that_are_accepted_are_possible() {
    let counts = sample(Subject::Choices, CHOICES);
    assert!(["AddScapegoat", "StepDecided"].iter().all(|rule| counts.rules.contains_key(rule)), "{:?}", counts.rules);
}

/// Of nodes that programs link: templates fold them, and what is folded is opened again.
#[test]
fn what_is_folded_is_there() {
    let counts = sample(Subject::Folds, FOLDS);
    let many = |rule| counts.rules.get(rule).is_some_and(|count| *count > FOLDS / 100);
    assert!(many("Subsume") && many("Unfold"), "{:?}", counts.rules);
}

#[test]
fn a_seed_makes_the_same_certificates() {
    let make = |seed| {
        let mut campaign = Campaign::new(seed, Subject::Any);
        (0..200).filter_map(|_| campaign.encoded()).map(|encoded| encoded.bytes).collect::<Vec<_>>()
    };
    assert_eq!(make(5), make(5));
    assert_ne!(make(5), make(6));
}

#[test]
fn limits_are_where_they_are_put() {
    let encoded = Campaign::new(3, Subject::Any).encoded().unwrap();
    let mut limited = encoded.bytes.clone();
    bytes::limit(&mut limited);
    assert_eq!(limited, encoded.bytes);
}

#[test]
fn changed_bytes_are_rejected_or_true() {
    let (mut campaign, mut dice, mut accepted) = (Campaign::new(2, Subject::Any), Dice::new(2), 0);
    while campaign.counts.executions < CHANGED {
        let Some(mut encoded) = campaign.encoded() else { continue };
        bytes::change(&mut encoded.bytes, &mut dice);
        let Ok(verdict) = bytes::check(&encoded.bytes) else { continue };
        accepted += 1;
        assert!(!encoded.is_false || verdict.statement_digest != encoded.statement, "{:?}", encoded.bytes);
    }
    assert!(accepted > 0);
}
