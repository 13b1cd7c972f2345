//! Declarations in files and blocks, and function definitions (C11 6.7, 6.9).

use super::{
    Context, Elaborator, GlobalState, Outcome, PendingGlobal,
    scope::Entity,
    types::{Declared, adjust},
};
use crate::lower::{
    tree::{Function, FunctionId, Global, GlobalId, Statement, StatementKind, Variable, VariableId},
    types::{CType, Parameters, Shape},
};
use lang_c::{ast, span::Node};

impl<'a> Elaborator<'a> {
    /// All declarations of the file; bodies and initialisers wait until they are needed.
    pub(crate) fn file(&mut self, unit: &'a ast::TranslationUnit) {
        for external in &unit.0 {
            // What is wrong has been said; the rest is read on.
            let _ = match &external.node {
                ast::ExternalDeclaration::Declaration(declaration) => self.file_declaration(declaration),
                ast::ExternalDeclaration::StaticAssert(assertion) => self.static_assert(assertion),
                ast::ExternalDeclaration::FunctionDefinition(definition) => self.file_definition(definition),
            };
        }
    }

    fn file_definition(&mut self, definition: &'a Node<ast::FunctionDefinition>) -> Outcome<()> {
        let base = self.specifiers(&definition.node.specifiers, definition.span.start)?.ctype;
        let declared = self.declarator(&definition.node.declarator, base)?;
        let Some(name) = declarator_name(&definition.node.declarator.node) else {
            return self.error(definition.span.start, "a function without a name");
        };
        if self.definitions.insert(name, definition).is_some() {
            return self.error(declared.offset, &format!("'{name}' is defined twice"));
        }
        self.scopes.declare(name, Entity::Function(declared.ctype));
        Ok(())
    }

    fn file_declaration(&mut self, declaration: &'a Node<ast::Declaration>) -> Outcome<()> {
        let specifiers = self.specifiers(&declaration.node.specifiers, declaration.span.start)?;
        for item in &declaration.node.declarators {
            let declared = self.declarator(&item.node.declarator, specifiers.ctype.clone())?;
            let Some(name) = declared.name.clone() else { continue };
            if specifiers.storage == Some(ast::StorageClassSpecifier::Typedef) {
                self.scopes.declare(&name, Entity::Typedef(declared.ctype));
            } else if matches!(declared.ctype.shape, Shape::Function(_)) {
                // A definition says more than a declaration after it.
                if !self.definitions.contains_key(name.as_str()) {
                    self.scopes.declare(&name, Entity::Function(declared.ctype));
                }
            } else {
                self.file_object(declared, &name, specifiers.storage.as_ref(), item.node.initializer.as_ref())?;
            }
        }
        Ok(())
    }

    /// A global; tentative definitions and repeated declarations are one object (C11 6.9.2).
    fn file_object(
        &mut self,
        declared: Declared,
        name: &str,
        storage: Option<&ast::StorageClassSpecifier>,
        initializer: Option<&'a Node<ast::Initializer>>,
    ) -> Outcome<()> {
        let only_declared = storage == Some(&ast::StorageClassSpecifier::Extern) && initializer.is_none();
        let state = if only_declared { GlobalState::Undefined } else { GlobalState::Waiting(initializer) };
        let Some(Entity::Global(id)) = self.scopes.find_in_file(name).cloned() else {
            let id = self.global(name.to_owned(), declared, state);
            self.scopes.declare_in_file(name, Entity::Global(id));
            return Ok(());
        };
        if matches!(self.globals[id].state, GlobalState::Waiting(Some(_))) && initializer.is_some() {
            return self.error(declared.offset, &format!("'{name}' is defined twice"));
        }
        if matches!(self.globals[id].value.ctype.shape, Shape::Array(_, None)) {
            self.globals[id].value.ctype = declared.ctype;
        }
        if matches!(self.globals[id].state, GlobalState::Undefined) || initializer.is_some() {
            self.globals[id].state = state;
        }
        Ok(())
    }

