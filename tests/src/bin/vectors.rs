//! Writes the test vectors for second implementations: `tests/vectors/*.goatherd` and their index.
//!
//! Usage: `vectors`. The files are the same each time; files of vectors that are no more are removed.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use goatherd_tests::vectors;

fn main() -> ExitCode {
    match write(&vectors::folder()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("vectors: {error}");
            ExitCode::FAILURE
        }
    }
}

fn write(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "goatherd") {
            std::fs::remove_file(path)?;
        }
    }
    let all = vectors::all();
    for vector in &all {
        std::fs::write(folder.join(&vector.file), &vector.bytes)?;
    }
    std::fs::write(folder.join("index.tsv"), vectors::index(&all))?;
    println!("{} files, {} bytes", all.len(), all.iter().map(|vector| vector.bytes.len()).sum::<usize>());
    Ok(())
}
