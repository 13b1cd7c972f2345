//! Preprocessing by the C compiler, `cc -E -dD`.
//!
//! Its output says which file and line each line comes from, and with `-dD` also which macros are defined where. Columns and macro names are
//! found by expanding the text of the user's files once more (`macros`) and comparing: the compiler's text is what is analysed,
//! and a difference costs the column, nothing else.

use super::{
    File, Options,
    directives::{self, Part},
    environment,
    hidden::hidden,
    languages,
    macro_bodies::MacroBodies,
    macros::{self, Macros},
    names_of_files::plain_name,
    precompiled::precompiled,
    reserved,
    token::{BYTE_ORDER_MARK, Place, Token, TokenKind, tokens},
    unit::report_at,
    users_text::UsersText,
    varying::varying_macros,
};
use crate::{
    diagnostics::{Kind, Report},
    files,
};
use std::{
    collections::BTreeMap,
    io::{ErrorKind, Read, Write},
    path::{Component, Path, PathBuf},
    process::{Command, Stdio},
    rc::Rc,
};

/// Where headers of the system lie.
const SYSTEM_FOLDERS: [&str; 7] = ["/Applications/", "/Library/", "/gnu/store/", "/lib/", "/nix/store/", "/opt/", "/usr/"];

/// Functions that inline functions of the library's headers call, and macros of these.
const USED_INLINE: [&str; 14] = [
    "bsearch",
    "fputs",
    "getc",
    "getc_unlocked",
    "putc",
    "putc_unlocked",
    "strtod",
    "strtol",
    "strtoll",
    "strtoul",
    "vfprintf",
    "wcstol",
    "btowc",
    "wctob",
];

/// More text than this is not taken from the C compiler, in bytes.
const LARGEST_OUTPUT: u64 = 64 << 20;

/// A file after preprocessing.
#[derive(Default)]
pub(super) struct Expanded {
    pub(super) tokens: Vec<Token>,
    /// Are there names that headers of the library may use?
    pub(super) has_reserved: bool,
}

/// Preprocesses the first file. `reason` is the token for which this is needed, and the words for it.
pub(crate) fn preprocess(
    files: &mut Vec<File>,
    directory: &Path,
    options: &Options,
    reason: &(Token, String),
) -> Result<Expanded, Vec<Report>> {
    let Some(File { name, bytes: Some(bytes) }) = files.first() else { return Ok(Expanded::default()) };
    let output = match run(name, bytes, directory, options) {
        Ok(output) => output,
        Err(Failure::Missing(error)) => {
            let why = if error.kind() == ErrorKind::NotFound { "there is no such program".to_owned() } else { error.to_string() };
            let message = format!("cannot run cc, the C compiler, which {} needs: {why}", reason.1);
            let mut report = report_at(files, reason.0.place, Kind::Error, &message);
            report.help = Some("install a C compiler, or preprocess the file elsewhere (cc -E)".to_owned());
            return Err(vec![report]);
        }
        Err(Failure::TooLarge) => {
            let message = format!("more than {} MiB after preprocessing", LARGEST_OUTPUT >> 20);
            return Err(vec![report_at(files, reason.0.place, Kind::Unsupported, &message)]);
        }
        Err(Failure::Errors(text)) => return Err(compiler_errors(files, &text)),
    };
    let output = Reader::new(files, directory, &options.include_directories).read(&output);
    let Preprocessed { tokens, unexplained, library, renamed, unread } = output;
    let text = UsersText::of(files, &options.definitions, &library);
    let mut refused = varying_macros(&text, &tokens, &unexplained);
    refused.extend(hidden(&text));
    refused.extend(precompiled(files, directory, &options.include_directories));
    refused.extend(renamed.iter().map(|token| {
        let message = format!("a macro of the name of '{}' before a header of the library, which may use it", token.text);
        report_at(files, token.place, Kind::Unsupported, &message)
    }));
    refused.extend(unread.iter().map(|name| Report::of_file(Kind::Unsupported, name, "a file that cannot be read, or is too large")));
    let has_reserved = reserved::are_used(&text);
    if refused.is_empty() { Ok(Expanded { tokens, has_reserved }) } else { Err(refused) }
}

