//! What a command line has beside itself: completions for a shell, and manual pages. Both are made from the same description as its help.

use clap::{Args, Command};
use clap_complete::Shell;
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// `completions`
#[derive(Args, Debug)]
pub struct Completions {
    /// For this shell
    pub shell: Shell,
}

/// `manual`
#[derive(Args, Debug)]
pub struct Manual {
    /// The folder that the pages are written to
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
}

/// The completions of a command for a shell, as that reads them.
pub fn completions(mut command: Command, shell: Shell) -> String {
    let (name, mut text) = (command.get_name().to_owned(), Vec::new());
    clap_complete::generate(shell, &mut command, name, &mut text);
    String::from_utf8_lossy(&text).into_owned()
}

/// Writes a page for the command, and one for each command below it that is not hidden: `goatherd.1`, `goatherd-prove.1`.
///
/// # Errors
///
/// A page cannot be written.
pub fn manual(command: Command, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    clap_mangen::generate_to(command, folder)
}
