//! What of a template is read by the derivation from it: where what each slot holds comes from is followed forwards.

use crate::proof::trusting::Trusting;
use goatherd_certificates::{
    configuration::{Address, Slot},
    derivation::{Matching, MemberId, Rule},
    program::{Instruction, ObjectId, Operand, RegisterId, Type},
};
use goatherd_checker::{
    configuration::{Configuration, Member, Setting},
    outcome::{Effect, Element, FieldWrite, Oracle, Outcome},
    rejection::Rejection,
    rules,
    step::outcomes,
    term::Arena,
    unfold::unfold,
};
use goatherd_flow::instruction::{read, written};
use std::collections::{BTreeMap, BTreeSet};

/// Something that a template says, of the member at this position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Spot {
    /// What a register holds.
    Register(usize, RegisterId),
    /// What a cell holds: object, field and index.
    Cell(usize, ObjectId, usize, usize),
    /// That there is an object, which the program names.
    Object(usize, ObjectId),
}

impl Spot {
    /// The member's position.
    pub const fn member(&self) -> usize {
        match self {
            Self::Register(position, _) | Self::Cell(position, ..) | Self::Object(position, _) => *position,
        }
    }
}

/// What a derivation uses of the template at its root.
#[derive(Default)]
pub struct Footprint {
    /// For its own steps.
    pub own: BTreeSet<Spot>,
    /// Where templates cover configurations.
    pub leaves: Vec<Leaf>,
}

/// What is used where a template covers a configuration.
pub struct Leaf {
    /// The template.
    pub template: usize,
    /// By what that says, what of the root is used to show it.
    pub uses: BTreeMap<Spot, BTreeSet<Spot>>,
}

/// Where what a configuration holds comes from.
#[derive(Clone)]
struct Origins {
    members: Vec<Holding>,
}

/// The same of one member.
#[derive(Clone)]
struct Holding {
    /// Which of the root's.
    position: usize,
    registers: BTreeMap<RegisterId, Spot>,
    cells: BTreeMap<(ObjectId, usize, usize), Spot>,
    /// The objects that it has there.
    objects: BTreeSet<ObjectId>,
}

/// All that the configuration says of its slots.
pub fn spots(configuration: &Configuration) -> BTreeMap<Spot, Slot> {
    let mut spots = BTreeMap::new();
    for (position, member) in configuration.members.iter().enumerate() {
        let registers = (0..).map(RegisterId).zip(&member.registers);
        spots.extend(registers.map(|(register, slot)| (Spot::Register(position, register), *slot)));
        for state in member.objects.iter().flatten() {
            for (field, contents) in state.fields.iter().enumerate() {
                let cells = contents.cells.iter().enumerate();
                spots.extend(cells.map(|(index, slot)| (Spot::Cell(position, state.object, field, index), *slot)));
            }
        }
    }
    spots.retain(|_, slot| *slot != Slot::Forgotten);
    spots
}

impl Footprint {
    /// That of a derivation from this template, which leads to some of these.
    pub fn new(
        arena: &mut Arena,
        setting: Setting<'_>,
        templates: &[Configuration],
        root: &Configuration,
        rules: &[Rule],
    ) -> Result<Self, Rejection> {
        let mut footprint = Self::default();
        let mut open = vec![(root.clone(), Origins::new(root))];
        for rule in rules {
            let (configuration, origins) = open.pop().ok_or(Rejection::Open)?;
            if let Rule::Subsume { template, matching, .. } = rule {
                let covering = templates.get(template.index()).ok_or(Rejection::Missing)?;
                footprint.leaves.push(Leaf { template: template.index(), uses: origins.leaf(&configuration, covering, matching) });
            }
            let origins = origins.behind(arena, setting, &configuration, rule, &mut footprint.own)?;
            let children = behind(arena, setting, configuration, rule, &mut Trusting)?;
            if origins.len() != children.len() {
                return Err(Rejection::Outcomes);
            }
            open.extend(children.into_iter().zip(origins).rev());
        }
        Ok(footprint)
    }
}

