//! The first page: what an accepted certificate claims, of what, under what, what has to be trusted for it, and what not.

use goatherd_certificates::{
    certificate::{Allocation, Certificate, Claim, Ends, Evidence, Parameters, PointerFormation, SignedOverflow},
    derivation::Lengths,
    program::{Input, Instruction, Location},
};
use goatherd_checker::decode::Rules;
use goatherd_claims::Verdict;
use goatherd_frontend::{
    checks::{Kind, counts, kind},
    escape::escaped,
    print::{Page as Lines, conditions, list, position, program::Names},
};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What is said first.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct FirstPage {
    /// The claim, in one sentence.
    pub claim: String,
    /// What is not claimed.
    pub not_claimed: Vec<String>,
    /// The function that executions start from.
    pub entry: String,
    /// What valid inputs are, one phrase each.
    pub inputs: Vec<String>,
    /// What it was checked under, one phrase each.
    pub under: Vec<String>,
    /// Which source the certificate says that it is about.
    pub source: Source,
    /// How many checks of each kind the claim is about.
    pub checks: BTreeMap<Kind, usize>,
    /// The lines on which there are checks, by file.
    pub lines: BTreeMap<String, Vec<u32>>,
    /// The program's assertions: where they stand, and whether a concrete run in the certificate reaches them.
    pub assertions: Vec<Assertion>,
    /// How the proof goes.
    pub proof: Vec<String>,
    /// What has to be trusted.
    pub trusted: Vec<String>,
    /// What need not be.
    pub not_trusted: Vec<String>,
    /// The digest of the program, in hexadecimal.
    pub program: String,
    /// The digest of the whole statement.
    pub statement: String,
}

/// Which source a certificate says that it is about.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Source {
    /// The file's name.
    pub file: String,
    /// Its digest, in hexadecimal.
    pub digest: String,
    /// Macros that were defined on the command line.
    pub definitions: Vec<String>,
    /// Where included files were looked for.
    pub includes: Vec<String>,
    /// Assertions that do nothing.
    pub waived: Vec<String>,
}

/// An assertion of the program.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Assertion {
    /// `FILE:LINE:COLUMN`
    pub place: String,
    /// Does a concrete run in the certificate reach it?
    pub reached: bool,
}

/// Which kernel has accepted a certificate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kernel {
    /// Its version.
    pub version: &'static str,
    /// The digest of its source, in hexadecimal.
    pub digest: &'static str,
}

