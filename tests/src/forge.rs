//! Hand-made derivations: applies the kernel's rules without asking whether their obligations hold, and writes the certificate down.
//!
//! Where an obligation holds its hint is written; where it does not an empty hint is, so that the checker stops there and nowhere else.

#![allow(clippy::missing_panics_doc, reason = "tests write derivations that have a meaning, or end")]

use crate::refuter;
use goatherd_certificates::{
    certificate::{
        Allocation, Arithmetic, Certificate, Claim, DataModel, Evidence, GroundRun, Limits, Origin, Parameters, PointerFormation,
        SignedOverflow, Statement,
    },
    configuration::{self, ObjectState, Slot, Template, TreeId},
    derivation::{
        Choice, DroppedElement, InputDrop, Lengths, Matching, MemberId, OutcomeId, Proof, Refutation, Rule, SegmentEnd, TemplateId,
    },
    program::{Program, RegisterId},
    term::{ArrayId, LinearId, Literal},
};
use goatherd_checker::{
    budget::Budget,
    configuration::{Configuration, Member, Place, Setting},
    error::Failure,
    outcome::Oracle,
    rejection::Rejection,
    rules, step, subsume,
    term::Arena,
    unfold,
};
use goatherd_claims::Verdict;
use goatherd_logic::terms::matching;

/// Memory for hand-made certificates.
pub const MEMORY: u64 = 1 << 26;

/// Steps of work for them.
pub const WORK: u64 = 1 << 28;

/// Wrapping arithmetic, pointers anywhere, allocation succeeds.
pub const PARAMETERS: Parameters = Parameters {
    data_model: DataModel::Lp64SignedChar,
    signed_overflow: SignedOverflow::Wraps,
    pointer_formation: PointerFormation::Anywhere,
    allocation: Allocation::Succeeds,
    arithmetic: Arithmetic::C,
};

/// Everything holds; what can be shown is shown.
#[derive(Default)]
struct Everything {
    hints: Vec<Refutation>,
}

impl Oracle for Everything {
    fn refute(&mut self, arena: &mut Arena, predicate: &[Literal], assumptions: &[Literal]) -> Result<(), Rejection> {
        self.hints.push(refuter::refute(arena, predicate, assumptions).unwrap_or_default());
        Ok(())
    }
}

/// A derivation being written.
pub struct Forge<'p> {
    /// All terms.
    pub arena: Arena,
    /// What is proved of.
    pub setting: Setting<'p>,
    /// What is known of the lengths of arrays at the entry.
    pub lengths: Lengths,
    /// What has been written of the derivation at hand.
    pub rules: Vec<Rule>,
    /// The templates.
    pub templates: Vec<Template>,
    derivations: Vec<Vec<Rule>>,
}

/// A rule of a hand-made derivation does not even have a meaning.
const MEANING: &str = "the rule can be applied";

impl<'p> Forge<'p> {
    /// Nothing is written yet.
    pub fn new(program: &'p Program, parameters: &'p Parameters, k: u32) -> Self {
        let arena = Arena::new(&program.tables, Budget::new(MEMORY)).expect(MEANING);
        Self {
            arena,
            setting: Setting { program, parameters, k, sorts: &[] },
            lengths: Lengths::Classes,
            rules: Vec::new(),
            templates: Vec::new(),
            derivations: Vec::new(),
        }
    }

    /// The configuration of a size class.
    pub fn root(&mut self, class: u64) -> Option<Configuration> {
        rules::root(&mut self.arena, self.setting, self.lengths, class).expect(MEANING)
    }

    /// A constant.
    pub fn constant(&mut self, value: i128) -> LinearId {
        self.arena.constant(value).expect(MEANING)
    }

    /// What an integer register of a member holds.
    pub fn integer(&self, configuration: &Configuration, member: u32, register: RegisterId) -> LinearId {
        match configuration.member(MemberId(member)).expect(MEANING).register(register).expect(MEANING) {
            Slot::Integer(term) => term,
            slot => panic!("{slot:?} is no integer"),
        }
    }

    /// Does the predicate with these literals have no model, as far as the small prover can tell?
    pub fn is_refuted(&mut self, configuration: &Configuration, literals: &[Literal]) -> bool {
        refuter::refute(&mut self.arena, &configuration.predicate, literals).is_some()
    }

