//! Running the C compiler, and reading what it says.

use std::{
    io::{self, Read, Write},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex, PoisonError},
    thread,
};

/// More of what a compiler says is not read, in bytes.
const LONGEST_MESSAGES: u64 = 16 << 20;

/// A compiler that judges a file. It is ended where this is dropped.
#[derive(Debug)]
pub(super) struct Compiler {
    child: Arc<Mutex<Child>>,
}

/// What it said.
#[derive(Clone, Debug)]
pub(super) struct Said {
    /// `gcc 12.2.0`, if it says so.
    pub(super) version: Option<String>,
    pub(super) errors: Vec<Message>,
    /// The first line of its messages, for one that says nothing that is understood.
    pub(super) first_line: String,
}

/// One of its messages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Message {
    pub(super) line: usize,
    pub(super) text: String,
}

/// Whether the compiler warns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Warnings {
    Off,
    On,
}

impl Compiler {
    /// Starts `program` on the text, and calls `told` when it has said all, in a thread of its own.
    pub(super) fn start(
        program: &str,
        text: String,
        warnings: Warnings,
        told: impl FnOnce(io::Result<Said>) + Send + 'static,
    ) -> io::Result<Compiler> {
        let mut command = Command::new(program);
        command.args(["-v", "-fsyntax-only", "-std=gnu17"]).env("LC_ALL", "C");
        if warnings == Warnings::Off {
            command.arg("-w");
        }
        command.args(["-x", "c", "-"]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let (stdin, stderr) = (child.stdin.take(), child.stderr.take());
        let child = Arc::new(Mutex::new(child));
        let ended = Arc::clone(&child);
        thread::Builder::new().spawn(move || {
            // A compiler that gives up early closes the pipe; it then says why. It reads all before it says much.
            let written = thread::Builder::new().spawn(move || stdin.map(|mut stdin| stdin.write_all(text.as_bytes())));
            let mut messages = Vec::new();
            let read = stderr.map_or(Ok(0), |stderr| stderr.take(LONGEST_MESSAGES).read_to_end(&mut messages));
            drop(written.map(thread::JoinHandle::join));
            let status = ended.lock().unwrap_or_else(PoisonError::into_inner).wait();
            told(read.and(status).map(|_| said(&String::from_utf8_lossy(&messages))));
        })?;
        Ok(Compiler { child })
    }
}

impl Drop for Compiler {
    fn drop(&mut self) {
        // Whoever waits for it holds the lock only when it has closed its output.
        if let Ok(mut child) = self.child.try_lock() {
            drop(child.kill());
        }
    }
}

/// Reads `NAME:LINE:COLUMN: error: TEXT`.
fn said(messages: &str) -> Said {
    let mut errors = Vec::new();
    for line in messages.lines() {
        let Some((place, text)) = [": fatal error: ", ": error: ", ": warning: "].iter().find_map(|mark| line.split_once(mark)) else {
            continue;
        };
        let number = place.split(':').nth(1).and_then(|number| number.parse().ok()).unwrap_or(0);
        errors.push(Message { line: number, text: text.to_owned() });
    }
    Said { version: version(messages), errors, first_line: messages.lines().next().unwrap_or_default().to_owned() }
}

/// From `gcc version 12.2.0 (Debian 12.2.0-14)`, `Debian clang version 14.0.6`.
fn version(messages: &str) -> Option<String> {
    messages.lines().find_map(|line| {
        let (before, after) = line.split_once(" version ")?;
        let name = before.rsplit(' ').next().filter(|name| matches!(*name, "gcc" | "clang"))?;
        Some(format!("{name} {}", after.split(' ').next()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_those_of_compilers() {
        assert_eq!(version("x\ngcc version 12.2.0 (Debian 12.2.0-14) \n"), Some("gcc 12.2.0".to_owned()));
        assert_eq!(version("Debian clang version 14.0.6\n"), Some("clang 14.0.6".to_owned()));
        assert_eq!(version("tcc version 0.9.27\n"), None);
    }
}