enum Failure {
    /// It cannot be started.
    Missing(std::io::Error),
    /// It writes too much.
    TooLarge,
    /// It refuses the file; its messages.
    Errors(String),
}

/// The file goes to the compiler's standard input, so that what is analysed are the very bytes that were read.
fn run(name: &str, bytes: &[u8], directory: &Path, options: &Options) -> Result<Vec<u8>, Failure> {
    let mut command = Command::new("cc");
    command.args(["-E", "-dD", "-std=gnu17", "-x", "c"]).env("LC_ALL", "C").envs(environment::for_any_folder());
    if !directory.as_os_str().is_empty() {
        command.current_dir(directory);
    }
    for include in &options.include_directories {
        command.arg("-I").arg(std::path::absolute(include).unwrap_or_else(|_| include.clone()));
    }
    let is_preprocessed = languages::is_preprocessed(name);
    if is_preprocessed {
        command.arg("-fpreprocessed");
    } else {
        command.arg("-D__NO_CTYPE").args(options.definitions.iter().map(|definition| format!("-D{definition}")));
    }
    command.arg("-").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(Failure::Missing)?;
    // Where all is preprocessed `#line` is no directive.
    let directive = if is_preprocessed { "#" } else { "#line" };
    let mut input = format!("{directive} 1 \"{}\"\n", plain_name(name)).into_bytes();
    input.extend_from_slice(bytes.strip_prefix(&BYTE_ORDER_MARK).unwrap_or(bytes));
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (output, messages) = std::thread::scope(|scope| {
        scope.spawn(move || {
            // A compiler that gives up early closes the pipe; it then says why.
            stdin.map(|mut stdin| stdin.write_all(&input))
        });
        let messages = scope.spawn(move || read(stderr));
        let output = read(stdout);
        (output, messages.join().unwrap_or_default())
    });
    if u64::try_from(output.len()).unwrap_or(u64::MAX) > LARGEST_OUTPUT {
        // The pipe is closed by now, so the compiler ends by itself.
        let _ended = child.wait();
        return Err(Failure::TooLarge);
    }
    let status = child.wait().map_err(Failure::Missing)?;
    if status.success() { Ok(output) } else { Err(Failure::Errors(String::from_utf8_lossy(&messages).into_owned())) }
}

fn read(stream: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(stream) = stream {
        // What could be read is what there is.
        let _read = stream.take(LARGEST_OUTPUT + 1).read_to_end(&mut bytes);
    }
    bytes
}

/// Turns `FILE:LINE:COLUMN: error: MESSAGE` into reports.
fn compiler_errors(files: &[File], messages: &str) -> Vec<Report> {
    let own = files.first().map_or("", |file| file.name.as_str());
    let mut reports = Vec::new();
    for line in messages.lines() {
        let Some((place, message)) = [": fatal error: ", ": error: "].iter().find_map(|mark| line.split_once(mark)) else { continue };
        let mut numbers = place.rsplitn(3, ':');
        let column = numbers.next().and_then(|number| number.parse().ok());
        let line = numbers.next().and_then(|number| number.parse().ok());
        match (numbers.next(), line, column) {
            (Some(file), Some(line), Some(column)) if file == plain_name(own) => {
                reports.push(report_at(files, Place { file: 0, line, column }, Kind::Error, message));
            }
            (Some(file), line, column) => {
                reports.push(Report { line, column, ..Report::of_file(Kind::Error, file, message) });
            }
            _ => reports.push(Report::of_file(Kind::Error, own, format!("cc: {message}"))),
        }
    }
    if reports.is_empty() {
        reports.push(Report::of_file(Kind::Error, own, format!("cc refuses the file: {}", messages.trim())));
    }
    reports
}

/// Whose a file is: a line marker can call one of the user's one of the system.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Whose {
    Users,
    Systems,
}

/// What the compiler's output comes to.
struct Preprocessed {
    tokens: Vec<Token>,
    /// Names and strings that our own expansion does not have.
    unexplained: Vec<Token>,
    /// What macros of the system's headers stand for.
    library: MacroBodies,
    renamed: Vec<Token>,
    unread: Vec<String>,
}

