//! One certificate after the other: what the kernel says, and whether what it accepts is true.

use crate::{
    bytes, certificates,
    dice::Dice,
    encode,
    enumeration::{Enumeration, Failing, enumerate},
    programs::{Case, Subject, generate},
    search::Closed,
    writer::ENDS,
};
use goatherd_certificates::certificate::{Certificate, Claim, Evidence};
use goatherd_checker::error::Failure;
use goatherd_interpreter::{InputValue, Outcome, Replay, Tracing, run};
use std::collections::BTreeMap;

/// How many certificates are made for one program.
const PER_PROGRAM: u64 = 24;

/// A certificate that the kernel should not have accepted.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// The certificate.
    pub certificate: Certificate,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// What is wrong with it.
    pub reason: String,
}

/// The bytes of a certificate, and what it says.
pub struct Encoded {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The digest of its statement.
    pub statement: [u8; 32],
    /// Is its statement false?
    pub is_false: bool,
}

/// What came of the certificates so far.
#[derive(Clone, Default, Debug)]
pub struct Counts {
    /// Certificates shown to the kernel.
    pub executions: u64,
    /// Programs.
    pub programs: u64,
    /// Programs that fail.
    pub failing: u64,
    /// Claims of `Safe` that were closed as they were built.
    pub closed: u64,
    /// Claims of `Safe` that were accepted.
    pub safe: u64,
    /// Claims of `Unsafe` that were accepted.
    pub runs: u64,
    /// By rejection, how often it was met.
    pub rejections: BTreeMap<String, u64>,
    /// By rule, how many are in certificates that were accepted.
    pub rules: BTreeMap<&'static str, u64>,
}

/// The certificates of a seed.
pub struct Campaign {
    dice: Dice,
    subject: Subject,
    case: Case,
    truth: Enumeration,
    left: u64,
    /// What came of them.
    pub counts: Counts,
}

impl Campaign {
    /// Nothing has been made.
    pub fn new(seed: u64, subject: Subject) -> Self {
        let mut dice = Dice::new(seed);
        let case = generate(&mut dice, subject);
        let truth = enumerate(&case);
        Self { dice, subject, case, truth, left: 0, counts: Counts::default() }
    }

    /// Certificates of this program alone.
    pub fn about(case: Case, seed: u64) -> Self {
        let truth = enumerate(&case);
        Self { dice: Dice::new(seed), subject: Subject::Any, case, truth, left: u64::MAX, counts: Counts::default() }
    }

    /// The next program: most fail.
    fn next_program(&mut self) {
        loop {
            self.case = generate(&mut self.dice, self.subject);
            self.truth = enumerate(&self.case);
            let is_wanted = match (&self.truth.failing, self.subject) {
                // What goes wrong before the question comes has nothing to do with how nodes are linked.
                (Some(failing), Subject::Folds) => fails_last(&self.case, failing) || self.dice.once_in(8),
                (Some(_), _) => true,
                (None, Subject::Folds) => self.dice.once_in(16),
                (None, _) => self.dice.once_in(2),
            };
            if is_wanted {
                break;
            }
        }
        self.counts.programs += 1;
        self.counts.failing += u64::from(self.truth.failing.is_some());
        self.left = PER_PROGRAM;
    }

    /// Makes one certificate and has it checked.
    pub fn execute(&mut self) -> Result<(), Box<Disagreement>> {
        self.certificate().map_or(Ok(()), |certificate| self.judge(certificate))
    }

    /// Makes one certificate.
    fn certificate(&mut self) -> Option<Certificate> {
        if self.left == 0 {
            self.next_program();
        }
        self.left -= 1;
        self.counts.executions += 1;
        let mut dice = Dice::new(self.dice.bits());
        if dice.once_in(24) {
            return Some(certificates::run(&self.case, self.truth.failing.as_ref(), &mut dice));
        }
        let made = certificates::safe(&self.case, self.subject, &mut dice)?;
        self.counts.closed += u64::from(made.closed == Closed::Yes);
        Some(made.certificate)
    }

