//! What one file declares, and for whom: names with external and with internal linkage (C11 6.2.2), and types.

use crate::{
    lower::{declarator_name, is_function, is_plain},
    source::{Unit, token::Token},
};
use lang_c::{
    ast::{
        Declaration, DeclarationSpecifier, Declarator, DeclaratorKind, Designator, EnumType, Enumerator, ExternalDeclaration,
        FunctionDefinition, MemberExpression, OffsetDesignator, OffsetMember, ParameterDeclaration, Statement, StorageClassSpecifier,
        StructDeclarator, StructType, TranslationUnit, TypeSpecifier,
    },
    span::{Node, Span},
    visit::{self, Visit},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

/// What a file declares. Tokens are numbered from its start.
#[derive(Default, Debug)]
pub(super) struct Names {
    /// Its declarations and definitions, in order.
    pub(super) declarations: Vec<Declared>,
    /// Functions and objects that are those of other files by the same name.
    pub(super) external: BTreeSet<String>,
    /// Functions and objects of this file alone.
    pub(super) internal: BTreeSet<String>,
    /// Which of the external ones are defined here, each with the token that names it.
    pub(super) defined: BTreeMap<String, usize>,
    /// Tags that are declared in the file's scope, and may be defined elsewhere.
    pub(super) tags: BTreeSet<String>,
    /// Those of them that a block or a list of parameters mentions before: there it is another type, unless a file before this one has declared it.
    pub(super) early: BTreeSet<String>,
    /// The tokens that name members, which have a name space of their own for each struct (C11 6.2.3).
    members: BTreeSet<usize>,
}

/// One declaration or definition of the file's scope.
#[derive(Default, Debug)]
pub(super) struct Declared {
    /// Its tokens.
    pub(super) tokens: Range<usize>,
    /// The tags that it defines.
    pub(super) records: BTreeSet<String>,
    /// The names of types, and the enumeration constants, that it declares.
    pub(super) names: BTreeSet<String>,
    /// What else it declares: a function's name if it defines one.
    pub(super) kind: Kind,
}

/// What a declaration declares beside types.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) enum Kind {
    /// Nothing.
    #[default]
    Types,
    /// Functions and objects.
    Others,
    /// It defines this function.
    Function(String),
}

impl Declared {
    /// All types that it defines, and their constants.
    pub(super) fn types(&self) -> impl Iterator<Item = &String> {
        self.records.iter().chain(&self.names)
    }
}

impl Names {
    /// Reads a file's syntax tree.
    pub(super) fn of(unit: &Unit, syntax: &TranslationUnit) -> Names {
        let mut reader = Reader {
            unit,
            names: Names::default(),
            current: Declared::default(),
            depth: 0,
            inner_tags: BTreeSet::new(),
            function_types: BTreeSet::new(),
        };
        let mut start = 0;
        for external in &syntax.0 {
            // Models are no part of the file's own text.
            let Some(last) = external.span.end.checked_sub(1).and_then(|end| unit.original_at(end)) else { continue };
            reader.external(external);
            let declared = std::mem::take(&mut reader.current);
            reader.names.declarations.push(Declared { tokens: start..last + 1, ..declared });
            start = last + 1;
        }
        reader.names
    }

    /// The identifiers of the file that are no names of members.
    pub(super) fn identifiers<'a>(&'a self, tokens: &'a [Token]) -> impl Iterator<Item = (usize, &'a str)> {
        let is_name = |(index, token): &(usize, &Token)| token.is_identifier() && !self.members.contains(index);
        tokens.iter().enumerate().filter(is_name).map(|(index, token)| (index, &*token.text))
    }
}

struct Reader<'a> {
    unit: &'a Unit,
    names: Names,
    current: Declared,
    /// So many function bodies and parameter lists are around.
    depth: usize,
    /// Tags that blocks and lists of parameters mention and the file's scope did not know there.
    inner_tags: BTreeSet<String>,
    /// Names of types of functions: `typedef int handler(int);`.
    function_types: BTreeSet<String>,
}

impl<'a> Reader<'a> {
    fn external(&mut self, external: &'a Node<ExternalDeclaration>) {
        match &external.node {
            ExternalDeclaration::Declaration(declaration) => self.visit_declaration(&declaration.node, &declaration.span),
            ExternalDeclaration::FunctionDefinition(definition) => self.definition(&definition.node),
            ExternalDeclaration::StaticAssert(assertion) => self.visit_static_assert(&assertion.node, &assertion.span),
        }
    }

    fn definition(&mut self, definition: &'a FunctionDefinition) {
        if let Some((name, token)) = self.name(&definition.declarator) {
            self.current.kind = Kind::Function(name.clone());
            if self.link(&name, storage(&definition.specifiers)) {
                self.names.defined.insert(name, token);
            }
        }
        for specifier in &definition.specifiers {
            self.visit_declaration_specifier(&specifier.node, &specifier.span);
        }
        self.visit_declarator(&definition.declarator.node, &definition.declarator.span);
        self.depth += 1;
        for parameter in &definition.declarations {
            self.visit_declaration(&parameter.node, &parameter.span);
        }
        self.depth -= 1;
        self.visit_statement(&definition.statement.node, &definition.statement.span);
    }

    /// Gives a name its linkage (C11 6.2.2p3-5); is it external?
    fn link(&mut self, name: &str, storage: Option<&StorageClassSpecifier>) -> bool {
        if storage == Some(&StorageClassSpecifier::Static) {
            self.names.internal.insert(name.to_owned());
        }
        let is_external = !self.names.internal.contains(name);
        if is_external {
            self.names.external.insert(name.to_owned());
        }
        is_external
    }

