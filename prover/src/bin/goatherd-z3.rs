//! `goatherd-z3`: `goatherd`, linked with libz3. `goatherd prove --solver z3|both`, `goatherd paths --confirm`, `goatherd draw` and `goatherd test` run it.

use mimalloc::MiMalloc;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    use goatherd::command::Z3;
    use goatherd_logic::z3;
    goatherd::command::main(Some(Z3 { ask: z3::answer, start: z3::start }))
}
