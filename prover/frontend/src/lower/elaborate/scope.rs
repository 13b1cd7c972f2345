//! Names and what they stand for (C11 6.2.1, 6.2.3).

use crate::lower::{
    tree::{GlobalId, VariableId},
    types::{CType, RecordId},
};
use goatherd_certificates::program::IntegerType;
use std::collections::BTreeMap;

/// What an ordinary identifier stands for.
#[derive(Clone, Debug)]
pub(crate) enum Entity {
    Typedef(CType),
    /// An enumeration constant with its type, which is not known yet inside the enumeration if it is none of int (C11 6.7.2.2).
    Enumerator(i128, Option<IntegerType>),
    Variable(VariableId),
    /// An array of variable length: where it begins, and how many elements it has.
    Array(VariableId, VariableId),
    /// An object of static storage, by position in the elaborator's list.
    Global(GlobalId),
    /// A function with its type; known by name.
    Function(CType),
}

/// What a tag stands for.
#[derive(Clone, Debug)]
pub(crate) enum Tag {
    Record(RecordId),
    Enumeration(CType),
}

/// Nested scopes; the first one is the file's.
pub(crate) struct Scopes {
    nested: Vec<Scope>,
    /// Where the function or initialiser begins that is read: what the file declares after it is not seen (C11 6.2.1p7).
    limit: usize,
}

#[derive(Default)]
struct Scope {
    names: BTreeMap<String, Known<Entity>>,
    tags: BTreeMap<String, Known<Tag>>,
}

/// What a name stands for, and where it is first declared.
struct Known<T> {
    what: T,
    offset: usize,
}

/// The scopes inside the file's, put aside.
pub(crate) struct Inner(Vec<Scope>, usize);

impl Scopes {
    pub(crate) fn new() -> Self {
        Self { nested: vec![Scope::default()], limit: usize::MAX }
    }

    pub(crate) fn open(&mut self) {
        self.nested.push(Scope::default());
    }

    pub(crate) fn close(&mut self) {
        self.nested.pop();
    }

    /// Only the file's scope stays, as far as it is declared before the offset.
    pub(crate) fn leave_for_file(&mut self, limit: usize) -> Inner {
        Inner(self.nested.split_off(1), std::mem::replace(&mut self.limit, limit))
    }

    /// Goes back to the scopes that were put aside.
    pub(crate) fn return_to(&mut self, Inner(nested, limit): Inner) {
        self.nested.truncate(1);
        self.nested.extend(nested);
        self.limit = limit;
    }

    /// Only the file's scope is open.
    pub(crate) fn is_file_scope(&self) -> bool {
        self.nested.len() == 1
    }

    pub(crate) fn find(&self, name: &str) -> Option<&Entity> {
        self.find_in_block(name).or_else(|| self.find_in_file(name))
    }

    /// What a name stands for that is declared in a block.
    pub(crate) fn find_in_block(&self, name: &str) -> Option<&Entity> {
        self.nested.iter().skip(1).rev().find_map(|scope| scope.names.get(name)).map(|known| &known.what)
    }

    /// Functions are found wherever they are declared: a call may stand before the declaration, as in C before C99.
    pub(crate) fn find_in_file(&self, name: &str) -> Option<&Entity> {
        let known = self.nested.first()?.names.get(name)?;
        (known.offset <= self.limit || matches!(known.what, Entity::Function(_))).then_some(&known.what)
    }

    /// Is the name declared before the function that is read?
    pub(crate) fn is_seen(&self, name: &str) -> bool {
        let mut scopes = self.nested.iter();
        let in_file = scopes.next().and_then(|file| file.names.get(name)).is_some_and(|known| known.offset <= self.limit);
        in_file || scopes.any(|scope| scope.names.contains_key(name))
    }

    pub(crate) fn find_tag(&self, name: &str) -> Option<&Tag> {
        let inner = self.nested.iter().skip(1).rev().find_map(|scope| scope.tags.get(name));
        let known = inner.or_else(|| self.nested.first()?.tags.get(name).filter(|known| known.offset <= self.limit));
        known.map(|known| &known.what)
    }

    pub(crate) fn find_tag_here(&self, name: &str) -> Option<&Tag> {
        let known = self.nested.last()?.tags.get(name)?;
        Some(&known.what)
    }

    /// Declares a name in the innermost scope; where it is declared already it keeps its place.
    pub(crate) fn declare(&mut self, name: &str, what: Entity, offset: usize) {
        if let Some(scope) = self.nested.last_mut() {
            let offset = scope.names.get(name).map_or(offset, |known| known.offset.min(offset));
            scope.names.insert(name.to_owned(), Known { what, offset });
        }
    }

    pub(crate) fn declare_tag(&mut self, name: &str, what: Tag, offset: usize) {
        if let Some(scope) = self.nested.last_mut() {
            scope.tags.insert(name.to_owned(), Known { what, offset });
        }
    }
}