impl Origins {
    /// At the root.
    fn new(root: &Configuration) -> Self {
        let mut members: Vec<Holding> = Vec::new();
        for (position, member) in root.members.iter().enumerate() {
            let objects = member.objects.iter().flatten().map(|state| state.object).collect();
            members.push(Holding { position, registers: BTreeMap::new(), cells: BTreeMap::new(), objects });
        }
        for spot in spots(root).into_keys() {
            match spot {
                Spot::Register(position, register) => drop(members[position].registers.insert(register, spot)),
                Spot::Cell(position, object, field, index) => drop(members[position].cells.insert((object, field, index), spot)),
                Spot::Object(..) => {}
            }
        }
        Self { members }
    }

    /// Behind the rule, for each of the children; what it uses is added.
    fn behind(
        mut self,
        arena: &mut Arena,
        setting: Setting<'_>,
        configuration: &Configuration,
        rule: &Rule,
        used: &mut BTreeSet<Spot>,
    ) -> Result<Vec<Self>, Rejection> {
        match rule {
            Rule::Step { refuted } => {
                let member = configuration.member(MemberId(0))?;
                let all = outcomes(arena, setting, member)?;
                let is_open = |(number, outcome): &(usize, &Outcome)| {
                    !rules::is_excluded(arena, outcome) && refuted.iter().all(|(refuted, _)| refuted.index() != *number)
                };
                let open: Vec<&Outcome> = all.iter().enumerate().filter(is_open).map(|(_, outcome)| outcome).collect();
                if let (true, Some(refuted)) = (open.is_empty(), all.first()) {
                    self.members[0].follow((arena, setting), member, refuted.effect, used)?;
                }
                let mut children = Vec::new();
                for outcome in open {
                    let mut child = self.clone();
                    child.members[0].follow((arena, setting), member, outcome.effect, used)?;
                    children.push(child);
                }
                Ok(children)
            }
            Rule::Steps { member, count } => {
                let mut configuration = configuration.clone();
                for _ in 0..*count {
                    let mut all = outcomes(arena, setting, configuration.member(*member)?)?;
                    all.retain(|outcome| !rules::is_excluded(arena, outcome));
                    let [outcome] = all.as_slice() else { return Err(Rejection::Outcomes) };
                    self.members[member.index()].follow((arena, setting), configuration.member(*member)?, outcome.effect, used)?;
                    configuration.change(arena, setting, *member).follow(outcome)?;
                }
                Ok(vec![self])
            }
            Rule::StepDecided { member, outcome, .. } => {
                let state = configuration.member(*member)?;
                let all = outcomes(arena, setting, state)?;
                let outcome = all.get(outcome.index()).ok_or(Rejection::Missing)?;
                self.members[member.index()].follow((arena, setting), state, outcome.effect, used)?;
                Ok(vec![self])
            }
            Rule::Drop { member } => {
                self.members.remove(member.index());
                Ok(vec![self])
            }
            Rule::Let { .. } => Ok(vec![self]),
            Rule::Split { .. } => Ok(vec![self; 2]),
            // A pointer to a part comes from where it did, whatever that is then.
            Rule::Unfold { tree, end } => Ok(vec![self; unfold(arena, setting, configuration, *tree, *end)?.len()]),
            Rule::AddScapegoat { .. } => Err(Rejection::EntryTerms),
            // All that is read behind it is used, which is not followed here.
            Rule::Twin { .. } => Err(Rejection::NotTwin),
            Rule::Infeasible { .. } | Rule::Subsume { .. } | Rule::Descent { .. } | Rule::End => Ok(Vec::new()),
        }
    }

