//! Which programs have a meaning (`spec/program.md#well-formedness`). Rules may rely on all of it: whatever registers, layouts and objects a
//! program mentions exist and have the type that the mention needs.

pub use goatherd_certificates::rejection::{Fault, Part};

use crate::arithmetic::{fits, width};
use crate::error::{Failure, Where};
use crate::flow::{self, Mention, Needs, is_node};
use crate::{Budget, Rejection, Setting, configuration::same_field, ensure};
use alloc::{collections::BTreeSet, string::String, vec::Vec};
use core::mem;
use goatherd_certificates::*;

/// The greatest size of an object, in bytes (C11 6.5.6p9: differences of pointers are `long`).
const GREATEST_SIZE: u64 = (1 << 63) - 1;

/// Does the program of the certificate have a meaning? Says what is wrong first, table by table.
pub fn certificate<R>(certificate: &Certificate<R>, budget: &mut Budget) -> Result<(), Failure> {
    let statement = &certificate.statement;
    let program = &statement.program;
    each(Part::Layout, &program.layouts, check_layout)?;
    each(Part::Table, &program.tables, |table| {
        ensure(
            table.values.iter().all(|value| fits(*value, table.kind)),
            Fault::Entry,
        )
    })?;
    let names = Names(program);
    each(Part::Object, &program.objects, |object| {
        names.check_object(object)
    })?;

    let mut registers = BTreeSet::new();
    let mut objects = BTreeSet::new();
    each(Part::Input, &program.inputs, |input| {
        names.check_input(input, &mut registers, &mut objects)
    })?;
    each(Part::Instruction, &program.instructions, |instruction| {
        names.check(|see| flow::mentions(instruction, see))
    })?;
    if let Evidence::Proof(proof) | Evidence::Paths { proof, .. } = &certificate.evidence {
        check_sorts(&names, statement.parameters, &proof.sorts, budget)?;
    }
    let landmarks = &statement.landmarks;
    each(Part::Landmark, landmarks, |landmark| {
        names.location(*landmark)
    })?;
    let is_ordered = landmarks.is_sorted_by(|left, right| left < right);
    let is_claimed = landmarks.is_empty() || matches!(statement.claim, Claim::Paths(_));
    ensure(
        is_ordered && is_claimed,
        at(Part::Landmark, landmarks.len())(Fault::LandmarkOrder),
    )
}

/// Are the sorts those of nodes of the program, each within the one that it says?
fn check_sorts(
    names: &Names<'_>,
    parameters: Parameters,
    sorts: &[Sort],
    budget: &mut Budget,
) -> Result<(), Failure> {
    let program = names.0;
    each(Part::Sort, sorts, |Sort { object, shapes, .. }| {
        names.origin(*object, is_node)?;
        let layout = names.layout(names.object(*object)?.layout)?;
        let same = same_field(shapes);
        let is_one = |links: &Vec<Link>| {
            (0..)
                .zip(links)
                .all(|(field, link)| (*link == Link::Same) == (same == Some(field)))
        };
        ensure(shapes.iter().all(is_one), Fault::Same)?;
        shapes
            .iter()
            .try_for_each(|links| names.check_links(links, layout, sorts.len()))
    })?;
    let setting = Setting {
        program,
        parameters: &parameters,
        k: 0,
        sorts,
    };
    for sort in sorts {
        let outer = sort.within.and_then(|outer| setting.nodes(outer).ok());
        let outer = outer.map_or(0, |(_, _, shapes)| shapes.len());
        let links = sort.shapes.iter().map(Vec::len);
        budget.work(outer.saturating_mul(links.fold(0, usize::saturating_add)))?;
    }
    each(Part::Sort, sorts, |sort| setting.check_within(sort))
}

/// Puts assertions into the program: where one does not hold it fails, and nothing else changes. One before a `Fail` may ask which of its
/// failures is looked at (`spec/calculus.md#lemmas`).
pub fn add_lemmas(program: &mut Program, lemmas: &[Lemma]) -> Result<(), Failure> {
    program.registers.reserve_exact(lemmas.len());
    program.inputs.reserve_exact(lemmas.len());
    let added = lemmas.len().saturating_mul(3);
    program.instructions.reserve_exact(added);
    each(Part::Lemma, lemmas, |lemma| {
        let asks = is_question(program, lemma);
        Names(program).check(|see| flow::compared(&lemma.condition, see))?;
        let instructions = &mut program.instructions;
        let length = u32::try_from(instructions.len()).map_err(|_| Fault::Location)?;
        let target = lemma.location.next().ok_or(Fault::Location)?;
        // What runs off the end of the program fails.
        let then = Location(length).next().ok_or(Fault::Location)?;
        let mut otherwise = Location(length);
        let mut last = Instruction::Jump { target };
        if asks {
            otherwise = then.next().ok_or(Fault::Location)?;
            last = Instruction::Ignore;
        }
        let branch = Instruction::Branch(Branch {
            condition: lemma.condition,
            then,
            otherwise,
        });
        let place = instructions.get_mut(lemma.location.index());
        let instruction = mem::replace(place.ok_or(Fault::Location)?, branch);
        let kind = FailKind::Assertion;
        instructions.extend([Instruction::Fail { kind }, instruction, last]);
        Ok(())
    })
}

