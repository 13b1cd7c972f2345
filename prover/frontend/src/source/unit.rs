//! A translation unit: one text, and the files it was made from.

use super::{
    directives::{defines_for_headers, has_markers},
    text::Text,
    token::Place,
};
use crate::{
    diagnostics::{Diagnostic, Report},
    files,
};
use goatherd_certificates::certificate::Position;
use sha2::{Digest, Sha256};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

/// A file that tokens come from.
#[derive(Clone, Debug)]
pub(crate) struct File {
    /// As the user or the preprocessor named it.
    pub(crate) name: String,
    /// Its bytes, if they were read: not those of system headers.
    pub(crate) bytes: Option<Vec<u8>>,
}

/// A file that was read for a unit, also where no token of it is left: a header of macros.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dependency {
    /// As the user or the preprocessor named it, seen from the current directory.
    pub path: String,
    /// SHA-256 of its bytes; none for a header of the system.
    pub digest: Option<[u8; 32]>,
}

impl Dependency {
    /// Those of the files that lie somewhere: not what the preprocessor calls `<built-in>`, nor the standard input.
    pub(crate) fn of(files: &[File]) -> Vec<Dependency> {
        let lies_somewhere = |file: &&File| !file.name.starts_with('<');
        let digest = |bytes: &Vec<u8>| Sha256::digest(bytes).into();
        let dependency = |file: &File| Dependency { path: file.name.clone(), digest: file.bytes.as_ref().map(digest) };
        files.iter().filter(lies_somewhere).map(dependency).collect()
    }
}

/// A C file after preprocessing and rewriting, ready for the parser.
#[derive(Debug)]
pub struct Unit {
    text: Text,
    original: Text,
    files: Vec<File>,
    sources: usize,
    names: Vec<String>,
    read: Read,
}

/// What is known of all files that were read for a unit, also of those of which no token is left.
#[derive(Debug)]
pub(crate) struct Read {
    dependencies: Vec<Dependency>,
    /// Are there names that headers of the library may use?
    has_reserved: bool,
    /// May something of the user's be taken for what the system's headers say: have the user's files line markers, or macros that headers may use?
    speaks_as_system: bool,
    /// Names in declarations of headers that say of functions, in a program of several files, that they do not come back to the file that calls them.
    leaves: BTreeSet<String>,
}

impl Read {
    /// Of these files.
    pub(crate) fn of(files: &[File], has_reserved: bool, leaves: BTreeSet<String>) -> Read {
        let speaks = |bytes: &Vec<u8>| has_markers(bytes) || defines_for_headers(bytes);
        Read {
            dependencies: Dependency::of(files),
            has_reserved,
            speaks_as_system: files.iter().filter_map(|file| file.bytes.as_ref()).any(speaks),
            leaves,
        }
    }
}

impl Unit {
    /// `original` is the text before it was rewritten; so many of the files, the first ones, are the user's own.
    pub(crate) fn new(text: Text, original: Text, (files, sources): (Vec<File>, usize), read: Read) -> Unit {
        let names = files.iter().map(|file| file.name.clone()).collect();
        Unit { text, original, files, sources, names, read }
    }

    /// The user's own files, without those that they include, as the user named them.
    pub fn sources(&self) -> &[String] {
        self.names.get(..self.sources).unwrap_or_default()
    }

    /// The file after preprocessing, as a compiler reads it: with what is rewritten or left out for the parser, and without models. Its places are not
    /// those of [`Unit::position`].
    pub(crate) fn original(&self) -> &Text {
        &self.original
    }

    /// Which token of the original text the byte at this offset of the text comes from; none in models.
    pub(crate) fn original_at(&self, offset: usize) -> Option<usize> {
        self.text.original_at(offset)
    }

    /// All files that were read: the user's own first, then what it includes, in the order in which the preprocessor opened them.
    pub fn dependencies(&self) -> &[Dependency] {
        &self.read.dependencies
    }

    /// The text for the parser: ASCII, without comments and directives. It ends with the models of library functions that it calls.
    pub fn text(&self) -> &str {
        &self.text.whole
    }

    /// Is the byte at this offset of the text the first one of its token?
    pub(crate) fn begins_token(&self, offset: usize) -> bool {
        self.text.begins_token(offset)
    }

    /// The identifier that begins at this offset of the text and is not one of a model.
    pub(crate) fn name_at(&self, offset: usize) -> Option<&str> {
        let rest = self.text.whole.get(offset..).filter(|_| !self.is_model(offset))?;
        let end = rest.find(|next: char| next != '_' && !next.is_ascii_alphanumeric()).unwrap_or(rest.len());
        rest.get(..end).filter(|name| !name.is_empty())
    }

    /// Where the byte at this offset of the text comes from. In the expansion of a macro: the macro's use in the file.
    pub fn position(&self, offset: usize) -> Position {
        let Place { file, line, column } = self.text.place(offset);
        Position { file, line, column }
    }

    /// Is this place of the text in a model of a library function?
    pub(crate) fn is_model(&self, offset: usize) -> bool {
        self.is_model_file(self.text.place(offset).file)
    }

    /// Has the user's text reserved names that headers of the library may use?
    pub(crate) fn has_reserved(&self) -> bool {
        self.read.has_reserved
    }

    /// May a header of the library promise that a function of this name does not come back to the file that calls it, which other files may break?
    pub(crate) fn is_leaf(&self, name: &str) -> bool {
        self.read.leaves.contains(name)
    }

    /// Does this place of the text come from the user? All does but models, and the system's headers where nothing of the user's can be taken for theirs.
    pub(crate) fn is_own(&self, offset: usize) -> bool {
        (self.read.speaks_as_system || !self.is_in_header(offset)) && !self.is_model(offset)
    }

