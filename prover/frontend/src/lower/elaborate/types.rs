//! Specifiers and declarators to types (C11 6.7.1 to 6.7.7).

use super::{
    Elaborator, Outcome,
    scope::{Entity, Tag},
};
use crate::lower::types::{CType, DOUBLE, FLOAT, LONG_DOUBLE, Member, Parameters, Shape, Signature, convert, in_range};
use goatherd_certificates::program::IntegerType;
use lang_c::{ast, span::Node};
use std::rc::Rc;

/// What the specifiers of a declaration say.
pub(crate) struct Specifiers {
    pub(crate) ctype: CType,
    pub(crate) storage: Option<ast::StorageClassSpecifier>,
}

/// A declarator: its name and type.
pub(crate) struct Declared {
    pub(crate) name: Option<String>,
    pub(crate) ctype: CType,
    pub(crate) offset: usize,
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
            integer(IntegerType::I8, IntegerType::U8)
        } else if self.short {
            integer(IntegerType::I16, IntegerType::U16)
        } else if self.long > 0 {
            integer(IntegerType::I64, IntegerType::U64)
        } else if self.int || self.signed || self.unsigned {
            integer(IntegerType::I32, IntegerType::U32)
        } else {
            return None;
        })
    }
}

impl<'a> Elaborator<'a> {
    /// The specifiers of a declaration.
    pub(crate) fn specifiers(&mut self, specifiers: &'a [Node<ast::DeclarationSpecifier>], at: usize) -> Outcome<Specifiers> {
        let (mut words, mut storage) = (Words::default(), None);
        let (mut constant, mut volatile, mut packed) = (false, false, false);
        for specifier in specifiers {
            match &specifier.node {
                ast::DeclarationSpecifier::StorageClass(class) => storage = Some(class.node.clone()),
                ast::DeclarationSpecifier::TypeSpecifier(word) => self.word(&mut words, word)?,
                ast::DeclarationSpecifier::TypeQualifier(qualifier) => qualify(&qualifier.node, &mut constant, &mut volatile),
                ast::DeclarationSpecifier::Function(_) | ast::DeclarationSpecifier::Alignment(_) => {}
                ast::DeclarationSpecifier::Extension(extensions) => packed |= is_packed(extensions),
            }
        }
        let ctype = self.finish(words, at, (constant, volatile, packed))?;
        Ok(Specifiers { ctype, storage })
    }

    fn specifier_qualifiers(&mut self, specifiers: &'a [Node<ast::SpecifierQualifier>], at: usize) -> Outcome<CType> {
        let mut words = Words::default();
        let (mut constant, mut volatile, mut packed) = (false, false, false);
        for specifier in specifiers {
            match &specifier.node {
                ast::SpecifierQualifier::TypeSpecifier(word) => self.word(&mut words, word)?,
                ast::SpecifierQualifier::TypeQualifier(qualifier) => qualify(&qualifier.node, &mut constant, &mut volatile),
                ast::SpecifierQualifier::Extension(extensions) => packed |= is_packed(extensions),
            }
        }
        self.finish(words, at, (constant, volatile, packed))
    }

    fn finish(&mut self, words: Words, at: usize, (constant, volatile, packed): (bool, bool, bool)) -> Outcome<CType> {
        if packed {
            return Ok(CType::new(Shape::Opaque("a type with the attribute packed or aligned")));
        }
        // Without any word the type is int, as before C99; K&R definitions rely on it.
        let mut ctype = if words.count == 0 {
            CType::int()
        } else {
            let Some(ctype) = words.resolve() else { return self.error(at, "type specifiers that do not go together") };
            ctype
        };
        qualify_type(&mut ctype, constant, volatile);
        Ok(ctype)
    }

