//! From a failing run to a witness.

use crate::document::{Asked, Holds, Met, Metadata, Part, Producer, Spot, VERSION, VIOLATION_SEQUENCE, ViolationWitness, Waypoint};
use goatherd_certificates::program::{Instruction, Location, Program};
use goatherd_counterexample::Counterexample;
use goatherd_interpreter::{FailReason, Failure};
use sha2::{Digest, Sha256};

/// What was asked of the program, as SV-COMP says it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Property {
    /// That no assertion fails.
    UnreachCall,
    /// That accesses are inside objects that live.
    ValidDeref,
    /// That `free` gets what may be freed.
    ValidFree,
    /// That nothing is lost.
    ValidMemtrack,
    /// That signed arithmetic does not overflow.
    NoOverflow,
}

impl Property {
    /// The one that this failure violates; none where SV-COMP has none.
    #[must_use]
    pub fn of(failure: Failure) -> Option<Self> {
        Some(match failure {
            Failure::Program(FailReason::Assertion | FailReason::Reached) => Self::UnreachCall,
            Failure::NullAccess | Failure::OutOfBounds | Failure::DeadObject => Self::ValidDeref,
            Failure::InvalidFree => Self::ValidFree,
            Failure::Leak => Self::ValidMemtrack,
            Failure::SignedOverflow | Failure::DivisionOverflow => Self::NoOverflow,
            _ => return None,
        })
    }

    fn specification(self) -> &'static str {
        match self {
            Self::UnreachCall => "CHECK( init(main()), LTL(G ! call(reach_error())) )",
            Self::ValidDeref => "CHECK( init(main()), LTL(G valid-deref) )",
            Self::ValidFree => "CHECK( init(main()), LTL(G valid-free) )",
            Self::ValidMemtrack => "CHECK( init(main()), LTL(G valid-memtrack) )",
            Self::NoOverflow => "CHECK( init(main()), LTL(G ! overflow) )",
        }
    }
}

/// What a witness tells.
#[derive(Clone, Copy, Debug)]
pub struct Account<'a> {
    /// The program that fails.
    pub program: &'a Program,
    /// How.
    pub run: &'a Counterexample,
    /// The files, as they were named, each with SHA-256 of its bytes in hexadecimal digits.
    pub files: &'a [(String, String)],
    /// The version of the prover.
    pub version: &'a str,
}

/// The witness as YAML, or why there is none. `end_of_call` says where the call ends that an instruction is, if it is one; `place`, where an instruction
/// stands. The same run gives the same bytes: the name of the witness is made of its contents, and its time is always the beginning of 1970.
///
/// # Errors
///
/// The run has inputs that no call returns, or fails in a way that SV-COMP has no property for.
pub fn write(
    account: Account<'_>,
    place: impl Fn(Location) -> Spot,
    end_of_call: impl Fn(Location) -> Option<Spot>,
) -> Result<String, &'static str> {
    let Account { program, run, files, version } = account;
    if !program.inputs.is_empty() {
        return Err("the entry function has parameters, and a witness has no place for their values");
    }
    let property = Property::of(run.failure).ok_or("the format has no property that is violated by this")?;
    let mut content: Vec<Part> = values(program, run, end_of_call).map(|(spot, value)| returns(spot, value)).collect();
    content.push(Part {
        segment: vec![Met {
            waypoint: Waypoint { kind: "target".to_owned(), action: "follow".to_owned(), constraint: None, location: place(run.location) },
        }],
    });
    let asked = Asked {
        input_files: files.iter().map(|(file, _)| file.clone()).collect(),
        input_file_hashes: files.iter().cloned().collect(),
        specification: property.specification().to_owned(),
        data_model: "LP64".to_owned(),
        language: "C".to_owned(),
    };
    let metadata = Metadata {
        format_version: VERSION.to_owned(),
        uuid: String::new(),
        creation_time: "1970-01-01T00:00:00Z".to_owned(),
        producer: Producer { name: "Goatherd".to_owned(), version: version.to_owned() },
        task: asked,
    };
    let mut witness = ViolationWitness { entry_type: VIOLATION_SEQUENCE.to_owned(), metadata, content };
    witness.metadata.uuid = uuid(&text(&witness)?);
    text(&witness)
}

fn text(witness: &ViolationWitness) -> Result<String, &'static str> {
    serde_saphyr::to_string(&[witness]).map_err(|_| "it cannot be written as YAML")
}

/// What calls returned that the program does not determine, in the order of the run.
fn values(program: &Program, run: &Counterexample, end_of_call: impl Fn(Location) -> Option<Spot>) -> impl Iterator<Item = (Spot, i128)> {
    let mut choices = run.choices.iter();
    run.trace.iter().filter_map(move |step| {
        let value = choices.by_ref().take(step.choices).last().copied();
        let is_value = matches!(program.instructions.get(step.location.index()), Some(Instruction::Havoc { .. }));
        is_value.then(|| end_of_call(step.location)).flatten().zip(value)
    })
}

fn returns(location: Spot, value: i128) -> Part {
    let constraint = Holds { value: format!("\\result == {value}"), format: Some("acsl_expression".to_owned()) };
    let waypoint = Waypoint { kind: "function_return".to_owned(), action: "follow".to_owned(), constraint: Some(constraint), location };
    Part { segment: vec![Met { waypoint }] }
}

/// A name made of these contents: version 8 of RFC 9562.
fn uuid(contents: &str) -> String {
    let digest: [u8; 32] = Sha256::digest(contents).into();
    let number = digest.iter().take(16).fold(0_u128, |number, byte| number << 8 | u128::from(*byte));
    let mut digits = format!("{number:032x}");
    digits.replace_range(12..13, "8");
    digits.replace_range(16..17, "8");
    format!("{}-{}-{}-{}-{}", &digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..])
}
