//! Fields of nodes that are written before they are read again: what they hold is forgotten, as that of dead registers is. Where a list hangs in
//! a node and is turned round, the pointer to its old first cell stays in the node until the new one is stored there; where a node is freed behind
//! the lists that hang in it, its pointers to their first cells stay until then.

use crate::{
    backwards::backwards,
    instruction::{successors, written},
    targets::Targets,
};
use fixedbitset::FixedBitSet;
use goatherd_certificates::program::{Advance, Input, Instruction, Location, Operand, Origin, Program, RegisterId, Type};
use std::collections::BTreeSet;

/// A register that points to a node, and how far behind that a pointer stands.
pub type Place = (RegisterId, i64);

/// Per instruction the places of which every way from there on ends, stores to them or frees their node before anything is read that may stand there,
/// as long as the register stays. None where leaks count.
pub fn overwritten(program: &Program, targets: Option<&Targets>) -> Vec<BTreeSet<Place>> {
    // Where pointers of inputs point is not analysed.
    let is_linked = |input: &Input| matches!(input, Input::Linked { .. });
    let targets = targets.filter(|_| !program.inputs.iter().any(is_linked));
    let hides_reads = |instruction: &Instruction| match instruction {
        Instruction::Advance(Advance { index: Operand::Constant(index), .. }) => targets.is_none() && *index != 0,
        instruction => matches!(instruction, Instruction::CheckLeaks { .. }),
    };
    let is_hidden = program.instructions.iter().any(hides_reads);
    let all = if is_hidden { BTreeSet::new() } else { places(program, targets) };
    backwards(program, all, |location, places: &[BTreeSet<Place>]| {
        let instruction = &program.instructions[location.index()];
        let may_read = reader(targets, location, instruction);
        let is_kept = |place: &Place| {
            let mut ways = successors(program, location).into_iter();
            ways.all(|next| places[next.index()].contains(place)) && written(instruction) != Some(place.0) && !may_read(place)
        };
        let mut before = places[location.index()].clone();
        before.retain(|place| is_stored(program, instruction, *place) || is_freed(instruction, *place) || is_kept(place));
        before
    })
}

/// What the instruction may read: where it is not known where pointers may point, all that is as far behind one.
fn reader<'a>(targets: Option<&'a Targets>, location: Location, instruction: &Instruction) -> impl Fn(&Place) -> bool + 'a {
    let load = match *instruction {
        Instruction::Load { address, offset, .. } => Some((address, offset)),
        _ => None,
    };
    let read = targets.zip(load).map(|(targets, place)| (targets, behind(targets, location, place)));
    move |place| match &read {
        Some((targets, read)) => !behind(targets, location, *place).is_disjoint(read),
        None => load.is_some_and(|(_, offset)| offset == place.1),
    }
}

/// The bytes that the place may be.
fn behind(targets: &Targets, location: Location, (register, offset): Place) -> FixedBitSet {
    targets.bytes.moved(targets.at(location, register), Some(offset.into()), 1)
}

/// The places that are stored to, and, where it is known where pointers may point, those in nodes that are freed.
fn places(program: &Program, targets: Option<&Targets>) -> BTreeSet<Place> {
    let mut places = BTreeSet::new();
    for (location, instruction) in (0..).map(Location).zip(&program.instructions) {
        match (instruction, targets) {
            (Instruction::Store { address, source, offset, .. }, _) if program.registers[source.index()].kind == Type::Pointer => {
                places.insert((*address, *offset));
            }
            (Instruction::Free { pointer }, Some(targets)) => {
                for object in targets.bytes.started(targets.at(location, *pointer)) {
                    let object = &program.objects[object.index()];
                    if matches!(object.origin, Origin::Node { .. }) {
                        let fields = program.layouts[object.layout.index()].fields.iter();
                        let pointers = fields.filter(|field| field.kind == Type::Pointer);
                        places.extend(pointers.filter_map(|field| Some((*pointer, i64::try_from(field.offset).ok()?))));
                    }
                }
            }
            _ => {}
        }
    }
    places
}

fn is_stored(program: &Program, instruction: &Instruction, place: Place) -> bool {
    match *instruction {
        Instruction::Store { address, source, offset, .. } => {
            (address, offset) == place && program.registers[source.index()].kind == Type::Pointer
        }
        _ => false,
    }
}

fn is_freed(instruction: &Instruction, (register, _): Place) -> bool {
    matches!(instruction, Instruction::Free { pointer } if *pointer == register)
}

#[cfg(test)]
mod tests {
    use super::{Place, overwritten};
    use crate::{targets::Targets, testing::program};
    use goatherd_certificates::program::{Instruction, Location};
    use std::collections::BTreeSet;

    /// The places at the head of the last loop, with the registers' names.
    fn at_head(text: &str) -> BTreeSet<(String, i64)> {
        let program = program("overwritten", text);
        let is_back = |(location, instruction): (Location, &Instruction)| match *instruction {
            Instruction::Jump { target } if target < location => Some(target),
            _ => None,
        };
        let head = (0..).map(Location).zip(&program.instructions).filter_map(is_back).last().unwrap();
        let name = |(register, offset): &Place| (program.registers[register.index()].name.clone(), *offset);
        overwritten(&program, Targets::new(&program).as_ref())[head.index()].iter().map(name).collect()
    }

    #[test]
    fn what_is_stored_behind_a_loop_is_overwritten_unless_the_loop_reads_such_a_field() {
        let head = "struct node { struct node *next, *children; };
             void test(struct node *parent) {
                 if (parent) {
                     struct node *turned = 0, *child = parent->children;
                     while (child) {";
        let tail = "    child->next = turned; turned = child; child = next; }
                     parent->children = turned;
                 }
             }";
        let places = at_head(&format!("{head} struct node *next = child->next; {tail}"));
        assert_eq!(places, BTreeSet::from([("parent".to_owned(), 8)]));
        let places = at_head(&format!("{head} struct node *next = child->children; {tail}"));
        assert_eq!(places, BTreeSet::from([("child".to_owned(), 0)]));
    }

    #[test]
    fn what_hangs_in_a_node_that_is_freed_behind_a_loop_is_forgotten_in_it() {
        let text = |read: &str| {
            format!(
                "void *malloc(unsigned long); void free(void *); int __VERIFIER_nondet_int(void);
                 struct node {{ struct node *next, *children; }};
                 void test(void) {{
                     struct node *parent = malloc(sizeof *parent);
                     if (!parent) return;
                     parent->next = parent->children = 0;
                     while (__VERIFIER_nondet_int()) {{
                         struct node *born = malloc(sizeof *born);
                         if (!born) return;
                         born->next = parent->children;
                         born->children = 0;
                         parent->children = born;
                     }}
                     struct node *child = parent->children;
                     while (child) {{ struct node *next = child->next; free(child); child = next; }}
                     {read}
                     free(parent);
                 }}"
            )
        };
        let places = |read: &str| {
            let mut places = at_head(&text(read));
            places.retain(|(name, _)| name == "parent" || name == "child");
            places
        };
        let of = |name: &str, offset| (name.to_owned(), offset);
        assert_eq!(places(""), BTreeSet::from([of("child", 8), of("parent", 8)]));
        assert_eq!(places("if (parent->children) return;"), BTreeSet::new());
    }
}