    fn word(&mut self, words: &mut Words, specifier: &'a Node<ast::TypeSpecifier>) -> Outcome<()> {
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
            ast::TypeSpecifier::Struct(record) => words.other = Some(self.record(record)?),
            ast::TypeSpecifier::Enum(enumeration) => words.other = Some(self.enumeration(enumeration)?),
            ast::TypeSpecifier::TypedefName(name) => {
                words.other = Some(match self.scopes.find(&name.node.name) {
                    Some(Entity::Typedef(ctype)) => ctype.clone(),
                    _ if name.node.name == "__builtin_va_list" => CType::new(Shape::Opaque("va_list")),
                    _ => return self.error(name.span.start, &format!("'{}' is not a type", name.node.name)),
                });
            }
            ast::TypeSpecifier::TypeOf(of) => {
                words.other = Some(match &of.node {
                    ast::TypeOf::Type(name) => self.type_name(name)?,
                    ast::TypeOf::Expression(expression) => self.type_of(expression)?,
                });
            }
        }
        Ok(())
    }

    /// `struct` and `union` (C11 6.7.2.1).
    fn record(&mut self, node: &'a Node<ast::StructType>) -> Outcome<CType> {
        let is_union = node.node.kind.node == ast::StructKind::Union;
        let tag = node.node.identifier.as_ref().map(|identifier| identifier.node.name.as_str());
        let keyword = if is_union { "union" } else { "struct" };
        let known = tag.and_then(|tag| {
            let found = if node.node.declarations.is_some() { self.scopes.find_tag_here(tag) } else { self.scopes.find_tag(tag) };
            match found {
                Some(Tag::Record(id)) => Some(*id),
                _ => None,
            }
        });
        let id = known.unwrap_or_else(|| {
            let name = tag.map_or_else(|| keyword.to_owned(), |tag| format!("{keyword} {tag}"));
            self.records.declare(name)
        });
        if let (None, Some(tag)) = (known, tag) {
            self.scopes.declare_tag(tag, Tag::Record(id));
        }
        let ctype = CType::new(Shape::Record(id));
        let Some(declarations) = &node.node.declarations else { return Ok(ctype) };
        if self.records.get(id).members.is_some() {
            return self.error(node.span.start, &format!("'{}' is defined twice", self.records.get(id).name));
        }
        let (mut members, mut problem) = (Vec::new(), is_union.then_some("a union"));
        for declaration in declarations {
            match &declaration.node {
                ast::StructDeclaration::StaticAssert(assertion) => self.static_assert(assertion)?,
                ast::StructDeclaration::Field(field) => {
                    let base = self.specifier_qualifiers(&field.node.specifiers, field.span.start)?;
                    if field.node.declarators.is_empty() && base.is_record() {
                        members.push(Member { name: None, ctype: base.clone(), offset: 0 });
                    }
                    for declarator in &field.node.declarators {
                        if declarator.node.bit_width.is_some() {
                            problem = problem.or(Some("a bit-field"));
                        }
                        let Some(declarator) = &declarator.node.declarator else { continue };
                        if is_packed(&declarator.node.extensions) {
                            problem = problem.or(Some("a member with the attribute packed or aligned"));
                        }
                        let declared = self.declarator(declarator, base.clone())?;
                        members.push(Member { name: declared.name, ctype: declared.ctype, offset: 0 });
                    }
                }
            }
        }
        if members.is_empty() {
            problem = problem.or(Some("a struct without members"));
        }
        if let Err(message) = self.records.complete(id, members, problem) {
            return self.unsupported(node.span.start, message);
        }
        Ok(ctype)
    }

    /// `enum` (C11 6.7.2.2): constants are `int`; the type is `unsigned`, or `int` with negative constants, as in GCC.
    fn enumeration(&mut self, node: &'a Node<ast::EnumType>) -> Outcome<CType> {
        let tag = node.node.identifier.as_ref().map(|identifier| identifier.node.name.as_str());
        if node.node.enumerators.is_empty() {
            return match tag.and_then(|tag| self.scopes.find_tag(tag)) {
                Some(Tag::Enumeration(ctype)) => Ok(ctype.clone()),
                _ => Ok(CType::integer(IntegerType::U32)),
            };
        }
        let (mut next, mut negative) = (0_i128, false);
        for enumerator in &node.node.enumerators {
            if let Some(expression) = &enumerator.node.expression {
                next = self.constant_expression(expression)?;
            }
            if !in_range(IntegerType::I32, next) {
                return self.unsupported(enumerator.span.start, "an enumeration constant outside int");
            }
            negative |= next < 0;
            self.scopes.declare(&enumerator.node.identifier.node.name, Entity::Enumerator(next));
            next += 1;
        }
        let ctype = CType::integer(if negative { IntegerType::I32 } else { IntegerType::U32 });
        if let Some(tag) = tag {
            self.scopes.declare_tag(tag, Tag::Enumeration(ctype.clone()));
        }
        Ok(ctype)
    }

    /// The type that a declarator makes of the specifiers' type.
    pub(crate) fn declarator(&mut self, node: &'a Node<ast::Declarator>, base: CType) -> Outcome<Declared> {
        let mut ctype = base;
        // Pointers stand left of the name and bind last; arrays and functions stand right of it and apply from the outside in.
        let (pointers, suffixes): (Vec<_>, Vec<_>) = node
            .node
            .derived
            .iter()
            .partition(|derived| matches!(derived.node, ast::DerivedDeclarator::Pointer(_) | ast::DerivedDeclarator::Block(_)));
        for pointer in pointers {
            ctype = ctype.pointer_to();
            if let ast::DerivedDeclarator::Pointer(qualifiers) = &pointer.node {
                for qualifier in qualifiers {
                    if let ast::PointerQualifier::TypeQualifier(qualifier) = &qualifier.node {
                        qualify(&qualifier.node, &mut ctype.constant, &mut ctype.volatile);
                    }
                }
            } else {
                ctype = CType::new(Shape::Opaque("a block"));
            }
        }
        for suffix in suffixes.into_iter().rev() {
            ctype = match &suffix.node {
                ast::DerivedDeclarator::Array(array) => self.array(array, ctype)?,
                ast::DerivedDeclarator::Function(function) => self.function(function, ctype)?,
                ast::DerivedDeclarator::KRFunction(_) => {
                    CType::new(Shape::Function(Rc::new(Signature { result: ctype, parameters: Parameters::Unknown })))
                }
                _ => ctype,
            };
        }
        match &node.node.kind.node {
            ast::DeclaratorKind::Abstract => Ok(Declared { name: None, ctype, offset: node.span.start }),
            ast::DeclaratorKind::Identifier(name) => Ok(Declared { name: Some(name.node.name.clone()), ctype, offset: name.span.start }),
            ast::DeclaratorKind::Declarator(inner) => self.declarator(inner, ctype),
        }
    }

    fn array(&mut self, array: &'a Node<ast::ArrayDeclarator>, element: CType) -> Outcome<CType> {
        let length = match &array.node.size {
            ast::ArraySize::Unknown => None,
            ast::ArraySize::VariableUnknown => return self.unsupported(array.span.start, "an array of variable length"),
            ast::ArraySize::VariableExpression(size) | ast::ArraySize::StaticExpression(size) => {
                let size = self.rvalue(size)?;
                let Some(length) = size.as_constant() else {
                    return self.unsupported(array.span.start, "an array of variable length");
                };
                let Ok(length) = u64::try_from(length) else {
                    return self.error(array.span.start, "an array of negative length");
                };
                Some(length)
            }
        };
        Ok(CType::new(Shape::Array(Rc::new(element), length)))
    }

    fn function(&mut self, function: &'a Node<ast::FunctionDeclarator>, result: CType) -> Outcome<CType> {
        // Parameter names and tags end with the declarator; a definition declares its names again.
        let parameters = self.parameters(&function.node)?;
        let parameters = if function.node.ellipsis == ast::Ellipsis::Some {
            Parameters::Variadic
        } else if function.node.parameters.is_empty() {
            Parameters::Unknown
        } else {
            Parameters::Exact(parameters.into_iter().map(|parameter| parameter.ctype).collect())
        };
        Ok(CType::new(Shape::Function(Rc::new(Signature { result, parameters }))))
    }

    /// The parameters of a prototype, none for `(void)`.
    pub(crate) fn parameters(&mut self, function: &'a ast::FunctionDeclarator) -> Outcome<Vec<Declared>> {
        let mut parameters = Vec::new();
        for parameter in &function.parameters {
            let at = parameter.span.start;
            let base = self.specifiers(&parameter.node.specifiers, at)?.ctype;
            let declared = match &parameter.node.declarator {
                Some(declarator) => self.declarator(declarator, base)?,
                None => Declared { name: None, ctype: base, offset: at },
            };
            if declared.name.is_none() && declared.ctype.is_void() && function.parameters.len() == 1 {
                break;
            }
            parameters.push(Declared { ctype: adjust(declared.ctype), ..declared });
        }
        Ok(parameters)
    }

    pub(crate) fn type_name(&mut self, name: &'a Node<ast::TypeName>) -> Outcome<CType> {
        let base = self.specifier_qualifiers(&name.node.specifiers, name.span.start)?;
        match &name.node.declarator {
            Some(declarator) => Ok(self.declarator(declarator, base)?.ctype),
            None => Ok(base),
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

fn qualify(qualifier: &ast::TypeQualifier, constant: &mut bool, volatile: &mut bool) {
    match qualifier {
        ast::TypeQualifier::Const => *constant = true,
        ast::TypeQualifier::Volatile | ast::TypeQualifier::Atomic => *volatile = true,
        _ => {}
    }
}

/// Qualifiers of an array are those of its elements (C11 6.7.3p9).
fn qualify_type(ctype: &mut CType, constant: bool, volatile: bool) {
    if let Shape::Array(element, length) = &ctype.shape {
        let mut element = (**element).clone();
        qualify_type(&mut element, constant, volatile);
        ctype.shape = Shape::Array(Rc::new(element), *length);
    }
    ctype.constant |= constant;
    ctype.volatile |= volatile;
}

fn is_packed(extensions: &[Node<ast::Extension>]) -> bool {
    extensions.iter().any(|extension| match &extension.node {
        ast::Extension::Attribute(attribute) => {
            matches!(
                attribute.node_name(),
                "packed" | "__packed__" | "aligned" | "__aligned__" | "vector_size" | "__vector_size__" | "mode" | "__mode__"
            )
        }
        _ => false,
    })
}

/// The name of an attribute.
trait AttributeName {
    fn node_name(&self) -> &str;
}

impl AttributeName for ast::Attribute {
    fn node_name(&self) -> &str {
        &self.name.node
    }
}

/// A constant as a value of its type; other types have none.
pub(crate) fn constant_of(ctype: &CType, value: i128) -> i128 {
    ctype.as_integer().map_or(value, |kind| convert(kind, value))
}