    /// Step: refutes what can be refuted.
    pub fn step(&mut self, configuration: Configuration) -> Vec<Configuration> {
        let primary = configuration.member(MemberId(0)).expect(MEANING).clone();
        let all = step::outcomes(&mut self.arena, self.setting, &primary).expect(MEANING);
        let mut refuted = Vec::new();
        for (outcome, position) in all.iter().zip((0..).map(OutcomeId)) {
            if !rules::is_excluded(&self.arena, outcome) && self.is_refuted(&configuration, &outcome.literals) {
                refuted.push(position);
            }
        }
        self.step_refuting(configuration, &refuted)
    }

    /// Step: claims that just these outcomes are refuted.
    pub fn step_refuting(&mut self, mut configuration: Configuration, refuted: &[OutcomeId]) -> Vec<Configuration> {
        let mut oracle = Everything::default();
        let mut children = Vec::new();
        let ids = refuted.iter().copied();
        if rules::step(&mut self.arena, self.setting, &mut configuration, ids, &mut oracle, &mut children).expect(MEANING) {
            children.push(configuration);
        }
        self.rules.push(Rule::Step { refuted: refuted.iter().copied().zip(oracle.hints).collect() });
        children
    }

    /// As many steps of the primary, each of which has one way on.
    pub fn steps(&mut self, configuration: Configuration, count: usize) -> Configuration {
        (0..count).fold(configuration, |configuration, _| {
            let mut children = self.step(configuration);
            assert_eq!(children.len(), 1, "one way on");
            children.remove(0)
        })
    }

    /// `StepDecided`, with the outcome that the predicate entails.
    pub fn follow(&mut self, configuration: &mut Configuration, member: u32, choice: Option<Choice>) {
        let state = configuration.member(MemberId(member)).expect(MEANING).clone();
        let all = step::outcomes(&mut self.arena, self.setting, &state).expect(MEANING);
        let decided = all.iter().position(|outcome| {
            outcome.literals.iter().all(|literal| {
                let negation = self.arena.negate(*literal).expect(MEANING);
                self.arena.evident(*literal) == Some(true)
                    || configuration.predicate.contains(literal)
                    || self.arena.evident(*literal) != Some(false) && self.is_entailed(configuration, *literal, negation)
            })
        });
        let outcome = decided.and_then(|position| u32::try_from(position).ok()).expect("an outcome is entailed");
        self.decide(configuration, member, outcome, choice);
    }

    fn is_entailed(&mut self, configuration: &Configuration, literal: Literal, negation: Literal) -> bool {
        use goatherd_certificates::term::Sign;
        if literal.sign != Sign::Zero {
            return self.is_refuted(configuration, &[negation]);
        }
        [1, -1].into_iter().all(|sign| {
            let term = self.arena.combine(1, &[(literal.term, sign)]).expect(MEANING);
            self.is_refuted(configuration, &[Literal { sign: Sign::AtMostZero, term }])
        })
    }

    /// `StepDecided`, with this outcome.
    pub fn decide(&mut self, configuration: &mut Configuration, member: u32, outcome: u32, choice: Option<Choice>) {
        let (member, outcome) = (MemberId(member), OutcomeId(outcome));
        let mut oracle = Everything::default();
        let mut change = configuration.change(&mut self.arena, self.setting, member);
        change.step_decided(outcome, choice.as_ref(), &mut oracle).expect(MEANING);
        self.rules.push(Rule::StepDecided { member, outcome, choice, hints: oracle.hints });
    }

    /// Split.
    #[expect(clippy::needless_pass_by_value, reason = "a configuration that is split is no longer open")]
    pub fn split(&mut self, configuration: Configuration, literal: Literal) -> [Configuration; 2] {
        self.rules.push(Rule::Split { literal });
        rules::split(&mut self.arena, &configuration, literal).expect(MEANING)
    }

    /// `AddScapegoat`, without elements of these inputs.
    pub fn add(&mut self, configuration: &mut Configuration, drops: &[(u32, DroppedElement)], integers: &[(u32, LinearId)]) {
        let drops: Vec<_> = drops.iter().map(|(input, element)| InputDrop { input: *input, element: *element }).collect();
        let mut oracle = Everything::default();
        rules::add_scapegoat(&mut self.arena, self.setting, configuration, &drops, integers, &mut oracle).expect(MEANING);
        self.rules.push(Rule::AddScapegoat { drops, integers: integers.to_vec(), hints: oracle.hints });
    }

    /// Subsume.
    pub fn subsume(&mut self, configuration: &Configuration, template: TemplateId, integers: &[LinearId], arrays: &[ArrayId]) {
        let target = subsume::described(self.setting, &self.templates[template.index()]).expect(MEANING);
        let mut oracle = Everything::default();
        let matching = matching(&target, integers.to_vec(), arrays.to_vec());
        subsume::subsume(&mut self.arena, self.setting, configuration, &target, &matching, &mut oracle).expect(MEANING);
        self.rules.push(Rule::Subsume { template, matching, hints: oracle.hints });
    }

