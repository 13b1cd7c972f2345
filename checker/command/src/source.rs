//! `--source`: lowers the C file or reads the model again, and compares it with the certificate's.

use crate::print::instruction;
use goatherd_certificates::{
    automata::ModelCertificate,
    certificate::{Certificate, Claim, Statement},
    program::{Instruction, Location, Program},
};
use goatherd_frontend::{
    diagnostics::{Colors, Report, render, reports},
    lower::{Leaks, lower_with},
    escape::escaped,
    source::{Options, load},
    trees,
};
use std::path::{Path, PathBuf};

/// What came of lowering a C file again.
#[derive(Debug)]
pub struct Comparison {
    /// What is compared: program or model.
    pub subject: &'static str,
    /// The file.
    pub file: String,
    /// Are its bytes those that the certificate was made from?
    pub is_unchanged: bool,
    /// Where what is in it differs from the certificate's, if it does.
    pub difference: Option<String>,
    /// How many comparisons a claim about paths makes before the program, so that others are ignored: its precondition.
    pub precondition: usize,
}

/// Lowers the C file with the options that the certificate records. Returns what is wrong with the file, if it cannot be lowered.
pub fn compare<R>(path: &Path, include: &[PathBuf], certificate: &Certificate<R>) -> Result<Comparison, String> {
    let Statement { origin, program, claim, .. } = &certificate.statement;
    let options = Options { definitions: origin.definitions.clone(), include_directories: include.to_vec(), entry: program.entry.clone() };
    let show = |reports: Vec<Report>| render(&reports, Colors::for_standard_error());
    let unit = load(path, &options).map_err(show)?;
    let lowered = lower_with(&unit, &options.entry, Leaks::of(program)).map_err(|diagnostics| show(reports(&unit, &diagnostics)))?;
    // Of other claims, what is ignored before the program makes another one of it.
    let may_differ = matches!(claim, Claim::Paths(_)) && lowered.program != *program;
    let precondition = if may_differ { precondition(program) } else { 0 };
    let own = with_prefix(lowered.program, &program.instructions[..prefix_length(precondition)]);
    let difference = (own != *program).then(|| difference(&own, certificate));
    Ok(Comparison {
        subject: "program",
        file: escaped(&path.to_string_lossy()),
        is_unchanged: unit.digest() == origin.digest,
        difference,
        precondition,
    })
}

/// How many comparisons stand before the program, each of which goes on at the next instruction or at an `Ignore` after them.
fn precondition(program: &Program) -> usize {
    let instructions = &program.instructions;
    let count = instructions.iter().take_while(|instruction| matches!(instruction, Instruction::Branch { .. })).count();
    let at = |position: usize| Location(u32::try_from(position).unwrap_or(u32::MAX));
    let (jump, ignore, start) = (count, at(count + 1), at(count + 2));
    let is_guarded = instructions.iter().take(count).enumerate().all(|(position, instruction)| {
        let next = at(position + 1);
        matches!(instruction, Instruction::Branch { then, otherwise, .. } if [*then, *otherwise] == [next, ignore] || [*then, *otherwise] == [ignore, next])
    });
    let is_passed = instructions.get(jump) == Some(&Instruction::Jump { target: start });
    let is_prefix = count > 0 && is_guarded && is_passed && instructions.get(jump + 1) == Some(&Instruction::Ignore);
    if is_prefix { count } else { 0 }
}

/// The instructions of so many comparisons before a program.
fn prefix_length(precondition: usize) -> usize {
    if precondition == 0 { 0 } else { precondition + 2 }
}

/// The program with these instructions before it.
fn with_prefix(mut program: Program, prefix: &[Instruction]) -> Program {
    let shift = u32::try_from(prefix.len()).unwrap_or(u32::MAX);
    let move_on = |location: &mut Location| location.0 = location.0.saturating_add(shift);
    for instruction in &mut program.instructions {
        match instruction {
            Instruction::Jump { target } => move_on(target),
            Instruction::Branch { then, otherwise, .. } | Instruction::Choose { then, otherwise } => {
                move_on(then);
                move_on(otherwise);
            }
            _ => {}
        }
    }
    program.assertions.iter_mut().for_each(move_on);
    program.instructions.splice(..0, prefix.iter().cloned());
    program
}

/// Reads the model again. Returns what is wrong with the file, if it holds none.
pub fn compare_model(path: &Path, certificate: &ModelCertificate) -> Result<Comparison, String> {
    let read = trees::read(path).map_err(|report| render(&[*report], Colors::for_standard_error()))?;
    let certified = &certificate.model;
    let difference = if read.model.alphabet != certified.alphabet {
        Some(String::from("the alphabet differs"))
    } else if read.model.initial != certified.initial {
        Some(String::from("Init differs"))
    } else {
        first_difference(&read.model.lines, &certified.lines).map(|line| format!("line {line}, counted from 0, differs"))
    };
    let is_unchanged = read.digest == certificate.origin.digest;
    Ok(Comparison { subject: "model", file: escaped(&path.to_string_lossy()), is_unchanged, difference, precondition: 0 })
}

/// Where the program differs from the one of the certificate, which it does.
fn difference<R>(program: &Program, certificate: &Certificate<R>) -> String {
    let certified = &certificate.statement.program;
    // The first instruction that differs says most to people.
    if let Some(entry) = first_difference(&program.instructions, &certified.instructions) {
        return match instruction(certificate, entry) {
            Some(instruction) => format!("instruction {entry} differs, in the certificate {instruction}"),
            None => format!("the certificate has no instruction {entry}"),
        };
    }
    let tables = [
        ("register", first_difference(&program.registers, &certified.registers)),
        ("layout", first_difference(&program.layouts, &certified.layouts)),
        ("object", first_difference(&program.objects, &certified.objects)),
        ("table", first_difference(&program.tables, &certified.tables)),
        ("input", first_difference(&program.inputs, &certified.inputs)),
        ("assertion", first_difference(&program.assertions, &certified.assertions)),
    ];
    let differing = tables.into_iter().find_map(|(table, entry)| Some(format!("{table} {} differs", entry?)));
    differing.unwrap_or_else(|| String::from("the entry function differs"))
}

/// The first position at which two tables differ.
fn first_difference<T: PartialEq>(left: &[T], right: &[T]) -> Option<usize> {
    let common = left.iter().zip(right).position(|(left, right)| left != right);
    common.or_else(|| (left.len() != right.len()).then(|| left.len().min(right.len())))
}