    /// A declared name, and the token that it is.
    fn name(&self, declarator: &Node<Declarator>) -> Option<(String, usize)> {
        let name = declarator_name(&declarator.node)?;
        Some((name.to_owned(), self.unit.original_at(identifier_span(&declarator.node)?.start)?))
    }

    /// Does this declare a function? Also `handler f;` does, and `typeof` says nothing of it without types.
    fn may_declare_function(&self, specifiers: &[Node<DeclarationSpecifier>], declarator: &Declarator) -> bool {
        let may_be_function = |specifier: &Node<DeclarationSpecifier>| match &specifier.node {
            DeclarationSpecifier::TypeSpecifier(specifier) => match &specifier.node {
                TypeSpecifier::TypedefName(name) => self.function_types.contains(&name.node.name),
                TypeSpecifier::TypeOf(_) => true,
                _ => false,
            },
            _ => false,
        };
        is_function(declarator) || is_plain(declarator) && specifiers.iter().any(may_be_function)
    }

    /// A tag is mentioned.
    fn tag(&mut self, tag: &str, is_defined: bool) {
        let declarations = || self.names.declarations.iter().chain([&self.current]);
        let is_known = || self.names.tags.contains(tag) || declarations().any(|declared| declared.records.contains(tag));
        if self.depth > 0 {
            if !is_known() {
                self.inner_tags.insert(tag.to_owned());
            }
            return;
        }
        if self.inner_tags.contains(tag) {
            self.names.early.insert(tag.to_owned());
        }
        let tags = if is_defined { &mut self.current.records } else { &mut self.names.tags };
        tags.insert(tag.to_owned());
    }

    fn member(&mut self, span: &Span) {
        self.names.members.extend(self.unit.original_at(span.start));
    }
}

impl<'a> Visit<'a> for Reader<'a> {
    fn visit_declaration(&mut self, declaration: &'a Declaration, span: &'a Span) {
        let storage = storage(&declaration.specifiers);
        for item in &declaration.declarators {
            let Some((name, token)) = self.name(&item.node.declarator) else { continue };
            let is_function = self.may_declare_function(&declaration.specifiers, &item.node.declarator.node);
            if storage == Some(&StorageClassSpecifier::Typedef) {
                if is_function {
                    self.function_types.insert(name.clone());
                }
                if self.depth == 0 {
                    self.current.names.insert(name);
                }
                continue;
            }
            if self.depth == 0 {
                self.current.kind = Kind::Others;
                let is_external = self.link(&name, storage);
                let is_defined = storage != Some(&StorageClassSpecifier::Extern) || item.node.initializer.is_some();
                if is_external && is_defined && !is_function {
                    self.names.defined.insert(name, token);
                }
            } else if is_function || storage == Some(&StorageClassSpecifier::Extern) {
                self.link(&name, None);
            }
        }
        visit::visit_declaration(self, declaration, span);
    }

    fn visit_parameter_declaration(&mut self, parameter: &'a ParameterDeclaration, span: &'a Span) {
        self.depth += 1;
        visit::visit_parameter_declaration(self, parameter, span);
        self.depth -= 1;
    }

    fn visit_statement(&mut self, statement: &'a Statement, span: &'a Span) {
        self.depth += 1;
        visit::visit_statement(self, statement, span);
        self.depth -= 1;
    }

    fn visit_struct_type(&mut self, record: &'a StructType, span: &'a Span) {
        if let Some(tag) = &record.identifier {
            self.tag(&tag.node.name, record.declarations.is_some());
        }
        visit::visit_struct_type(self, record, span);
    }

    fn visit_enum_type(&mut self, enumeration: &'a EnumType, span: &'a Span) {
        if let Some(tag) = &enumeration.identifier {
            self.tag(&tag.node.name, !enumeration.enumerators.is_empty());
        }
        visit::visit_enum_type(self, enumeration, span);
    }

    fn visit_enumerator(&mut self, enumerator: &'a Enumerator, span: &'a Span) {
        if self.depth == 0 {
            self.current.names.insert(enumerator.identifier.node.name.clone());
        }
        visit::visit_enumerator(self, enumerator, span);
    }

    fn visit_struct_declarator(&mut self, declarator: &'a StructDeclarator, span: &'a Span) {
        if let Some(name) = declarator.declarator.as_ref().and_then(|declarator| identifier_span(&declarator.node)) {
            self.member(&name);
        }
        visit::visit_struct_declarator(self, declarator, span);
    }

    fn visit_member_expression(&mut self, member: &'a MemberExpression, span: &'a Span) {
        self.member(&member.identifier.span);
        visit::visit_member_expression(self, member, span);
    }

    fn visit_designator(&mut self, designator: &'a Designator, span: &'a Span) {
        if let Designator::Member(name) = designator {
            self.member(&name.span);
        }
        visit::visit_designator(self, designator, span);
    }

    fn visit_offset_designator(&mut self, designator: &'a OffsetDesignator, span: &'a Span) {
        self.member(&designator.base.span);
        for member in &designator.members {
            if let OffsetMember::Member(name) | OffsetMember::IndirectMember(name) = &member.node {
                self.member(&name.span);
            }
        }
        visit::visit_offset_designator(self, designator, span);
    }
}

fn storage(specifiers: &[Node<DeclarationSpecifier>]) -> Option<&StorageClassSpecifier> {
    specifiers.iter().find_map(|specifier| match &specifier.node {
        DeclarationSpecifier::StorageClass(storage) => Some(&storage.node),
        _ => None,
    })
}

fn identifier_span(declarator: &Declarator) -> Option<Span> {
    match &declarator.kind.node {
        DeclaratorKind::Identifier(name) => Some(name.span),
        DeclaratorKind::Declarator(inner) => identifier_span(&inner.node),
        DeclaratorKind::Abstract => None,
    }
}
