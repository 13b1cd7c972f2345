//! Where beliefs about expressions can be written down: the items of blocks and files.

use super::beliefs::{Point, Room};
use lang_c::{
    ast,
    span::{Node, Span},
    visit::{self, Visit},
};

/// All points of a file.
pub(crate) fn points(unit: &ast::TranslationUnit) -> Vec<Point> {
    let mut collector = Collector { points: Vec::new(), open: Vec::new() };
    collector.visit_translation_unit(unit);
    collector.points
}

struct Collector {
    points: Vec<Point>,
    /// Those around what is visited.
    open: Vec<usize>,
}

impl Collector {
    fn inside(&mut self, span: Span, room: Room, names: Vec<(String, usize)>, visit: impl FnOnce(&mut Self)) {
        self.open.push(self.points.len());
        let outer = self.open.iter().rev().nth(1).copied();
        self.points.push(Point { span, outer, room, names });
        visit(self);
        self.open.pop();
    }
}

impl<'ast> Visit<'ast> for Collector {
    fn visit_external_declaration(&mut self, external: &'ast ast::ExternalDeclaration, span: &'ast Span) {
        let (room, names) = match external {
            ast::ExternalDeclaration::Declaration(declaration) => (Room::After, declared(declaration)),
            ast::ExternalDeclaration::StaticAssert(_) => (Room::After, Vec::new()),
            // Its body has points of its own.
            ast::ExternalDeclaration::FunctionDefinition(_) => (Room::Nowhere, Vec::new()),
        };
        self.inside(*span, room, names, |collector| visit::visit_external_declaration(collector, external, span));
    }

    fn visit_block_item(&mut self, item: &'ast ast::BlockItem, span: &'ast Span) {
        let (room, names) = match item {
            ast::BlockItem::Declaration(declaration) => (Room::After, declared(declaration)),
            ast::BlockItem::StaticAssert(_) => (Room::After, Vec::new()),
            ast::BlockItem::Statement(_) => (Room::Before, Vec::new()),
        };
        self.inside(*span, room, names, |collector| visit::visit_block_item(collector, item, span));
    }

    fn visit_for_statement(&mut self, statement: &'ast ast::ForStatement, span: &'ast Span) {
        match &statement.initializer.node {
            ast::ForInitializer::Declaration(declaration) => {
                let room = Room::Around(statement.statement.span);
                self.inside(*span, room, declared(declaration), |collector| visit::visit_for_statement(collector, statement, span));
            }
            _ => visit::visit_for_statement(self, statement, span),
        }
    }

    fn visit_function_declarator(&mut self, declarator: &'ast ast::FunctionDeclarator, span: &'ast Span) {
        self.inside(*span, Room::Nowhere, Vec::new(), |collector| visit::visit_function_declarator(collector, declarator, span));
    }

    fn visit_struct_field(&mut self, field: &'ast ast::StructField, span: &'ast Span) {
        // With a tag, a member without a declarator would be no member.
        for specifier in field.specifiers.iter().filter(|_| field.declarators.is_empty()) {
            if let ast::SpecifierQualifier::TypeSpecifier(word) = &specifier.node
                && let ast::TypeSpecifier::Struct(record) = &word.node
                && record.node.identifier.is_none()
            {
                let anonymous = Span { start: record.span.start, end: record.span.start };
                self.inside(anonymous, Room::Nowhere, Vec::new(), |_| {});
            }
        }
        visit::visit_struct_field(self, field, span);
    }
}

/// The names that a declaration declares, and where.
fn declared(declaration: &Node<ast::Declaration>) -> Vec<(String, usize)> {
    declaration.node.declarators.iter().filter_map(|item| name(&item.node.declarator.node)).collect()
}

fn name(declarator: &ast::Declarator) -> Option<(String, usize)> {
    match &declarator.kind.node {
        ast::DeclaratorKind::Identifier(identifier) => Some((identifier.node.name.clone(), identifier.span.start)),
        ast::DeclaratorKind::Declarator(inner) => name(&inner.node),
        ast::DeclaratorKind::Abstract => None,
    }
}