    fn global(&mut self, name: String, declared: Declared, state: GlobalState<'a>) -> GlobalId {
        let value = Global { name, ctype: declared.ctype, offset: declared.offset, addressed: false, initial: Vec::new(), literal: false };
        self.globals.push(PendingGlobal { value, state });
        self.globals.len() - 1
    }

    /// A string literal as an object; equal ones are one.
    pub(crate) fn string_object(&mut self, element: CType, values: &[i128], offset: usize) -> GlobalId {
        let width = self.records.size(&element).unwrap_or(1);
        if let Some(id) = self.literals.get(&(width, values.to_vec())) {
            return *id;
        }
        let length = values.len() as u64;
        let initial = self.constant_items(&element, values, offset);
        let ctype = CType::new(Shape::Array(std::rc::Rc::new(element), Some(length)));
        let name = format!("\"{}\"", printable(values));
        let value = Global { name, ctype, offset, addressed: true, initial, literal: true };
        self.globals.push(PendingGlobal { value, state: GlobalState::Ready });
        self.literals.insert((width, values.to_vec()), self.globals.len() - 1);
        self.globals.len() - 1
    }

    /// Reads the initial value of a global that is used.
    pub(crate) fn use_global(&mut self, id: GlobalId, at: usize) -> Outcome<()> {
        let initializer = match std::mem::replace(&mut self.globals[id].state, GlobalState::Ready) {
            GlobalState::Ready => return Ok(()),
            GlobalState::Waiting(initializer) => initializer,
            GlobalState::Undefined => {
                let message = format!("'{}', which is declared but not defined", self.globals[id].value.name);
                self.globals[id].state = GlobalState::Undefined;
                return self.unsupported(at, &message);
            }
        };
        let mut ctype = self.globals[id].value.ctype.clone();
        let (offset, mut initial) = (self.globals[id].value.offset, Vec::new());
        if let Some(initializer) = initializer {
            initial = self.initialiser(initializer, &mut ctype)?;
        } else if let Shape::Array(element, None) = &ctype.shape {
            // A tentative definition without a size has one element (C11 6.9.2p5).
            ctype = CType::new(Shape::Array(element.clone(), Some(1)));
        }
        self.globals[id].value.ctype = ctype.clone();
        self.globals[id].value.initial = initial;
        self.check_object(&ctype, offset)
    }

    pub(crate) fn global_type(&self, id: GlobalId) -> &CType {
        &self.globals[id].value.ctype
    }

    pub(crate) fn global_item(&self, id: GlobalId) -> &Global {
        &self.globals[id].value
    }

    pub(crate) fn address_global(&mut self, id: GlobalId) {
        self.globals[id].value.addressed = true;
    }

    /// Can objects of this type be lowered?
    pub(crate) fn check_object(&mut self, ctype: &CType, at: usize) -> Outcome<()> {
        if ctype.volatile {
            return self.unsupported(at, "a volatile object");
        }
        if matches!(ctype.shape, Shape::Array(_, None)) {
            return self.error(at, "an array without a length");
        }
        match self.records.leaves(ctype.base_element()) {
            Ok(_) => Ok(()),
            Err(what) => self.unsupported(at, what),
        }
    }

