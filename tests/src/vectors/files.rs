//! Ground runs, programs without a meaning, and bytes that are no certificate or that are declined.

use super::{Catalogue, encoded};
use crate::{
    forge::{PARAMETERS, certificate_of_run},
    programs::{FAIL, array, branch, empty, integer, layout, object, pointer},
};
use goatherd::encode::digest;
use goatherd_certificates::{
    certificate::{Allocation, Certificate, GroundRun, InputValue, Parameters},
    program::{Allocate, Fresh, Input, Instruction, IntegerType, Location, Operand, Origin, Program, Relation, Type},
};
use goatherd_checker::rejection::Rejection;

/// Fails where the array has two elements, x is 1, a Havoc gives 7 and the second way is chosen.
fn program() -> Program {
    let mut program = empty();
    let (_, length, _) = array(&mut program, "a", IntegerType::I8, IntegerType::U8);
    let x = integer(&mut program, "x", IntegerType::I8);
    program.inputs.push(Input::Integer { register: x });
    let (length, of_x) = (Operand::Register(length), Operand::Register(x));
    program.instructions = vec![
        branch(Relation::Equal, length, Operand::Constant(2), 1, 6),
        branch(Relation::Equal, of_x, Operand::Constant(1), 2, 6),
        Instruction::Havoc { target: x },
        branch(Relation::Equal, of_x, Operand::Constant(7), 4, 6),
        Instruction::Choose { then: Location(6), otherwise: Location(5) },
        FAIL,
        Instruction::Halt,
    ];
    program
}

fn failing() -> GroundRun {
    GroundRun { inputs: vec![InputValue::Array(vec![vec![3], vec![-3]]), InputValue::Integer(1)], choices: vec![7, 1], steps: 6 }
}

fn halting() -> GroundRun {
    GroundRun { inputs: vec![InputValue::Array(Vec::new()), InputValue::Integer(0)], choices: Vec::new(), steps: 2 }
}

/// The failing run, with a change.
fn run(change: impl FnOnce(&mut GroundRun)) -> Certificate {
    let mut run = failing();
    change(&mut run);
    certificate_of_run(&program(), PARAMETERS, run)
}

/// Adds them.
pub(super) fn add(vectors: &mut Catalogue) {
    runs(vectors);
    allocation(vectors);
    witnesses(vectors);
    programs(vectors);
    frame(vectors);
    contents(vectors);
    declined(vectors);
}

fn runs(vectors: &mut Catalogue) {
    vectors.accepted("run-accepted", "a run of six instructions that fails; the other files named run- change it", &run(|_| {}));
    let mut rejected = |name: &str, rejection, reason, certificate: Certificate| vectors.rejected(name, rejection, reason, &certificate);
    rejected("run-too-few-inputs", Rejection::Run, "one input has no value", run(|run| drop(run.inputs.pop())));
    rejected("run-input-kind", Rejection::Run, "the values of the inputs are exchanged", run(|run| run.inputs.swap(0, 1)));
    let certificate = run(|run| run.inputs[0] = InputValue::Array(vec![vec![128], vec![0]]));
    rejected("run-element-range", Rejection::Run, "an element of type I8 is 128", certificate);
    let certificate = run(|run| run.inputs[1] = InputValue::Integer(128));
    rejected("run-integer-range", Rejection::Run, "an integer of type I8 is 128", certificate);
    let certificate = run(|run| run.inputs[0] = InputValue::Array(vec![vec![0, 0], vec![0, 0]]));
    rejected("run-element-fields", Rejection::Run, "an element of one field has two values", certificate);
    rejected("run-ends-later", Rejection::Run, "five steps are declared, and the run takes six", run(|run| run.steps = 5));
    rejected("run-ends-earlier", Rejection::Run, "seven steps are declared, and the run takes six", run(|run| run.steps = 7));
    rejected("run-halts", Rejection::Run, "the run ends at Halt", run(|run| run.choices[1] = 0));
    rejected("run-choice-left", Rejection::Run, "a choice is left over", run(|run| run.choices.push(0)));
    rejected("run-choice-missing", Rejection::Choice, "a choice is missing", run(|run| run.choices.truncate(1)));
    rejected("run-choice-way", Rejection::Choice, "the third of two ways is chosen", run(|run| run.choices[1] = 2));
    rejected("run-choice-range", Rejection::Run, "a Havoc of type I8 gives 128", run(|run| run.choices[0] = 128));
    let mut ignoring = program();
    ignoring.instructions[5] = Instruction::Ignore;
    rejected("run-ignored", Rejection::AtEnd, "the run ends at Ignore", certificate_of_run(&ignoring, PARAMETERS, failing()));
}

