//! Programs: the C file is lowered with the options of the command line.

use super::{Comparison, Options, Places, flags};
use crate::{arguments::Source, demands::Difference};
use goatherd_certificates::{
    certificate::{Certificate, Claim, Statement},
    program::{Instruction, Location, Program},
};
use goatherd_frontend::{
    confirm::Inquiry,
    diagnostics::{Colors, Diagnostic, Report, render, reports},
    escape::escaped,
    lower::{Demands, Leaks, Lowered, lower_and_believe, lower_with},
    print::{Page, position, program::Names},
    source::{self, load},
};
use std::path::Path;

/// Where executions start if nothing else is said, as in `goatherd prove`.
const ENTRY: &str = "test";

pub(super) fn compare<R>(
    file: &Path,
    source: &Source,
    certificate: &Certificate<R>,
) -> Result<Comparison, String> {
    let Statement {
        origin,
        program,
        claim,
        ..
    } = &certificate.statement;
    let options = source::Options {
        definitions: source.define.clone(),
        include_directories: source.include.clone(),
        entry: source.entry.clone().unwrap_or_else(|| ENTRY.to_owned()),
    };
    let asked = Options {
        entry: options.entry.clone(),
        definitions: source.define.clone(),
        includes: source
            .include
            .iter()
            .map(|folder| folder.to_string_lossy().into_owned())
            .collect(),
    };
    let of_options = differing_options(&asked, certificate);
    let refused = |reports: Vec<Report>| {
        render(&reports, Colors::for_standard_error()) + &advice(&of_options)
    };
    let unit = load(file, &options).map_err(refused)?;
    let demands = Demands {
        leaks: Leaks::of(program),
        waivers: source.waive.clone(),
    };
    let unread = |diagnostics: Vec<Diagnostic>| refused(reports(&unit, &diagnostics));
    let (lowered, confirmation) = if source.no_confirm {
        let lowered = lower_with(&unit, &options.entry, &demands).map_err(unread)?;
        (lowered, None)
    } else {
        let (lowered, beliefs) =
            lower_and_believe(&unit, &options.entry, &demands).map_err(unread)?;
        (lowered, Some(Inquiry::start(&unit, &beliefs)))
    };
    // Of other claims, what is ignored before the program makes another one of it.
    let may_differ = matches!(claim, Claim::Paths(_)) && lowered.program != *program;
    let compared = if may_differ { comparisons(program) } else { 0 };
    let prefix = &program.instructions[..prefix_length(compared)];
    let Lowered {
        program: own,
        files,
        mut positions,
        waived,
        approximate: _,
    } = lowered;
    let own = with_prefix(own, prefix);
    let first = positions.first().copied();
    positions.splice(..0, prefix.iter().filter_map(|_| first));
    let mut differences = Vec::new();
    if own != *program {
        let own_places = Places {
            files: &files,
            positions: &positions,
        };
        let certified_places = Places {
            files: &certificate.files,
            positions: &certificate.positions,
        };
        differences = of_options;
        differences.extend(first_difference(
            (&own, own_places),
            (program, certified_places),
        ));
    }
    Ok(Comparison {
        subject: "program",
        file: file.to_string_lossy().into_owned(),
        is_unchanged: unit.digest() == origin.digest,
        options: Some(asked),
        confirmation,
        places: differences.is_empty().then_some((files, positions)),
        differences,
        precondition: (compared > 0).then(|| phrase(program, &prefix[..compared])),
        waived: Some(waived.iter().map(ToString::to_string).collect()),
    })
}

/// In what the certificate says that it was made otherwise: the likely cause where the program differs.
fn differing_options<R>(asked: &Options, certificate: &Certificate<R>) -> Vec<Difference> {
    let Statement {
        origin, program, ..
    } = &certificate.statement;
    let sides = [
        ("entry function", asked.entry.clone(), program.entry.clone()),
        (
            "definitions",
            flags("-D", &asked.definitions),
            flags("-D", &origin.definitions),
        ),
        (
            "include folders",
            flags("-I", &asked.includes),
            flags("-I", &origin.includes),
        ),
    ];
    sides
        .into_iter()
        .filter(|(_, asked, certified)| asked != certified)
        .map(|(what, asked, certified)| Difference::new(what, asked, certified))
        .collect()
}

/// Where the file cannot be read as asked for.
fn advice(differences: &[Difference]) -> String {
    let line = |Difference {
                    what,
                    asked,
                    certificate,
                }: &Difference| {
        format!(
            "note: the certificate names other {what}, {}; the command line says: {}\n",
            escaped(certificate),
            escaped(asked)
        )
    };
    differences.iter().map(line).collect()
}

/// How many comparisons stand before the program, each of which goes on at the next instruction or at an `Ignore` after them.
fn comparisons(program: &Program) -> usize {
    let instructions = &program.instructions;
    let count = instructions
        .iter()
        .take_while(|instruction| matches!(instruction, Instruction::Branch { .. }))
        .count();
    let at = |position: usize| Location(u32::try_from(position).unwrap_or(u32::MAX));
    let (jump, ignore, start) = (count, at(count + 1), at(count + 2));
    let is_guarded = instructions.iter().take(count).enumerate().all(|(position, instruction)| {
        let next = at(position + 1);
        matches!(instruction, Instruction::Branch { then, otherwise, .. } if [*then, *otherwise] == [next, ignore] || [*then, *otherwise] == [ignore, next])
    });
    let is_passed = instructions.get(jump) == Some(&Instruction::Jump { target: start });
    let is_prefix = count > 0
        && is_guarded
        && is_passed
        && instructions.get(jump + 1) == Some(&Instruction::Ignore);
    if is_prefix { count } else { 0 }
}

/// The instructions of so many comparisons before a program.
fn prefix_length(comparisons: usize) -> usize {
    if comparisons == 0 { 0 } else { comparisons + 2 }
}

/// What comparisons before a program ask for, each of which goes on at the next one where it holds or where it does not.
fn phrase(program: &Program, comparisons: &[Instruction]) -> String {
    let names = Names::new(program);
    let phrases = (1..)
        .map(Location)
        .zip(comparisons)
        .filter_map(|(next, instruction)| {
            let Instruction::Branch {
                condition, then, ..
            } = instruction
            else {
                return None;
            };
            let condition = names.condition(*condition);
            Some(if *then == next {
                condition
            } else {
                format!("!({condition})")
            })
        });
    phrases.collect::<Vec<_>>().join(" && ")
}

/// The instructions that an instruction names to go on at.
fn targets(instruction: &mut Instruction) -> impl Iterator<Item = &mut Location> {
    let targets = match instruction {
        Instruction::Jump { target } => [Some(target), None],
        Instruction::Branch {
            then, otherwise, ..
        }
        | Instruction::Choose { then, otherwise } => [Some(then), Some(otherwise)],
        _ => [None, None],
    };
    targets.into_iter().flatten()
}

/// The program with these instructions before it.
fn with_prefix(mut program: Program, prefix: &[Instruction]) -> Program {
    let shift = u32::try_from(prefix.len()).unwrap_or(u32::MAX);
    let move_on = |location: &mut Location| location.0 = location.0.saturating_add(shift);
    program
        .instructions
        .iter_mut()
        .flat_map(targets)
        .for_each(move_on);
    program.assertions.iter_mut().for_each(move_on);
    program.instructions.splice(..0, prefix.iter().cloned());
    program
}

/// The first difference of two programs beside their entry functions. The first instruction that differs says most to people.
fn first_difference(
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
