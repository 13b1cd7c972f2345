//! Reading C files.
//!
//! A file becomes preprocessing tokens that know their places (module `token`); macros are expanded (`macros`), by the C compiler where the
//! file includes others or has conditions (`directives`, `preprocessor`); what the parser cannot read is rewritten or refused (`rewrite`,
//! `pack`, `operands`, `limits`); models of library functions are added ([`crate::models`]); and the tokens are written as one text (`text`).

mod bodies;
mod builtins;
mod bytes;
mod directives;
mod environment;
mod header_names;
mod headers;
mod hidden;
mod implicit_int;
pub(crate) mod known;
mod languages;
mod leaves;
mod limits;
mod macro_bodies;
mod macros;
mod names_of_files;
mod operands;
mod pack;
mod parts_of_names;
mod precompiled;
mod predefined;
mod preprocessor;
mod reserved;
mod rewrite;
pub(crate) mod text;
pub(crate) mod token;
mod trigraphs;
mod unit;
mod users_text;
mod varying;

use crate::{
    diagnostics::{Kind, Report},
    files,
};
pub(crate) use names_of_files::plain_name;
use preprocessor::Expanded;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};
use text::Text;
use token::Token;
pub use unit::{Dependency, Unit};
pub(crate) use unit::{File, report_at};
pub(crate) use varying::PERHAPS_MACROS;

/// How a file is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Macro definitions, in order: `NAME` or `NAME=VALUE` (`-D`).
    pub definitions: Vec<String>,
    /// Where `#include` looks (`-I`).
    pub include_directories: Vec<PathBuf>,
    /// The function that the analysis starts from.
    pub entry: String,
}

impl Default for Options {
    /// No definitions, no directories, entry `test`.
    fn default() -> Options {
        Options { definitions: Vec::new(), include_directories: Vec::new(), entry: "test".to_owned() }
    }
}

/// The largest file that is read, in bytes.
const LARGEST_FILE: u64 = 16 << 20;

/// Files after preprocessing: one, or several as one.
#[derive(Clone, Debug)]
pub(crate) struct Preprocessed {
    pub(crate) tokens: Vec<Token>,
    /// Those that were read, and the system's headers. The user's own are the first ones.
    pub(crate) files: Vec<File>,
    /// How many files are the user's own, apart from what these include.
    pub(crate) sources: usize,
    /// Are there names that headers of the library may use?
    pub(crate) has_reserved: bool,
}

/// Reads a C file, or the standard input if the path is `-`. Refuses what cannot be read or is no C.
pub fn load(path: &Path, options: &Options) -> Result<Unit, Vec<Report>> {
    finish(preprocess(path, options)?)
}

/// Reads a C file up to the end of preprocessing.
pub(crate) fn preprocess(path: &Path, options: &Options) -> Result<Preprocessed, Vec<Report>> {
    let is_standard = path.as_os_str() == "-";
    let (name, folder) =
        if is_standard { ("<stdin>".into(), Path::new("")) } else { (path.to_string_lossy(), path.parent().unwrap_or(Path::new(""))) };
    let bytes = if is_standard { files::bytes_of(std::io::stdin().lock(), LARGEST_FILE) } else { files::bytes(path, LARGEST_FILE) };
    let bytes = bytes.map_err(|reason| vec![Report::of_file(Kind::Error, &name, format!("cannot read the file: {reason}"))])?;
    from_bytes(&name, bytes, folder, options)
}

/// Makes a unit of C text. Headers in quotes are looked for in the current directory.
pub fn from_text(name: &str, text: &str, options: &Options) -> Result<Unit, Vec<Report>> {
    finish(from_bytes(name, text.as_bytes().to_vec(), Path::new(""), options)?)
}

