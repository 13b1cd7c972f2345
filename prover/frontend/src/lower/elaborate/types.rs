//! Specifiers and declarators to types (C11 6.7.1 to 6.7.7).

use super::{
    Elaborator, Outcome,
    arrays::Lengths,
    scope::{Entity, Tag},
};
use crate::lower::types::{CType, DOUBLE, FLOAT, LONG_DOUBLE, Member, Parameters, RecordKind, Shape, Signature, convert, in_range};
use goatherd_certificates::program::IntegerType;
use lang_c::{ast, span::Node};
use std::rc::Rc;

/// What the specifiers of a declaration say.
pub(crate) struct Specifiers<'a> {
    pub(crate) ctype: CType,
    pub(crate) storage: Option<ast::StorageClassSpecifier>,
    /// Attributes of what is declared.
    pub(crate) attributes: Vec<&'a Node<ast::Extension>>,
    /// `_Noreturn`
    pub(crate) no_return: bool,
}

/// A declarator: its name and type.
pub(crate) struct Declared<'a> {
    pub(crate) name: Option<String>,
    pub(crate) ctype: CType,
    pub(crate) offset: usize,
    /// Attributes and asm labels behind it.
    pub(crate) attributes: Vec<&'a Node<ast::Extension>>,
}

/// Does a declaration of a tag declare something else too?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TagUse {
    /// `struct s;`, which declares the tag in its scope (C11 6.7.2.3p7).
    Alone,
    WithOthers,
}

/// The qualifiers of a type.
#[derive(Clone, Copy, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each word stands for itself")]
pub(crate) struct Qualifiers {
    pub(crate) constant: bool,
    pub(crate) volatile: bool,
    pub(crate) atomic: bool,
}

/// The words of a type, counted (C11 6.7.2p2).
#[derive(Default)]
#[allow(clippy::struct_excessive_bools, reason = "each word stands for itself")]
struct Words {
    count: usize,
    void: bool,
    char: bool,
    short: bool,
    int: bool,
    long: usize,
    float: bool,
    double: bool,
    signed: bool,
    unsigned: bool,
    bool: bool,
    complex: bool,
    other: Option<CType>,
}

impl Words {
    fn resolve(self) -> Option<CType> {
        if self.complex {
            return Some(CType::new(Shape::Opaque("a complex number")));
        }
        if let Some(other) = self.other {
            return (self.count == 1).then_some(other);
        }
        let integer = |signed, unsigned| CType::integer(if self.unsigned { unsigned } else { signed });
        Some(if self.void {
            CType::void()
        } else if self.bool {
            CType::integer(IntegerType::Bool)
        } else if self.float {
            CType::new(Shape::Opaque(FLOAT))
        } else if self.double {
            CType::new(Shape::Opaque(if self.long > 0 { LONG_DOUBLE } else { DOUBLE }))
        } else if self.char {
            CType { signed_char: self.signed, ..integer(IntegerType::I8, IntegerType::U8) }
        } else if self.short {
            integer(IntegerType::I16, IntegerType::U16)
        } else if self.long > 0 {
            CType { long_long: self.long > 1, ..integer(IntegerType::I64, IntegerType::U64) }
        } else if self.int || self.signed || self.unsigned {
            integer(IntegerType::I32, IntegerType::U32)
        } else {
            return None;
        })
    }
}