/// A digest in words.
pub(crate) fn hexadecimal(digest: &[u8]) -> String {
    digest.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

/// A part of a page: a title, and lines.
pub(crate) fn part(page: &mut Lines, title: &str, lines: &[String]) {
    page.line(0, title);
    for line in lines {
        page.line(1, line);
    }
    page.line(0, "");
}

impl FirstPage {
    /// Of a certificate that the kernel has accepted, with this verdict.
    pub fn new(certificate: &Certificate<Rules<'_>>, verdict: &Verdict, kernel: Kernel) -> Self {
        let statement = &certificate.statement;
        let (program, parameters, origin) = (&statement.program, statement.parameters, &statement.origin);
        let names = Names::new(program);
        let assertion = |&(location, reached): &(Location, bool)| {
            let place = position(&certificate.files, &certificate.positions, location);
            Assertion { place: place.unwrap_or_else(|| format!("location {}", location.0)), reached }
        };
        let mut lines: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
        for (instruction, place) in program.instructions.iter().zip(&certificate.positions) {
            if kind(program, parameters, instruction).is_some()
                && let Some(file) = usize::try_from(place.file).ok().and_then(|file| certificate.files.get(file))
            {
                lines.entry(escaped(file)).or_default().insert(place.line);
            }
        }
        let escape = |texts: &[String]| texts.iter().map(|text| escaped(text)).collect();
        Self {
            claim: claim(statement.claim, &escaped(&program.entry)),
            not_claimed: not_claimed(statement.claim, parameters, certificate),
            entry: escaped(&program.entry),
            inputs: names.input_phrases(),
            under: conditions(program, parameters),
            source: Source {
                file: escaped(&origin.file),
                digest: hexadecimal(&origin.digest),
                definitions: escape(&origin.definitions),
                includes: escape(&origin.includes),
                waived: escape(&origin.waived),
            },
            checks: counts(program, parameters, &certificate.positions),
            lines: lines.into_iter().map(|(file, lines)| (file, lines.into_iter().collect())).collect(),
            assertions: verdict.counts.assertions.iter().map(assertion).collect(),
            proof: proof(certificate, verdict),
            trusted: trusted(kernel),
            not_trusted: not_trusted(certificate),
            program: hexadecimal(&verdict.subject_digest),
            statement: hexadecimal(&verdict.statement_digest),
        }
    }

    /// In lines.
    pub fn text(&self) -> String {
        let mut page = Lines::default();
        let some = |lines: Vec<String>, none: &str| if lines.is_empty() { vec![none.to_owned()] } else { lines };
        part(&mut page, "What is claimed", std::slice::from_ref(&self.claim));
        part(&mut page, "What is not claimed", &self.not_claimed);
        part(&mut page, "For which inputs", &some(self.inputs.clone(), "the function takes none"));
        part(&mut page, "Under what", &self.under.iter().map(ToString::to_string).collect::<Vec<_>>());
        part(&mut page, "Of which source, as the certificate says", &self.source.lines());
        let total: usize = self.checks.values().sum();
        let mut checks: Vec<String> = self.checks.iter().map(|(kind, count)| format!("{:<22}{count:>5}", kind.name())).collect();
        checks.extend(self.lines.iter().map(|(file, lines)| format!("in {file}, lines {}", ranges(lines))));
        part(&mut page, &format!("What is checked: {total}"), &some(checks, "nothing: there is no access and no assertion"));
        let assertions = self.assertions.iter().map(|Assertion { place, reached }| {
            let is_reached =
                if *reached { "reached by a concrete run in the certificate" } else { "reached by no concrete run in the certificate" };
            format!("{place}  {is_reached}")
        });
        part(&mut page, "Assertions", &some(assertions.collect(), "none in the program"));
        part(&mut page, "How it is shown", &self.proof);
        part(&mut page, "What you have to trust", &self.trusted);
        part(&mut page, "What you need not trust", &self.not_trusted);
        let digests = [format!("program    sha256 {}", self.program), format!("statement  sha256 {}", self.statement)];
        part(&mut page, "What is what", &digests);
        page.text
    }
}

impl Source {
    fn lines(&self) -> Vec<String> {
        let some = |list_of: &[String], flag: &str| {
            if list_of.is_empty() { String::from("none") } else { list(list_of.iter().map(|text| format!("{flag}{text}"))) }
        };
        vec![
            format!("{}, sha256 {}", self.file, self.digest),
            format!("definitions      {}", some(&self.definitions, "-D ")),
            format!("include folders  {}", some(&self.includes, "-I ")),
            format!("waived           {}", some(&self.waived, "")),
            String::from("Nobody has compared that yet: goatherd-check CERT --source FILE.c does"),
        ]
    }
}

fn claim(claim: Claim, entry: &str) -> String {
    match claim {
        Claim::Safe => format!(
            "No execution of {entry} from a valid input fails, unless an assumption is false in it first. Failures are listed below."
        ),
        Claim::Unsafe => format!("An execution of {entry} fails: the one that the certificate describes."),
        Claim::Invariant => String::from("An invariant."),
        Claim::Unsatisfiable => String::from("A formula has no model."),
        Claim::Paths(Ends::Complete) => {
            format!(
                "Every feasible path of {entry} that comes to its end, or to its own failure, is in the graph that the checker derives."
            )
        }
        Claim::Paths(Ends::Anywhere) => format!("Every feasible path of {entry} is in the graph that the checker derives."),
    }
}

fn not_claimed(claim: Claim, parameters: Parameters, certificate: &Certificate<Rules<'_>>) -> Vec<String> {
    let mut lines = Vec::new();
    match claim {
        Claim::Safe => {}
        Claim::Paths(_) => {
            return vec![String::from("That all paths of the graph are feasible."), String::from("Anything of what happens on them.")];
        }
        Claim::Unsafe | Claim::Invariant | Claim::Unsatisfiable => return vec![String::from("That other executions fail, or do not.")],
    }
    lines.push(String::from("That executions end."));
    let program = &certificate.statement.program;
    if program.instructions.contains(&Instruction::Ignore) {
        lines.push(String::from("Anything of executions in which an assumption (__VERIFIER_assume) is false."));
    }
    if parameters.signed_overflow == SignedOverflow::Wraps {
        lines
            .push(String::from("That signed integers do not overflow: they wrap around, as with -fwrapv (--checks overflow claims more)."));
    }
    if parameters.pointer_formation == PointerFormation::Anywhere {
        lines.push(String::from(
            "That pointers are formed inside their objects only: they are used there only (--checks pointer claims more).",
        ));
    }
    if !program.instructions.iter().any(|instruction| matches!(instruction, Instruction::CheckLeaks { .. })) {
        lines.push(String::from("That all memory is freed (--checks leak claims more)."));
    }
    if parameters.allocation == Allocation::Succeeds {
        lines.push(String::from("Anything of executions in which an allocation fails."));
    }
    if program.inputs.iter().any(|input| matches!(input, Input::Array(_) | Input::Linked { .. } | Input::Single { .. })) {
        lines.push(String::from("Anything of inputs that share memory with each other."));
    }
    lines.extend(certificate.statement.origin.waived.iter().map(|place| format!("The assertion at {}: it was waived.", escaped(place))));
    lines
}

fn proof(certificate: &Certificate<Rules<'_>>, verdict: &Verdict) -> Vec<String> {
    let (Evidence::Proof(proof) | Evidence::Paths { proof, .. }) = &certificate.evidence else {
        return vec![format!("a run of {} steps, which the checker has executed", verdict.counts.steps)];
    };
    let most = proof.templates.iter().map(|template| template.members.len()).max().unwrap_or(1).saturating_sub(1);
    let lengths = match proof.lengths {
        Lengths::Classes => format!("arrays of 0 to {} elements, and longer ones, are told apart at the entry", proof.k),
        Lengths::Open => String::from("nothing is said of the lengths of arrays at the entry"),
    };
    let mut lines = vec![
        format!(
            "{} rules, {} herds (a herd is what is known where runs come together again, mostly at the head of a loop)",
            verdict.counts.rules,
            proof.templates.len()
        ),
        lengths,
    ];
    if most > 0 {
        lines.push(format!(
            "by descent: beside any run, up to {most} runs on smaller inputs (scapegoats) are followed; where the run could fail, one of these fails too, so that no failing run is the smallest"
        ));
    } else {
        lines.push(String::from("by cases: no run on a smaller input is needed, as what is known of a herd excludes each failure"));
    }
    if !proof.lemmas.is_empty() {
        lines.push(format!(
            "{} lemmas: assertions that the proof adds, and shows like those of the program; or, before a failure, the question whether a register holds what comes in as a new one, so that of the failures there one is looked at, which may be any",
            proof.lemmas.len()
        ));
    }
    lines
}

fn trusted(kernel: Kernel) -> Vec<String> {
    vec![
        format!("the kernel, version {}, source sha256 {}: it has accepted this certificate", kernel.version, kernel.digest),
        String::from(
            "that the program in the certificate is your C: the front end says so if you ask it (goatherd-check CERT --source FILE.c)",
        ),
        String::from("that your compiler and machine are as said under \"Under what\", and that callers give valid inputs"),
        String::from("that the assertions say what you want to know"),
    ]
}

fn not_trusted(certificate: &Certificate<Rules<'_>>) -> Vec<String> {
    let mut lines = vec![String::from("whoever has made the certificate, the search that has found the proof, any solver")];
    if matches!(certificate.evidence, Evidence::Proof(_)) {
        lines.push(String::from("this explanation: it is no part of the check, and no verdict depends on it"));
    }
    lines
}

/// Ascending numbers, those next to each other as a range.
fn ranges(numbers: &[u32]) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(*number) => *last = *number,
            _ => ranges.push((*number, *number)),
        }
    }
    list(ranges.into_iter().map(|(first, last)| if first == last { first.to_string() } else { format!("{first}-{last}") }))
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn neighbours_are_a_range() {
        assert_eq!(ranges(&[1, 3, 4, 5, 9, 10]), "1, 3-5, 9-10");
        assert_eq!(ranges(&[]), "");
    }
}