fn allocation(vectors: &mut Catalogue) {
    let mut program = empty();
    let p = pointer(&mut program, "p");
    let x = integer(&mut program, "x", IntegerType::I8);
    let element = layout(&mut program, &[Type::Integer(IntegerType::I8)]);
    let object = object(&mut program, element, Origin::Heap);
    program.instructions = vec![
        Instruction::Allocate(Allocate { target: p, object, bytes: Operand::Constant(1), fresh: Fresh::Arbitrary }),
        Instruction::Load { target: x, address: p, offset: 0 },
        Instruction::Halt,
    ];
    let of = |allocation, choices: &[i128]| {
        let run = GroundRun { inputs: Vec::new(), choices: choices.to_vec(), steps: 2 };
        certificate_of_run(&program, Parameters { allocation, ..PARAMETERS }, run)
    };
    vectors.accepted("run-allocation-accepted", "allocation gives NULL where it may, and the load fails", &of(Allocation::MayFail, &[0]));
    let certificate = of(Allocation::MayFail, &[1, 5]);
    vectors.rejected("run-allocation-succeeds", Rejection::Run, "allocation gives an object, and the load does not fail", &certificate);
    let certificate = of(Allocation::Succeeds, &[0]);
    vectors.rejected(
        "run-allocation-parameter",
        Rejection::Run,
        "allocation is said to succeed, and 0 is what the object holds",
        &certificate,
    );
}

fn witnesses(vectors: &mut Catalogue) {
    let with = |witnesses: Vec<GroundRun>| Certificate { witnesses, ..run(|_| {}) };
    vectors.accepted("witness-accepted", "four runs that halt", &with(vec![halting(); 4]));
    vectors.rejected("witness-five", Rejection::Run, "five runs that halt", &with(vec![halting(); 5]));
    vectors.rejected("witness-fails", Rejection::Run, "a run that fails", &with(vec![failing()]));
    let late = GroundRun { steps: 3, ..halting() };
    vectors.rejected("witness-steps", Rejection::Run, "three steps are declared, and the run takes two", &with(vec![late]));
}

fn programs(vectors: &mut Catalogue) {
    let mut ill_formed = |name: &str, fault: &str, reason, change: fn(&mut Certificate)| {
        let mut certificate = run(|_| {});
        change(&mut certificate);
        vectors.bytes(name, &format!("ill-formed {fault}"), reason, encoded(&certificate));
    };
    ill_formed("program-register", "Register", "a register that does not exist", |certificate| {
        certificate.statement.program.instructions[2] = Instruction::Havoc { target: goatherd_certificates::program::RegisterId(3) };
    });
}

/// With a trailer that fits.
fn closed(contents: &[u8]) -> Vec<u8> {
    [contents, &digest(contents)].concat()
}

/// All but the trailer of the failing run.
fn open() -> Vec<u8> {
    let mut bytes = encoded(&run(|_| {}));
    bytes.truncate(bytes.len() - 32);
    bytes
}

/// Where the limits of a file end: behind magic, version, and the byte 252 with the four of 2^26.
const LIMITS: usize = 8 + 4 + 5 + 5;

/// Where the statement begins: behind its digest and the byte 251 with the two of its length, or the length alone.
fn statement(bytes: &[u8]) -> usize {
    LIMITS + 32 + if bytes[LIMITS + 32] < 251 { 1 } else { 3 }
}

fn frame(vectors: &mut Catalogue) {
    let whole = closed(&open());
    vectors.bytes("malformed-magic", "malformed Magic", "the first byte is changed", {
        let mut bytes = open();
        bytes[0] = b'G';
        closed(&bytes)
    });
    vectors.bytes("malformed-empty", "malformed Magic", "an empty file", Vec::new());
    vectors.bytes("malformed-header", "malformed Truncated", "the file ends inside the version", whole[..10].to_vec());
    vectors.bytes("malformed-no-trailer", "malformed Truncated", "the file ends before a trailer can begin", whole[..LIMITS + 8].to_vec());
    vectors.bytes("malformed-cut", "malformed Trailer", "the last byte is missing", whole[..whole.len() - 1].to_vec());
    vectors.bytes("malformed-trailer", "malformed Trailer", "a bit of the trailer is changed", {
        let mut bytes = whole.clone();
        bytes[whole.len() - 1] ^= 1;
        bytes
    });
    vectors.bytes("malformed-behind-trailer", "malformed Trailer", "a byte stands behind the trailer", [whole.as_slice(), &[0]].concat());
    vectors.bytes("malformed-statement-digest", "malformed StatementDigest", "a bit of the statement digest is changed", {
        let mut bytes = open();
        bytes[LIMITS] ^= 1;
        closed(&bytes)
    });
    vectors.bytes("malformed-statement", "malformed StatementDigest", "the claim is changed, and its digest is not", {
        let mut bytes = open();
        let begin = statement(&bytes);
        // Behind the subject.
        bytes[begin + 1] ^= 1;
        closed(&bytes)
    });
    vectors.bytes("malformed-limits", "malformed Integer", "the memory limit begins with the byte 255", {
        let mut bytes = open();
        bytes[12] = 255;
        closed(&bytes)
    });
}