    /// Unfold.
    pub fn unfold(&mut self, configuration: &Configuration, tree: TreeId, end: SegmentEnd) -> Vec<Configuration> {
        self.rules.push(Rule::Unfold { tree, end });
        unfold::unfold(&mut self.arena, self.setting, configuration, tree, end).expect(MEANING)
    }

    /// Subsume under this matching, whether it is one or not.
    pub fn cover(&mut self, configuration: &Configuration, template: TemplateId, matching: Matching) {
        let target = subsume::described(self.setting, &self.templates[template.index()]).expect(MEANING);
        let mut oracle = Everything::default();
        let _ = subsume::subsume(&mut self.arena, self.setting, configuration, &target, &matching, &mut oracle);
        self.rules.push(Rule::Subsume { template, matching, hints: oracle.hints });
    }

    /// Adds a template and writes its derivation.
    pub fn template(&mut self, template: Template, derivation: impl FnOnce(&mut Self, Configuration)) -> TemplateId {
        let id = TemplateId(u32::try_from(self.templates.len()).expect(MEANING));
        let configuration = subsume::described(self.setting, &template).expect(MEANING);
        self.templates.push(template);
        self.derivations.push(Vec::new());
        let outer = std::mem::take(&mut self.rules);
        derivation(self, configuration);
        self.derivations[id.index()] = std::mem::replace(&mut self.rules, outer);
        id
    }

    /// The template that describes just this configuration, of which only these registers are kept.
    pub fn describe(&self, configuration: &Configuration, kept: impl Fn(RegisterId) -> bool) -> Template {
        let member = |member: &Member| configuration::Member {
            location: match member.place {
                Place::At(location) => location,
                Place::Failed => panic!("a template has a location"),
            },
            size: member.size,
            consumed: Slot::Forgotten,
            registers: (0..)
                .map(RegisterId)
                .zip(&member.registers)
                .filter(|(id, slot)| kept(*id) && **slot != Slot::Forgotten)
                .map(|(id, slot)| (id, *slot))
                .collect(),
            objects: member.objects.iter().flatten().map(|state| ObjectState::clone(state)).collect(),
            folded: member.folded.iter().flatten().copied().collect(),
        };
        Template {
            scope: configuration.scope,
            trees: configuration.trees.clone(),
            predicate: configuration.predicate.clone(),
            members: configuration.members.iter().map(member).collect(),
        }
    }

    /// The substitution that maps each variable of a configuration's own template to itself.
    pub fn identity(&mut self, configuration: &Configuration) -> (Vec<LinearId>, Vec<ArrayId>) {
        let (integers, arrays) = goatherd_logic::terms::variables(&configuration.scope);
        let integers = integers.into_iter().map(|variable| self.arena.variable(variable).expect(MEANING)).collect();
        let arrays = arrays.into_iter().map(|variable| self.arena.array_variable(variable).expect(MEANING)).collect();
        (integers, arrays)
    }

    /// Subsumes a configuration by a template of its own, with something forged, and goes on with its derivation.
    pub fn forge_template(
        &mut self,
        configuration: &Configuration,
        edit: impl FnOnce(&mut Self, &mut Template),
        derivation: impl FnOnce(&mut Self, Configuration),
    ) {
        let mut template = self.describe(configuration, |_| true);
        edit(self, &mut template);
        let (integers, arrays) = self.identity(configuration);
        let id = self.template(template, derivation);
        let target = subsume::described(self.setting, &self.templates[id.index()]).expect(MEANING);
        let mut oracle = Everything::default();
        // The forged detail may be refused here already; the checker will say so.
        let matching = matching(&target, integers, arrays);
        let _ = subsume::subsume(&mut self.arena, self.setting, configuration, &target, &matching, &mut oracle);
        self.rules.push(Rule::Subsume { template: id, matching, hints: oracle.hints });
    }

    /// Closes a configuration: End, Descent of a failed scapegoat, or a claim that it is infeasible; else says what it is at.
    fn close(&mut self, configuration: Configuration) -> Option<Configuration> {
        if rules::end(self.setting, &configuration).is_ok() {
            self.rules.push(Rule::End);
            return None;
        }
        let failed = (1..).map(MemberId).take(configuration.members.len() - 1);
        let arena = &mut self.arena;
        if let Some(member) = failed.into_iter().find(|member| rules::descent(arena, self.setting, &configuration, *member).is_ok()) {
            self.rules.push(Rule::Descent { member });
            return None;
        }
        let Ok(primary) = configuration.member(MemberId(0)) else { return None };
        if rules::has_failed(self.setting, primary.place) {
            self.infeasible(&configuration);
            return None;
        }
        Some(configuration)
    }

