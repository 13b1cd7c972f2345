//! Changes bytes of generated certificates and has the kernel decode and check them: `fuzz-bytes [COUNT [SEED [FILE]]]`. A panic ends it, and so does
//! a check that takes more memory than it declares; the bytes at hand stand in FILE then. Ends with 1 if a false claim is accepted.

use goatherd_allocator::Counting;
use goatherd_generator::{
    bytes,
    campaign::{Campaign, Encoded},
    certificates::LIMITS,
    dice::Dice,
    programs::Subject,
};
use std::{
    alloc::System,
    env, fs,
    process::{self, ExitCode},
    time::Instant,
};

/// Bytes that a check may take beside those that it declares: the kernel counts what it holds, not what the allocator rounds up to.
const MARGIN: usize = 1 << 20;

#[global_allocator]
static ALLOCATOR: Counting<System> = Counting::new(System, at_limit);

fn at_limit() -> ! {
    eprintln!("a check takes more memory than it declares");
    process::exit(1)
}

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let mut number = |default| arguments.next().and_then(|number| number.parse().ok()).unwrap_or(default);
    let (count, seed): (u64, u64) = (number(100_000), number(0));
    let file = env::args().nth(3);
    let (start, mut campaign, mut dice) = (Instant::now(), Campaign::new(seed, Subject::Any), Dice::new(seed));
    let (mut accepted, mut executions, mut longest) = (0u64, 0, 0);
    let memory = usize::try_from(LIMITS.memory).unwrap_or(usize::MAX);
    while executions < count {
        let Some(Encoded { bytes: mut encoded, statement, is_false }) = campaign.encoded() else { continue };
        bytes::change(&mut encoded, &mut dice);
        executions += 1;
        if let Some(file) = &file
            && let Err(error) = fs::write(file, &encoded)
        {
            eprintln!("{file}: {error}");
        }
        ALLOCATOR.set_limit(ALLOCATOR.held().saturating_add(memory).saturating_add(MARGIN));
        let begun = Instant::now();
        let answer = bytes::check(&encoded);
        longest = longest.max(begun.elapsed().as_micros());
        ALLOCATOR.set_limit(usize::MAX);
        let Ok(verdict) = answer else { continue };
        accepted += 1;
        // Bytes of the statement may have changed, so that it is about another program.
        if is_false && verdict.statement_digest == statement {
            println!("accepted, but false after {executions} executions");
            return ExitCode::FAILURE;
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("{executions} executions, {accepted} accepted, {seconds:.1} s, the longest check {longest} us");
    ExitCode::SUCCESS
}
