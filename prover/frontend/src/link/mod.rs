//! Several files as one program.
//!
//! C links files by the names of functions and objects (C11 5.1.1.1p1, 6.2.2). Here their tokens become those of one file: what a name stands
//! for in one file alone gets another name where two files would mix it up, and types that two files declare with the same words are declared
//! once.
//!
//! ```text
//! /* a.c */ struct node { int data; };  static int count;  void push(struct node *n) { count++; }
//! /* b.c */ struct node { int data; };  static int count;  void push(struct node *n);
//!           becomes
//!           struct node { int data; };  static int count;  void push(struct node *n) { count++; }
//!                                       static int count__2;  void push(struct node *n);
//! ```

mod merge;
mod names;

use crate::{
    diagnostics::{Kind, Report, reports},
    lower::parse,
    source::{self, File, Options, Preprocessed, Unit, finish, token::Token},
};
use merge::{Linked, merge};
use names::Names;
use std::path::PathBuf;

/// Reads C files as one program, as the linker makes one of them; one file alone is what [`source::load`] reads.
///
/// # Errors
///
/// A file cannot be read or is no C, or they do not fit together: a function that two files define, or a name that cannot be told apart.
pub fn load(paths: &[PathBuf], options: &Options) -> Result<Unit, Vec<Report>> {
    if let [only] = paths {
        return source::load(only, options);
    }
    if let Some(path) = paths.iter().find(|path| path.as_os_str() == "-") {
        return Err(vec![Report::of_file(Kind::Error, &path.to_string_lossy(), "the standard input cannot be one of several files")]);
    }
    let mut linked = Vec::new();
    let mut troubles = Vec::new();
    for path in paths {
        match source::preprocess(path, options).and_then(named) {
            Ok(file) => linked.push(file),
            Err(reports) => troubles.extend(reports),
        }
    }
    if !troubles.is_empty() {
        return Err(troubles);
    }
    let merged = merge(&linked, &options.entry)?;
    finish(one_list(merged, linked))
}

/// A file with what it declares.
fn named(file: Preprocessed) -> Result<Linked, Vec<Report>> {
    let unit = finish(file.clone())?;
    let syntax = parse(&unit).map_err(|found| reports(&unit, &found))?;
    let names = Names::of(&unit, &syntax);
    Ok(Linked { tokens: file.tokens, files: file.files, has_reserved: file.has_reserved, names })
}

/// The tokens one after the other, with the files that they come from: the user's own first, then each header once.
fn one_list(merged: Vec<Vec<Token>>, linked: Vec<Linked>) -> Preprocessed {
    let sources = linked.len();
    let has_reserved = linked.iter().any(|file| file.has_reserved);
    let mut files: Vec<File> = linked.iter().filter_map(|file| file.files.first().cloned()).collect();
    let mut tokens = Vec::new();
    for (source, (own, Linked { files: read, .. })) in merged.into_iter().zip(linked).enumerate() {
        let mut numbers = vec![source];
        for file in read.into_iter().skip(1) {
            let known = files.iter().position(|known| known.name == file.name && known.bytes == file.bytes);
            numbers.push(known.unwrap_or(files.len()));
            if known.is_none() {
                files.push(file);
            }
        }
        tokens.extend(own.into_iter().map(|mut token| {
            let number = usize::try_from(token.place.file).ok().and_then(|file| numbers.get(file));
            token.place.file = number.and_then(|number| u32::try_from(*number).ok()).unwrap_or_default();
            token
        }));
    }
    Preprocessed { tokens, files, sources, has_reserved }
}