/// Reads the compiler's output.
struct Reader<'files> {
    files: &'files mut Vec<File>,
    /// What the names that the compiler gives are relative to.
    directory: &'files Path,
    /// Where the user's headers lie beside.
    include_directories: &'files [PathBuf],
    /// File numbers by the names that the compiler gives.
    numbers: BTreeMap<(String, Whose), u32>,
    /// The last file of each such name, as it is written.
    latest: BTreeMap<Rc<str>, u32>,
    /// Per file the stretches of text between directives; none for system headers.
    parts: Vec<Option<Vec<Vec<Token>>>>,
    macros: Macros,
    /// Those of the system's headers, also where they are gone.
    library: MacroBodies,
    unexplained: Vec<Token>,
    /// Macros of the user's that have names of the library's functions and stand for words, and those that are so where a header of the system begins.
    renaming: BTreeMap<Rc<str>, Token>,
    renamed: Vec<Token>,
    /// Files of the user's that are there and were not read.
    unread: Vec<String>,
    /// The tokens since the last directive or change of file.
    run: Vec<Token>,
    output: Vec<Token>,
}

impl<'files> Reader<'files> {
    fn new(files: &'files mut Vec<File>, directory: &'files Path, include_directories: &'files [PathBuf]) -> Reader<'files> {
        let mut reader = Reader {
            files,
            directory,
            include_directories,
            numbers: BTreeMap::new(),
            latest: BTreeMap::new(),
            parts: Vec::new(),
            macros: Macros::new(),
            library: MacroBodies::default(),
            unexplained: Vec::new(),
            renaming: BTreeMap::new(),
            renamed: Vec::new(),
            unread: Vec::new(),
            run: Vec::new(),
            output: Vec::new(),
        };
        if let Some(File { name, bytes: Some(bytes) }) = reader.files.first() {
            reader.numbers.insert((plain_name(name), Whose::Users), 0);
            reader.parts.push(Some(text_parts(bytes, 0)));
        }
        reader
    }

    fn read(mut self, output: &[u8]) -> Preprocessed {
        let mut place = Place { file: 0, line: 1, column: 1 };
        for line in output.split(|byte| *byte == b'\n') {
            if line.first() != Some(&b'#') {
                self.run.extend(tokens(line, place).into_iter().map(|token| Token { place, ..token }));
                place.line = place.line.saturating_add(1);
                continue;
            }
            let directive = tokens(line.get(1..).unwrap_or_default(), place);
            match directive.as_slice() {
                [number, name, flags @ ..] if number.kind == TokenKind::Number && name.kind == TokenKind::String => {
                    let system = flags.iter().any(|flag| &*flag.text == "3");
                    let same = place.file;
                    place.line = number.text.parse().unwrap_or(1);
                    let is_entered = flags.iter().any(|flag| &*flag.text == "1");
                    if is_entered && self.files.first().is_some_and(|first| plain_name(&first.name) == unquoted(&name.text)) {
                        // The first file once more, which is then one of those that are included.
                        self.numbers.remove(&(unquoted(&name.text), Whose::Users));
                    }
                    // Where a macro of the user's is expanded in a header of the system, its flag is missing.
                    let known = self.latest.get(&name.text).copied().filter(|_| !is_entered);
                    place.file = known.unwrap_or_else(|| self.number(&name.text, system));
                    self.latest.insert(name.text.clone(), place.file);
                    if is_entered && self.is_of_system(place.file) {
                        self.renamed.extend(std::mem::take(&mut self.renaming).into_values());
                    }
                    // Flag 3 alone only says that the next tokens come from a macro of a system header.
                    if same != place.file || flags.iter().any(|flag| matches!(&*flag.text, "1" | "2")) {
                        self.flush();
                    }
                    continue;
                }
                [pragma, ..] if pragma.is("pragma") => {
                    if let Some(unknown) = directives::unknown_pragma(&directive, &self.macros) {
                        // Kept for `rewrite`, which refuses it where it stands in the user's text.
                        self.flush();
                        self.run.push(unknown);
                        self.flush();
                    }
                }
                [directive_name, rest @ ..] if directive_name.is_any(&["define", "undef"]) => {
                    self.flush();
                    self.note_renaming(&directive, place);
                    if directive_name.is("define") && self.is_of_system(place.file) {
                        self.library.add(rest);
                    }
                    // The compiler has accepted it; one that is not understood here costs columns only.
                    let known = directives::define(&directive, &mut self.macros);
                    if let (Err(_), Some(name)) = (known, rest.first()) {
                        self.macros.remove(&name.text);
                    }
                }
                _ => {}
            }
            place.line = place.line.saturating_add(1);
        }
        self.flush();
        let Reader { output: tokens, unexplained, library, renamed, unread, .. } = self;
        Preprocessed { tokens, unexplained, library, renamed, unread }
    }

    fn is_of_system(&self, file: u32) -> bool {
        usize::try_from(file)
            .ok()
            .and_then(|file| self.files.get(file))
            .is_some_and(|file| file.bytes.is_none() && !file.name.starts_with('<'))
    }

    /// A macro is defined in the user's text, or goes: does a header mean another function where it names one of the library's?
    fn note_renaming(&mut self, directive: &[Token], place: Place) {
        let [directive_name, name, body @ ..] = directive else { return };
        self.renaming.remove(&name.text);
        let is_named = USED_INLINE.contains(&&*name.text) || super::PERHAPS_MACROS.contains(&&*name.text);
        let has_words = body.iter().any(|token| token.kind == TokenKind::Identifier);
        if directive_name.is("define") && is_named && has_words && !self.is_of_system(place.file) {
            self.renaming.insert(name.text.clone(), Token { place, ..name.clone() });
        }
    }

    /// The bytes of a file that the compiler names, or a line marker in the source, which may name anything: no pipe, and no more than the compiler may write
    /// in all. Without them its places have no columns.
    fn bytes(&self, path: &Path) -> Option<Vec<u8>> {
        let read: usize = self.files.iter().flat_map(|file| &file.bytes).map(Vec::len).sum();
        let left = LARGEST_OUTPUT.saturating_sub(u64::try_from(read).unwrap_or(u64::MAX));
        if path.is_file() { files::bytes(path, left.min(super::LARGEST_FILE)).ok() } else { None }
    }

    /// The number of a file that the compiler names, which is read unless it is a system header.
    fn number(&mut self, quoted_name: &str, system: bool) -> u32 {
        let name = unquoted(quoted_name);
        let special = name.starts_with('<');
        let path = self.directory.join(&name);
        // `#pragma GCC system_header` makes no header of the user's one of the system, nor does `#include <../../home/own.h>`.
        let is_system = system && lies_with_system(&name);
        let is_own = !is_system || self.include_directories.iter().any(|folder| is_inside(&path, folder));
        let whose = if is_own { Whose::Users } else { Whose::Systems };
        if let Some(number) = self.numbers.get(&(name.clone(), whose)) {
            return *number;
        }
        let number = u32::try_from(self.files.len()).unwrap_or(u32::MAX);
        let bytes = if is_own && !special { self.bytes(&path) } else { None };
        // What is no UTF-8, or looks like a name of the compiler's, is not looked for.
        let is_odd = name.contains(char::REPLACEMENT_CHARACTER) || special && path.exists();
        if bytes.is_none() && is_own && (is_odd || path.exists()) {
            self.unread.push(path.to_string_lossy().into_owned());
        }
        self.parts.push(bytes.as_deref().map(|bytes| text_parts(bytes, number)));
        self.files.push(File { name: if special { name.clone() } else { path.to_string_lossy().into_owned() }, bytes });
        self.numbers.insert((name, whose), number);
        number
    }

    /// Gives the tokens of the run their columns and macro names.
    fn flush(&mut self) {
        let run = std::mem::take(&mut self.run);
        let parts = run.first().and_then(|token| self.parts.get(usize::try_from(token.place.file).ok()?)?.as_ref());
        let Some(parts) = parts else {
            self.output.extend(run);
            return;
        };
        let part_of = |token: &Token| {
            let after = parts.partition_point(|part| part.first().is_some_and(|first| first.place.line <= token.place.line));
            after.checked_sub(1)
        };
        let mut rest = run.as_slice();
        while let Some(first) = rest.first() {
            let part = part_of(first);
            let length = rest.iter().take_while(|token| part_of(token) == part).count();
            let (mut segment, others) = (rest.get(..length).unwrap_or_default().to_vec(), rest.get(length..).unwrap_or_default());
            let original = part.and_then(|part| parts.get(part)).map(Vec::as_slice).unwrap_or_default();
            self.unexplained.extend(align(&mut segment, original, &self.macros));
            self.output.append(&mut segment);
            rest = others;
        }
    }
}

/// The name between the quotes of a line marker, in which other bytes than ASCII are octal escapes by now.
fn unquoted(literal: &str) -> String {
    let mut bytes = Vec::new();
    let inside = literal.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(literal);
    let mut rest = inside.bytes().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        let mut digits = Vec::new();
        while digits.len() < 3
            && let Some(digit) = rest.next_if(|digit| matches!(digit, b'0'..=b'7'))
        {
            digits.push(digit);
        }
        let value = digits.iter().fold(0_u32, |value, digit| value * 8 + u32::from(*digit - b'0'));
        bytes.extend(if digits.is_empty() { rest.next() } else { u8::try_from(value).ok() });
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Is it a header of the system, wherever links lead from its name? What is not there, as what a line marker names, goes by its name alone.
fn lies_with_system(name: &str) -> bool {
    let is_there = |path: &Path| SYSTEM_FOLDERS.iter().any(|folder| path.starts_with(folder));
    let path = Path::new(name);
    let leads_back = path.components().any(|part| part == Component::ParentDir);
    is_there(path) && path.canonicalize().map_or(!leads_back, |real| is_there(&real))
}

fn is_inside(path: &Path, folder: &Path) -> bool {
    std::path::absolute(folder).is_ok_and(|folder| path.starts_with(folder))
}

/// The stretches of text of a file.
fn text_parts(bytes: &[u8], file: u32) -> Vec<Vec<Token>> {
    directives::parts(tokens(bytes, Place { file, line: 1, column: 1 }))
        .into_iter()
        .filter_map(|part| match part {
            Part::Text(text) => Some(text),
            Part::Directive(..) => None,
        })
        .collect()
}

/// Copies places from our own expansion of the original text as far as it agrees with the compiler's, from both ends. Gives the names and strings for
/// which it does not.
fn align(tokens: &mut [Token], original: &[Token], macros: &Macros) -> Vec<Token> {
    let expected = macros::expand(original, macros).unwrap_or_default();
    let agreeing = |(token, expected): &(&mut Token, &Token)| same(token, expected);
    let mut unexplained = Vec::new();
    let mut matched = 0;
    for (token, expected) in tokens.iter_mut().zip(&expected).take_while(agreeing) {
        unexplained.extend(inherit(token, expected));
        matched += 1;
    }
    let length = tokens.len().min(expected.len()).saturating_sub(matched);
    let unmatched = tokens.get_mut(matched..).unwrap_or_default();
    let mut at_end = 0;
    for (token, expected) in unmatched.iter_mut().rev().zip(expected.iter().rev()).take(length).take_while(agreeing) {
        unexplained.extend(inherit(token, expected));
        at_end += 1;
    }
    let middle = unmatched.len() - at_end;
    for token in unmatched.iter_mut().take(middle) {
        let first = original.partition_point(|original| original.place.line < token.place.line);
        if let Some(first) = original.get(first) {
            token.place = first.place;
        }
        unexplained.extend(Some(&*token).filter(|token| matches!(token.kind, TokenKind::String | TokenKind::Identifier)).cloned());
    }
    unexplained
}

/// Gives the token if it is a string, and another one than was expected.
fn inherit(token: &mut Token, expected: &Token) -> Option<Token> {
    token.place = expected.place;
    token.macro_name.clone_from(&expected.macro_name);
    token.spaced = expected.spaced;
    (token.kind == TokenKind::String && token.text != expected.text).then(|| token.clone())
}

/// Do the compiler and we mean the same token? What `__LINE__` and its like become is not known here.
fn same(token: &Token, expected: &Token) -> bool {
    let dynamic = expected.kind == TokenKind::Identifier
        && expected.text.starts_with("__")
        && expected.text.ends_with("__")
        && matches!(token.kind, TokenKind::Number | TokenKind::String);
    let strings = token.kind == TokenKind::String && expected.kind == TokenKind::String;
    dynamic || strings || token.text == expected.text
}
