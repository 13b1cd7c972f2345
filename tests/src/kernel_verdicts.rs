//! Cases for checkers that are not in Rust (`spec/soundness/checker2`): files, changed files and generated certificates, and what the kernel says of each.

use crate::forge::{MEMORY, WORK};
use goatherd_checker::{
    Limits,
    error::{Declined, Failure},
};
use goatherd_generator::{campaign::Campaign, dice::Dice, encode::digest, programs::Subject};
use std::{fmt::Write as _, fs, io, path::PathBuf};

/// What a checker is allowed.
pub const ALLOWED: Limits = Limits { memory: MEMORY, work: WORK };

/// Bytes before the limits: magic and version.
const BEFORE_LIMITS: usize = 12;

/// How many bytes a digest has.
const DIGEST: usize = 32;

/// What the kernel says, with the place, the names being those of `certificates/src/rejection.rs`.
pub fn verdict(bytes: &[u8]) -> String {
    match goatherd_claims::check(bytes, ALLOWED, digest) {
        Ok(verdict) => format!("accepted {:?}", verdict.claim),
        Err(Failure::Rejected { place, rejection }) => format!("rejected {place:?} {rejection:?}"),
        Err(Failure::Declined(declined)) => match declined {
            Declined::Version { found } => format!("declined Version {found}"),
            Declined::Limit { declared, allowed } => format!("declined Limit {declared} {allowed}"),
            Declined::WorkLimit { declared, allowed } => format!("declined WorkLimit {declared} {allowed}"),
            Declined::Memory { limit } => format!("declined Memory {limit}"),
            Declined::Work { limit } => format!("declined Work {limit}"),
        },
    }
}

/// The bytes as two hexadecimal digits each.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The parts of a file whose digests follow from the others.
struct Sections {
    /// Up to the limits.
    head: Vec<u8>,
    statement: Vec<u8>,
    rest: Vec<u8>,
}

/// How many bytes an unsigned integer takes that begins with this one.
const fn integer_length(first: u8) -> usize {
    match first {
        251 => 3,
        252 => 5,
        253 => 9,
        254 => 17,
        _ => 1,
    }
}

/// The unsigned integer at the beginning, and what is behind it.
fn integer(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (taken, rest) = bytes.split_at_checked(integer_length(*bytes.first()?))?;
    let value = match taken {
        [small] => usize::from(*small),
        [_, digits @ ..] => {
            digits.iter().rev().try_fold(0usize, |value, digit| value.checked_mul(256)?.checked_add(usize::from(*digit)))?
        }
        [] => return None,
    };
    Some((value, rest))
}

/// The encoding of a length.
fn length(length: usize) -> Vec<u8> {
    match (u8::try_from(length), u16::try_from(length)) {
        (Ok(small), _) if small <= 250 => vec![small],
        (_, Ok(length)) => [&[251][..], &length.to_le_bytes()].concat(),
        _ => [&[252][..], &u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes()].concat(),
    }
}

impl Sections {
    /// Those of a file that has a frame; its digests need not be right.
    fn of(bytes: &[u8]) -> Option<Self> {
        let (_, behind) = integer(bytes.get(BEFORE_LIMITS..)?)?;
        let (_, behind) = integer(behind)?;
        let (head, behind) = bytes.split_at(bytes.len() - behind.len());
        let (count, behind) = integer(behind.get(DIGEST..)?)?;
        let (statement, behind) = behind.split_at_checked(count)?;
        let rest = behind.get(..behind.len().checked_sub(DIGEST)?)?;
        Some(Self { head: head.to_vec(), statement: statement.to_vec(), rest: rest.to_vec() })
    }

    /// The file, with digests that are right.
    fn file(&self) -> Vec<u8> {
        let parts = [&self.head[..], &digest(&self.statement), &length(self.statement.len()), &self.statement, &self.rest];
        let mut bytes = parts.concat();
        bytes.extend(digest(&bytes));
        bytes
    }
}

/// Changes a few bytes: of the statement, of what is behind it, or of the whole file with its digests.
fn changed(bytes: &[u8], dice: &mut Dice) -> Vec<u8> {
    let Some(mut sections) = Sections::of(bytes) else {
        return edited(bytes.to_vec(), dice);
    };
    match dice.below(8) {
        0 => return edited(bytes.to_vec(), dice),
        1 => sections.head = edited(sections.head, dice),
        2..5 => sections.statement = edited(sections.statement, dice),
        _ => sections.rest = edited(sections.rest, dice),
    }
    sections.file()
}