/// Does the lemma ask whether a register holds what comes in as one that nothing has mentioned? It may before a failure, each of which is one for some
/// value of that, which is added (`spec/calculus.md#asking-for-one-failure`, attacks L1 to L5).
fn is_question(program: &mut Program, lemma: &Lemma) -> bool {
    if let Condition::Integers {
        relation: Relation::Equal,
        left: Operand::Register(left),
        right: Operand::Register(register),
    } = lemma.condition
        && let Some(Instruction::Fail { .. }) = program.instructions.get(lemma.location.index())
        && register.index() == program.registers.len()
        && let Ok(kind) = Names(program).register(left)
    {
        let name = String::new();
        program.registers.push(Register { name, kind });
        program.inputs.push(Input::Integer { register });
        return true;
    }
    false
}

/// Checks every entry of a table.
fn each<T>(
    part: Part,
    entries: &[T],
    mut check: impl FnMut(&T) -> Result<(), Fault>,
) -> Result<(), Failure> {
    entries
        .iter()
        .enumerate()
        .try_for_each(|(index, entry)| check(entry).map_err(at(part, index)))
}

/// The entry of the table violates the condition.
pub(crate) fn at(part: Part, index: usize) -> impl Fn(Fault) -> Failure {
    move |fault| Failure::Rejected {
        place: Where::Entry(part, index),
        rejection: Rejection::IllFormed(fault),
    }
}

fn check_layout(layout: &Layout) -> Result<(), Fault> {
    ensure(
        layout.size > 0 && !layout.fields.is_empty(),
        Fault::EmptyLayout,
    )?;
    ensure(layout.size <= GREATEST_SIZE, Fault::Size)?;
    let mut end = 0;
    for field in &layout.fields {
        ensure(end <= field.offset, Fault::Fields)?;
        let bytes = match field.kind {
            Type::Integer(kind) => u64::from(width(kind) / 8),
            Type::Pointer => 8,
        };
        end = field.offset.checked_add(bytes).ok_or(Fault::Fields)?;
        ensure(end <= layout.size, Fault::Fields)?;
    }
    Ok(())
}

/// What the mentions of a program stand for.
struct Names<'program>(&'program Program);

