//! Names and what they stand for (C11 6.2.1, 6.2.3).

use crate::lower::{
    tree::{GlobalId, VariableId},
    types::{CType, RecordId},
};
use std::collections::BTreeMap;

/// What an ordinary identifier stands for.
#[derive(Clone, Debug)]
pub(crate) enum Entity {
    Typedef(CType),
    Enumerator(i128),
    Variable(VariableId),
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
pub(crate) struct Scopes(Vec<Scope>);

#[derive(Default)]
struct Scope {
    names: BTreeMap<String, Entity>,
    tags: BTreeMap<String, Tag>,
}

impl Scopes {
    pub(crate) fn new() -> Self {
        Self(vec![Scope::default()])
    }

    pub(crate) fn open(&mut self) {
        self.0.push(Scope::default());
    }

    pub(crate) fn close(&mut self) {
        self.0.pop();
    }

    /// Only the file's scope is open.
    pub(crate) fn is_file_scope(&self) -> bool {
        self.0.len() == 1
    }

    pub(crate) fn find(&self, name: &str) -> Option<&Entity> {
        self.0.iter().rev().find_map(|scope| scope.names.get(name))
    }

    pub(crate) fn find_in_file(&self, name: &str) -> Option<&Entity> {
        self.0.first().and_then(|scope| scope.names.get(name))
    }

    pub(crate) fn find_tag(&self, name: &str) -> Option<&Tag> {
        self.0.iter().rev().find_map(|scope| scope.tags.get(name))
    }

    pub(crate) fn find_tag_here(&self, name: &str) -> Option<&Tag> {
        self.0.last().and_then(|scope| scope.tags.get(name))
    }

    pub(crate) fn declare(&mut self, name: &str, entity: Entity) {
        if let Some(scope) = self.0.last_mut() {
            scope.names.insert(name.to_owned(), entity);
        }
    }

    pub(crate) fn declare_in_file(&mut self, name: &str, entity: Entity) {
        if let Some(scope) = self.0.first_mut() {
            scope.names.insert(name.to_owned(), entity);
        }
    }

    pub(crate) fn declare_tag(&mut self, name: &str, tag: Tag) {
        if let Some(scope) = self.0.last_mut() {
            scope.tags.insert(name.to_owned(), tag);
        }
    }
}
