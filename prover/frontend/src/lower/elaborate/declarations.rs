//! Declarations in files and blocks, and function definitions (C11 6.7, 6.9).

use super::{
    Context, Elaborator, Files, GlobalState, Outcome, PendingGlobal, Reach, Request, Source,
    arrays::Lengths,
    same::{goes_with, is_alike_but_last, is_compatible, parameters_of},
    scope::Entity,
    types::{Declared, Specifiers, TagUse},
    unions::Parts,
};
use crate::lower::{
    assumptions::Assumption,
    declarators::declarator_name,
    tree::{
        Base, Builtin, Expression, ExpressionKind, Function, Global, GlobalId, Item, Place, Statement, StatementKind, Variable, VariableId,
    },
    types::{CType, Parameters, Shape},
    undefined_behavior::UndefinedBehavior,
};
use goatherd_certificates::program::IntegerType;
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
        let specifiers = self.specifiers(&definition.node.specifiers, definition.span.start, TagUse::WithOthers)?;
        let declared = self.declarator(&definition.node.declarator, specifiers.ctype.clone())?;
        let Some(name) = declarator_name(&definition.node.declarator.node) else {
            return self.error(definition.span.start, "a function without a name");
        };
        if !definition.node.declarations.is_empty() {
            self.unprototyped.push((name.to_owned(), declared.offset));
        }
        if self.definitions.insert(name, definition).is_some() {
            return self.error(declared.offset, &format!("'{name}' is defined twice"));
        }
        self.function_declaration(name, &declared, &specifiers)
    }

    /// Of a function without a prototype, a call in one file is not told by the definition in another what to make of its arguments
    /// (C11 6.5.2.2p6).
    fn note_prototype(&mut self, name: &str, declared: &Declared<'a>) {
        if parameters_of(&declared.ctype) == Some(&Parameters::Unknown) {
            self.unprototyped.push((name.to_owned(), declared.offset));
        }
    }

    /// Refuses functions of a program of several files that are declared without a prototype.
    pub(crate) fn judge_unprototyped(&mut self) {
        for (name, offset) in std::mem::take(&mut self.unprototyped) {
            if self.files == Files::Several
                && self.definitions.get(&*name).is_some_and(|definition| !(self.is_model)(definition.span.start))
            {
                let message = format!("'{name}', which is declared without a prototype in a program of several files");
                // It has been said.
                let _: Outcome<()> = self.unsupported(offset, &message);
            }
        }
    }

    /// A function that is declared or defined: what attributes promise holds for all of its declarations together.
    fn function_declaration(&mut self, name: &str, declared: &Declared<'a>, specifiers: &Specifiers<'a>) -> Outcome<()> {
        let attributes: Vec<_> = declared.attributes.iter().chain(&specifiers.attributes).copied().collect();
        let mut promises = self.promises(&attributes)?;
        promises.no_return |= specifiers.no_return;
        self.promises.entry(name.to_owned()).or_default().add(promises);
        let mut ctype = declared.ctype.clone();
        if self.linked.contains_key(name) {
            return self.error(declared.offset, &format!("the function '{name}' is declared as an object before"));
        }
        if let Some(Entity::Function(known)) = self.scopes.find_in_file(name) {
            let is_library = crate::models::text(name).is_some();
            let is_stream = |one: &CType| one.pointee().is_some_and(|target| target.is_record() || target.is_void());
            let takes_streams = crate::models::takes_stream(name) && is_alike_but_last(known, &ctype, &is_stream);
            if !goes_with(known, &ctype) || !(takes_streams || is_compatible(known, &ctype)) && (is_library || self.files == Files::Several)
            {
                // The model of a library function stands behind what the program says of it.
                let first = self.prototypes.get(name).filter(|_| is_library);
                let offset = first.copied().unwrap_or(declared.offset);
                return self.error(offset, &format!("'{name}' is declared with another type before, or in the library"));
            }
            if takes_streams {
                // Whatever the program calls FILE: the model looks into none.
                ctype = known.clone();
            }
            // `int f();` behind `int f(long);` says nothing new (C11 6.2.7p3-4).
            if self.scopes.is_file_scope() && parameters_of(&ctype) == Some(&Parameters::Unknown) && !self.definitions.contains_key(name) {
                ctype = known.clone();
            }
        }
        // Of one that is hidden it has no prototype (C11 6.2.7p4).
        let is_hidden = matches!(self.scopes.find(name), Some(entity) if !matches!(entity, Entity::Function(_)));
        if is_hidden && parameters_of(&ctype) == Some(&Parameters::Unknown) {
            return self.unsupported(declared.offset, "a function without a prototype whose name is another's around it");
        }
        let is_defined = self.definitions.contains_key(name) && self.definition_is_declared.contains(name);
        if self.scopes.is_file_scope() && self.definitions.contains_key(name) {
            self.definition_is_declared.insert(name.to_owned());
        }
        if parameters_of(&ctype).is_some_and(|parameters| *parameters != Parameters::Unknown) && self.scopes.is_file_scope() {
            let first = self.prototypes.entry(name.to_owned()).or_insert(declared.offset);
            *first = declared.offset.min(*first);
        }
        // A definition says more than a declaration after it.
        if !(is_defined && self.scopes.is_file_scope()) {
            self.scopes.declare(name, Entity::Function(ctype), declared.offset);
        }
        Ok(())
    }

    fn file_declaration(&mut self, declaration: &'a Node<ast::Declaration>) -> Outcome<()> {
        let specifiers = self.declaration_specifiers(declaration)?;
        for item in &declaration.node.declarators {
            let declared = self.declarator(&item.node.declarator, specifiers.ctype.clone())?;
            let Some(name) = declared.name.clone() else { continue };
            if specifiers.storage == Some(ast::StorageClassSpecifier::Typedef) {
                self.typedef(&name, declared, &specifiers);
            } else if matches!(declared.ctype.shape, Shape::Function(_)) {
                self.note_prototype(&name, &declared);
                self.function_declaration(&name, &declared, &specifiers)?;
            } else {
                self.file_object(declared, &name, &specifiers, item.node.initializer.as_ref())?;
            }
        }
        Ok(())
    }

    /// The specifiers of a declaration. Without declarators they declare a tag, and attributes would be of nothing.
    fn declaration_specifiers(&mut self, declaration: &'a Node<ast::Declaration>) -> Outcome<Specifiers<'a>> {
        let tags = if declaration.node.declarators.is_empty() { TagUse::Alone } else { TagUse::WithOthers };
        let specifiers = self.specifiers(&declaration.node.specifiers, declaration.span.start, tags)?;
        match specifiers.attributes.first() {
            Some(attribute) if tags == TagUse::Alone => self.unsupported(attribute.span.start, "an attribute of a declaration of nothing"),
            _ => Ok(specifiers),
        }
    }

    /// A name for a type. With an attribute the type is another one, which is not known.
    fn typedef(&mut self, name: &str, declared: Declared<'a>, specifiers: &Specifiers<'a>) {
        let is_changed = specifiers.attributes.iter().chain(&declared.attributes).next().is_some();
        let ctype = if is_changed { CType::new(Shape::Opaque("a name for a type that has an attribute")) } else { declared.ctype };
        self.scopes.declare(name, Entity::Typedef(ctype), declared.offset);
    }

    /// An object with linkage: tentative definitions and repeated declarations are one object (C11 6.2.2, 6.9.2).
    fn file_object(
        &mut self,
        declared: Declared<'a>,
        name: &str,
        specifiers: &Specifiers<'a>,
        initializer: Option<&'a Node<ast::Initializer>>,
    ) -> Outcome<()> {
        self.object_declaration(&declared, specifiers)?;
        if let Some(Entity::Function(_)) = self.scopes.find_in_file(name) {
            return self.error(declared.offset, &format!("the object '{name}' is declared as a function before"));
        }
        let only_declared = specifiers.storage == Some(ast::StorageClassSpecifier::Extern) && initializer.is_none();
        let state = if only_declared { GlobalState::Undefined } else { GlobalState::Waiting(initializer) };
        let offset = declared.offset;
        let Some(id) = self.linked.get(name).copied() else {
            let id = self.global(name.to_owned(), declared, state, Reach::File);
            self.linked.insert(name.to_owned(), id);
            if specifiers.storage == Some(ast::StorageClassSpecifier::Static) {
                self.internal.insert(id);
            }
            self.scopes.declare(name, Entity::Global(id), offset);
            return Ok(());
        };
        self.scopes.declare(name, Entity::Global(id), offset);
        if matches!(self.globals[id].state, GlobalState::Waiting(Some(_))) && initializer.is_some() {
            return self.error(offset, &format!("'{name}' is defined twice"));
        }
        let known = &self.globals[id].value.ctype;
        let agrees = self.files == Files::One || is_compatible(known, &declared.ctype);
        if self.records.name(known.base_element()) != self.records.name(declared.ctype.base_element()) || !agrees {
            return self.error(offset, &format!("'{name}' is declared with another type before"));
        }
        if matches!(self.globals[id].value.ctype.shape, Shape::Array(_, None)) {
            self.globals[id].value.ctype = declared.ctype;
        }
        if matches!(self.globals[id].state, GlobalState::Undefined) || initializer.is_some() {
            self.globals[id].state = state;
        }
        Ok(())
    }

    /// What the specifiers and attributes say of an object.
    fn object_declaration(&mut self, declared: &Declared<'a>, specifiers: &Specifiers<'a>) -> Outcome<()> {
        if specifiers.no_return {
            return self.error(declared.offset, "'_Noreturn' of something that is no function");
        }
        let attributes: Vec<_> = specifiers.attributes.iter().chain(&declared.attributes).copied().collect();
        self.object_attributes(&attributes)
    }

    fn global(&mut self, name: String, declared: Declared<'a>, state: GlobalState<'a>, reach: Reach) -> GlobalId {
        let value = Global { name, ctype: declared.ctype, offset: declared.offset, addressed: false, initial: Vec::new(), literal: false };
        self.globals.push(PendingGlobal { value, state, reach });
        self.globals.len() - 1
    }

    /// A string literal as an object, the same whenever the program comes to it. Whether others that are equal are the same one is unspecified (C11 6.4.5p7):
    /// they are not, so that their difference has no value, and comparisons are refused.
    pub(crate) fn string_object(&mut self, element: CType, values: &[i128], offset: usize) -> GlobalId {
        let width = self.records.size(&element).unwrap_or(1);
        if let Some(id) = self.literals.get(&(width, values.to_vec(), offset)) {
            return *id;
        }
        let length = values.len() as u64;
        let initial = self.constant_items(&element, values, offset);
        let ctype = CType::new(Shape::Array(std::rc::Rc::new(element), Some(length)));
        let name = format!("\"{}\"", printable(values));
        let value = Global { name, ctype, offset, addressed: true, initial, literal: true };
        self.globals.push(PendingGlobal { value, state: GlobalState::Ready, reach: Reach::File });
        // No pointer to one leads out of an operand that is not evaluated.
        if self.unevaluated == 0 {
            self.literals.insert((width, values.to_vec(), offset), self.globals.len() - 1);
        }
        self.globals.len() - 1
    }

    /// A compound literal outside functions as an object.
    pub(crate) fn static_literal(&mut self, ctype: CType, initial: Vec<Item>, offset: usize) -> GlobalId {
        let value = Global { name: "literal".to_owned(), ctype, offset, addressed: true, initial, literal: false };
        self.globals.push(PendingGlobal { value, state: GlobalState::Ready, reach: Reach::File });
        self.globals.len() - 1
    }

    /// Reads the initial value of a global that is used.
    pub(crate) fn use_global(&mut self, id: GlobalId, at: usize) -> Outcome<()> {
        let initializer = match std::mem::replace(&mut self.globals[id].state, GlobalState::Ready) {
            GlobalState::Ready => return Ok(()),
            GlobalState::Waiting(initializer) => initializer,
            GlobalState::Undefined if matches!(&*self.globals[id].value.name, "stdin" | "stdout" | "stderr") => return self.stream(id),
            GlobalState::Undefined => {
                let message = format!("'{}', which is declared but not defined", self.globals[id].value.name);
                self.globals[id].state = GlobalState::Undefined;
                return self.unsupported(at, &message);
            }
        };
        let mut ctype = self.globals[id].value.ctype.clone();
        let (offset, mut initial) = (self.globals[id].value.offset, Vec::new());
        if let Some(initializer) = initializer {
            // An initialiser sees what is declared before it, and no names of the function that uses the object.
            let inner = match self.globals[id].reach {
                Reach::File => Some(self.scopes.leave_for_file(initializer.span.start)),
                Reach::Block => None,
            };
            // It is evaluated, wherever the object is used first: also if that is in an operand of `sizeof`.
            let around = std::mem::take(&mut self.unevaluated);
            let items = self.initialiser(initializer, &mut ctype);
            self.unevaluated = around;
            if let Some(inner) = inner {
                self.scopes.return_to(inner);
            }
            initial = items?;
        } else if let Shape::Array(element, None) = &ctype.shape {
            // A tentative definition without a size has one element (C11 6.9.2p5).
            ctype = CType::new(Shape::Array(element.clone(), Some(1)));
        }
        if initializer.is_none() {
            initial = self.whole(Parts::default(), &ctype, offset)?;
        }
        self.globals[id].value.addressed |= self.records.has_bit_fields(&ctype) || self.records.unit(&ctype).is_some();
        self.globals[id].value.ctype = ctype.clone();
        self.globals[id].value.initial = initial;
        // Its own initialiser may have taken its address before this was known.
        if self.records.has_constant(&ctype) && !self.globals[id].value.is_read_only() {
            self.suspicions.constants.insert(offset);
        }
        self.check_object(&ctype, offset)
    }

    /// One of the streams that the library has open: a pointer to something that only the library looks into (C11 7.21.1p3).
    fn stream(&mut self, id: GlobalId) -> Outcome<()> {
        self.streams.insert(id);
        let (ctype, offset) = (self.globals[id].value.ctype.clone(), self.globals[id].value.offset);
        let byte = CType::integer(IntegerType::U8);
        let name = format!("*{}", self.globals[id].value.name);
        let value = Global { name, ctype: byte.clone(), offset, addressed: true, initial: Vec::new(), literal: true };
        self.globals.push(PendingGlobal { value, state: GlobalState::Ready, reach: Reach::File });
        let place = Place { base: Base::Global(self.globals.len() - 1), displacement: 0, ctype: byte.clone(), offset };
        let pointer = Expression::new(ExpressionKind::AddressOf(Box::new(place)), byte.pointer_to(), offset);
        let value = if ctype.is_pointer() {
            // Nothing looks into it: it may be aligned as it likes.
            Expression::new(ExpressionKind::Convert(Box::new(pointer)), ctype.unqualified(), offset)
        } else {
            self.convert(pointer, &ctype.unqualified(), offset)?
        };
        self.globals[id].value.initial = vec![Item::new(0, value)];
        Ok(())
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
        let specifiers = self.declaration_specifiers(node)?;
        for item in &node.node.declarators {
            let (declared, length) = self.local_declarator(&item.node.declarator, specifiers.ctype.clone())?;
            let Some(name) = declared.name.clone() else { continue };
            let initializer = item.node.initializer.as_ref();
            if let Some(length) = length {
                if initializer.is_some() || specifiers.storage.is_some() {
                    return self.error(declared.offset, "an array of variable length that is initialised, static or extern");
                }
                self.object_declaration(&declared, &specifiers)?;
                self.array_of_length(&declared, &name, length, into)?;
                continue;
            }
            match &specifiers.storage {
                Some(ast::StorageClassSpecifier::Typedef) => self.typedef(&name, declared, &specifiers),
                _ if matches!(declared.ctype.shape, Shape::Function(_)) => {
                    self.note_prototype(&name, &declared);
                    self.function_declaration(&name, &declared, &specifiers)?;
                }
                Some(ast::StorageClassSpecifier::Extern) => self.file_object(declared, &name, &specifiers, initializer)?,
                Some(ast::StorageClassSpecifier::Static) => {
                    self.object_declaration(&declared, &specifiers)?;
                    let offset = declared.offset;
                    let id =
                        self.global(format!("{}:{name}", self.context.name), declared, GlobalState::Waiting(initializer), Reach::Block);
                    self.scopes.declare(&name, Entity::Global(id), offset);
                    // Its initialiser sees the names of this block.
                    self.use_global(id, node.span.start)?;
                }
                Some(ast::StorageClassSpecifier::ThreadLocal) => return self.unsupported(declared.offset, "a thread-local object"),
                Some(ast::StorageClassSpecifier::Auto | ast::StorageClassSpecifier::Register) | None => {
                    self.object_declaration(&declared, &specifiers)?;
                    self.local(declared, &name, initializer, into)?;
                }
            }
        }
        Ok(())
    }

    fn local(
        &mut self,
        declared: Declared<'a>,
        name: &str,
        initializer: Option<&'a Node<ast::Initializer>>,
        into: &mut Vec<Statement>,
    ) -> Outcome<()> {
        let offset = declared.offset;
        let variable = self.variable(name.to_owned(), declared.ctype, offset);
        self.scopes.declare(name, Entity::Variable(variable), offset);
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
        // The other bits of a byte stay when one is written, and have a value before they do. Behind a flexible member there may be more.
        let addressed = self.records.has_bit_fields(&ctype) || self.records.unit(&ctype).is_some();
        self.context.variables.push(Variable {
            name,
            ctype,
            offset,
            addressed,
            assigned: false,
            skipped: false,
            repeated: false,
            owns_array: false,
            keeps_part: false,
        });
        if let Some(block) = self.context.open_blocks.last() {
            self.context.blocks[*block].push(id);
        }
        id
    }

    /// Keeps a value in a variable: the step that does, and what reads it.
    pub(super) fn kept(&mut self, name: &str, value: Expression) -> (Expression, Expression) {
        // What a bit-field was given is kept as an integer.
        let (ctype, offset) = (CType { bits: None, ..value.ctype.clone() }, value.offset);
        let variable = self.variable(name.to_owned(), ctype.clone(), offset);
        self.context.variables[variable].keeps_part = true;
        let place = Place { base: Base::Variable(variable), displacement: 0, ctype: ctype.clone(), offset };
        let step = ExpressionKind::Assign { place: Box::new(place.clone()), value: Box::new(value) };
        (Expression::new(step, ctype.clone(), offset), Expression::new(ExpressionKind::Read(Box::new(place)), ctype, offset))
    }

    /// The body of a function; nothing if it cannot be read.
    pub(crate) fn definition(&mut self, request: &Request<'a>) -> Option<Function> {
        let definition = match (&request.source, &request.element) {
            (Source::Input(call), _) => return self.input_function(call).ok(),
            (Source::Output(call), _) => return self.output_function(call).ok(),
            // Its body is made when all others have been read.
            (Source::Undefined(_), _) => return None,
            (Source::Definition(definition), None) => return self.read_definition(definition, |_| {}).ok(),
            (Source::Definition(definition), Some(_)) => *definition,
        };
        self.scopes.open();
        self.name_element(request);
        let function = self.read_definition(definition, |elaborator| elaborator.name_element(request));
        self.scopes.close();
        function.ok()
    }

    fn read_definition(&mut self, definition: &'a Node<ast::FunctionDefinition>, prepare: impl FnOnce(&mut Self)) -> Outcome<Function> {
        let node = &definition.node;
        let name = declarator_name(&node.declarator.node).unwrap_or_default().to_owned();
        let base = self.specifiers(&node.specifiers, definition.span.start, TagUse::WithOthers)?.ctype;
        let declared = self.declarator(&node.declarator, base)?;
        let Shape::Function(signature) = &declared.ctype.shape else {
            return self.error(declared.offset, "a function definition whose declarator is not one of a function");
        };
        let result = signature.result.clone();
        if !result.is_void() {
            self.check_object(&result.unqualified(), declared.offset)?;
        }
        let promises = self.promises.get(&name).cloned().unwrap_or_default();
        if let Some(attribute) = promises.unchecked.first().filter(|_| !(self.is_model)(declared.offset)) {
            if !crate::models::is_known(&name) {
                return self.unsupported(declared.offset, &format!("the attribute '{attribute}' of a function that is defined here"));
            }
            // The library's headers say it of a function of this name.
            self.assumptions.insert(Assumption::Promised);
        }
        if let (Parameters::Variadic(known), Some(positions)) = (&signature.parameters, &promises.non_null)
            && (positions.is_empty() || positions.iter().any(|position| *position > known.len() as i128))
        {
            return self.unsupported(declared.offset, "the attribute 'nonnull' of what stands for '...'");
        }
        let may_set_errno = crate::models::sets_errno(&name) && (self.is_model)(declared.offset);
        let set = if may_set_errno { self.errno_is_set(declared.offset)? } else { None };
        let context = Context { name: name.clone(), result: Some(result.clone()), promises, ..Context::default() };
        self.context = context;
        let outside = self.scopes.leave_for_file(definition.node.statement.span.start);
        self.open_block();
        prepare(self);
        let mut parameters = self.definition_parameters(definition);
        if let (Parameters::Variadic(_), Ok(parameters)) = (&signature.parameters, &mut parameters) {
            parameters.0.push(self.pack_parameter(declared.offset));
        }
        let known = parameters.as_ref().map(|(parameters, _)| &**parameters).unwrap_or_default();
        let mut body = self.non_null_parameters(known, declared.offset);
        body.extend(self.promised_elements(known, node.statement.span.start));
        body.extend(parameters.iter().flat_map(|(_, lengths)| lengths.clone()));
        body.extend(set);
        body.extend(self.body(&node.statement));
        if self.context.promises.no_return {
            body.push(undefined(UndefinedBehavior::Return, node.statement.span.end.saturating_sub(1)));
        }
        self.check_labels();
        self.close_block();
        self.scopes.return_to(outside);
        self.check_arrays();
        self.mark_skipped();
        self.refuse_repeated_literals();
        let context = std::mem::take(&mut self.context);
        let end = node.statement.span.end.saturating_sub(1);
        Ok(Function {
            name,
            result,
            parameters: parameters?.0,
            variables: context.variables,
            blocks: context.blocks,
            labels: context.labels,
            returns: context.returns,
            body,
            offset: declared.offset,
            end,
        })
    }

    /// Fails where a parameter is NULL of which an attribute says that it is not.
    fn non_null_parameters(&mut self, parameters: &[VariableId], offset: usize) -> Vec<Statement> {
        let Some(positions) = self.context.promises.non_null.clone() else { return Vec::new() };
        let is_meant = |index: usize| positions.is_empty() || positions.contains(&(index as i128 + 1));
        let pointers = parameters.iter().enumerate().filter(|(index, _)| is_meant(*index)).map(|(_, id)| *id);
        pointers
            .filter(|id| self.context.variables[*id].ctype.is_pointer())
            .map(|id| self.fail_if_null(id, UndefinedBehavior::NullArgument, offset))
            .collect()
    }

    /// Fails if a variable is NULL.
    pub(crate) fn fail_if_null(&self, id: VariableId, behavior: UndefinedBehavior, offset: usize) -> Statement {
        let ctype = self.context.variables[id].ctype.clone();
        let place = Place { base: Base::Variable(id), displacement: 0, ctype: ctype.clone(), offset };
        let value = Expression::new(ExpressionKind::Read(Box::new(place)), ctype.unqualified(), offset);
        let condition = Expression::new(ExpressionKind::Not(Box::new(value)), CType::int(), offset);
        let kind = StatementKind::If { condition, then: vec![undefined(behavior, offset)], otherwise: Vec::new() };
        Statement { kind, offset }
    }

    /// Marks the variables whose declaration a `goto` of their block passes, or leads back over: they begin without a value (C11 6.2.4p6).
    fn mark_skipped(&mut self) {
        for (from, label) in std::mem::take(&mut self.context.jumps) {
            let label = &self.context.labels[label];
            for block in &label.blocks {
                for variable in &self.context.blocks[*block] {
                    let variable = &mut self.context.variables[*variable];
                    variable.skipped |= from < variable.offset && variable.offset < label.offset;
                    // A label that is missing has no place.
                    variable.repeated |= label.offset > 0 && label.offset < variable.offset && variable.offset < from;
                }
            }
        }
    }

    /// Refuses compound literals that are initialised again while a pointer from before may lead to them: what is read through it would have to be
    /// ordered with that (C11 6.5.2.5p5).
    fn refuse_repeated_literals(&mut self) {
        for (literal, in_header) in std::mem::take(&mut self.context.literals) {
            let variable = &self.context.variables[literal];
            if variable.addressed && (in_header || variable.repeated) {
                let what = "a pointer to a compound literal in the header of a loop, or that a goto leads back over";
                let _: Outcome<()> = self.unsupported(variable.offset, what);
            }
        }
    }

    /// The parameters of a definition, and what is evaluated on entry for their types.
    fn definition_parameters(&mut self, definition: &'a Node<ast::FunctionDefinition>) -> Outcome<(Vec<VariableId>, Vec<Statement>)> {
        let (mut parameters, mut lengths) = (Vec::new(), Vec::new());
        match function_part(&definition.node.declarator.node) {
            Some(ast::DerivedDeclarator::Function(function)) => {
                for parameter in &function.node.parameters {
                    self.lengths.push(Lengths::Entry(Vec::new()));
                    let declared = self.parameter(parameter, &function.node);
                    if let Some(Lengths::Entry(found)) = self.lengths.pop() {
                        lengths.extend(found);
                    }
                    if let Some(declared) = declared? {
                        parameters.push(self.declared_parameter(declared)?);
                    }
                }
            }
            Some(ast::DerivedDeclarator::KRFunction(names)) => {
                for declared in self.old_style_parameters(names, &definition.node.declarations)? {
                    parameters.push(self.declared_parameter(declared)?);
                }
            }
            _ => {}
        }
        Ok((parameters, self.entry_lengths(lengths)?))
    }

    /// The parameters behind it see its name (C11 6.2.1p7).
    fn declared_parameter(&mut self, parameter: Declared<'a>) -> Outcome<VariableId> {
        self.check_object(&parameter.ctype, parameter.offset)?;
        let name = parameter.name.unwrap_or_default();
        let id = self.variable(name.clone(), parameter.ctype, parameter.offset);
        self.scopes.declare(&name, Entity::Variable(id), parameter.offset);
        Ok(id)
    }
}

/// What C leaves undefined happens here.
fn undefined(behavior: UndefinedBehavior, offset: usize) -> Statement {
    let kind = ExpressionKind::Builtin(Builtin::Undefined(behavior));
    Statement { kind: StatementKind::Expression(Expression::new(kind, CType::void(), offset)), offset }
}

/// The parameter list nearest to the name: `f(int)` in `int *(f(int))`.
pub(super) fn function_part(declarator: &ast::Declarator) -> Option<&ast::DerivedDeclarator> {
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