/// Changes one place, or up to three.
fn edited(mut bytes: Vec<u8>, dice: &mut Dice) -> Vec<u8> {
    let more = if dice.once_in(3) { dice.below(3) } else { 0 };
    for _ in 0..=more {
        let place = dice.below(bytes.len());
        let random = u8::try_from(dice.below(256)).unwrap_or(0);
        let value = dice.one([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 250, 251, 252, 253, 254, 255, random]);
        match dice.below(12) {
            0 if place < bytes.len() => drop(bytes.remove(place)),
            1 => bytes.insert(place, value),
            2 => bytes.truncate(place),
            3 => {
                let copied = bytes.get(place..bytes.len().min(place + dice.below(12))).map(<[u8]>::to_vec);
                let target = dice.below(bytes.len());
                bytes.splice(target..target, copied.unwrap_or_default());
            }
            4 | 5 => bytes.get_mut(place).into_iter().for_each(|byte| *byte = byte.wrapping_add(1)),
            6 | 7 => bytes.get_mut(place).into_iter().for_each(|byte| *byte = byte.wrapping_sub(1)),
            _ => bytes.get_mut(place).into_iter().for_each(|byte| *byte = value),
        }
    }
    bytes
}

/// Writes one case a line: its name, what the kernel says, and its bytes, with tabs between. Before them stands what a checker is allowed, and how
/// many cases there are.
///
/// # Errors
///
/// A file cannot be read, or the output cannot be written.
pub fn write(output: &mut impl io::Write, count: usize, seed: u64, files: &[PathBuf]) -> io::Result<()> {
    let contents: Vec<Vec<u8>> = files.iter().map(fs::read).collect::<Result<_, _>>()?;
    writeln!(output, "allowed {} {} cases {}", ALLOWED.memory, ALLOWED.work, files.len() + count)?;
    let mut case = |name: &str, bytes: &[u8]| writeln!(output, "{name}\t{}\t{}", verdict(bytes), hexadecimal(bytes));
    for (file, bytes) in files.iter().zip(&contents) {
        case(&file.display().to_string(), bytes)?;
    }
    let (mut dice, mut campaign) = (Dice::new(seed), Campaign::new(seed, Subject::Any));
    for number in 0..count {
        let among = dice.below(files.len() + files.len() / 4 + 1);
        let (name, bytes) = match (files.get(among), contents.get(among)) {
            (Some(file), Some(bytes)) => (format!("change {number} of {}", file.display()), changed(bytes, &mut dice)),
            _ if dice.once_in(2) => (format!("generated {number}"), generated(&mut campaign)),
            _ => (format!("change {number} of one that is generated"), changed(&generated(&mut campaign), &mut dice)),
        };
        case(&name, &bytes)?;
    }
    Ok(())
}

/// The next certificate that can be generated.
fn generated(campaign: &mut Campaign) -> Vec<u8> {
    loop {
        if let Some(encoded) = campaign.encoded() {
            return encoded.bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vectors;

    #[test]
    fn sections_are_put_together_again() {
        for vector in vectors::all().iter().filter(|vector| vector.expected.starts_with("accepted")) {
            let sections = Sections::of(&vector.bytes).unwrap();
            assert!(sections.file() == vector.bytes, "{}", vector.file);
        }
    }

    #[test]
    fn places_are_named() {
        assert_eq!(verdict(b"goat"), "rejected Byte(0) Malformed(Magic)");
        let all = vectors::all();
        let of = |expected: &str| verdict(&all.iter().find(|vector| vector.expected == expected).unwrap().bytes);
        assert!(of("ill-formed Within").starts_with("rejected Entry(Sort, "));
        assert_eq!(of("declined Version"), "declined Version 1");
        assert_eq!(of("accepted Safe"), "accepted Safe");
    }

    #[test]
    fn changes_lead_to_many_answers() {
        let folder = vectors::folder();
        let files = ["zero-then-check-accepted.goatherd", "heap-same-accepted.goatherd"].map(|file| folder.join(file));
        let mut output = Vec::new();
        write(&mut output, 500, 1, &files).unwrap();
        let text = String::from_utf8(output).unwrap();
        for part in ["accepted", "Malformed(Variant)", "Malformed(Term)", "IllFormed(Register)"] {
            assert!(text.contains(part), "{part}");
        }
        assert!(text.lines().skip(1).all(|line| line.split('\t').count() == 3));
    }
}