    /// A declaration in a block.
    pub(crate) fn block_declaration(&mut self, node: &'a Node<ast::Declaration>, into: &mut Vec<Statement>) -> Outcome<()> {
        let specifiers = self.specifiers(&node.node.specifiers, node.span.start)?;
        for item in &node.node.declarators {
            let declared = self.declarator(&item.node.declarator, specifiers.ctype.clone())?;
            let Some(name) = declared.name.clone() else { continue };
            let initializer = item.node.initializer.as_ref();
            match &specifiers.storage {
                Some(ast::StorageClassSpecifier::Typedef) => self.scopes.declare(&name, Entity::Typedef(declared.ctype)),
                _ if matches!(declared.ctype.shape, Shape::Function(_)) => {
                    if !self.definitions.contains_key(name.as_str()) {
                        self.scopes.declare(&name, Entity::Function(declared.ctype));
                    }
                }
                Some(ast::StorageClassSpecifier::Extern) => self.file_object(declared, &name, specifiers.storage.as_ref(), initializer)?,
                Some(ast::StorageClassSpecifier::Static) => {
                    let id = self.global(format!("{}:{name}", self.context.name), declared, GlobalState::Waiting(initializer));
                    self.scopes.declare(&name, Entity::Global(id));
                    // Its initialiser sees the names of this block.
                    self.use_global(id, node.span.start)?;
                }
                Some(ast::StorageClassSpecifier::ThreadLocal) => return self.unsupported(declared.offset, "a thread-local object"),
                _ => self.local(declared, &name, initializer, into)?,
            }
        }
        Ok(())
    }

    fn local(
        &mut self,
        declared: Declared,
        name: &str,
        initializer: Option<&'a Node<ast::Initializer>>,
        into: &mut Vec<Statement>,
    ) -> Outcome<()> {
        let offset = declared.offset;
        let variable = self.variable(name.to_owned(), declared.ctype, offset);
        self.scopes.declare(name, Entity::Variable(variable));
        let kind = if let Some(initializer) = initializer {
            let mut ctype = self.context.variables[variable].ctype.clone();
            let items = self.initialiser(initializer, &mut ctype);
            self.context.variables[variable].ctype = ctype;
            StatementKind::Initialise(variable, items?)
        } else {
            StatementKind::Declare(variable)
        };
        let ctype = self.context.variables[variable].ctype.clone();
        self.check_object(&ctype, offset)?;
        into.push(Statement { kind, offset });
        Ok(())
    }

    /// A new variable of the innermost open block.
    pub(crate) fn variable(&mut self, name: String, ctype: CType, offset: usize) -> VariableId {
        let id = self.context.variables.len();
        self.context.variables.push(Variable { name, ctype, offset, addressed: false, assigned: false });
        if let Some(block) = self.context.open_blocks.last() {
            self.context.blocks[*block].push(id);
        }
        id
    }

    /// The body of a function; nothing if it cannot be read.
    pub(crate) fn definition(&mut self, definition: &'a Node<ast::FunctionDefinition>) -> Option<Function> {
        self.read_definition(definition).ok()
    }

    fn read_definition(&mut self, definition: &'a Node<ast::FunctionDefinition>) -> Outcome<Function> {
        let node = &definition.node;
        let name = declarator_name(&node.declarator.node).unwrap_or_default().to_owned();
        let base = self.specifiers(&node.specifiers, definition.span.start)?.ctype;
        let declared = self.declarator(&node.declarator, base)?;
        let Shape::Function(signature) = &declared.ctype.shape else {
            return self.error(declared.offset, "a function definition whose declarator is not one of a function");
        };
        if signature.parameters == Parameters::Variadic {
            return self.unsupported(declared.offset, "a function with a variable number of arguments");
        }
        let result = signature.result.clone();
        if !result.is_void() {
            self.check_object(&result.unqualified(), declared.offset)?;
        }
        let context = Context { name: name.clone(), id: self.functions.len(), result: Some(result.clone()), ..Context::default() };
        self.context = context;
        self.open_block();
        let parameters = self.definition_parameters(definition);
        let body = self.body(&node.statement);
        self.check_labels();
        self.close_block();
        let context = std::mem::take(&mut self.context);
        let end = node.statement.span.end.saturating_sub(1);
        Ok(Function {
            name,
            result,
            parameters: parameters?,
            variables: context.variables,
            blocks: context.blocks,
            labels: context.labels,
            recursive: context.recursive,
            returns: context.returns,
            body,
            offset: declared.offset,
            end,
        })
    }

