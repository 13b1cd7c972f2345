//! Generates certificates and shows them to the kernel: `generate-certificates [COUNT [SEED [FILE [SUBJECT]]]]`. Ends with 1 if one is accepted that is
//! false, and writes it to FILE. SUBJECT is `any`, `twins`, `choices` or `folds` (`spec/fuzzing.md`).

use goatherd_generator::{campaign::Campaign, programs::Subject};
use mimalloc::MiMalloc;
use std::{env, fs, process::ExitCode, time::Instant};

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let mut number = |default| arguments.next().and_then(|number| number.parse().ok()).unwrap_or(default);
    let (count, seed) = (number(100_000), number(0));
    let name = env::args().nth(4).unwrap_or_else(|| Subject::Any.name().to_owned());
    let Some(subject) = Subject::named(&name) else {
        eprintln!("`{name}` is none of {}", Subject::ALL.map(Subject::name).join(", "));
        return ExitCode::FAILURE;
    };
    let start = Instant::now();
    let mut campaign = Campaign::new(seed, subject);
    let mut answer = Ok(());
    while answer.is_ok() && campaign.counts.executions < count {
        answer = campaign.execute();
    }
    let counts = &campaign.counts;
    println!("{counts:#?}\n{:.1} s", start.elapsed().as_secs_f64());
    let Err(wrong) = answer else { return ExitCode::SUCCESS };
    println!("accepted, but false after {} executions: {}", counts.executions, wrong.reason);
    println!("{:#?}", wrong.certificate.statement.program);
    println!("{:#?}\n{:#?}", wrong.certificate.terms, wrong.certificate.evidence);
    if let Some(file) = env::args().nth(3)
        && let Err(error) = fs::write(&file, &wrong.bytes)
    {
        eprintln!("{file}: {error}");
    }
    ExitCode::FAILURE
}