fn from_bytes(name: &str, bytes: Vec<u8>, directory: &Path, options: &Options) -> Result<Preprocessed, Vec<Report>> {
    if name.starts_with(crate::models::FILE) {
        return Err(vec![Report::of_file(Kind::Unsupported, name, "a file that is called as a library model is")]);
    }
    if let Some(report) = languages::refused(name, &bytes) {
        return Err(vec![report]);
    }
    let mut files = vec![File { name: name.to_owned(), bytes: Some(bytes) }];
    if let Some(report) = bytes::odd(&files).into_iter().next() {
        return Err(vec![report]);
    }
    let Expanded { tokens, has_reserved } = directives::preprocess(&mut files, directory, options)?;
    Ok(Preprocessed { tokens, files, sources: 1, has_reserved })
}

/// From preprocessed tokens to the unit.
pub(crate) fn finish(preprocessed: Preprocessed) -> Result<Unit, Vec<Report>> {
    let Preprocessed { mut tokens, mut files, sources, has_reserved } = preprocessed;
    for (number, token) in (0..).zip(&mut tokens) {
        token.original = Some(number);
    }
    let mut troubles = limits::stray(&tokens);
    let trigraphs = (0..).zip(&files).flat_map(|(number, file)| trigraphs::trigraphs(number, file));
    troubles.extend(trigraphs.map(|token| Trouble::unsupported(&token, "a trigraph, which depends on how the program is compiled")));
    let leaves = leaves::leaves(&tokens, &files, sources);
    troubles.extend(leaves.refused);
    let original = Text::new(&tokens);
    let tokens = pack::with_packing(tokens, sources, &mut troubles);
    let rewritten = rewrite::rewrite(tokens, &files, &mut troubles);
    troubles.extend(limits::nesting(&rewritten.tokens));
    if let Some((own, library)) = crate::models::conflict(&rewritten.tokens, &rewritten.undeclared) {
        let is_called = |token: &&Token| token.is(library.strip_prefix("__builtin_").unwrap_or(&library));
        if let Some(token) = rewritten.tokens.iter().find(is_called) {
            troubles.push(Trouble::unsupported(token, format!("a call of '{library}', in a file that defines '{own}' itself")));
        }
    }
    if troubles.is_empty() {
        let read = unit::Read::of(&files, has_reserved, leaves.of_headers);
        let mut tokens = crate::models::add(rewritten.tokens, &rewritten.undeclared, &mut files);
        let files = used_files(&mut tokens, files, sources);
        return Ok(Unit::new(Text::new(&tokens), original, (files, sources), read));
    }
    troubles.sort_by(|left, right| (left.token.place, &left.message).cmp(&(right.token.place, &right.message)));
    Err(troubles
        .iter()
        .map(|trouble| {
            let mut report = report_at(&files, trouble.token.place, trouble.kind, &trouble.message);
            report.macro_name = trouble.token.macro_name.as_ref().map(ToString::to_string);
            report
        })
        .collect())
}

/// The files that tokens come from: the user's own, those that were read, and the system's headers last, since little of interest comes from
/// them.
fn used_files(tokens: &mut [Token], files: Vec<File>, sources: usize) -> Vec<File> {
    let own = (0..).take(sources);
    let used: BTreeSet<u32> = tokens.iter().map(|token| token.place.file).chain(own).collect();
    let mut order: Vec<(u32, File)> = (0..).zip(files).filter(|(number, _)| used.contains(number)).collect();
    order.sort_by_key(|(_, file)| file.bytes.is_none());
    let numbers: BTreeMap<u32, u32> = order.iter().map(|(number, _)| *number).zip(0..).collect();
    for token in tokens {
        token.place.file = numbers.get(&token.place.file).copied().unwrap_or_default();
    }
    order.into_iter().map(|(_, file)| file).collect()
}

/// A diagnostic before there is a unit: at a token.
#[derive(Clone, Debug)]
pub(crate) struct Trouble {
    kind: Kind,
    pub(crate) message: String,
    token: Token,
}

impl Trouble {
    fn error(token: &Token, message: impl Into<String>) -> Trouble {
        Trouble { kind: Kind::Error, message: message.into(), token: token.clone() }
    }

    fn unsupported(token: &Token, message: impl Into<String>) -> Trouble {
        Trouble { kind: Kind::Unsupported, message: message.into(), token: token.clone() }
    }
}