impl<'a> Elaborator<'a> {
    /// The specifiers of a declaration.
    pub(crate) fn specifiers(
        &mut self,
        specifiers: &'a [Node<ast::DeclarationSpecifier>],
        at: usize,
        tags: TagUse,
    ) -> Outcome<Specifiers<'a>> {
        let (mut words, mut storage, mut qualifiers) = (Words::default(), None, Qualifiers::default());
        let (mut attributes, mut no_return) = (Vec::new(), false);
        let mut specifiers = specifiers.iter().peekable();
        while let Some(specifier) = specifiers.next() {
            match &specifier.node {
                ast::DeclarationSpecifier::StorageClass(class) => {
                    let is_extern = storage == Some(ast::StorageClassSpecifier::Extern) || class.node == ast::StorageClassSpecifier::Extern;
                    match &class.node {
                        ast::StorageClassSpecifier::ThreadLocal => return self.unsupported(class.span.start, "a thread-local object"),
                        _ if storage.is_some() && is_extern => return self.error(class.span.start, "two storage classes"),
                        other => storage = Some(other.clone()),
                    }
                }
                ast::DeclarationSpecifier::TypeSpecifier(word) => {
                    // Attributes at once behind the closing brace are the type's, all others those of what is declared.
                    let mut own = Vec::new();
                    while let Some(extensions) = specifiers.peek().and_then(|next| match &next.node {
                        ast::DeclarationSpecifier::Extension(extensions) if defines_type(&word.node) => Some(extensions),
                        _ => None,
                    }) {
                        own.extend(extensions);
                        specifiers.next();
                    }
                    self.word(&mut words, word, &own, tags)?;
                }
                ast::DeclarationSpecifier::TypeQualifier(qualifier) => self.qualify(qualifier, &mut qualifiers)?,
                ast::DeclarationSpecifier::Function(function) => match function.node {
                    // Whether calls are inlined is no matter of meaning.
                    ast::FunctionSpecifier::Inline => {}
                    ast::FunctionSpecifier::Noreturn => no_return = true,
                },
                // Objects that are aligned more than they need to be are as any other.
                ast::DeclarationSpecifier::Alignment(_) => self.has_aligned_objects = true,
                ast::DeclarationSpecifier::Extension(extensions) => attributes.extend(extensions),
            }
        }
        let ctype = self.finish(words, at, qualifiers)?;
        Ok(Specifiers { ctype, storage, attributes, no_return })
    }

    /// The specifiers of a member or a type name, and the attributes of the member.
    fn specifier_qualifiers(
        &mut self,
        specifiers: &'a [Node<ast::SpecifierQualifier>],
        at: usize,
    ) -> Outcome<(CType, Vec<&'a Node<ast::Extension>>)> {
        let (mut words, mut qualifiers, mut attributes) = (Words::default(), Qualifiers::default(), Vec::new());
        let mut specifiers = specifiers.iter().peekable();
        while let Some(specifier) = specifiers.next() {
            match &specifier.node {
                ast::SpecifierQualifier::TypeSpecifier(word) => {
                    let mut own = Vec::new();
                    while let Some(extensions) = specifiers.peek().and_then(|next| match &next.node {
                        ast::SpecifierQualifier::Extension(extensions) if defines_type(&word.node) => Some(extensions),
                        _ => None,
                    }) {
                        own.extend(extensions);
                        specifiers.next();
                    }
                    self.word(&mut words, word, &own, TagUse::WithOthers)?;
                }
                ast::SpecifierQualifier::TypeQualifier(qualifier) => self.qualify(qualifier, &mut qualifiers)?,
                ast::SpecifierQualifier::Extension(extensions) => attributes.extend(extensions),
            }
        }
        Ok((self.finish(words, at, qualifiers)?, attributes))
    }

    fn finish(&mut self, words: Words, at: usize, qualifiers: Qualifiers) -> Outcome<CType> {
        // Without any word the type is int, as before C99; K&R definitions rely on it.
        let mut ctype = if words.count == 0 {
            CType::int()
        } else {
            let Some(ctype) = words.resolve() else { return self.error(at, "type specifiers that do not go together") };
            ctype
        };
        if matches!(ctype.shape, Shape::Function(_)) && (qualifiers.constant || qualifiers.volatile) {
            // C11 6.7.3p9: undefined. GCC takes it for a promise: of no effects, or never to return.
            return self.unsupported(at, "a type of functions that is qualified");
        }
        qualify_type(&mut ctype, qualifiers);
        Ok(ctype)
    }

    fn qualify(&mut self, qualifier: &Node<ast::TypeQualifier>, qualifiers: &mut Qualifiers) -> Outcome<()> {
        match qualifier.node {
            ast::TypeQualifier::Const => qualifiers.constant = true,
            ast::TypeQualifier::Volatile => qualifiers.volatile = true,
            ast::TypeQualifier::Atomic => qualifiers.atomic = true,
            // That programs keep to it is said with the verdict.
            ast::TypeQualifier::Restrict => {}
            ast::TypeQualifier::Nonnull | ast::TypeQualifier::NullUnspecified | ast::TypeQualifier::Nullable => {
                return self.unsupported(qualifier.span.start, "a qualifier that says whether pointers are NULL");
            }
        }
        Ok(())
    }

    fn word(
        &mut self,
        words: &mut Words,
        specifier: &'a Node<ast::TypeSpecifier>,
        attributes: &[&'a Node<ast::Extension>],
        tags: TagUse,
    ) -> Outcome<()> {
        words.count += 1;
        match &specifier.node {
            ast::TypeSpecifier::Void => words.void = true,
            ast::TypeSpecifier::Char => words.char = true,
            ast::TypeSpecifier::Short => words.short = true,
            ast::TypeSpecifier::Int => words.int = true,
            ast::TypeSpecifier::Long => words.long += 1,
            ast::TypeSpecifier::Float => words.float = true,
            ast::TypeSpecifier::Double => words.double = true,
            ast::TypeSpecifier::Signed => words.signed = true,
            ast::TypeSpecifier::Unsigned => words.unsigned = true,
            ast::TypeSpecifier::Bool => words.bool = true,
            ast::TypeSpecifier::Complex => words.complex = true,
            ast::TypeSpecifier::TS18661Float(_) => words.other = Some(CType::new(Shape::Opaque("floating point"))),
            ast::TypeSpecifier::Atomic(_) => words.other = Some(CType::new(Shape::Opaque("_Atomic"))),
            ast::TypeSpecifier::Struct(record) => words.other = Some(self.record(record, attributes, tags)?),
            ast::TypeSpecifier::Enum(enumeration) => words.other = Some(self.enumeration(enumeration, attributes)?),
            ast::TypeSpecifier::TypedefName(name) => {
                words.other = Some(match self.scopes.find(&name.node.name) {
                    Some(Entity::Typedef(ctype)) => ctype.clone(),
                    _ if name.node.name == "__builtin_va_list" => self.argument_list(),
                    _ => return self.error(name.span.start, &format!("'{}' is not a type", name.node.name)),
                });
            }
            ast::TypeSpecifier::TypeOf(of) => {
                words.other = Some(match &of.node {
                    ast::TypeOf::Type(name) => self.type_name(name)?,
                    ast::TypeOf::Expression(expression) => {
                        let named = self.named_type(&expression.node);
                        self.has_types_of_values |= named.is_none();
                        named.map_or_else(|| self.type_of(expression), Ok)?
                    }
                });
            }
        }
        Ok(())
    }

    /// The type, if the expression is the name of one: the parser takes it for an expression in `__typeof__(T)`.
    fn named_type(&self, expression: &ast::Expression) -> Option<CType> {
        let ast::Expression::Identifier(name) = expression else { return None };
        match self.scopes.find(&name.node.name) {
            Some(Entity::Typedef(ctype)) => Some(ctype.clone()),
            _ => None,
        }
    }

    /// `struct` and `union` (C11 6.7.2.1, 6.7.2.3).
    fn record(&mut self, node: &'a Node<ast::StructType>, attributes: &[&'a Node<ast::Extension>], tags: TagUse) -> Outcome<CType> {
        // The result of a function's definition is read once more with its body.
        if let Some(id) = self.defined_records.get(&node.span.start).filter(|_| !(self.is_model)(node.span.start)) {
            return Ok(CType::new(Shape::Record(*id)));
        }
        let (keyword, kind) = match node.node.kind.node {
            ast::StructKind::Struct => ("struct", RecordKind::Struct),
            ast::StructKind::Union => ("union", RecordKind::Union),
        };
        let tag = node.node.identifier.as_ref().map(|identifier| identifier.node.name.as_str());
        let is_own = node.node.declarations.is_some() || tags == TagUse::Alone;
        let found = tag.and_then(|tag| if is_own { self.scopes.find_tag_here(tag) } else { self.scopes.find_tag(tag) }.cloned());
        let known = match found {
            Some(Tag::Record(id)) if self.records.get(id).kind == kind => Some(id),
            Some(_) => return self.error(node.span.start, &format!("'{}' is a tag of another kind", tag.unwrap_or_default())),
            None => None,
        };
        let id = known.unwrap_or_else(|| {
            let name = tag.map_or_else(|| keyword.to_owned(), |tag| format!("{keyword} {tag}"));
            self.records.declare(name, kind)
        });
        if let (None, Some(tag)) = (known, tag) {
            self.scopes.declare_tag(tag, Tag::Record(id), node.span.start);
        }
        let ctype = CType::new(Shape::Record(id));
        let Some(declarations) = &node.node.declarations else { return Ok(ctype) };
        if self.records.get(id).members.is_some() {
            return self.error(node.span.start, &format!("'{}' is defined twice", self.records.get(id).name));
        }
        if tag.is_none() {
            self.name_untagged(id, node.span.start);
        }
        let packing = self.packing(attributes)?;
        let mut members = Vec::new();
        for declaration in declarations {
            match &declaration.node {
                ast::StructDeclaration::StaticAssert(assertion) => self.static_assert(assertion)?,
                ast::StructDeclaration::Field(field) => self.members(field, &mut members)?,
            }
        }
        let problem = if members.is_empty() {
            Some("a struct without members")
        } else {
            members
                .iter()
                .any(|member| self.is_flexible(&member.ctype))
                .then_some("a struct that ends with a flexible array member as a part")
        };
        if let Err(message) = self.records.complete(id, members, packing, problem) {
            return self.unsupported(node.span.start, message);
        }
        self.believe_layout(id, node.span.start);
        self.defined_records.insert(node.span.start, id);
        Ok(ctype)
    }

    /// Is it a struct that ends with an array without a length?
    fn is_flexible(&self, ctype: &CType) -> bool {
        let members = ctype.base_element().as_record().and_then(|id| self.records.get(id).members.as_ref());
        members.and_then(|members| members.last()).is_some_and(|last| matches!(last.ctype.shape, Shape::Array(_, None)))
    }

    /// One declaration of members.
    fn members(&mut self, field: &'a Node<ast::StructField>, members: &mut Vec<Member>) -> Outcome<()> {
        let (base, attributes) = self.specifier_qualifiers(&field.node.specifiers, field.span.start)?;
        // Without a tag it is an anonymous member (C11 6.7.2.1p13); with one nothing but the tag is declared.
        if field.node.declarators.is_empty() && has_untagged(&field.node.specifiers) {
            let packing = self.packing(&attributes)?;
            members.push(Member { name: None, ctype: base.clone(), offset: 0, packing, bits: None });
        }
        for declarator in &field.node.declarators {
            let bits = match &declarator.node.bit_width {
                Some(width) => match u64::try_from(self.constant_expression(width)?) {
                    Ok(bits) => Some(bits),
                    Err(_) => return self.error(width.span.start, "a bit-field of negative width"),
                },
                None => None,
            };
            let (name, ctype, mut own) = match &declarator.node.declarator {
                Some(declarator) => {
                    let declared = self.declarator(declarator, base.clone())?;
                    (declared.name, declared.ctype, declared.attributes)
                }
                None => (None, base.clone(), Vec::new()),
            };
            own.extend(&attributes);
            let packing = self.packing(&own)?;
            let greatest = self.records.size(&ctype).map_or(0, |bytes| bytes.saturating_mul(8));
            if bits.is_some_and(|bits| ctype.as_integer().is_none() || bits > greatest) {
                return self.error(declarator.span.start, "a bit-field whose type does not have so many bits");
            }
            members.push(Member { name, ctype, offset: 0, packing, bits });
        }
        Ok(())
    }

    /// `enum` (C11 6.7.2.2): the type is the first of `unsigned` and `unsigned long`, or with negative constants of `int` and `long`, that has all
    /// constants; a constant is an `int` if it can be, else of the enumeration's type (GNU).
    fn enumeration(&mut self, node: &'a Node<ast::EnumType>, attributes: &[&'a Node<ast::Extension>]) -> Outcome<CType> {
        if let Some(attribute) = attributes.first() {
            return self.unsupported(attribute.span.start, "an enumeration with an attribute");
        }
        let tag = node.node.identifier.as_ref().map(|identifier| identifier.node.name.as_str());
        if node.node.enumerators.is_empty() {
            return match tag.and_then(|tag| self.scopes.find_tag(tag)) {
                Some(Tag::Enumeration(ctype)) => Ok(ctype.clone()),
                Some(Tag::Record(_)) => self.error(node.span.start, "a tag of another kind"),
                None => Ok(CType::new(Shape::Opaque("an enumeration without constants"))),
            };
        }
        let (mut next, mut least, mut greatest) = (0_i128, 0_i128, 0_i128);
        let mut wide = Vec::new();
        for enumerator in &node.node.enumerators {
            if let Some(expression) = &enumerator.node.expression {
                next = self.constant_expression(expression)?;
            }
            (least, greatest) = (least.min(next), greatest.max(next));
            self.no_attributes(&enumerator.node.extensions, "of an enumeration constant")?;
            let (name, at) = (enumerator.node.identifier.node.name.as_str(), enumerator.span.end);
            let kind = in_range(IntegerType::I32, next).then_some(IntegerType::I32);
            self.scopes.declare(name, Entity::Enumerator(next, kind), at);
            if kind.is_none() {
                wide.push((name, next, at));
            }
            next += 1;
        }
        let kinds = if least < 0 { [IntegerType::I32, IntegerType::I64] } else { [IntegerType::U32, IntegerType::U64] };
        let Some(kind) = kinds.into_iter().find(|kind| in_range(*kind, least) && in_range(*kind, greatest)) else {
            return self.error(node.span.start, "an enumeration that no integer type can hold");
        };
        for (name, value, at) in wide {
            self.scopes.declare(name, Entity::Enumerator(value, Some(kind)), at);
        }
        let ctype = CType::integer(kind);
        if let Some(tag) = tag {
            self.scopes.declare_tag(tag, Tag::Enumeration(ctype.clone()), node.span.start);
        }
        Ok(ctype)
    }

    /// The type that a declarator makes of the specifiers' type.
    pub(crate) fn declarator(&mut self, node: &'a Node<ast::Declarator>, base: CType) -> Outcome<Declared<'a>> {
        let mut ctype = base;
        // Pointers stand left of the name and bind last; arrays and functions stand right of it and apply from the outside in.
        for derived in &node.node.derived {
            match &derived.node {
                ast::DerivedDeclarator::Pointer(words) => {
                    let mut qualifiers = Qualifiers::default();
                    for word in words {
                        match &word.node {
                            ast::PointerQualifier::TypeQualifier(qualifier) => self.qualify(qualifier, &mut qualifiers)?,
                            ast::PointerQualifier::Extension(extensions) => self.no_attributes(extensions, "of a pointer")?,
                        }
                    }
                    ctype = ctype.pointer_to();
                    qualify_type(&mut ctype, qualifiers);
                }
                ast::DerivedDeclarator::Block(_) => ctype = CType::new(Shape::Opaque("a block")),
                ast::DerivedDeclarator::Array(_) | ast::DerivedDeclarator::Function(_) | ast::DerivedDeclarator::KRFunction(_) => {}
            }
        }
        let is_plain = matches!(node.node.kind.node, ast::DeclaratorKind::Abstract | ast::DeclaratorKind::Identifier(_));
        let is_suffix = |derived: &Node<ast::DerivedDeclarator>| !matches!(derived.node, ast::DerivedDeclarator::Pointer(_));
        let outermost = node.node.derived.iter().position(is_suffix).filter(|_| is_plain);
        for (position, suffix) in node.node.derived.iter().enumerate().rev() {
            ctype = match &suffix.node {
                ast::DerivedDeclarator::Array(array) => self.array(array, ctype, outermost == Some(position))?,
                ast::DerivedDeclarator::Function(function) => self.function(function, ctype)?,
                ast::DerivedDeclarator::KRFunction(_) => {
                    CType::new(Shape::Function(Rc::new(Signature { result: ctype, parameters: Parameters::Unknown })))
                }
                ast::DerivedDeclarator::Pointer(_) | ast::DerivedDeclarator::Block(_) => ctype,
            };
        }
        let mut attributes: Vec<_> = node.node.extensions.iter().collect();
        let (name, ctype, offset) = match &node.node.kind.node {
            ast::DeclaratorKind::Abstract => (None, ctype, node.span.start),
            ast::DeclaratorKind::Identifier(name) => (Some(name.node.name.clone()), ctype, name.span.start),
            ast::DeclaratorKind::Declarator(inner) => {
                let inner = self.declarator(inner, ctype)?;
                attributes.extend(inner.attributes);
                (inner.name, inner.ctype, inner.offset)
            }
        };
        Ok(Declared { name, ctype, offset, attributes })
    }

    /// Is the length of an array constant? What looks like a variable may be a constant all the same.
    pub(crate) fn is_constant_length(&mut self, size: &'a Node<ast::Expression>) -> bool {
        let known = self.diagnostics.len();
        let is_constant = self.length_value(size).is_ok_and(|value| value.as_constant().is_some());
        // What is wrong with it is said where it is read.
        self.diagnostics.truncate(known);
        is_constant
    }

    fn array(&mut self, array: &'a Node<ast::ArrayDeclarator>, element: CType, is_outermost: bool) -> Outcome<CType> {
        let mut qualifiers = Qualifiers::default();
        for qualifier in &array.node.qualifiers {
            self.qualify(qualifier, &mut qualifiers)?;
        }
        if qualifiers.volatile {
            return self.unsupported(array.span.start, "a volatile object");
        }
        let at = array.span.start;
        if matches!(self.lengths.last(), Some(Lengths::Parameter | Lengths::Entry(_))) && is_outermost {
            let length = self.parameter_length(&array.node, &element, at)?;
            return Ok(CType::new(Shape::Array(Rc::new(element), length)));
        }
        let length = match &array.node.size {
            ast::ArraySize::Unknown => None,
            ast::ArraySize::VariableUnknown => return self.unsupported(at, "an array of variable length"),
            ast::ArraySize::StaticExpression(_) => return self.error(at, "'static' in an array that is no parameter"),
            ast::ArraySize::VariableExpression(size) if self.is_constant_length(size) => {
                let Ok(length) = u64::try_from(self.constant_expression(size)?) else {
                    return self.error(at, "an array of negative length");
                };
                Some(length)
            }
            ast::ArraySize::VariableExpression(size) => self.variable_length(size, &element, at)?,
        };
        Ok(CType::new(Shape::Array(Rc::new(element), length)))
    }

    fn function(&mut self, function: &'a Node<ast::FunctionDeclarator>, result: CType) -> Outcome<CType> {
        // Parameter names and tags end with the declarator; a definition declares its names again.
        self.scopes.open();
        let parameters = self.parameters(&function.node);
        self.scopes.close();
        let parameters = parameters?;
        let types = parameters.into_iter().map(|parameter| parameter.ctype).collect();
        let parameters = if function.node.ellipsis == ast::Ellipsis::Some {
            Parameters::Variadic(types)
        } else if function.node.parameters.is_empty() {
            Parameters::Unknown
        } else {
            Parameters::Exact(types)
        };
        Ok(CType::new(Shape::Function(Rc::new(Signature { result, parameters }))))
    }

    /// The parameters of a prototype, none for `(void)`.
    fn parameters(&mut self, function: &'a ast::FunctionDeclarator) -> Outcome<Vec<Declared<'a>>> {
        let mut parameters = Vec::new();
        for parameter in &function.parameters {
            self.lengths.push(Lengths::Parameter);
            let declared = self.parameter(parameter, function);
            self.lengths.pop();
            parameters.extend(declared?);
        }
        Ok(parameters)
    }

    /// One of the parameters of a function; nothing for `(void)`.
    pub(crate) fn parameter(
        &mut self,
        parameter: &'a Node<ast::ParameterDeclaration>,
        function: &'a ast::FunctionDeclarator,
    ) -> Outcome<Option<Declared<'a>>> {
        let at = parameter.span.start;
        let specifiers = self.specifiers(&parameter.node.specifiers, at, TagUse::WithOthers)?;
        let mut declared = match &parameter.node.declarator {
            Some(declarator) => self.declarator(declarator, specifiers.ctype)?,
            None => Declared { name: None, ctype: specifiers.ctype, offset: at, attributes: Vec::new() },
        };
        declared.attributes.extend(specifiers.attributes.into_iter().chain(&parameter.node.extensions));
        self.object_attributes(&declared.attributes)?;
        if declared.name.is_none() && declared.ctype.is_void() && function.parameters.len() == 1 {
            return Ok(None);
        }
        Ok(Some(Declared { ctype: adjust(declared.ctype), ..declared }))
    }

    pub(crate) fn type_name(&mut self, name: &'a Node<ast::TypeName>) -> Outcome<CType> {
        let (base, mut attributes) = self.specifier_qualifiers(&name.node.specifiers, name.span.start)?;
        let ctype = match &name.node.declarator {
            Some(declarator) => {
                let declared = self.declarator(declarator, base)?;
                attributes.extend(declared.attributes);
                declared.ctype
            }
            None => base,
        };
        match attributes.first() {
            Some(attribute) => self.unsupported(attribute.span.start, "an attribute in the name of a type"),
            None => Ok(ctype),
        }
    }

    /// An integer constant expression (C11 6.6p6).
    pub(crate) fn constant_expression(&mut self, node: &'a Node<ast::Expression>) -> Outcome<i128> {
        let expression = self.rvalue(node)?;
        match expression.as_constant() {
            Some(value) => Ok(value),
            None => self.error(node.span.start, "an integer constant is needed here"),
        }
    }

    pub(crate) fn static_assert(&mut self, assertion: &'a Node<ast::StaticAssert>) -> Outcome<()> {
        if self.constant_expression(&assertion.node.expression)? == 0 {
            return self.error(assertion.span.start, "this static assertion is false");
        }
        Ok(())
    }
}

