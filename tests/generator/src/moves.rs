//! One row per rule that leads on: how often it is tried, and how its arguments are chosen. Each applies the kernel's own function, so that what
//! the kernel takes is built upon, whatever is wrong with it.

use crate::{
    folding,
    search::{Applied, Builder, Choosing, Making},
    templates,
    terms::Known,
};
use goatherd_certificates::{
    configuration::{Slot, Template, TreeId},
    derivation::{Choice, DroppedElement, InputDrop, MemberId, OutcomeId, Rule, SegmentEnd, TemplateId},
    program::{Input, IntegerType, Link, ObjectId, Origin, Type},
    term::{LinearId, Literal, Sign, Variable},
};
use goatherd_checker::{
    configuration::{Configuration, Member},
    outcome::{Creation, Effect},
    rejection::Rejection,
    rules,
    step::outcomes,
    subsume,
    term::integer_count,
    unfold,
};
use goatherd_interpreter::arithmetic::{maximum, minimum};

/// A row of the table.
#[derive(Clone, Copy)]
pub struct Move {
    /// The rule's name, as the specification has it.
    pub name: &'static str,
    /// How often it is tried, beside the others.
    pub weight: usize,
    /// The same where the subject is what scapegoats choose.
    pub choices: usize,
    /// The same where it is folding.
    pub folds: usize,
    /// Applies the rule with arguments of its own choice; none where the kernel does not take them.
    pub make: fn(&mut Builder<'_>, &Configuration) -> Option<Applied>,
}

/// All rules that leave something open, and Subsume, which needs a template.
pub const MOVES: [Move; 11] = [
    Move { name: "Step", weight: 8, choices: 6, folds: 4, make: step },
    Move { name: "Steps", weight: 6, choices: 8, folds: 12, make: steps },
    Move { name: "StepDecided", weight: 8, choices: 10, folds: 1, make: step_decided },
    Move { name: "AddScapegoat", weight: 6, choices: 8, folds: 1, make: add_scapegoat },
    Move { name: "Split", weight: 2, choices: 1, folds: 1, make: split },
    Move { name: "Unfold", weight: 4, choices: 1, folds: 1, make: unfold },
    Move { name: "Subsume", weight: 3, choices: 1, folds: 12, make: new_template },
    Move { name: "Let", weight: 1, choices: 2, folds: 0, make: name },
    Move { name: "Drop", weight: 1, choices: 1, folds: 0, make: drop_member },
    Move { name: "Unfold where it is waited for", weight: 6, choices: 3, folds: 12, make: unfold_awaited },
    Move { name: "Subsume by a template of nothing at hand", weight: 1, choices: 0, folds: 0, make: scratch_template },
];

/// Signs that literals of a split may have.
const SIGNS: [Sign; 3] = [Sign::AtMostZero, Sign::Zero, Sign::NotZero];

/// Most scapegoats at once.
const MEMBERS: usize = 3;

fn member_id(position: usize) -> MemberId {
    MemberId(u32::try_from(position).unwrap_or(u32::MAX))
}

fn step(builder: &mut Builder<'_>, configuration: &Configuration) -> Option<Applied> {
    let all = outcomes(&mut builder.arena, builder.setting, configuration.members.first()?).ok()?;
    let mut refuted = Vec::new();
    let mut prover = builder.prover();
    for (id, outcome) in (0..).map(OutcomeId).zip(&all) {
        let is_open = !rules::is_excluded(&builder.arena, outcome);
        if is_open && prover.find(&mut builder.arena, &configuration.predicate, &outcome.literals).is_some() {
            refuted.push(id);
        }
    }
    let (mut last, mut children, mut prover) = (configuration.clone(), Vec::new(), builder.prover());
    let ids = refuted.iter().copied();
    if rules::step(&mut builder.arena, builder.setting, &mut last, ids, &mut prover, &mut children).ok()? {
        children.push(last);
    }
    let rule = Rule::Step { refuted: refuted.into_iter().zip(prover.hints).collect() };
    Some(Applied { rule, children })
}

fn steps(builder: &mut Builder<'_>, configuration: &Configuration) -> Option<Applied> {
    let member = member_id(builder.dice.below(configuration.members.len()));
    let most = 1 + builder.dice.below(builder.setting.program.instructions.len());
    let (mut reached, mut count) = (configuration.clone(), 0);
    while count < most && reached.change(&mut builder.arena, builder.setting, member).step_alone().is_ok() {
        count += 1;
    }
    if count < most {
        // The step that was not taken may have left something behind.
        reached = configuration.clone();
        for _ in 0..count {
            reached.change(&mut builder.arena, builder.setting, member).step_alone().ok()?;
        }
    }
    let rule = Rule::Steps { member, count: u32::try_from(count).ok()? };
    (count > 0).then(|| Applied { rule, children: vec![reached] })
}

/// A scapegoat, or rarely the primary.
fn scapegoat(builder: &mut Builder<'_>, configuration: &Configuration) -> Option<usize> {
    let others = configuration.members.len().checked_sub(1).filter(|others| *others > 0)?;
    if builder.dice.once_in(60) { Some(0) } else { Some(1 + builder.dice.below(others)) }
}

fn step_decided(builder: &mut Builder<'_>, configuration: &Configuration) -> Option<Applied> {
    let position = scapegoat(builder, configuration)?;
    let (member, state) = (member_id(position), configuration.members.get(position)?);
    let all = outcomes(&mut builder.arena, builder.setting, state).ok()?;
    let mut order: Vec<usize> = (0..all.len()).collect();
    builder.dice.shuffle(&mut order);
    for position in &order {
        let outcome = all.get(*position)?;
        if rules::is_excluded(&builder.arena, outcome) {
            continue;
        }
        let choice = choice(builder, configuration, outcome.effect);
        let id = OutcomeId(u32::try_from(*position).ok()?);
        let (mut next, mut prover) = (configuration.clone(), builder.prover());
        let decided = next.change(&mut builder.arena, builder.setting, member).step_decided(id, choice.as_ref(), &mut prover);
        if decided.is_ok() {
            let rule = Rule::StepDecided { member, outcome: id, choice, hints: prover.hints };
            return Some(Applied { rule, children: vec![next] });
        }
    }
    // Nothing says which one happens: a split may.
    let literals: Vec<Literal> = all.iter().flat_map(|outcome| outcome.literals.iter().copied()).collect();
    let literal = builder.dice.pick(&literals)?;
    split_on(builder, configuration, literal)
}

/// What a scapegoat lets a value be.
fn choice(builder: &mut Builder<'_>, configuration: &Configuration, effect: Effect) -> Option<Choice> {
    let is_odd = builder.dice.percent(builder.style.odd);
    match effect {
        Effect::Havoc(_, kind) if !builder.dice.once_in(4) => Some(Choice::Value(chosen(builder, configuration, kind)?)),
        Effect::Create(Creation { declaration, .. }) if builder.dice.once_in(2) || is_odd => {
            let layout = builder.setting.layout(declaration).ok()?;
            let cells = if matches!(builder.setting.object(declaration).ok()?.origin, Origin::Node { .. }) {
                1
            } else {
                usize::try_from(builder.setting.k).unwrap_or(0)
            };
            let mut fields = Vec::new();
            for field in &layout.fields {
                let Type::Integer(_) = field.kind else {
                    fields.push((Vec::new(), None));
                    continue;
                };
                let values = (0..cells).map(|_| term(builder, configuration)).collect::<Option<Vec<_>>>()?;
                let value = term(builder, configuration)?;
                let rest = builder.arena.constant_array(value).ok().filter(|_| cells != 1 || builder.dice.once_in(2));
                fields.push((values, rest));
            }
            let lower = builder.arena.constant(i128::from(builder.dice.once_in(4))).ok()?;
            Some(Choice::Allocation { lower, fields })
        }
        _ if is_odd => Some(Choice::Value(term(builder, configuration)?)),
        _ => None,
    }
}

/// The integers that a member's registers and objects hold.
pub fn integers(member: &Member) -> Vec<LinearId> {
    let objects = member.objects.iter().flatten();
    let cells = objects.clone().flat_map(|state| &state.fields).flat_map(|field| &field.cells);
    let slots = member.registers.iter().chain(cells).chain([&member.consumed]);
    let mut all: Vec<LinearId> = slots.filter_map(|slot| if let Slot::Integer(term) = slot { Some(*term) } else { None }).collect();
    all.extend(objects.flat_map(|state| [state.lower, state.upper]));
    all
}

/// A term of the configuration, or one near to it.
pub fn term(builder: &mut Builder<'_>, configuration: &Configuration) -> Option<LinearId> {
    if let Some(known) = builder.known {
        return Some(LinearId(builder.dice.id(usize::try_from(known.linears).unwrap_or(0))));
    }
    let held: Vec<LinearId> = configuration.members.iter().flat_map(integers).collect();
    let base = builder.dice.pick(&held);
    let constant = builder.dice.one([0, 0, 1, -1, 2, 5]);
    if builder.dice.once_in(12) {
        return future(builder, configuration);
    }
    match (builder.dice.below(8), base) {
        (0..3, Some(base)) => Some(base),
        (3, Some(base)) => builder.arena.plus(base, constant).ok(),
        (4, Some(base)) => {
            let other = builder.dice.pick(&held)?;
            let factor = builder.dice.one([1, -1]);
            builder.arena.combine(0, &[(base, 1), (other, factor)]).ok()
        }
        (5, _) if builder.dice.percent(builder.style.odd) => {
            // Any term there is, and sometimes one that there is not.
            let count = usize::try_from(Known::of(&builder.arena).linears).unwrap_or(0);
            Some(LinearId(builder.dice.id(count + 2)))
        }
        _ => builder.arena.constant(constant).ok(),
    }
}

/// What a scapegoat lets an integer of this type be.
fn chosen(builder: &mut Builder<'_>, configuration: &Configuration, kind: IntegerType) -> Option<LinearId> {
    if builder.style.choosing == Choosing::Near || builder.known.is_some() {
        return term(builder, configuration);
    }
    match builder.dice.below(4) {
        0 => {
            let mut scope = configuration.scope;
            let number = *integer_count(&mut scope, Some(kind)).ok()?;
            builder.arena.variable(Variable { sort: Some(kind), number }).ok()
        }
        1 => {
            let beyond = builder.dice.one([minimum(kind) - 1, maximum(kind) + 1, minimum(kind), maximum(kind)]);
            builder.arena.constant(beyond).ok()
        }
        _ => term(builder, configuration),
    }
}

/// A variable that is there next, or one of the last.
fn future(builder: &mut Builder<'_>, configuration: &Configuration) -> Option<LinearId> {
    let registers: Vec<Type> = builder.setting.program.registers.iter().map(|register| register.kind).collect();
    let sort = match builder.dice.pick(&registers)? {
        Type::Integer(kind) if !builder.dice.once_in(6) => Some(kind),
        _ => None,
    };
    let mut scope = configuration.scope;
    let next = *integer_count(&mut scope, sort).ok()?;
    builder.arena.variable(Variable { sort, number: (next + 1).saturating_sub(builder.dice.id(3)) }).ok()
}

fn split_on(builder: &mut Builder<'_>, configuration: &Configuration, literal: Literal) -> Option<Applied> {
    let children = rules::split(&mut builder.arena, configuration, literal).ok()?;
    Some(Applied { rule: Rule::Split { literal }, children: children.into() })
}

fn split(builder: &mut Builder<'_>, configuration: &Configuration) -> Option<Applied> {
    let term = term(builder, configuration)?;
    let sign = builder.dice.one(SIGNS);
    split_on(builder, configuration, Literal { sign, term })
}

fn name(builder: &mut Builder<'_>, configuration: &Configuration) -> Option<Applied> {
    let term = term(builder, configuration)?;
    let mut next = configuration.clone();
    rules::name(&mut builder.arena, &mut next, term).ok()?;
    Some(Applied { rule: Rule::Let { term }, children: vec![next] })
}

fn drop_member(builder: &mut Builder<'_>, configuration: &Configuration) -> Option<Applied> {
    let member = member_id(builder.dice.below(configuration.members.len()));
    let mut next = configuration.clone();
    rules::drop_member(&mut next, member).ok()?;
    Some(Applied { rule: Rule::Drop { member }, children: vec![next] })
}

fn add_scapegoat(builder: &mut Builder<'_>, configuration: &Configuration) -> Option<Applied> {
    let entry = configuration.entry.as_deref().filter(|_| configuration.members.len() < MEMBERS)?;
    let nodes: Vec<_> = entry.objects.iter().flatten().map(|state| (state.object, state.declaration)).collect();
    let (mut drops, mut integers) = (Vec::new(), Vec::new());
    for (input, declared) in (0u32..).zip(&builder.setting.program.inputs) {
        match declared {
            Input::Integer { register } => {
                if builder.dice.once_in(2) {
                    let kind = builder.setting.integer_type(*register).ok()?;
                    integers.push((input, chosen(builder, configuration, kind)?));
                }
            }
            Input::Array(_) => {
                for _ in 0..builder.dice.one([0, 1, 1, 1, 2]) {
                    let place = builder.dice.id(2);
                    let element = builder.dice.one([DroppedElement::First(place), DroppedElement::First(0), DroppedElement::Last]);
                    drops.push(InputDrop { input, element });
                }
            }
            Input::Single { .. } => {}
            Input::Linked { .. } => {
                for _ in 0..builder.dice.one([0, 1, 1, 1, 2, 3, 3]) {
                    let (object, declaration) = builder.dice.pick(&nodes)?;
                    let child = heir(builder, declaration);
                    drops.push(InputDrop { input, element: DroppedElement::Node { object, child } });
                }
            }
        }
    }
    if builder.dice.percent(builder.style.odd) {
        builder.dice.shuffle(&mut drops);
        integers.extend_from_within(..);
    }
    let (mut next, mut prover) = (configuration.clone(), builder.prover());
    rules::add_scapegoat(&mut builder.arena, builder.setting, &mut next, &drops, &integers, &mut prover).ok()?;
    Some(Applied { rule: Rule::AddScapegoat { drops, integers, hints: prover.hints }, children: vec![next] })
}

/// The field of a node whose child is to take its place: mostly one that holds a child.
fn heir(builder: &mut Builder<'_>, declaration: ObjectId) -> Option<u32> {
    let Origin::Node { links } = &builder.setting.program.objects.get(declaration.index())?.origin else { return None };
    let children = links.iter().zip(0u32..).filter(|(link, _)| matches!(link, Link::Child(_)));
    let children: Vec<u32> = children.map(|(_, field)| field).collect();
    match builder.dice.below(8) {
        0 => None,
        1 => Some(builder.dice.id(links.len())),
        _ => builder.dice.pick(&children),
    }
}

fn unfold_at(builder: &mut Builder<'_>, configuration: &Configuration, tree: TreeId, end: SegmentEnd) -> Option<Applied> {
    let children = unfold::unfold(&mut builder.arena, builder.setting, configuration, tree, end).ok()?;
    Some(Applied { rule: Rule::Unfold { tree, end }, children })
}

fn unfold(builder: &mut Builder<'_>, configuration: &Configuration) -> Option<Applied> {
    let parts = configuration.members.iter().flat_map(|member| &member.folded).flatten();
    let trees: Vec<TreeId> = parts.map(|part| part.tree).collect();
    let tree = builder.dice.pick(&trees)?;
    let end = builder.dice.one([SegmentEnd::Top, SegmentEnd::Top, SegmentEnd::Bottom]);
    unfold_at(builder, configuration, tree, end)
}

/// Unfolds what a register points to whose member waits for it.
fn unfold_awaited(builder: &mut Builder<'_>, configuration: &Configuration) -> Option<Applied> {
    let mut awaited = Vec::new();
    for member in &configuration.members {
        if outcomes(&mut builder.arena, builder.setting, member).err() != Some(Rejection::Folded) {
            continue;
        }
        for slot in &member.registers {
            let (id, end) = match slot {
                Slot::Folded(id) => (id, SegmentEnd::Top),
                Slot::Last(id) => (id, SegmentEnd::Bottom),
                _ => continue,
            };
            awaited.extend(member.folded.get(id.index()).copied().flatten().map(|part| (part.tree, end)));
        }
    }
    let (tree, end) = builder.dice.pick(&awaited)?;
    unfold_at(builder, configuration, tree, end)
}

/// Subsume by a template that there is.
pub fn cover(builder: &mut Builder<'_>, configuration: &Configuration, template: usize) -> Option<Applied> {
    if !configuration.progress && !builder.dice.once_in(8) {
        return None;
    }
    let target = builder.targets.get(template)?.clone();
    let (place, other) = (configuration.members.first()?.place, target.members.first()?.place);
    if place != other || target.members.len() != configuration.members.len() {
        return None;
    }
    let matching = templates::matching(builder, configuration, &target)?;
    subsumed(builder, configuration, &target, template, matching)
}

fn subsumed(
    builder: &mut Builder<'_>,
    configuration: &Configuration,
    target: &Configuration,
    template: usize,
    matching: goatherd_certificates::derivation::Matching,
) -> Option<Applied> {
    let mut prover = builder.prover();
    subsume::subsume(&mut builder.arena, builder.setting, configuration, target, &matching, &mut prover).ok()?;
    let template = TemplateId(u32::try_from(template).ok()?);
    let rule = Rule::Subsume { template, matching, hints: prover.hints };
    builder.is_known(&rule).then_some(Applied { rule, children: Vec::new() })
}

/// What a template describes; one that the kernel refuses by itself is written in a loose style alone.
fn described(builder: &Builder<'_>, template: &Template) -> Option<Configuration> {
    let target = subsume::described(builder.setting, template).ok()?;
    let is_sound = subsume::template(&builder.arena, builder.setting, template).is_ok();
    (is_sound || builder.style.is_loose).then_some(target)
}

/// Subsume by a new template, which says less than is known.
fn new_template(builder: &mut Builder<'_>, configuration: &Configuration) -> Option<Applied> {
    if !builder.has_room() || builder.known.is_some() {
        return None;
    }
    // What has failed is not folded away.
    if builder.style.making == Making::Confusing && rules::has_failed(builder.setting, configuration.members.first()?.place) {
        return None;
    }
    let (template, matching) = match builder.style.making {
        Making::Forgetting => templates::abstraction(builder, configuration)?,
        Making::Confusing => folding::confused(builder, configuration)?,
    };
    let target = described(builder, &template)?;
    let applied = subsumed(builder, configuration, &target, builder.templates.len(), matching)?;
    builder.templates.push(template);
    builder.targets.push(target);
    Some(applied)
}

/// Subsume by a new template whose slots and literals are any.
fn scratch_template(builder: &mut Builder<'_>, configuration: &Configuration) -> Option<Applied> {
    if !builder.has_room() {
        return None;
    }
    let template = templates::scratch(builder, configuration)?;
    let target = described(builder, &template)?;
    let matching = templates::matching(builder, configuration, &target)?;
    let applied = subsumed(builder, configuration, &target, builder.templates.len(), matching)?;
    builder.templates.push(template);
    builder.targets.push(target);
    Some(applied)
}
