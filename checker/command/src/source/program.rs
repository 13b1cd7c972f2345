//! Programs: the C file is lowered with the options of the command line.

use super::{
    Comparison, Options, Places,
    difference::{first_difference, targets},
    flags,
};
use crate::{arguments::Source, demands::Difference};
use goatherd_certificates::{
    certificate::{Arithmetic, Certificate, Claim, Position, Statement},
    program::{Branch, Instruction, Location, Program},
};
use goatherd_frontend::{
    confirm::Inquiry,
    diagnostics::{Colors, Diagnostic, Report, render, reports},
    escape::escaped,
    link::load,
    lower::{Arrays, Demands, Leaks, Lowered, Results, Sizes, lower_and_believe, lower_with},
    print::program::Names,
    source,
};
use std::{collections::BTreeSet, path::PathBuf};

/// Where executions start if nothing else is said, as in `goatherd prove`.
const ENTRY: &str = "test";

pub(super) fn compare<R>(
    files: &[PathBuf],
    source: &Source,
    certificate: &Certificate<R>,
) -> Result<Comparison, String> {
    let Statement {
        origin,
        program,
        claim,
        parameters,
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
    let unit = load(files, &options).map_err(refused)?;
    let demands = demands(source, &certificate.statement);
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
        files: own_files,
        mut positions,
        waived,
        callees: _,
        undefined: _,
        approximate,
    } = lowered;
    let own = with_prefix(own, prefix);
    let first = positions.first().copied();
    positions.splice(..0, prefix.iter().filter_map(|_| first));
    let sources: Vec<String> = files
        .iter()
        .map(|file| file.to_string_lossy().into_owned())
        .collect();
    let mut differences = Vec::new();
    if parameters.arithmetic != Arithmetic::C {
        differences.push(Difference::new(
            "integers",
            "of their C types",
            "unbounded, as those of a transition system are",
        ));
    }
    if own != *program {
        let own_places = Places {
            files: &own_files,
            positions: &positions,
        };
        let certified_places = Places {
            files: &certificate.files,
            positions: &certificate.positions,
        };
        differences.extend(of_options);
        differences.extend(first_difference(
            (&own, own_places),
            (program, certified_places),
        ));
    }
    let open_values = match claim {
        Claim::Unsafe => open_values(&approximate, &own_files, &positions),
        _ => Vec::new(),
    };
    Ok(Comparison {
        subject: "program",
        files: sources,
        is_unchanged: unit.digest() == origin.digest,
        options: Some(asked),
        confirmation,
        places: differences.is_empty().then_some((own_files, positions)),
        differences,
        precondition: (compared > 0).then(|| phrase(program, &prefix[..compared])),
        waived: Some(waived.iter().map(ToString::to_string).collect()),
        questions: None,
        open_values,
    })
}

/// The places of these instructions, each once.
fn open_values(
    approximate: &BTreeSet<Location>,
    files: &[String],
    positions: &[Position],
) -> Vec<String> {
    let places = approximate.iter().filter_map(|location| {
        let Position { file, line, column } = positions.get(location.index())?;
        let name = files.get(usize::try_from(*file).ok()?)?;
        Some((name, line, column))
    });
    let places: BTreeSet<_> = places.collect();
    places
        .into_iter()
        .map(|(name, line, column)| format!("{name}:{line}:{column}"))
        .collect()
}

/// What the program is asked for: by the options, and, as far as they leave it open, by the program of the certificate.
fn demands(source: &Source, statement: &Statement) -> Demands {
    Demands {
        leaks: Leaks::of(&statement.program),
        waivers: source.waive.clone(),
        sizes: sizes(statement),
        arrays: arrays(statement),
        results: Results::of(&statement.program),
        undefined: source.undefined,
    }
}

/// Are arrays as long as the file says? A proof may be of more than that program does, but no other claim.
fn sizes(statement: &Statement) -> Sizes {
    match statement.claim {
        Claim::Safe => Sizes::of(&statement.program),
        _ => Sizes::Exact,
    }
}

/// Are arrays inside structs where the file says? Likewise.
fn arrays(statement: &Statement) -> Arrays {
    match statement.claim {
        Claim::Safe => Arrays::of(&statement.program),
        _ => Arrays::Inside,
    }
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
        .take_while(|instruction| matches!(instruction, Instruction::Branch(_)))
        .count();
    let at = |position: usize| Location(u32::try_from(position).unwrap_or(u32::MAX));
    let (jump, ignore, start) = (count, at(count + 1), at(count + 2));
    let is_guarded = instructions.iter().take(count).enumerate().all(|(position, instruction)| {
        let next = at(position + 1);
        matches!(instruction, Instruction::Branch(Branch { then, otherwise, .. }) if [*then, *otherwise] == [next, ignore] || [*then, *otherwise] == [ignore, next])
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
            let Instruction::Branch(Branch {
                condition, then, ..
            }) = instruction
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
