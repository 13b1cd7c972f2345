//! Which names have to be told apart, and which types are one (`spec/program.md#several-files`).

use super::names::{Declared, Kind, Names};
use crate::{
    diagnostics::{self, Report},
    lower::is_of_harness,
    source::{
        File, report_at,
        token::{Token, TokenKind},
    },
};
use std::collections::{BTreeMap, BTreeSet};

/// A file that is linked.
pub(super) struct Linked {
    pub(super) tokens: Vec<Token>,
    /// The files that its tokens come from; the user's own first.
    pub(super) files: Vec<File>,
    /// Has it names that headers of the library may use?
    pub(super) has_reserved: bool,
    pub(super) names: Names,
}

/// The tokens of each file in the program that they make together.
pub(super) fn merge(files: &[Linked], entry: &str) -> Result<Vec<Vec<Token>>, Vec<Report>> {
    let twice = defined_twice(files);
    if !twice.is_empty() {
        return Err(twice);
    }
    let merger = Merger::new(files);
    let private = merger.private();
    let renamed = merger.renamed(&private, entry)?;
    let written = files.iter().zip(&private).zip(&renamed).enumerate();
    Ok(written.map(|(number, ((file, private), renamed))| write(file, &merger.repeated(number, private), renamed)).collect())
}

/// A function or object that two files define is an error of linking (C11 6.9p5); so are two tentative definitions, which compilers do not
/// make one of since GCC 10.
fn defined_twice(files: &[Linked]) -> Vec<Report> {
    let mut first: BTreeMap<&str, &Linked> = BTreeMap::new();
    let mut reports = Vec::new();
    for file in files {
        for (name, token) in &file.names.defined {
            match first.get(name.as_str()) {
                Some(other) => {
                    let known = other.files.first().map_or("", |file| file.name.as_str());
                    reports.push(report(file, *token, diagnostics::Kind::Error, &format!("'{name}' is defined in {known} already")));
                }
                None => {
                    first.insert(name, file);
                }
            }
        }
    }
    reports
}

fn report(file: &Linked, token: usize, kind: diagnostics::Kind, message: &str) -> Report {
    let place = file.tokens.get(token).map(|token| token.place).unwrap_or_default();
    report_at(&file.files, place, kind, message)
}

struct Merger<'a> {
    files: &'a [Linked],
    /// Per file its identifiers but names of members, each with the first token that is it.
    identifiers: Vec<BTreeMap<&'a str, usize>>,
    /// The names that some file declares in its scope, or elsewhere with external linkage.
    declared: BTreeSet<&'a str>,
    /// Those of functions and objects.
    linked: BTreeSet<&'a str>,
}