impl Names<'_> {
    fn layout(&self, layout: LayoutId) -> Result<&Layout, Fault> {
        self.0.layouts.get(layout.index()).ok_or(Fault::Layout)
    }

    fn object(&self, object: ObjectId) -> Result<&Object, Fault> {
        self.0.objects.get(object.index()).ok_or(Fault::Object)
    }

    fn origin(&self, object: ObjectId, is_right: fn(&Origin) -> bool) -> Result<(), Fault> {
        ensure(is_right(&self.object(object)?.origin), Fault::Origin)
    }

    fn register(&self, register: RegisterId) -> Result<Type, Fault> {
        let register = self.0.registers.get(register.index());
        register.map(|own| own.kind).ok_or(Fault::Register)
    }

    fn location(&self, location: Location) -> Result<(), Fault> {
        let count = self.0.instructions.len();
        ensure(location.index() < count, Fault::Location)
    }

    /// All that is mentioned exists, and is what it needs to be there: the first condition that is violated, if any.
    fn check(&self, mentions: impl FnOnce(&mut dyn FnMut(Mention))) -> Result<(), Fault> {
        let mut answer = Ok(());
        mentions(&mut |mention| answer = answer.and_then(|()| self.check_mention(mention)));
        answer
    }

    fn check_mention(&self, mention: Mention) -> Result<(), Fault> {
        match mention {
            Mention::Reads(Operand::Constant(value), needs) => {
                let wanted = self.wanted(needs)?;
                let kinds = wanted.map_or([IntegerType::I64, IntegerType::U64], |kind| [kind; 2]);
                let is_one = kinds.into_iter().any(|kind| fits(value, kind));
                ensure(is_one, Fault::Constant)
            }
            Mention::Reads(Operand::Register(register), needs)
            | Mention::Writes(register, needs) => self.check_register(register, needs),
            Mention::Names(object, is_right) => self.origin(object, is_right),
            // Where a jump leads to. Elsewhere a program goes on nowhere; but with lemmas there would be something.
            Mention::LeadsTo(target) => self.location(target),
            Mention::GoesOn => Ok(()),
        }
    }

    fn check_register(&self, register: RegisterId, needs: Needs) -> Result<(), Fault> {
        let kind = match (self.register(register)?, needs) {
            (_, Needs::Any) | (Type::Pointer, Needs::Pointer) => return Ok(()),
            (Type::Integer(_), Needs::Pointer) => return Err(Fault::Pointer),
            (Type::Pointer, _) => return Err(Fault::Integer),
            (Type::Integer(kind), _) => kind,
        };
        let is_computed = matches!(needs, Needs::Computed);
        ensure(!is_computed || kind != IntegerType::Bool, Fault::Bool)?;
        let wanted = self.wanted(needs)?;
        ensure(wanted.is_none_or(|wanted| wanted == kind), Fault::Type)
    }

    /// The one integer type that is needed, if it is one. A `_Bool` is made of nothing else.
    fn wanted(&self, needs: Needs) -> Result<Option<IntegerType>, Fault> {
        match needs {
            Needs::Of(kind) => Ok(Some(kind)),
            Needs::As(register) | Needs::For(register) => match self.register(register)? {
                Type::Integer(kind) if kind == IntegerType::Bool => Ok(Some(kind)),
                Type::Integer(kind) => Ok(matches!(needs, Needs::As(_)).then_some(kind)),
                Type::Pointer => Err(Fault::Integer),
            },
            Needs::Any | Needs::Pointer | Needs::Integer | Needs::Computed => Ok(None),
        }
    }

    /// A link per field, of a sort where the proof has so many of its own, or of inputs where it has none.
    fn check_links(&self, links: &[Link], layout: &Layout, sorts: usize) -> Result<(), Fault> {
        ensure(links.len() == layout.fields.len(), Fault::Links)?;
        let is_integer = |link: &Link| matches!(link, Link::Data | Link::Range { .. });
        let at = |field: u32| links.get(usize::try_from(field).ok()?);
        for (link, field) in links.iter().zip(&layout.fields) {
            let is_right = match *link {
                Link::Data | Link::Child(_) | Link::Up | Link::Other | Link::Null => true,
                // An input may hold any integers.
                _ if sorts == 0 => false,
                Link::Handed {
                    from: Source::Field(from),
                    ..
                } => at(from).is_some_and(|from| !is_integer(from)),
                Link::Ring { byte, .. } => byte < layout.size,
                Link::Last(ring) => matches!(at(ring), Some(Link::Ring { .. })),
                _ => true,
            };
            let is_of_type = is_integer(link) == (field.kind != Type::Pointer);
            ensure(is_right && is_of_type, Fault::Links)?;
            if let Link::Child(sort) | Link::Handed { sort, .. } | Link::Ring { sort, .. } = link {
                match sort.index().checked_sub(self.0.objects.len()) {
                    Some(position) => ensure(position < sorts, Fault::Sort)?,
                    None => self.origin(ObjectId(sort.0), is_node)?,
                }
            }
        }
        Ok(())
    }

    fn check_object(&self, object: &Object) -> Result<(), Fault> {
        let layout = self.layout(object.layout)?;
        if let Origin::Node { links } = &object.origin {
            return self.check_links(links, layout, 0);
        }
        let (Origin::Static { count, .. } | Origin::Local { count }) = object.origin else {
            return Ok(());
        };
        let size = count.checked_mul(layout.size).ok_or(Fault::Size)?;
        ensure(size <= GREATEST_SIZE, Fault::Size)?;
        let Origin::Static { contents, .. } = &object.origin else {
            return Ok(());
        };
        ensure(contents.len() == layout.fields.len(), Fault::Contents)?;
        for (contents, field) in contents.iter().zip(&layout.fields) {
            let (kind, length) = match contents {
                Contents::Zero => continue,
                Contents::Table(table) => {
                    let table = self.0.tables.get(table.index()).ok_or(Fault::Table)?;
                    (Type::Integer(table.kind), table.values.len())
                }
                Contents::Pointers(targets) => {
                    let is_static = |origin: &Origin| matches!(origin, Origin::Static { .. });
                    for target in targets.iter().flatten() {
                        self.origin(*target, is_static)?;
                    }
                    (Type::Pointer, targets.len())
                }
            };
            ensure(field.kind == kind, Fault::ContentsType)?;
            ensure(u64::try_from(length) == Ok(count), Fault::ContentsLength)?;
        }
        Ok(())
    }

    /// What defines the input is there, and nothing of it defines another one.
    fn check_input(
        &self,
        input: &Input,
        registers: &mut BTreeSet<RegisterId>,
        objects: &mut BTreeSet<ObjectId>,
    ) -> Result<(), Fault> {
        self.check(|see| flow::input(input, see))?;
        if let Input::Array(ArrayInput { object, .. }) = *input {
            let mut fields = self.layout(self.object(object)?.layout)?.fields.iter();
            ensure(
                fields.all(|field| field.kind != Type::Pointer),
                Fault::InputField,
            )?;
        }
        let mut are_new = true;
        flow::input(input, &mut |mention| {
            if let Mention::Writes(register, _) = mention {
                are_new &= registers.insert(register);
            }
        });
        ensure(are_new, Fault::InputRegister)?;
        // Any number of inputs are made of the nodes of one declaration.
        if let Input::Array(ArrayInput { object, .. }) | Input::Single { object, .. } = *input {
            ensure(objects.insert(object), Fault::InputObject)?;
        }
        Ok(())
    }
}