/// Arrays and functions as parameters are pointers (C11 6.7.6.3p7-8).
pub(crate) fn adjust(ctype: CType) -> CType {
    match ctype.shape {
        Shape::Array(element, _) => CType::new(Shape::Pointer(element)),
        Shape::Function(_) => ctype.pointer_to(),
        _ => ctype,
    }
}

/// Qualifiers of an array are those of its elements (C11 6.7.3p9).
pub(crate) fn qualify_type(ctype: &mut CType, qualifiers: Qualifiers) {
    if let Shape::Array(element, length) = &ctype.shape {
        let mut element = (**element).clone();
        qualify_type(&mut element, qualifiers);
        ctype.shape = Shape::Array(Rc::new(element), *length);
    }
    ctype.constant |= qualifiers.constant;
    ctype.volatile |= qualifiers.volatile;
    if qualifiers.atomic {
        *ctype = CType::new(Shape::Opaque("an atomic object"));
    }
}

/// Does it define a type, so that attributes behind it are those of the type?
fn defines_type(specifier: &ast::TypeSpecifier) -> bool {
    match specifier {
        ast::TypeSpecifier::Struct(record) => record.node.declarations.is_some(),
        ast::TypeSpecifier::Enum(enumeration) => !enumeration.node.enumerators.is_empty(),
        _ => false,
    }
}

/// Is there a struct or union without a tag among them?
fn has_untagged(specifiers: &[Node<ast::SpecifierQualifier>]) -> bool {
    specifiers.iter().any(|specifier| match &specifier.node {
        ast::SpecifierQualifier::TypeSpecifier(word) => match &word.node {
            ast::TypeSpecifier::Struct(record) => record.node.identifier.is_none(),
            _ => false,
        },
        _ => false,
    })
}

/// A constant as a value of its type; other types have none.
pub(crate) fn constant_of(ctype: &CType, value: i128) -> i128 {
    ctype.as_integer().map_or(value, |kind| convert(kind, value))
}
