//! Certificates in terms of C: first in words, then in full.
//!
//! What is printed need not be well-formed: a name that does not exist is printed as its number.

pub mod formula;
pub mod model;
mod proof;
mod terms;

use crate::report::hexadecimal;
use goatherd_certificates::{
    certificate::{
        Certificate, Claim, Ends, Evidence, GroundRun, InputValue, Origin, PointerFormation,
        SignedOverflow,
    },
    program::Location,
};
use goatherd_checker::decode::Rules;
use goatherd_frontend::{
    escape::{escaped, shortened},
    print::{self, Page, conditions, list, program::Names},
};
use terms::Terms;

/// Where the subject came from, as the certificate says, between blank lines.
fn made_from(origin: &Origin, page: &mut Page) {
    let (file, digest) = (escaped(&origin.file), hexadecimal(&origin.digest));
    page.line(0, "");
    page.line(0, "Made from");
    page.line(1, format!("{file}, sha256 {digest}"));
    for definition in &origin.definitions {
        page.line(1, format!("-D {}", escaped(definition)));
    }
    page.line(0, "");
}

/// A certificate, for people.
///
/// Of a derivation that cannot be read it says just that.
pub fn certificate(certificate: &Certificate<Rules<'_>>) -> String {
    let statement = &certificate.statement;
    let names = Names::new(&statement.program);
    let mut page = Page::default();
    page.paragraph(&summary(certificate, &names));
    page.line(0, "");
    page.line(0, "Checked under");
    for phrase in conditions(&statement.program, statement.parameters) {
        page.line(1, phrase);
    }
    made_from(&statement.origin, &mut page);
    names.declarations(&mut page);
    page.line(0, "Program");
    names.listing(&certificate.files, &certificate.positions, &mut page);
    page.line(0, "");
    match &certificate.evidence {
        Evidence::Proof(evidence)
        | Evidence::Paths {
            proof: evidence, ..
        } => {
            let terms = Terms::new(&certificate.terms);
            proof::proof(evidence, certificate, &names, &terms, &mut page);
        }
        Evidence::Run(run) => {
            page.line(0, "The run that fails");
            ground_run(run, &names, &mut page);
            page.line(0, "");
        }
    }
    for witness in &certificate.witnesses {
        page.line(0, "A run that ends normally (for the vacuity flag)");
        ground_run(witness, &names, &mut page);
        page.line(0, "");
    }
    page.text
}

/// Where an instruction stands in the source: `FILE:LINE:COLUMN`.
pub fn position<R>(certificate: &Certificate<R>, location: Location) -> Option<String> {
    print::position(&certificate.files, &certificate.positions, location)
}

/// The paragraph in words.
fn summary<R>(certificate: &Certificate<R>, names: &Names<'_>) -> String {
    let statement = &certificate.statement;
    let (entry, parameters) = (shortened(&statement.program.entry), &statement.parameters);
    let under = conditions(&statement.program, *parameters).join(", ");
    let inputs = names.input_phrases().join("; ");
    let mut kinds = vec![
        "an assertion that is false",
        "an access outside a live object or to NULL",
        "a wrong free",
    ];
    kinds.extend([
        "the use of a value that was never set or of a pointer to a dead object",
        "a comparison of unrelated pointers",
    ]);
    kinds.push("a division or shift that C leaves undefined");
    if parameters.signed_overflow == SignedOverflow::Fails {
        kinds.push("signed overflow");
    }
    if parameters.pointer_formation == PointerFormation::InsideObject {
        kinds.push("a pointer formed outside its object");
    }
    let failures = kinds.join("; ");
    match (statement.claim, inputs.is_empty()) {
        (Claim::Safe, true) => format!(
            "Claimed: {entry} takes no input. Under this dialect of C: {under}; no execution fails before an assumption is false in it. \
             Failures are: {failures}. That executions end is not claimed."
        ),
        (Claim::Safe, false) => format!(
            "Claimed: for all inputs of {entry} such that {inputs}; under this dialect of C: {under}; no execution fails before an \
             assumption is false in it. Failures are: {failures}. That executions end is not claimed."
        ),
        (Claim::Paths(ends), _) => {
            let inputs = if inputs.is_empty() {
                String::from("it takes no input")
            } else {
                inputs
            };
            let which = match ends {
                Ends::Complete => "that ends at Halt or at its own failure",
                Ends::Anywhere => "up to where it ends, is ignored, or fails otherwise",
            };
            format!(
                "Claimed: of {entry}, where {inputs}, every feasible path {which} is a path of the graph that the checker derives from the \
                 derivation below, and every path of the graph goes along edges of the program. Checked under this dialect of C: {under}."
            )
        }
        // Claimed of a model or a formula alone; the kernel refuses it.
        (Claim::Invariant, _) => {
            String::from("Claimed: an invariant, which a program does not have.")
        }
        (Claim::Unsatisfiable, _) => {
            String::from("Claimed: what is claimed of a formula, which a program is not.")
        }
        (Claim::Unsafe, _) => {
            let steps = if let Evidence::Run(run) = &certificate.evidence {
                run.steps
            } else {
                0
            };
            format!(
                "Claimed: {entry} can fail. Under this dialect of C: {under}; the run below, with its input and its choices, fails at step \
                 {steps}. Failures are: {failures}."
            )
        }
    }
}

fn ground_run(run: &GroundRun, names: &Names<'_>, page: &mut Page) {
    for (position, value) in run.inputs.iter().enumerate() {
        let element = |fields: &Vec<i128>| match fields.as_slice() {
            [field] => field.to_string(),
            fields => format!("{{{}}}", list(fields)),
        };
        let value = match value {
            InputValue::Integer(value) => value.to_string(),
            InputValue::Array(elements) => format!("{{{}}}", list(elements.iter().map(element))),
            InputValue::Single(None) => String::from("NULL"),
            InputValue::Single(Some(fields)) => format!("&{}", element(fields)),
            InputValue::Linked(nodes) => {
                let node = |node: &Option<Vec<i128>>| {
                    node.as_ref().map_or_else(|| String::from("NULL"), element)
                };
                format!("tree {}", list(nodes.iter().map(node)))
            }
        };
        page.line(1, format!("{} = {value}", names.input(position)));
    }
    if !run.choices.is_empty() {
        page.line(1, format!("choices: {}", list(&run.choices)));
    }
    page.line(1, format!("{} steps", run.steps));
}
