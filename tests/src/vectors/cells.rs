//! Objects all of whose elements have cells, under templates with more cells or with a rest (`spec/calculus.md#subsume`).

use super::{
    Catalogue,
    heaps::{allocate, allocating, proved},
    leaks::check,
};
use crate::{
    forge::{Forge, PARAMETERS},
    heaps::{jump, reading},
    programs::{self, layout, object, pointer},
};
use goatherd_certificates::{
    certificate::Certificate,
    configuration::{Address, Slot, Template},
    derivation::{Matching, TemplateId},
    program::{Access, Contents, Instruction, IntegerType, Link, Location, ObjectId, Origin, SortId, Type},
    term::LinearId,
};
use goatherd_checker::{Configuration, rejection::Rejection};

/// A program that jumps twice and halts: arrays of 0, 1, 2 and more elements, k = 2, are covered behind the first jump by a template that was made of
/// those with more. The one for these classes is changed.
fn covered(
    classes: &[usize],
    edit: impl FnOnce(&mut Template),
    derivation: impl FnOnce(&mut Forge<'_>, Configuration, (TemplateId, Matching)),
) -> Certificate {
    let mut program = programs::empty();
    programs::array(&mut program, "a", IntegerType::I8, IntegerType::U8);
    program.instructions = vec![jump(1), jump(2), Instruction::Halt];
    let mut forge = Forge::new(&program, &PARAMETERS, 2);
    let longest = forge.root(3).expect("four classes");
    let mut described = forge.describe(&longest, |_| true);
    described.predicate.clear();
    let (integers, arrays) = forge.identity(&longest);
    let same = Matching { integers, arrays, objects: vec![vec![ObjectId(0)]], ..Matching::default() };
    described.members[0].location = Location(2);
    let last = forge.template(described.clone(), Forge::auto);
    described.members[0].location = Location(1);
    let unchanged = forge.template(described.clone(), Forge::auto);
    edit(&mut described);
    let next = (last, same.clone());
    let id = forge.template(described, |forge, configuration| derivation(forge, configuration, next));
    let zero = forge.constant(0);
    let zeros = forge.arena.constant_array(zero).expect("an array");
    for class in 0..4usize {
        let root = forge.root(class.try_into().expect("small")).expect("four classes");
        let matching = if class == 3 {
            same.clone()
        } else {
            let cell = |cell: usize| if cell < class { same.integers[cell] } else { zero };
            let integers: Vec<LinearId> = vec![cell(0), cell(1), forge.constant(class.try_into().expect("small"))];
            Matching { integers, arrays: vec![zeros], ..same.clone() }
        };
        let configuration = forge.steps(root, 1);
        forge.cover(&configuration, if classes.contains(&class) { id } else { unchanged }, matching);
    }
    forge.certificate_of(&forge.proof())
}

fn to_the_end(forge: &mut Forge<'_>, configuration: Configuration, _: (TemplateId, Matching)) {
    forge.auto(configuration);
}

/// The derivation hands over to a template that has a rest, and cells for the first two elements.
fn handed_on(forge: &mut Forge<'_>, configuration: Configuration, (last, same): (TemplateId, Matching)) {
    let configuration = forge.steps(configuration, 1);
    forge.cover(&configuration, last, same);
}

/// `static struct node *s; c = malloc(..); c = NULL`: a template says that `s[1]`, which is not there, points to the node.
fn reached_from_nowhere() -> Certificate {
    let (mut program, registers) = allocating(&[Link::Child(SortId(0))], &["c"]);
    let [c] = registers.try_into().expect("a register");
    let (s, layout) = (pointer(&mut program, "s"), layout(&mut program, &[Type::Pointer]));
    let origin = Origin::Static { count: 1, contents: vec![Contents::Zero], access: Access::ReadWrite };
    let object = object(&mut program, layout, origin);
    let start = Instruction::Address { target: s, object };
    program.instructions = vec![allocate(&program, c), start, Instruction::Null { target: c }, jump(4), check(&[]), Instruction::Halt];
    proved(&program, &[], |forge, configuration| {
        let configuration = forge.steps(configuration, 4);
        let mut described = forge.describe(&configuration, |_| true);
        let states = &mut described.members[0].objects;
        let node = Slot::Pointer(Address { object: ObjectId(0), index: forge.constant(0), byte: 0 });
        states.iter_mut().filter(|state| state.object == object).for_each(|state| state.fields[0].cells.push(node));
        let (integers, _) = forge.identity(&configuration);
        let id = forge.template(described, Forge::auto);
        forge.cover(&configuration, id, Matching { integers, ..reading(&[], &[0, object.0]) });
    })
}

/// Adds them.
pub(super) fn add(vectors: &mut Catalogue) {
    let fields = |edit: fn(&mut goatherd_certificates::configuration::FieldState)| {
        move |template: &mut Template| template.members[0].objects[0].fields.iter_mut().for_each(edit)
    };
    let certificate = covered(&[0, 1, 2, 3], |_| {}, to_the_end);
    vectors.accepted("cells-accepted", "a template with two cells and a rest covers arrays of 0, 1 and 2 elements, too", &certificate);
    let certificate = covered(&[2], fields(|field| field.cells.truncate(1)), to_the_end);
    vectors.rejected(
        "cells-fewer",
        Rejection::Shape,
        "a template with one cell and a rest is said to cover arrays of 2 elements",
        &certificate,
    );
    let certificate = covered(&[3], fields(|field| field.rest = None), to_the_end);
    vectors.rejected(
        "cells-rest",
        Rejection::Shape,
        "a template with two cells and no rest is said to cover arrays of any length",
        &certificate,
    );
    let certificate = covered(&[2], fields(|field| field.rest = None), handed_on);
    vectors.rejected(
        "cells-unknown",
        Rejection::Shape,
        "two cells are said to be all elements, but how many there are is not known",
        &certificate,
    );
    vectors.rejected(
        "cells-leak",
        Rejection::Shape,
        "an element that is not there is said to point to what has leaked",
        &reached_from_nowhere(),
    );
}