    /// What is used so that the template, which is given as a configuration, covers this one.
    fn leaf(&self, configuration: &Configuration, template: &Configuration, matching: &Matching) -> BTreeMap<Spot, BTreeSet<Spot>> {
        let mut uses: BTreeMap<Spot, BTreeSet<Spot>> = BTreeMap::new();
        let images: Vec<BTreeMap<ObjectId, ObjectId>> = template.members.iter().zip(&matching.objects).map(images).collect();
        let image = |position: usize, object: ObjectId| images.get(position)?.get(&object).copied();
        for (spot, target) in spots(template) {
            let position = spot.member();
            let (Some(holding), Some(member)) = (self.members.get(position), configuration.members.get(position)) else { continue };
            let (origin, slot) = match spot {
                Spot::Register(_, register) => (holding.registers.get(&register), member.register(register).ok()),
                Spot::Cell(_, object, field, index) => match image(position, object) {
                    Some(object) => (holding.cells.get(&(object, field, index)), cell(member, (object, field, index))),
                    None => (None, None),
                },
                Spot::Object(..) => (None, None),
            };
            let uses = uses.entry(spot).or_default();
            uses.extend(origin);
            if let (Some(slot), Slot::Folded(_) | Slot::Last(_)) = (slot, target) {
                holding.region(member, slot, &images[position], uses);
            }
        }
        for (position, (holding, images)) in self.members.iter().zip(&images).enumerate() {
            for (object, image) in images {
                let uses = uses.entry(Spot::Object(position, *object)).or_default();
                uses.extend(holding.objects.contains(image).then_some(Spot::Object(holding.position, *image)));
            }
        }
        uses
    }
}

/// What stands for the objects of a template's member.
fn images((member, images): (&Member, &Vec<ObjectId>)) -> BTreeMap<ObjectId, ObjectId> {
    member.objects.iter().flatten().map(|state| state.object).zip(images.iter().copied()).collect()
}

/// What the cell holds.
fn cell(member: &Member, (object, field, index): (ObjectId, usize, usize)) -> Option<Slot> {
    member.object(object)?.fields.get(field)?.cells.get(index).copied()
}