    /// The bytes of one certificate that nobody has checked.
    pub fn encoded(&mut self) -> Option<Encoded> {
        let certificate = self.certificate()?;
        let bytes = encode::certificate(&certificate).ok()?;
        let statement = encode::statement_digest(&certificate.statement).ok()?;
        Some(Encoded { bytes, statement, is_false: certificate.statement.claim == Claim::Safe && self.truth.failing.is_some() })
    }

    fn judge(&mut self, certificate: Certificate) -> Result<(), Box<Disagreement>> {
        let wrong = |certificate: Certificate, bytes: Vec<u8>, reason: &str| {
            Err(Box::new(Disagreement { certificate, bytes, reason: String::from(reason) }))
        };
        let Ok(bytes) = encode::certificate(&certificate) else { return Ok(()) };
        let answer = bytes::check(&bytes);
        if let Err(failure) = &answer {
            let name = match failure {
                Failure::Rejected { rejection, .. } => format!("{rejection:?}"),
                Failure::Declined(declined) => format!("{declined:?}").split([' ', '(']).next().unwrap_or_default().to_owned(),
            };
            *self.counts.rejections.entry(name).or_default() += 1;
        }
        if answer.is_err() {
            return Ok(());
        }
        match (&certificate.evidence, certificate.statement.claim) {
            (Evidence::Run(ground), Claim::Unsafe) => {
                self.counts.runs += 1;
                if !self.fails(&ground.inputs, &ground.choices, ground.steps) {
                    return wrong(certificate, bytes, "the run does not fail");
                }
            }
            (Evidence::Proof(proof), Claim::Safe) => {
                self.counts.safe += 1;
                for rule in proof.roots.iter().chain(proof.derivations.iter().flatten()) {
                    *self.counts.rules.entry(rule_name(rule)).or_default() += 1;
                }
                if let Some(failing) = &self.truth.failing {
                    let reason = format!("{:?} with {:?} on {:?}", failing.run.outcome, failing.run.choices, failing.inputs);
                    return wrong(certificate, bytes, &reason);
                }
            }
            _ => return wrong(certificate, bytes, "no claim that is made here"),
        }
        Ok(())
    }

    /// Does this run fail after so many steps?
    fn fails(&self, inputs: &[goatherd_certificates::certificate::InputValue], choices: &[i128], steps: u64) -> bool {
        let program = &self.case.program;
        let values = program.inputs.iter().zip(inputs).map(|(input, value)| InputValue::from_certificate(program, input, value));
        let Some(values) = values.collect::<Option<Vec<_>>>() else { return false };
        let mut environment = Replay::new(choices);
        let end = run(program, self.case.parameters, &values, &mut environment, steps, Tracing::Off);
        end.is_ok_and(|run| matches!(run.outcome, Outcome::Failed { .. }) && run.steps == steps && environment.remaining() == 0)
    }
}

/// Does it fail at the last instruction, or where that leads?
fn fails_last(case: &Case, failing: &Failing) -> bool {
    let last = case.program.instructions.len().saturating_sub(ENDS.len() + 1);
    matches!(failing.run.outcome, Outcome::Failed { location, .. } if location.index() >= last)
}

/// The name of a rule.
fn rule_name(rule: &goatherd_certificates::derivation::Rule) -> &'static str {
    use goatherd_certificates::derivation::Rule;
    match rule {
        Rule::Step { .. } => "Step",
        Rule::StepDecided { .. } => "StepDecided",
        Rule::Split { .. } => "Split",
        Rule::Infeasible { .. } => "Infeasible",
        Rule::AddScapegoat { .. } => "AddScapegoat",
        Rule::Drop { .. } => "Drop",
        Rule::Subsume { .. } => "Subsume",
        Rule::Descent { .. } => "Descent",
        Rule::End => "End",
        Rule::Let { .. } => "Let",
        Rule::Unfold { .. } => "Unfold",
        Rule::Steps { .. } => "Steps",
        Rule::Twin { .. } => "Twin",
    }
}
