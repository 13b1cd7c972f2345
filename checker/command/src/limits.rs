//! Limits of memory and time. Where one is met the command ends in the middle of whatever it does, as declined: a limit never changes a verdict.
//!
//! Memory is what the command has asked its allocator for and not given back, all of it: the file, the replay, what is printed, the program of
//! `--source`. That of the C preprocessor, a process of its own, is not counted, nor are the stacks of threads.

use crate::report;
use goatherd_allocator::Counting;
use std::{
    process,
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: Counting<mimalloc::MiMalloc> = Counting::new(mimalloc::MiMalloc, memory_is_over);
#[cfg(not(feature = "mimalloc"))]
#[global_allocator]
static ALLOCATOR: Counting<std::alloc::System> = Counting::new(std::alloc::System, memory_is_over);

/// Has somebody begun to say what came of it? Nobody else does then.
static IS_OVER: AtomicBool = AtomicBool::new(false);

/// What is said at the limits.
static ENDS: OnceLock<Ends> = OnceLock::new();

struct Ends {
    memory: String,
    time: String,
}

/// Sets the limits, in bytes and of time.
pub fn start(memory: u64, timeout: Option<Duration>, is_json: bool) -> Result<(), String> {
    let seconds = timeout.unwrap_or_default().as_secs_f64();
    let ends = Ends {
        memory: report::declined(
            &format!("checking it takes more than {memory} bytes of memory (--memory)"),
            is_json,
        ),
        time: report::declined(
            &format!("checking it takes more than {seconds} s (--timeout)"),
            is_json,
        ),
    };
    // Standard output has its buffer before memory is short.
    crate::print("")?;
    ENDS.get_or_init(|| ends);
    ALLOCATOR.set_limit(usize::try_from(memory).unwrap_or(usize::MAX));
    if let Some(timeout) = timeout {
        let watch = move || {
            thread::sleep(timeout);
            end(|ends| &ends.time)
        };
        thread::Builder::new()
            .spawn(watch)
            .map_err(|error| format!("error: --timeout: no thread to watch the time: {error}"))?;
    }
    Ok(())
}

/// What came of it is known and only has to be said: from now on nothing ends the command.
pub fn lift() {
    take_over();
    ALLOCATOR.set_limit(usize::MAX);
}

fn memory_is_over() -> ! {
    end(|ends| &ends.memory)
}

fn end(said: fn(&Ends) -> &String) -> ! {
    take_over();
    if let Some(ends) = ENDS.get() {
        // The exit status says it too.
        drop(crate::print(said(ends)));
    }
    process::exit(report::DECLINED.into());
}

/// Returns to one thread alone; for others the process ends here.
fn take_over() {
    while IS_OVER.swap(true, Ordering::Relaxed) {
        thread::sleep(Duration::MAX);
    }
}