impl Holding {
    /// An instruction has this effect.
    fn follow(
        &mut self,
        (arena, setting): (&Arena, Setting<'_>),
        member: &Member,
        effect: Effect,
        used: &mut BTreeSet<Spot>,
    ) -> Result<(), Rejection> {
        let instruction = setting.instruction(member.place).ok_or(Rejection::AtEnd)?;
        // What is only copied is not used.
        let mut copied = None;
        match instruction {
            Instruction::Copy { source, .. } => copied = self.registers.get(source).copied(),
            Instruction::Assign { target, value: Operand::Register(source) }
                if setting.register_type(*target)? == setting.register_type(*source)? =>
            {
                copied = self.registers.get(source).copied();
            }
            Instruction::Load { target, address, offset } => {
                used.extend(self.registers.get(address));
                if let Some(Hit { object, field, index, kind }) = hit((arena, setting), member, *address, *offset)? {
                    match index {
                        Some(index) if kind == setting.register_type(*target)? => copied = self.cells.get(&(object, field, index)).copied(),
                        _ => used.extend(self.field(object, field)),
                    }
                }
            }
            Instruction::Store { address, source, .. } => {
                used.extend(self.registers.get(address));
                let is_copied = matches!(effect, Effect::Store(FieldWrite { element: Element::Cell(_), .. }));
                if is_copied && setting.register_type(*source)? == Type::Pointer {
                    copied = self.registers.get(source).copied();
                } else {
                    used.extend(self.registers.get(source));
                }
            }
            Instruction::Address { object, .. } => {
                let object = member.live(*object).ok_or(Rejection::Missing)?.object;
                used.extend(self.objects.contains(&object).then_some(Spot::Object(self.position, object)));
            }
            // All objects count.
            Instruction::CheckLeaks { .. } => return Err(Rejection::Leak),
            instruction => used.extend(read(instruction).iter().filter_map(|register| self.registers.get(register))),
        }
        if let Effect::Store(FieldWrite { object, field, element: Element::Cell(index), .. }) = effect {
            self.cells.remove(&(object, field, index));
            if let Some(spot) = copied {
                self.cells.insert((object, field, index), spot);
            }
        }
        if let Some(target) = written(instruction) {
            self.registers.remove(&target);
            if let Some(spot) = copied {
                self.registers.insert(target, spot);
            }
        }
        Ok(())
    }

    /// Where all cells of the field come from.
    fn field(&self, object: ObjectId, field: usize) -> impl Iterator<Item = Spot> {
        self.cells.range((object, field, 0)..=(object, field, usize::MAX)).map(|(_, spot)| *spot)
    }

    /// Where all that hangs at the slot comes from, but for objects that are matched.
    fn region(&self, member: &Member, slot: Slot, images: &BTreeMap<ObjectId, ObjectId>, uses: &mut BTreeSet<Spot>) {
        let matched: BTreeSet<ObjectId> = images.values().copied().collect();
        let (mut open, mut seen) = (vec![slot], BTreeSet::new());
        while let Some(slot) = open.pop() {
            match slot {
                Slot::Pointer(Address { object, .. }) if !matched.contains(&object) && seen.insert(object) => {
                    let Some(state) = member.object(object) else { continue };
                    for (field, contents) in state.fields.iter().enumerate() {
                        uses.extend(self.field(object, field));
                        open.extend(&contents.cells);
                    }
                }
                Slot::Folded(part) => open.extend(member.folded.get(part.index()).copied().flatten().map(|part| part.below)),
                _ => {}
            }
        }
    }
}

/// What an access hits.
struct Hit {
    object: ObjectId,
    field: usize,
    /// Which cell, where it is one for all valuations.
    index: Option<usize>,
    kind: Type,
}

/// What an access hits; none where it fails.
fn hit((arena, setting): (&Arena, Setting<'_>), member: &Member, address: RegisterId, offset: i64) -> Result<Option<Hit>, Rejection> {
    let Slot::Pointer(Address { object, index, byte }) = member.register(address)? else { return Ok(None) };
    let state = member.object(object).ok_or(Rejection::Missing)?;
    let layout = setting.layout(state.declaration)?;
    let byte = i128::from(byte) + i128::from(offset);
    let (elements, byte) = (byte.div_euclid(i128::from(layout.size)), byte.rem_euclid(i128::from(layout.size)));
    let Some(field) = layout.fields.iter().position(|field| i128::from(field.offset) == byte) else { return Ok(None) };
    let index = arena.value(index).and_then(|index| usize::try_from(index + elements).ok());
    Ok(Some(Hit { object, field, index, kind: layout.fields[field].kind }))
}

/// What the rule leads to, in the checker's order.
pub(crate) fn behind(
    arena: &mut Arena,
    setting: Setting<'_>,
    mut configuration: Configuration,
    rule: &Rule,
    oracle: &mut dyn Oracle,
) -> Result<Vec<Configuration>, Rejection> {
    match rule {
        Rule::Step { refuted } => {
            let mut children = Vec::new();
            let refuted = refuted.iter().map(|(outcome, _)| *outcome);
            if rules::step(arena, setting, &mut configuration, refuted, oracle, &mut children)? {
                children.push(configuration);
            }
            return Ok(children);
        }
        Rule::Steps { member, count } => {
            let mut change = configuration.change(arena, setting, *member);
            (0..*count).try_for_each(|_| change.step_alone())?;
        }
        Rule::StepDecided { member, outcome, choice, .. } => {
            configuration.change(arena, setting, *member).step_decided(*outcome, choice.as_ref(), oracle)?;
        }
        Rule::Split { literal } => return Ok(rules::split(arena, &configuration, *literal)?.into()),
        Rule::AddScapegoat { drops, integers, .. } => {
            rules::add_scapegoat(arena, setting, &mut configuration, drops, integers, oracle)?;
        }
        Rule::Drop { member } => rules::drop_member(&mut configuration, *member)?,
        Rule::Let { term } => drop(rules::name(arena, &mut configuration, *term)?),
        Rule::Unfold { tree, end } => return unfold(arena, setting, &configuration, *tree, *end),
        Rule::Infeasible { .. } => {
            oracle.refute(arena, &configuration.predicate, &[])?;
            return Ok(Vec::new());
        }
        Rule::Subsume { .. } | Rule::Descent { .. } | Rule::Twin { .. } | Rule::End => return Ok(Vec::new()),
    }
    Ok(vec![configuration])
}