    /// Is this place of the text in a header of the system, or in what a line marker calls one?
    pub(crate) fn is_in_header(&self, offset: usize) -> bool {
        let file = usize::try_from(self.text.place(offset).file).ok().and_then(|file| self.files.get(file));
        file.is_none_or(|file| file.bytes.is_none()) && !self.is_model(offset)
    }

    /// Is this place of the text in a model that leaves more open than C does?
    pub(crate) fn is_approximate(&self, offset: usize) -> bool {
        let file = usize::try_from(self.text.place(offset).file).ok().and_then(|file| self.files.get(file));
        file.is_some_and(crate::models::is_approximate)
    }

    /// Is it in the model that allocates for what was allocated before?
    pub(crate) fn is_reallocation(&self, offset: usize) -> bool {
        let file = usize::try_from(self.text.place(offset).file).ok().and_then(|file| self.files.get(file));
        file.is_some_and(crate::models::is_reallocation)
    }

    /// Is the file that positions name by this number a model of a library function?
    pub fn is_model_file(&self, file: u32) -> bool {
        usize::try_from(file).ok().and_then(|file| self.files.get(file)).is_some_and(crate::models::is_model)
    }

    /// The names of the files; the first one is the user's own.
    pub fn files(&self) -> &[String] {
        &self.names
    }

    fn name(&self, file: u32) -> &Path {
        let name = usize::try_from(file).ok().and_then(|file| self.names.get(file));
        Path::new(name.map_or("", String::as_str))
    }

    /// May the file that positions name by this number be called so: by its name or, if that is no other file's, by the end of it?
    pub fn is_called(&self, file: u32, name: &Path) -> bool {
        let own = self.name(file);
        own == name || own.ends_with(name) && !self.names.iter().any(|other| Path::new(other) == name)
    }

    /// The name of a file with as few folders as tell it from others: `check.h`, or `lists/check.h` where there is another `check.h`.
    pub fn short_name(&self, file: u32) -> String {
        let own = self.name(file);
        let parts: Vec<_> = own.components().collect();
        let ends = (0..parts.len()).rev().map(|first| parts[first..].iter().collect::<PathBuf>());
        let others = || (0..).zip(&self.names).filter(|(number, _)| *number != file && !self.is_model_file(*number));
        let mut is_own = ends.filter(|end| !others().any(|(_, other)| Path::new(other).ends_with(end)));
        is_own.next().as_deref().unwrap_or(own).to_string_lossy().into_owned()
    }

    /// The macro from whose expansion the byte at this offset comes, if any: the one whose use stands in the file,
    /// at [`Unit::position`] or around it.
    pub fn macro_at(&self, offset: usize) -> Option<&str> {
        self.text.macro_at(offset)
    }

    /// The line of a file at a position, for messages, if the file can still be read. Bytes that are not UTF-8 are replaced.
    pub fn source_line(&self, position: Position) -> Option<String> {
        source_line(&self.files, Place { file: position.file, line: position.line, column: position.column })
    }

    /// The bytes of the user's file; of several, the text that is made of them, in which names are told apart.
    pub fn source(&self) -> &[u8] {
        match self.files.first() {
            Some(only) if self.sources == 1 => only.bytes.as_deref().unwrap_or_default(),
            _ => self.original.whole.as_bytes(),
        }
    }

    /// SHA-256 of the user's file; of several, that of their digests one after the other.
    pub fn digest(&self) -> [u8; 32] {
        match self.digests().as_slice() {
            [only] => *only,
            several => Sha256::digest(several.concat()).into(),
        }
    }

    /// SHA-256 of each of the user's own files.
    pub fn digests(&self) -> Vec<[u8; 32]> {
        let own = self.files.iter().take(self.sources);
        own.map(|file| Sha256::digest(file.bytes.as_deref().unwrap_or_default()).into()).collect()
    }

    /// Works out what a reader needs to see of a diagnostic.
    pub fn report(&self, diagnostic: &Diagnostic) -> Report {
        let place = self.text.place(diagnostic.offset);
        let mut report = report_at(&self.files, place, diagnostic.kind, &diagnostic.message);
        report.macro_name = self.macro_at(diagnostic.offset).map(str::to_owned);
        report.help.clone_from(&diagnostic.help);
        report
    }
}

/// A report at a place of one of the files.
pub(crate) fn report_at(files: &[File], place: Place, kind: crate::diagnostics::Kind, message: &str) -> Report {
    let name = usize::try_from(place.file).ok().and_then(|file| files.get(file)).map_or("", |file| file.name.as_str());
    let mut report = Report::of_file(kind, name, message);
    report.line = Some(place.line);
    report.column = Some(place.column);
    report.source_line = source_line(files, place);
    report
}

fn source_line(files: &[File], place: Place) -> Option<String> {
    let file = files.get(usize::try_from(place.file).ok()?)?;
    let read;
    let bytes = if let Some(bytes) = &file.bytes {
        bytes
    } else {
        read = files::bytes(Path::new(&file.name), super::LARGEST_FILE).ok()?;
        &read
    };
    let index = usize::try_from(place.line.checked_sub(1)?).ok()?;
    let line = bytes.split(|byte| *byte == b'\n').nth(index)?;
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    Some(std::str::from_utf8(line).map_or_else(|_| byte_for_byte(line), str::to_owned))
}

/// Text that is not UTF-8, one ASCII character per byte, so that columns stay right.
fn byte_for_byte(line: &[u8]) -> String {
    line.iter().map(|byte| if byte.is_ascii() { char::from(*byte) } else { '?' }).collect()
}