    /// Claims that a configuration has no model.
    pub fn infeasible(&mut self, configuration: &Configuration) {
        let refutation = refuter::refute(&mut self.arena, &configuration.predicate, &[]).unwrap_or_default();
        self.rules.push(Rule::Infeasible { refutation });
    }

    /// The symbol that the primary's next instruction waits for, and the end at which it is to be opened.
    fn awaited(&mut self, configuration: &Configuration) -> Option<(TreeId, SegmentEnd)> {
        let primary = configuration.member(MemberId(0)).ok()?;
        step::outcomes(&mut self.arena, self.setting, primary).err().filter(|rejection| *rejection == Rejection::Folded)?;
        primary.registers.iter().find_map(|slot| {
            let (Slot::Folded(id) | Slot::Last(id)) = *slot else { return None };
            let end = if let Slot::Folded(_) = slot { SegmentEnd::Top } else { SegmentEnd::Bottom };
            Some((primary.folded.get(id.index()).copied().flatten()?.tree, end))
        })
    }

    /// Runs the primary to its ends, claiming that no failure is possible unless a scapegoat has failed. Unfolds what a register points to
    /// where an instruction waits for it.
    pub fn auto(&mut self, configuration: Configuration) {
        let mut open = vec![configuration];
        let mut left = 2000;
        while let Some(configuration) = open.pop() {
            let Some(configuration) = self.close(configuration) else { continue };
            left -= 1;
            assert!(left > 0, "a program that ends");
            let mut children = match self.awaited(&configuration) {
                Some((tree, end)) => self.unfold(&configuration, tree, end),
                None => self.step(configuration),
            };
            children.reverse();
            open.extend(children);
        }
    }

    /// The proof as it stands.
    pub fn proof(&self) -> Proof {
        Proof {
            k: self.setting.k,
            lengths: self.lengths,
            lemmas: Vec::new(),
            sorts: self.setting.sorts.to_vec(),
            templates: self.templates.clone(),
            roots: self.rules.clone(),
            derivations: self.derivations.clone(),
        }
    }

    /// The certificate of the proof, edited.
    pub fn certificate_of(&self, proof: &Proof) -> Certificate {
        let (terms, proof) = goatherd_logic::terms::renumber(&self.arena, proof).expect("terms of the arena");
        certificate(self.setting.program, *self.setting.parameters, terms, Evidence::Proof(proof))
    }

    /// What the checker says of the proof.
    pub fn check(&self) -> Result<Verdict, Failure> {
        check(&self.certificate_of(&self.proof()))
    }
}

/// A certificate around its evidence.
pub fn certificate(
    program: &Program,
    parameters: Parameters,
    terms: Vec<goatherd_certificates::term::Term>,
    evidence: Evidence,
) -> Certificate {
    let claim = if matches!(evidence, Evidence::Proof(_)) { Claim::Safe } else { Claim::Unsafe };
    let origin =
        Origin { file: String::from("hand-made.c"), digest: [0; 32], definitions: Vec::new(), includes: Vec::new(), waived: Vec::new() };
    Certificate {
        limits: Limits { memory: MEMORY, work: WORK },
        statement: Statement { claim, parameters, landmarks: Vec::new(), origin, program: program.clone() },
        files: Vec::new(),
        positions: Vec::new(),
        terms,
        evidence,
        witnesses: Vec::new(),
    }
}

/// The certificate of a failing run.
pub fn certificate_of_run(program: &Program, parameters: Parameters, run: GroundRun) -> Certificate {
    certificate(program, parameters, Vec::new(), Evidence::Run(run))
}

/// What the checker says of a certificate.
pub fn check(certificate: &Certificate) -> Result<Verdict, Failure> {
    let bytes = goatherd::encode::certificate(certificate).expect("memory for the encoding");
    goatherd_claims::check(&bytes, Limits { memory: MEMORY, work: WORK }, goatherd::encode::digest)
}

/// The violated side condition, if there is one.
pub fn rejection(answer: &Result<Verdict, Failure>) -> Option<Rejection> {
    match answer {
        Err(Failure::Rejected { rejection, .. }) => Some(*rejection),
        _ => None,
    }
}