/// Without the last bytes of the contents: the evidence ends `.. choices [7, 1] as 2, 14, 2; steps 6; no witnesses 0`.
fn contents(vectors: &mut Catalogue) {
    let ended = |dropped: usize, appended: &[u8]| {
        let mut bytes = open();
        bytes.truncate(bytes.len() - dropped);
        bytes.extend(appended);
        closed(&bytes)
    };
    vectors.bytes(
        "contents-accepted",
        "accepted Unsafe",
        "the run as it is: the other files named contents- change its last bytes",
        ended(2, &[6, 0]),
    );
    vectors.bytes("contents-truncated", "malformed Truncated", "the list of witnesses is missing", ended(1, &[]));
    vectors.bytes("contents-trailing", "malformed Trailing", "a byte between contents and trailer", ended(0, &[0]));
    vectors.bytes("contents-integer", "malformed Integer", "the number of steps, 6, is written in three bytes", ended(2, &[251, 6, 0, 0]));
    vectors.bytes("contents-integer-first", "malformed Integer", "the number of steps begins with the byte 255", ended(2, &[255, 0]));
    let wide = [[254].as_slice(), &[255; 16], &[0]].concat();
    vectors.bytes("contents-range", "malformed Range", "the number of steps is 2^128 - 1", ended(2, &wide));
    vectors.bytes("contents-length", "malformed Length", "200 witnesses in no bytes", ended(1, &[200]));
    vectors.bytes("contents-cut", "malformed Truncated", "the file ends inside the number of steps", ended(2, &[251, 6]));
    let mut bytes = open();
    // Files, positions and terms: none of each, then the variant of the evidence.
    let length = bytes.len() - EVIDENCE;
    bytes[length] = 3;
    vectors.bytes("contents-variant", "malformed Variant", "evidence of a kind that does not exist", closed(&bytes));
    let mut certificate = run(|_| {});
    certificate.statement.program.entry = String::from("t\u{1}");
    let mut bytes = encoded(&certificate);
    bytes.truncate(bytes.len() - 32);
    let begin = statement(&bytes);
    let name = begin + bytes[begin..].windows(2).position(|window| window == b"t\x01").expect("the name of the entry");
    bytes[name + 1] = 0xff;
    let end = begin + statement_length(&bytes);
    let fitting = digest(&bytes[begin..end]);
    bytes[LIMITS..LIMITS + 32].copy_from_slice(&fitting);
    vectors.bytes("contents-text", "malformed Text", "the name of the entry is not UTF-8", closed(&bytes));
}

/// The bytes from the variant of the evidence to the end: it, two inputs (1 + 6 + 2), two choices (3), steps, witnesses.
const EVIDENCE: usize = 1 + 1 + 6 + 2 + 3 + 1 + 1;

/// The length of the statement.
fn statement_length(bytes: &[u8]) -> usize {
    match bytes[LIMITS + 32] {
        251 => usize::from(u16::from_le_bytes([bytes[LIMITS + 33], bytes[LIMITS + 34]])),
        length => usize::from(length),
    }
}

fn declined(vectors: &mut Catalogue) {
    let mut bytes = open();
    bytes[8] = 1;
    vectors.bytes("declined-version", "declined Version", "the version is 1, and everything else as in version 2", closed(&bytes));
    bytes[8] = 5;
    vectors.bytes("declined-version-later", "declined Version", "the version is 5, and everything else as in version 2", closed(&bytes));
    let limited = |memory| {
        let mut certificate = run(|_| {});
        certificate.limits.memory = memory;
        encoded(&certificate)
    };
    vectors.bytes("declined-limit", "declined Limit", "twice as much memory is declared as the caller allows", limited(2 * super::ALLOWED));
    vectors.bytes("declined-file", "declined Memory", "less memory is declared than the file is long", limited(100));
    vectors.bytes("declined-memory", "declined Memory", "less memory is declared than decoding takes", limited(400));
}
