//! Rules on programs of a few instructions with an array `a` and an integer `x`.

use super::Catalogue;
use crate::{
    forge::{Forge, PARAMETERS},
    programs::{self, FAIL, branch},
};
use goatherd_certificates::{
    certificate::{Certificate, Parameters, SignedOverflow},
    derivation::{Choice, DroppedElement, InputDrop, Matching, MemberId, OutcomeId, Proof, Refutation, Rule, TemplateId},
    program::{self, Compute, Input, Instruction, IntegerType, Operand, Operation, Program, RegisterId, Relation, Type},
    term::{Atom, AtomId, Linear, LinearId, Literal, Sign, Term, Variable},
};
use goatherd_checker::{configuration::Configuration, error::Defect, rejection::Rejection};

const X: RegisterId = RegisterId(2);
const FIRST: [(u32, DroppedElement); 1] = [(0, DroppedElement::First(0))];

/// A derivation from the class of arrays with more than one element, k = 1; the program is changed first.
fn derived(
    instructions: &[Instruction],
    edit: impl FnOnce(&mut Program),
    parameters: Parameters,
    derivation: impl FnOnce(&mut Forge<'_>, Configuration),
) -> Certificate {
    let mut program = programs::empty();
    programs::array(&mut program, "a", IntegerType::I8, IntegerType::U8);
    let register = programs::integer(&mut program, "x", IntegerType::I8);
    program.inputs.push(Input::Integer { register });
    program.instructions = instructions.to_vec();
    edit(&mut program);
    let mut forge = Forge::new(&program, &parameters, 1);
    for class in 0..2 {
        let configuration = forge.root(class).expect("three classes");
        forge.auto(configuration);
    }
    let configuration = forge.root(2).expect("three classes");
    derivation(&mut forge, configuration);
    forge.certificate_of(&forge.proof())
}

/// The same with a program as it is.
fn plain(instructions: &[Instruction], derivation: impl FnOnce(&mut Forge<'_>, Configuration)) -> Certificate {
    derived(instructions, |_| {}, PARAMETERS, derivation)
}

/// These rules alone, of a program that halts at once.
fn halting(rules: impl FnOnce(&mut Forge<'_>) -> Vec<Rule>) -> Certificate {
    plain(&[Instruction::Halt], |forge, _| {
        let rules = rules(forge);
        forge.rules.extend(rules);
    })
}

/// A variable that no configuration has.
fn absent(forge: &mut Forge<'_>) -> LinearId {
    forge.arena.variable(Variable { sort: None, number: 77 }).expect("a variable")
}

fn decided(choice: Option<Choice>, hints: usize) -> Rule {
    Rule::StepDecided { member: MemberId(1), outcome: OutcomeId(0), choice, hints: vec![Refutation::default(); hints] }
}

/// Adds them.
pub(super) fn add(vectors: &mut Catalogue) {
    root(vectors);
    step(vectors);
    step_decided(vectors);
    steps(vectors);
    choice_of_a_value(vectors);
    choice_of_contents(vectors);
    split_let_infeasible(vectors);
    add_scapegoat(vectors);
    terms(vectors);
}

fn root(vectors: &mut Catalogue) {
    let changed = |change: fn(&mut Proof)| {
        let mut certificate = halting(|_| vec![Rule::End]);
        if let goatherd_certificates::certificate::Evidence::Proof(proof) = &mut certificate.evidence {
            change(proof);
        }
        certificate
    };
    vectors.accepted("root-accepted", "End closes each of the classes: no element, one, more", &changed(|_| {}));
    vectors.rejected("root-k-zero", Rejection::Root, "k is 0", &changed(|proof| proof.k = 0));
    vectors.rejected("root-k-large", Rejection::Root, "k is 17", &changed(|proof| proof.k = 17));
    let certificate = changed(|proof| proof.derivations.push(vec![Rule::End]));
    vectors.rejected("root-derivation-left", Rejection::Root, "a derivation without a template", &certificate);
    vectors.rejected("root-class-open", Rejection::Open, "the last class has no rule", &changed(|proof| drop(proof.roots.pop())));
    vectors.rejected("root-rule-left", Rejection::Open, "a rule behind the last class", &changed(|proof| proof.roots.push(Rule::End)));
    let mut certificate = changed(|_| {});
    certificate.statement.claim = goatherd_certificates::certificate::Claim::Unsafe;
    vectors.rejected("root-claim", Rejection::Claim, "the claim is Unsafe, the evidence a proof", &certificate);
}

fn step(vectors: &mut Catalogue) {
    let (of_x, three) = (Operand::Register(X), Operand::Constant(3));
    let small = branch(Relation::Less, of_x, three, 1, 2);
    let instructions = [small, branch(Relation::Less, three, of_x, 3, 2), Instruction::Halt, FAIL];
    let certificate = plain(&instructions, |forge, configuration| {
        forge.auto(configuration);
    });
    vectors.accepted("step-accepted", "Step at x < 3, then at 3 < x, one way of which is refuted", &certificate);
    let certificate = plain(&instructions, |forge, configuration| {
        let mut children = forge.step_refuting(configuration, &[OutcomeId(0)]);
        forge.auto(children.remove(0));
    });
    vectors.rejected("step-possible-outcome", Rejection::NotRefuted, "Step claims that x < 3 is impossible", &certificate);
    let certificate = halting(|_| vec![Rule::Step { refuted: Vec::new() }]);
    vectors.rejected("step-at-halt", Rejection::AtEnd, "Step at Halt", &certificate);
    let certificate = plain(&instructions, |forge, configuration| {
        let mut children = forge.step(configuration);
        forge.rules.push(Rule::End);
        let _ = children.pop();
    });
    vectors.rejected("step-child-left", Rejection::NotEnded, "End in place of the first child of Step", &certificate);
}

fn step_decided(vectors: &mut Catalogue) {
    let (of_x, three) = (Operand::Register(X), Operand::Constant(3));
    let instructions = [branch(Relation::Less, of_x, three, 1, 2), Instruction::Halt, Instruction::Halt];
    let with = |outcome: u32| {
        plain(&instructions, |forge, mut configuration| {
            forge.add(&mut configuration, &FIRST, &[]);
            let mut children = forge.step(configuration);
            let mut small = children.remove(0);
            forge.decide(&mut small, 1, outcome, None);
            forge.rules.extend([Rule::End, Rule::End]);
        })
    };
    vectors.accepted("decided-accepted", "where the primary has x < 3 the scapegoat goes the same way", &with(0));
    vectors.rejected("decided-other-way", Rejection::NotRefuted, "where the primary has x < 3 the scapegoat goes the other way", &with(1));
    let certificate = plain(&[Instruction::Halt], |forge, mut configuration| {
        forge.add(&mut configuration, &FIRST, &[]);
        forge.rules.extend([decided(None, 0), Rule::End]);
    });
    vectors.rejected("decided-at-halt", Rejection::AtEnd, "StepDecided of a scapegoat at Halt", &certificate);
    let certificate = ignorance(of_x);
    vectors.rejected(
        "decided-ignorance",
        Rejection::Ignorance,
        "StepDecided takes one outcome of x * x, which is in range or fails: nothing says which",
        &certificate,
    );
}

/// Steps of the member.
fn steps_of(member: u32, count: u32) -> Rule {
    Rule::Steps { member: MemberId(member), count }
}

fn steps(vectors: &mut Catalogue) {
    let (of_x, three) = (Operand::Register(X), Operand::Constant(3));
    let small = branch(Relation::Less, of_x, three, 2, 3);
    let instructions = [programs::assign(X, 0), small, Instruction::Halt, FAIL];
    let with = |rules: &[Rule]| {
        plain(&instructions, |forge, mut configuration| {
            forge.add(&mut configuration, &FIRST, &[]);
            forge.rules.extend_from_slice(rules);
        })
    };
    let certificate = with(&[steps_of(1, 2), steps_of(0, 2), Rule::End]);
    vectors.accepted("steps-accepted", "Steps of a scapegoat, then of the primary, where x is 0", &certificate);
    let certificate = with(&[steps_of(0, 3)]);
    vectors.rejected("steps-at-halt", Rejection::AtEnd, "Steps of the primary go on at Halt", &certificate);
    let certificate = with(&[steps_of(1, 3), steps_of(0, 2), Rule::End]);
    vectors.rejected("steps-scapegoat-at-halt", Rejection::AtEnd, "Steps of a scapegoat go on at Halt", &certificate);
    let certificate = with(&[steps_of(2, 2), steps_of(0, 2), Rule::End]);
    vectors.rejected("steps-member", Rejection::Missing, "Steps of a member that does not exist", &certificate);
    let is_short = branch(Relation::LessOrEqual, Operand::Register(RegisterId(1)), Operand::Constant(1), 3, 1);
    let instructions = [is_short, branch(Relation::Less, of_x, three, 3, 2), FAIL, Instruction::Halt];
    let certificate = plain(&instructions, |forge, configuration| {
        forge.steps(configuration, 1);
        forge.rules.extend([steps_of(0, 1), Rule::End]);
    });
    vectors.rejected("steps-two-ways", Rejection::Outcomes, "Steps of the primary goes one way of a branch", &certificate);
    let more = Instruction::Compute(Compute { target: X, operation: Operation::Add, left: of_x, right: Operand::Constant(1) });
    let back = Instruction::Jump { target: program::Location(1) };
    let counting = [programs::assign(X, 0), branch(Relation::Less, of_x, three, 2, 4), more, back, Instruction::Halt];
    let with = |rules: &[Rule]| plain(&counting, |forge, _| forge.rules.extend_from_slice(rules));
    let certificate = with(&[steps_of(0, 5), steps_of(0, 5), steps_of(0, 1), Rule::End]);
    vectors.accepted("steps-loop-accepted", "Steps goes round a loop", &certificate);
    let certificate = with(&[steps_of(0, 11), Rule::End]);
    vectors.rejected("steps-many", Rejection::Outcomes, "Steps takes more instructions than the program has", &certificate);
    vectors.rejected("steps-progress", Rejection::Progress, "Steps of a scapegoat are no progress of the primary", &standing_still());
    vectors.rejected("steps-none", Rejection::Progress, "Steps of no instruction are no progress", &standing_there());
}

/// Where x is 3 or more the program fails; a scapegoat whose x is 0 goes round and round.
fn standing_still() -> Certificate {
    let mut program = programs::empty();
    let register = programs::integer(&mut program, "x", IntegerType::I8);
    program.inputs.push(Input::Integer { register });
    let jump = Instruction::Jump { target: program::Location(0) };
    program.instructions = vec![branch(Relation::Less, Operand::Register(register), Operand::Constant(3), 1, 2), jump, FAIL];
    let mut forge = Forge::new(&program, &PARAMETERS, 1);
    let mut root = forge.root(0).expect("one class");
    let zero = forge.constant(0);
    forge.add(&mut root, &[], &[(0, zero)]);
    let [small, large] = forge.step(root).try_into().expect("two ways");
    forge.forge_template(
        &small,
        |_, _| {},
        |forge, configuration| {
            forge.rules.push(steps_of(1, 2));
            let configuration = forge.steps(configuration, 2);
            let (integers, _) = forge.identity(&configuration);
            forge.subsume(&configuration, TemplateId(0), &integers, &[]);
        },
    );
    forge.forge_template(
        &large,
        |_, _| {},
        |forge, configuration| {
            forge.rules.push(steps_of(1, 2));
            let (integers, _) = forge.identity(&configuration);
            forge.cover(&configuration, TemplateId(1), Matching { integers, objects: vec![Vec::new(); 2], ..Matching::default() });
        },
    );
    forge.certificate_of(&forge.proof())
}

/// Where x is 3 or more the program fails; the primary is about to, and takes no instruction.
fn standing_there() -> Certificate {
    let mut program = programs::empty();
    let register = programs::integer(&mut program, "x", IntegerType::I8);
    program.inputs.push(Input::Integer { register });
    program.instructions = vec![branch(Relation::Less, Operand::Register(register), Operand::Constant(3), 1, 2), Instruction::Halt, FAIL];
    let mut forge = Forge::new(&program, &PARAMETERS, 1);
    let root = forge.root(0).expect("one class");
    let [small, large] = forge.step(root).try_into().expect("two ways");
    forge.auto(small);
    forge.forge_template(
        &large,
        |_, _| {},
        |forge, configuration| {
            forge.rules.push(steps_of(0, 0));
            let (integers, _) = forge.identity(&configuration);
            forge.cover(&configuration, TemplateId(0), Matching { integers, objects: vec![Vec::new()], ..Matching::default() });
        },
    );
    forge.certificate_of(&forge.proof())
}

/// A scapegoat with more than one element multiplies; its product may be out of range, or not.
fn ignorance(of_x: Operand) -> Certificate {
    let length = RegisterId(1);
    let product = Instruction::Compute(Compute { target: X, operation: Operation::Multiply, left: of_x, right: of_x });
    let is_short = branch(Relation::LessOrEqual, Operand::Register(length), Operand::Constant(1), 2, 1);
    let fails = Parameters { signed_overflow: SignedOverflow::Fails, ..PARAMETERS };
    derived(
        &[is_short, product, Instruction::Halt],
        |_| {},
        fails,
        |forge, configuration| {
            let (two, length) = (forge.constant(2), forge.integer(&configuration, 0, length));
            let longer = forge.arena.less(two, length).expect("small integers");
            let [mut longer, _] = forge.split(configuration, longer);
            forge.add(&mut longer, &FIRST, &[]);
            forge.follow(&mut longer, 1, None);
            forge.rules.push(decided(None, 0));
        },
    )
}

fn choice_of_a_value(vectors: &mut Catalogue) {
    let havoc = [Instruction::Havoc { target: X }, Instruction::Halt];
    let chosen = |choice: fn(&mut Forge<'_>) -> Choice, hints| {
        plain(&havoc, |forge, mut configuration| {
            forge.add(&mut configuration, &FIRST, &[]);
            let rule = decided(Some(choice(forge)), hints);
            forge.rules.extend([rule, Rule::Step { refuted: Vec::new() }, Rule::End]);
        })
    };
    vectors.accepted("choice-value-accepted", "a Havoc of type I8 gives 127", &chosen(|forge| Choice::Value(forge.constant(127)), 0));
    let certificate = chosen(|forge| Choice::Value(forge.constant(128)), 2);
    vectors.rejected("choice-value-range", Rejection::NotRefuted, "a Havoc of type I8 gives 128", &certificate);
    let certificate = chosen(|forge| Choice::Value(absent(forge)), 2);
    vectors.rejected("choice-value-variable", Rejection::Variable, "a Havoc gives a variable that does not exist", &certificate);
    let certificate = chosen(|forge| Choice::Allocation { lower: forge.constant(0), fields: Vec::new() }, 0);
    vectors.rejected("choice-value-kind", Rejection::Choice, "a Havoc is given the contents of an object", &certificate);
    let certificate = plain(&[programs::assign(X, 0), Instruction::Halt], |forge, mut configuration| {
        forge.add(&mut configuration, &FIRST, &[]);
        let rule = decided(Some(Choice::Value(forge.constant(0))), 0);
        forge.rules.extend([rule, Rule::Step { refuted: Vec::new() }, Rule::End]);
    });
    vectors.rejected("choice-not-offered", Rejection::Choice, "an assignment offers no choice", &certificate);
}

fn choice_of_contents(vectors: &mut Catalogue) {
    let chosen = |count: u64, lower: i128, cell: i128, rest: Option<i128>, hints| {
        let enter = |program: &mut Program| {
            let layout = programs::layout(program, &[Type::Integer(IntegerType::I8)]);
            let object = programs::object(program, layout, program::Origin::Local { count });
            program.instructions = vec![Instruction::Enter { object }, Instruction::Halt];
        };
        derived(&[], enter, PARAMETERS, |forge, mut configuration| {
            forge.add(&mut configuration, &FIRST, &[]);
            let rest = rest.map(|value| {
                let value = forge.constant(value);
                forge.arena.constant_array(value).expect("an array")
            });
            let choice = Choice::Allocation { lower: forge.constant(lower), fields: vec![(vec![forge.constant(cell)], rest)] };
            forge.rules.extend([decided(Some(choice), hints), Rule::Drop { member: MemberId(1) }]);
            forge.auto(configuration);
        })
    };
    vectors.accepted(
        "choice-contents-accepted",
        "three local elements that begin at 5 and hold 1, 2, 2; then Drop",
        &chosen(3, 5, 1, Some(2), 0),
    );
    vectors.accepted("choice-contents-one-accepted", "one local element that holds 1; then Drop", &chosen(1, 0, 1, None, 0));
    let mut rejected = |name: &str, rejection, reason, certificate: Certificate| vectors.rejected(name, rejection, reason, &certificate);
    rejected("choice-contents-cell", Rejection::NotRefuted, "a local element of type I8 holds 128", chosen(3, 5, 128, Some(2), 2));
    rejected("choice-contents-rest", Rejection::NotRefuted, "the elements above k, of type I8, hold 128", chosen(3, 5, 1, Some(128), 2));
    rejected("choice-contents-no-rest", Rejection::Choice, "no array for the elements above k", chosen(3, 5, 1, None, 0));
    rejected(
        "choice-contents-rest-left",
        Rejection::Choice,
        "an array for elements above k where there are none",
        chosen(1, 0, 1, Some(2), 0),
    );
    rejected("choice-contents-lower", Rejection::Choice, "an object without elements above k begins at 5", chosen(1, 5, 1, None, 0));
}

fn split_let_infeasible(vectors: &mut Catalogue) {
    let certificate = plain(&[Instruction::Halt], |forge, configuration| {
        let term = forge.integer(&configuration, 0, X);
        for child in forge.split(configuration, Literal { sign: Sign::Zero, term }) {
            forge.auto(child);
        }
    });
    vectors.accepted("split-accepted", "Split by x = 0", &certificate);
    let certificate = halting(|forge| {
        let literal = Literal { sign: Sign::Zero, term: absent(forge) };
        vec![Rule::Split { literal }, Rule::End, Rule::End]
    });
    vectors.rejected("split-variable", Rejection::Variable, "Split by a variable that does not exist", &certificate);
    let certificate = plain(&[Instruction::Halt], |forge, configuration| {
        let term = forge.integer(&configuration, 0, X);
        forge.rules.extend([Rule::Split { literal: Literal { sign: Sign::Zero, term } }, Rule::End]);
    });
    vectors.rejected("split-child-open", Rejection::Open, "the second child of Split is left open", &certificate);
    let named = |number| {
        plain(&[Instruction::Halt], |forge, configuration| {
            let term = forge.integer(&configuration, 0, X);
            let variable = forge.arena.variable(Variable { sort: None, number }).expect("a variable");
            let literal = Literal { sign: Sign::Zero, term: variable };
            forge.rules.extend([Rule::Let { term }, Rule::Split { literal }, Rule::End, Rule::End]);
        })
    };
    vectors.accepted("let-accepted", "Let names x by variable 0, which Split mentions", &named(0));
    vectors.rejected("let-one-variable", Rejection::Variable, "Let names x by variable 0, and Split mentions variable 1", &named(1));
    let certificate = halting(|forge| vec![Rule::Let { term: absent(forge) }, Rule::End]);
    vectors.rejected("let-variable", Rejection::Variable, "Let of a variable that does not exist", &certificate);
    let infeasible = |sign, shift| {
        plain(&[Instruction::Halt], |forge, configuration| {
            let x = forge.integer(&configuration, 0, X);
            let positive = forge.arena.combine(shift, &[(x, -1)]).expect("small integers");
            let [first, _] = forge.split(configuration, Literal { sign, term: x });
            let [both, _] = forge.split(first, Literal { sign: Sign::AtMostZero, term: positive });
            forge.infeasible(&both);
            forge.rules.extend([Rule::End, Rule::End]);
        })
    };
    vectors.accepted("infeasible-accepted", "x <= 0 and x >= 1", &infeasible(Sign::AtMostZero, 1));
    vectors.rejected("infeasible-possible", Rejection::NotRefuted, "x <= 0 and x >= 0", &infeasible(Sign::AtMostZero, 0));
    let certificate = halting(|_| vec![Rule::Infeasible { refutation: Refutation::default() }]);
    vectors.rejected("infeasible-empty", Rejection::NotRefuted, "Infeasible without a deduction", &certificate);
}

fn add_scapegoat(vectors: &mut Catalogue) {
    let added = |drops: &[(u32, DroppedElement)], integers: &[(u32, i128)], is_hinted: bool| {
        plain(&[Instruction::Halt], |forge, configuration| {
            forge.add(&mut configuration.clone(), &FIRST, &[]);
            let hints = match forge.rules.pop() {
                Some(Rule::AddScapegoat { hints, .. }) if is_hinted => hints,
                _ => vec![Refutation::default()],
            };
            let drops: Vec<_> = drops.iter().map(|(input, element)| InputDrop { input: *input, element: *element }).collect();
            let hints = if drops.is_empty() { Vec::new() } else { hints };
            let out_of_range = integers.iter().filter(|(_, value)| *value > 127).count();
            let hints = hints.into_iter().chain(vec![Refutation::default(); out_of_range]).collect();
            let integers = integers.iter().map(|(input, value)| (*input, forge.constant(*value))).collect();
            forge.rules.extend([Rule::AddScapegoat { drops, integers, hints }, Rule::End]);
        })
    };
    vectors.accepted("add-first-accepted", "a scapegoat without element 0", &added(&FIRST, &[], true));
    vectors.accepted("add-last-accepted", "a scapegoat without the last element", &added(&[(0, DroppedElement::Last)], &[], true));
    vectors.accepted("add-integer-accepted", "a scapegoat without element 0, with x = 127", &added(&FIRST, &[(1, 127)], true));
    let several = plain(&[Instruction::Halt], |forge, mut configuration| {
        forge.add(&mut configuration, &[(0, DroppedElement::First(0)), (0, DroppedElement::Last)], &[]);
        forge.rules.push(Rule::End);
    });
    vectors.accepted("add-several-accepted", "a scapegoat without element 0 and without the last one", &several);
    vectors.accepted("add-nothing-dropped", "a scapegoat on the same input, of which nothing is concluded", &added(&[], &[], true));
    let dropped = |member| {
        plain(&[Instruction::Halt], |forge, mut configuration| {
            forge.add(&mut configuration, &FIRST, &[]);
            forge.rules.extend([Rule::Drop { member: MemberId(member) }, Rule::End]);
        })
    };
    vectors.accepted("drop-accepted", "a scapegoat is added and dropped", &dropped(1));
    vectors.rejected("drop-primary", Rejection::Primary, "a scapegoat is added, and the primary dropped", &dropped(0));
    let mut rejected = |name: &str, rejection, reason, certificate: Certificate| vectors.rejected(name, rejection, reason, &certificate);
    rejected("add-no-refutation", Rejection::NotRefuted, "the hint that there is an element is empty", added(&FIRST, &[], false));
    rejected(
        "add-not-an-array",
        Rejection::Drop,
        "an element of the integer input is left out",
        added(&[(1, DroppedElement::First(0))], &[], true),
    );
    let twice = [(0, DroppedElement::First(0)), (0, DroppedElement::First(0))];
    rejected("add-drop-twice", Rejection::Drop, "element 0 is left out twice", added(&twice, &[], true));
    let second = [(0, DroppedElement::First(1))];
    rejected("add-drop-above-k", Rejection::Drop, "element 1 is left out, and k is 1", added(&second, &[], true));
    rejected("add-integer-range", Rejection::NotRefuted, "an integer of type I8 is given the value 128", added(&FIRST, &[(1, 128)], true));
    rejected("add-integer-of-array", Rejection::Drop, "an integer is given for the array", added(&FIRST, &[(0, 0)], true));
    rejected("add-integer-twice", Rejection::Drop, "an integer is given twice", added(&FIRST, &[(1, 0), (1, 0)], true));
}

fn terms(vectors: &mut Catalogue) {
    let with = |terms: Vec<Term>| {
        let mut certificate = halting(|_| vec![Rule::End]);
        certificate.terms = terms;
        certificate
    };
    let variable = || Term::Atom(Atom::Variable(Variable { sort: None, number: 0 }));
    let linear = |coefficient| Term::Linear(Linear { constant: 1, summands: vec![(AtomId(0), coefficient)] });
    let quotient = |divisor| Term::Atom(Atom::Quotient { divisor, argument: LinearId(0) });
    vectors.accepted("terms-accepted", "a variable, 1 + 2v, and a half", &with(vec![variable(), linear(2), quotient(2)]));
    let mut rejected = |name: &str, rejection, reason, terms: Vec<Term>| vectors.rejected(name, rejection, reason, &with(terms));
    rejected("terms-twice", Rejection::Term, "a term stands in the table twice", vec![variable(), variable()]);
    rejected("terms-zero-coefficient", Rejection::Term, "a coefficient is 0", vec![variable(), linear(0)]);
    rejected("terms-divisor", Rejection::Term, "a quotient by 1", vec![variable(), quotient(1)]);
    rejected("terms-order", Rejection::Malformed(Defect::Term), "a term mentions one that stands behind it", vec![quotient(2), variable()]);
}
