//! Where two programs differ, in words.

use super::Places;
use crate::demands::Difference;
use goatherd_certificates::program::{Branch, Instruction, Location, Program};
use goatherd_frontend::print::{Page, position, program::Names};

/// The first difference of two programs beside their entry functions. The first instruction that differs says most to people.
pub fn first_difference(
    own: (&Program, Places<'_>),
    certified: (&Program, Places<'_>),
) -> Option<Difference> {
    let side = |(program, places): (&Program, Places<'_>), location: usize| {
        let Some(instruction) = program.instructions.get(location) else {
            return String::from("the program ends before");
        };
        let place = u32::try_from(location)
            .ok()
            .and_then(|location| position(places.files, places.positions, Location(location)));
        let text = Names::new(program).instruction(instruction);
        place.map_or_else(|| text.clone(), |place| format!("{place}  {text}"))
    };
    // Where something is inserted, each jump beyond it differs: what is done says more than where it goes on.
    let done = |program: &Program| {
        let mut instructions = program.instructions.clone();
        instructions
            .iter_mut()
            .flat_map(targets)
            .for_each(|target| *target = Location(0));
        instructions
    };
    let differing = first(&done(own.0), &done(certified.0))
        .or_else(|| first(&own.0.instructions, &certified.0.instructions));
    if let Some(location) = differing {
        return Some(Difference::new(
            format!("instruction {location}"),
            side(own, location),
            side(certified, location),
        ));
    }
    let tables = [
        ("declaration", declarations as fn(&Program) -> Vec<String>),
        ("input", |program| Names::new(program).input_phrases()),
    ];
    for (what, lines) in tables {
        let (own, certified) = (lines(own.0), lines(certified.0));
        if let Some(line) = first(&own, &certified) {
            let side = |lines: &[String]| {
                lines
                    .get(line)
                    .map_or("there is none", |line| line.trim())
                    .to_owned()
            };
            return Some(Difference::new(what, side(&own), side(&certified)));
        }
    }
    let assertions = first(&own.0.assertions, &certified.0.assertions).map(|position| {
        let side = |program: &Program| {
            program
                .assertions
                .get(position)
                .map_or(String::from("there is none"), |at| {
                    format!("instruction {}", at.0)
                })
        };
        Difference::new(
            format!("assertion {position}"),
            side(own.0),
            side(certified.0),
        )
    });
    // What is left are names that are shown alike.
    let is_same = || {
        Program {
            entry: String::new(),
            ..own.0.clone()
        } == Program {
            entry: String::new(),
            ..certified.0.clone()
        }
    };
    let same = "the same in words";
    assertions.or_else(|| (!is_same()).then(|| Difference::new("names", same, same)))
}

fn declarations(program: &Program) -> Vec<String> {
    let mut page = Page::default();
    Names::new(program).declarations(&mut page);
    page.text.lines().map(str::to_owned).collect()
}

/// The first position at which two tables differ.
fn first<T: PartialEq>(left: &[T], right: &[T]) -> Option<usize> {
    let common = left
        .iter()
        .zip(right)
        .position(|(left, right)| left != right);
    common.or_else(|| (left.len() != right.len()).then(|| left.len().min(right.len())))
}

/// The instructions that an instruction names to go on at.
pub fn targets(instruction: &mut Instruction) -> impl Iterator<Item = &mut Location> {
    let targets = match instruction {
        Instruction::Jump { target } => [Some(target), None],
        Instruction::Branch(Branch {
            then, otherwise, ..
        })
        | Instruction::Choose { then, otherwise } => [Some(then), Some(otherwise)],
        _ => [None, None],
    };
    targets.into_iter().flatten()
}

/// The first of the printed lines that differs, of two subjects that do.
pub fn first_line(subject: &str, own: &[String], certified: &[String]) -> Difference {
    let first =
        (0..own.len().max(certified.len())).find(|line| own.get(*line) != certified.get(*line));
    let side = |lines: &[String]| {
        let line = first.map(|line| lines.get(line).map_or("it ends before", |line| line.trim()));
        line.unwrap_or("the same in words, with long names that differ")
            .to_owned()
    };
    let what = first.map_or_else(
        || subject.to_owned(),
        |line| format!("line {} of the {subject} (--print)", line + 1),
    );
    Difference::new(what, side(own), side(certified))
}