impl<'a> Merger<'a> {
    fn new(files: &'a [Linked]) -> Self {
        let names = || files.iter().map(|file| &file.names);
        let linked: BTreeSet<&str> = names().flat_map(|names| names.external.iter().chain(&names.internal)).map(String::as_str).collect();
        let types = names().flat_map(|names| names.declarations.iter().flat_map(Declared::types));
        let identifiers = |file: &'a Linked| {
            let mut first = BTreeMap::new();
            for (token, name) in file.names.identifiers(&file.tokens) {
                first.entry(name).or_insert(token);
            }
            first
        };
        Self {
            files,
            identifiers: files.iter().map(identifiers).collect(),
            declared: types.map(String::as_str).chain(linked.iter().copied()).collect(),
            linked,
        }
    }

    fn names(&self, file: usize) -> &'a Names {
        &self.files[file].names
    }

    /// Per file the names that stand for something of this file alone, among those that some file declares.
    fn private(&self) -> Vec<BTreeSet<&'a str>> {
        let mut private: Vec<BTreeSet<&str>> = (0..self.files.len()).map(|file| self.private_at_once(file)).collect();
        // A type of one file alone makes those of its own that are made of it.
        loop {
            let more: Vec<BTreeSet<&str>> = (0..self.files.len()).map(|file| self.differing(file, &private)).collect();
            let mut is_done = true;
            for (private, more) in private.iter_mut().zip(more) {
                for name in more {
                    is_done &= !private.insert(name);
                }
            }
            if is_done {
                return private;
            }
        }
    }

    /// Functions and objects with internal linkage; what is declared nowhere but in blocks, or not at all, although another file declares it; and names
    /// of types that are functions or objects elsewhere; and tags that a block mentions before the file's scope does, although a file before has them.
    fn private_at_once(&self, file: usize) -> BTreeSet<&'a str> {
        let names = self.names(file);
        let types: BTreeSet<&str> = names.declarations.iter().flat_map(Declared::types).map(String::as_str).collect();
        let of_types: BTreeSet<&str> = names.declarations.iter().flat_map(|declared| &declared.names).map(String::as_str).collect();
        let is_private = |name: &&str| {
            let is_known = names.external.contains(*name) || types.contains(*name) || names.tags.contains(*name);
            names.internal.contains(*name)
                || self.declared.contains(*name) && !is_known
                || of_types.contains(*name) && self.linked.contains(*name)
                || self.is_taken_early(file, name)
        };
        self.identifiers[file].keys().copied().filter(is_private).collect()
    }

    /// Does a tag stand for another type in a block of this file than it would behind the files before it?
    fn is_taken_early(&self, file: usize, tag: &str) -> bool {
        self.names(file).early.contains(tag) && self.identifiers.iter().take(file).any(|known| known.contains_key(tag))
    }

    /// The types of a file that another file defines before it, and with other words.
    fn differing(&self, file: usize, private: &[BTreeSet<&'a str>]) -> BTreeSet<&'a str> {
        let is_repeated = |declared: &&Declared| self.twin(file, declared, private).is_some();
        let differing = self.names(file).declarations.iter().filter(|declared| !is_repeated(declared));
        let is_elsewhere = |name: &&str| self.owner(name).is_some_and(|owner| owner < file);
        differing.flat_map(Declared::types).map(String::as_str).filter(is_elsewhere).collect()
    }

    /// The first file that defines a type.
    fn owner(&self, name: &str) -> Option<usize> {
        (0..self.files.len()).find(|file| self.names(*file).declarations.iter().any(|declared| declared.types().any(|known| known == name)))
    }

    /// The file that owns the types of a declaration, if it declares these with the same words, all of which mean the same there.
    fn twin(&self, file: usize, declared: &Declared, private: &[BTreeSet<&'a str>]) -> Option<usize> {
        let owner = self.owner(declared.types().next()?).filter(|owner| *owner < file && declared.kind == Kind::Types)?;
        let own = self.files[file].tokens.get(declared.tokens.clone())?;
        let is_same = |other: &Declared| {
            let words = self.files[owner].tokens.get(other.tokens.clone()).unwrap_or_default();
            other.kind == Kind::Types && words.iter().map(|token| &token.text).eq(own.iter().map(|token| &token.text))
        };
        let is_shared = |name: &str| !private[file].contains(name) && !private[owner].contains(name);
        let identifiers = self.names(file).identifiers(&self.files[file].tokens);
        let mut words = identifiers.filter(|(token, _)| declared.tokens.contains(token)).map(|(_, name)| name);
        (words.all(is_shared) && self.names(owner).declarations.iter().any(is_same)).then_some(owner)
    }

    /// The declarations of a file whose types another file has declared.
    fn repeated(&self, file: usize, private: &BTreeSet<&str>) -> Vec<&'a Declared> {
        let is_repeated = |declared: &&Declared| {
            let mut types = declared.types().peekable();
            let is_elsewhere = |name: &String| self.owner(name).is_some_and(|owner| owner < file) && !private.contains(name.as_str());
            declared.kind == Kind::Types && types.peek().is_some() && types.all(is_elsewhere)
        };
        self.names(file).declarations.iter().filter(is_repeated).collect()
    }

    /// Per file the new names of those that have to be told apart.
    fn renamed(&self, private: &[BTreeSet<&'a str>], entry: &str) -> Result<Vec<BTreeMap<&'a str, String>>, Vec<Report>> {
        let mut renamed = vec![BTreeMap::new(); self.files.len()];
        let mut troubles = Vec::new();
        for name in &self.declared {
            let users: Vec<usize> = (0..self.files.len()).filter(|file| self.identifiers[*file].contains_key(name)).collect();
            let is_private = |file: &usize| private[*file].contains(name);
            // Where no file shares it, the first one keeps it.
            let keeps = usize::from(users.iter().all(is_private));
            for file in users.iter().copied().filter(is_private).skip(keeps) {
                if users.len() == 1 {
                    continue;
                }
                let is_fixed = self.names(file).external.contains(*name)
                    || is_of_harness(name)
                    || self.is_taken_early(file, name)
                    || keeps == 1 && *name == entry;
                if is_fixed {
                    let token = self.identifiers[file].get(name).copied().unwrap_or_default();
                    let message = format!("'{name}' of two files that stands for something else in each");
                    let mut trouble = report(&self.files[file], token, diagnostics::Kind::Unsupported, &message);
                    if is_of_harness(name) {
                        trouble.help =
                            Some(format!("what '{name}' means is fixed: declare it in each file, without 'static' and without a body"));
                    }
                    troubles.push(trouble);
                }
                renamed[file].insert(*name, self.fresh(name, file));
            }
        }
        if troubles.is_empty() { Ok(renamed) } else { Err(troubles) }
    }

    /// A name that no file has.
    fn fresh(&self, name: &str, file: usize) -> String {
        let mut fresh = format!("{name}__{}", file + 1);
        while self.files.iter().any(|file| file.tokens.iter().any(|token| *token.text == *fresh)) {
            fresh.push('_');
        }
        fresh
    }
}

/// The tokens of a file without what is repeated, and with the new names.
fn write(file: &Linked, repeated: &[&Declared], renamed: &BTreeMap<&str, String>) -> Vec<Token> {
    let mut tokens: Vec<Option<Token>> = file.tokens.iter().cloned().map(Some).collect();
    for (index, name) in file.names.identifiers(&file.tokens) {
        if let (Some(fresh), Some(Some(token))) = (renamed.get(name), tokens.get_mut(index)) {
            *token = token.replaced(TokenKind::Identifier, fresh);
        }
    }
    // What a function is called in the source is what `__func__` says (C11 6.4.2.2).
    for declared in &file.names.declarations {
        let Kind::Function(name) = &declared.kind else { continue };
        if !renamed.contains_key(name.as_str()) {
            continue;
        }
        for token in tokens.get_mut(declared.tokens.clone()).unwrap_or_default().iter_mut().flatten() {
            if token.is_any(&["__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"]) {
                *token = token.replaced(TokenKind::String, &format!("\"{name}\""));
            }
        }
    }
    for declared in repeated {
        tokens.get_mut(declared.tokens.clone()).unwrap_or_default().fill(None);
    }
    tokens.into_iter().flatten().collect()
}
