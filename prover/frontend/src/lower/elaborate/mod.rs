//! From the syntax of C to the typed tree: only what the entry function reaches is looked into.

mod calls;
mod declarations;
mod expressions;
mod initialisers;
mod literals;
mod operators;
mod places;
mod scope;
mod statements;
mod types;

use crate::{
    diagnostics::{Diagnostic, Kind},
    lower::{
        tree::{BlockId, Function, FunctionId, Global, GlobalId, Label, LabelId, Unit, Variable, VariableId},
        types::{CType, Records},
    },
};
use lang_c::{ast, span::Node};
use scope::Scopes;
use std::collections::{BTreeMap, BTreeSet};

/// A diagnostic has been raised; there is no value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Raised;

pub(crate) type Outcome<T> = Result<T, Raised>;

/// Nested expressions and statements that are followed; the reader of files bounds what it can, this bounds chains of operators.
const DEPTH_LIMIT: usize = 4096;

/// A whole program as a tree, and all that is wrong with it. Where only parts of bodies are wrong there is a tree of the rest, so that more
/// can be said about it.
pub(crate) fn elaborate(unit: &ast::TranslationUnit, entry: &str) -> (Option<(Unit, Records)>, Vec<Diagnostic>) {
    let mut elaborator = Elaborator {
        diagnostics: Vec::new(),
        records: Records::default(),
        scopes: Scopes::new(),
        definitions: BTreeMap::new(),
        requested: Vec::new(),
        functions: Vec::new(),
        globals: Vec::new(),
        literals: BTreeMap::new(),
        addressed: BTreeSet::new(),
        context: Context::default(),
        depth: 0,
    };
    elaborator.file(unit);
    let entry = elaborator.entry(entry);
    let mut next = 0;
    while let Some(definition) = elaborator.requested.get(next).copied() {
        let function = elaborator.definition(definition);
        elaborator.functions.push(function);
        next += 1;
    }
    let functions: Option<Vec<Function>> = std::mem::take(&mut elaborator.functions).into_iter().collect();
    let globals: Vec<Global> = std::mem::take(&mut elaborator.globals).into_iter().map(|global| global.value).collect();
    let tree = match (entry, functions) {
        (Ok(entry), Some(functions)) => {
            let unit = Unit { functions, addressed: elaborator.addressed, globals, entry };
            Some((unit, elaborator.records))
        }
        _ => None,
    };
    (tree, elaborator.diagnostics)
}

/// What is known while the tree is built.
pub(crate) struct Elaborator<'a> {
    diagnostics: Vec<Diagnostic>,
    pub(crate) records: Records,
    pub(crate) scopes: Scopes,
    definitions: BTreeMap<&'a str, &'a Node<ast::FunctionDefinition>>,
    requested: Vec<&'a Node<ast::FunctionDefinition>>,
    functions: Vec<Option<Function>>,
    globals: Vec<PendingGlobal<'a>>,
    /// String literals by element width and contents.
    literals: BTreeMap<(u64, Vec<i128>), GlobalId>,
    /// Functions whose addresses are taken.
    addressed: BTreeSet<FunctionId>,
    context: Context,
    depth: usize,
}

/// An object of static storage whose initialiser is looked at when it is first used.
struct PendingGlobal<'a> {
    value: Global,
    state: GlobalState<'a>,
}

enum GlobalState<'a> {
    /// Only declared `extern`.
    Undefined,
    /// Defined; not yet used.
    Waiting(Option<&'a Node<ast::Initializer>>),
    /// Used: its initial value is known.
    Ready,
}

/// The function whose body is being read.
#[derive(Default)]
struct Context {
    name: String,
    id: FunctionId,
    recursive: bool,
    returns: usize,
    result: Option<CType>,
    variables: Vec<Variable>,
    blocks: Vec<Vec<VariableId>>,
    open_blocks: Vec<BlockId>,
    labels: Vec<Label>,
    named_labels: BTreeMap<String, NamedLabel>,
    switches: Vec<statements::SwitchContext>,
}

/// A label that a `goto` or a labelled statement has mentioned.
struct NamedLabel {
    id: LabelId,
    defined: bool,
    first_use: usize,
}

impl<'a> Elaborator<'a> {
    fn raise(&mut self, kind: Kind, offset: usize, message: &str, help: Option<&str>) {
        let diagnostic = Diagnostic { kind, message: message.to_owned(), offset, help: help.map(str::to_owned) };
        self.diagnostics.push(diagnostic);
    }

    /// Not C.
    pub(crate) fn error<T>(&mut self, offset: usize, message: &str) -> Outcome<T> {
        self.raise(Kind::Error, offset, message, None);
        Err(Raised)
    }

    /// C, but not of the supported part.
    pub(crate) fn unsupported<T>(&mut self, offset: usize, message: &str) -> Outcome<T> {
        self.raise(Kind::Unsupported, offset, message, None);
        Err(Raised)
    }

    pub(crate) fn unsupported_with_help<T>(&mut self, offset: usize, message: &str, help: &str) -> Outcome<T> {
        self.raise(Kind::Unsupported, offset, message, Some(help));
        Err(Raised)
    }

    /// Goes one level deeper, or refuses to.
    fn nested<T>(&mut self, offset: usize, read: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        if self.depth >= DEPTH_LIMIT {
            return self.unsupported(offset, "an expression or statement nested more than 4096 deep");
        }
        self.depth += 1;
        let outcome = read(self);
        self.depth -= 1;
        outcome
    }

    fn entry(&mut self, name: &str) -> Outcome<FunctionId> {
        match self.definitions.get(name).copied() {
            Some(definition) => Ok(self.request(definition)),
            None => self.error(0, &format!("no definition of the entry function '{name}'")),
        }
    }

    /// The function's number; its body is read later.
    fn request(&mut self, definition: &'a Node<ast::FunctionDefinition>) -> FunctionId {
        let position = self.requested.iter().position(|known| std::ptr::eq(*known, definition));
        position.unwrap_or_else(|| {
            self.requested.push(definition);
            self.requested.len() - 1
        })
    }
}