    fn definition_parameters(&mut self, definition: &'a Node<ast::FunctionDefinition>) -> Outcome<Vec<VariableId>> {
        let Some(derived) = function_part(&definition.node.declarator.node) else { return Ok(Vec::new()) };
        let declared = match derived {
            ast::DerivedDeclarator::Function(function) => self.parameters(&function.node)?,
            ast::DerivedDeclarator::KRFunction(names) => self.old_style_parameters(names, &definition.node.declarations)?,
            _ => Vec::new(),
        };
        let mut parameters = Vec::new();
        for parameter in declared {
            self.check_object(&parameter.ctype, parameter.offset)?;
            let name = parameter.name.unwrap_or_default();
            let id = self.variable(name.clone(), parameter.ctype, parameter.offset);
            self.scopes.declare(&name, Entity::Variable(id));
            parameters.push(id);
        }
        Ok(parameters)
    }

    /// The parameter types of a definition without a prototype.
    pub(crate) fn old_style_types(&mut self, function: FunctionId) -> Outcome<Vec<CType>> {
        let definition = self.requested[function];
        match function_part(&definition.node.declarator.node) {
            Some(ast::DerivedDeclarator::KRFunction(names)) => {
                let declared = self.old_style_parameters(names, &definition.node.declarations)?;
                Ok(declared.into_iter().map(|parameter| parameter.ctype).collect())
            }
            _ => Ok(Vec::new()),
        }
    }

    /// K&R parameters: `int` unless the declarations before the body say otherwise (C11 6.9.1p6).
    fn old_style_parameters(
        &mut self,
        names: &'a [Node<ast::Identifier>],
        declarations: &'a [Node<ast::Declaration>],
    ) -> Outcome<Vec<Declared>> {
        let mut types: Vec<Declared> = Vec::new();
        for declaration in declarations {
            let base = self.specifiers(&declaration.node.specifiers, declaration.span.start)?.ctype;
            for item in &declaration.node.declarators {
                types.push(self.declarator(&item.node.declarator, base.clone())?);
            }
        }
        Ok(names
            .iter()
            .map(|name| {
                let found = types.iter().find(|declared| declared.name.as_deref() == Some(&name.node.name));
                let ctype = found.map_or_else(CType::int, |declared| adjust(declared.ctype.clone()));
                Declared { name: Some(name.node.name.clone()), ctype, offset: name.span.start }
            })
            .collect())
    }
}

/// The name that a declarator declares.
pub(crate) fn declarator_name(declarator: &ast::Declarator) -> Option<&str> {
    match &declarator.kind.node {
        ast::DeclaratorKind::Identifier(name) => Some(&name.node.name),
        ast::DeclaratorKind::Declarator(inner) => declarator_name(&inner.node),
        ast::DeclaratorKind::Abstract => None,
    }
}

/// The parameter list nearest to the name: `f(int)` in `int *(f(int))`.
fn function_part(declarator: &ast::Declarator) -> Option<&ast::DerivedDeclarator> {
    let inner = match &declarator.kind.node {
        ast::DeclaratorKind::Declarator(inner) => function_part(&inner.node),
        _ => None,
    };
    inner.or_else(|| {
        let derived = declarator.derived.iter().map(|derived| &derived.node);
        derived.into_iter().find(|derived| matches!(derived, ast::DerivedDeclarator::Function(_) | ast::DerivedDeclarator::KRFunction(_)))
    })
}

/// A string's elements for people, at most twelve of them.
fn printable(values: &[i128]) -> String {
    let visible = values.strip_suffix(&[0]).unwrap_or(values);
    let mut text: String = visible
        .iter()
        .take(12)
        .map(|value| match u8::try_from(*value) {
            Ok(byte) if byte.is_ascii_graphic() || byte == b' ' => char::from(byte),
            _ => '?',
        })
        .collect();
    if visible.len() > 12 {
        text.push_str("...");
    }
    text
}
