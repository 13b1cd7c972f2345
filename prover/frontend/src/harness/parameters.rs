//! What a function's parameters are, as far as a harness needs to know.

use super::diagnostic;
use crate::{
    diagnostics::{Diagnostic, Kind},
    source::Unit,
};
use lang_c::{
    ast::{
        DeclarationSpecifier, Declarator, DeclaratorKind, DerivedDeclarator, Ellipsis, ExternalDeclaration, FunctionDefinition,
        ParameterDeclaration, StorageClassSpecifier, StructKind, TranslationUnit, TypeSpecifier,
    },
    span::Node,
};
use std::collections::BTreeMap;

/// A parameter of the function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Parameter {
    pub(super) name: String,
    /// The type, as it can be written before the name.
    kind: String,
    pub(super) role: Role,
}

/// What the harness makes of a parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// Passed through.
    Integer { signed: bool },
    /// Passed through: a struct.
    Value,
    /// Passed through: a pointer to a struct.
    Object,
    /// An array input.
    Array {
        /// The type of its items.
        element: String,
        /// Does it end with a terminator?
        string: bool,
        /// The parameter that gives its length.
        length: Option<String>,
    },
}

impl Parameter {
    /// As a parameter of the harness.
    pub(super) fn declaration(&self) -> String {
        match self.role {
            Role::Array { .. } => format!("struct input_{0} {0}", self.name),
            _ => format!("{}{}", self.kind, self.name),
        }
    }

    /// As an argument in the harness's call.
    pub(super) fn argument(&self) -> String {
        match self.role {
            Role::Array { .. } => format!("{0}.{0}", self.name),
            _ => self.name.clone(),
        }
    }
}

/// A type without its pointers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Base {
    Void,
    /// `char` and `wchar_t`: what strings are made of.
    Character,
    Signed,
    Unsigned,
    Struct,
    Other,
}

/// A type: what it is after so many `*`.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Shape {
    base: Base,
    /// The base as it is written, without qualifiers.
    text: String,
    pointers: usize,
}

/// The shapes of the file's type names.
#[derive(Default)]
pub(super) struct Typedefs(BTreeMap<String, Shape>);

impl Typedefs {
    /// Those declared outside functions.
    pub(super) fn of(unit: &Unit, tree: &TranslationUnit) -> Typedefs {
        let mut typedefs = Typedefs::default();
        for external in &tree.0 {
            let ExternalDeclaration::Declaration(declaration) = &external.node else { continue };
            let is_typedef = declaration.node.specifiers.iter().any(|specifier| {
                matches!(&specifier.node, DeclarationSpecifier::StorageClass(class) if class.node == StorageClassSpecifier::Typedef)
            });
            for declarator in declaration.node.declarators.iter().filter(|_| is_typedef) {
                let declarator = &declarator.node.declarator.node;
                if let Some(name) = name_of(declarator) {
                    let shape = typedefs.shape(unit, &declaration.node.specifiers, Some(declarator));
                    typedefs.0.insert(name.to_owned(), shape);
                }
            }
        }
        typedefs
    }

    fn shape(&self, unit: &Unit, specifiers: &[Node<DeclarationSpecifier>], declarator: Option<&Declarator>) -> Shape {
        let types: Vec<&Node<TypeSpecifier>> = specifiers
            .iter()
            .filter_map(|specifier| match &specifier.node {
                DeclarationSpecifier::TypeSpecifier(specifier) => Some(specifier),
                _ => None,
            })
            .collect();
        let texts: Vec<&str> = types.iter().filter_map(|specifier| unit.text().get(specifier.span.start..specifier.span.end)).collect();
        let mut shape = Shape { base: base(&types), text: texts.join(" "), pointers: 0 };
        if let [only] = types.as_slice()
            && let TypeSpecifier::TypedefName(name) = &only.node
            && let Some(known) = self.0.get(&name.node.name)
        {
            shape.base = if name.node.name == "wchar_t" { Base::Character } else { known.base };
            shape.pointers = known.pointers;
            if known.pointers > 0 {
                // The name hides the item's type.
                shape.text.clone_from(&known.text);
            }
        }
        let Some(declarator) = declarator else { return shape };
        if matches!(declarator.kind.node, DeclaratorKind::Declarator(_)) {
            shape.base = Base::Other;
        }
        for derived in &declarator.derived {
            match derived.node {
                DerivedDeclarator::Pointer(_) | DerivedDeclarator::Array(_) => shape.pointers += 1,
                _ => shape.base = Base::Other,
            }
        }
        shape
    }
}

fn base(types: &[&Node<TypeSpecifier>]) -> Base {
    let mut base = Base::Signed;
    let mut unsigned = false;
    for specifier in types {
        match &specifier.node {
            TypeSpecifier::Void => return Base::Void,
            TypeSpecifier::Char => base = Base::Character,
            TypeSpecifier::Unsigned | TypeSpecifier::Bool => unsigned = true,
            TypeSpecifier::Short | TypeSpecifier::Int | TypeSpecifier::Long | TypeSpecifier::Signed | TypeSpecifier::Enum(_) => {}
            TypeSpecifier::Struct(specifier) if specifier.node.kind.node == StructKind::Struct => return Base::Struct,
            _ => return Base::Other,
        }
    }
    if unsigned { Base::Unsigned } else { base }
}

/// The name that is declared.
pub(super) fn name_of(declarator: &Declarator) -> Option<&str> {
    let mut declarator = declarator;
    loop {
        match &declarator.kind.node {
            DeclaratorKind::Abstract => return None,
            DeclaratorKind::Identifier(identifier) => return Some(&identifier.node.name),
            DeclaratorKind::Declarator(inner) => declarator = &inner.node,
        }
    }
}

/// The function's parameters; those that no harness can be made for are refused.
pub(super) fn of(unit: &Unit, definition: &Node<FunctionDefinition>, typedefs: &Typedefs) -> Result<Vec<Parameter>, Vec<Diagnostic>> {
    let function = definition.node.declarator.node.derived.iter().find_map(|derived| match &derived.node {
        DerivedDeclarator::Function(function) => Some(&function.node),
        _ => None,
    });
    let Some(function) = function else {
        let old = definition
            .node
            .declarator
            .node
            .derived
            .iter()
            .any(|derived| matches!(&derived.node, DerivedDeclarator::KRFunction(names) if !names.is_empty()));
        let message = "a harness for a function with parameters in the old style";
        return if old { Err(vec![diagnostic(Kind::Unsupported, definition.span.start, message)]) } else { Ok(Vec::new()) };
    };
    let mut refused = Vec::new();
    if function.ellipsis == Ellipsis::Some {
        refused.push(diagnostic(Kind::Unsupported, definition.span.start, "a harness for a function with `...`"));
    }
    let mut parameters = Vec::new();
    for node in &function.parameters {
        match parameter(unit, &node.node, typedefs) {
            Some(parameter) => parameters.push(parameter),
            None if is_void(&node.node) => {}
            None => {
                let mut trouble = diagnostic(Kind::Unsupported, node.span.start, "a harness for a parameter of this type");
                trouble.help = Some("write a harness that builds the argument, for example in a local variable".to_owned());
                refused.push(trouble);
            }
        }
    }
    if !refused.is_empty() {
        return Err(refused);
    }
    find_lengths(&mut parameters);
    Ok(parameters)
}

/// `(void)`
fn is_void(parameter: &ParameterDeclaration) -> bool {
    let void = |specifier: &Node<DeclarationSpecifier>| matches!(&specifier.node, DeclarationSpecifier::TypeSpecifier(specifier) if specifier.node == TypeSpecifier::Void);
    parameter.declarator.is_none() && parameter.specifiers.iter().any(void)
}

fn parameter(unit: &Unit, parameter: &ParameterDeclaration, typedefs: &Typedefs) -> Option<Parameter> {
    let declarator = &parameter.declarator.as_ref()?.node;
    let name = name_of(declarator)?.to_owned();
    let shape = typedefs.shape(unit, &parameter.specifiers, Some(declarator));
    let array = |element: &str, string| Role::Array { element: element.to_owned(), string, length: None };
    let role = match (shape.base, shape.pointers) {
        (Base::Character | Base::Signed, 0) => Role::Integer { signed: true },
        (Base::Unsigned, 0) => Role::Integer { signed: false },
        (Base::Struct, 0) => Role::Value,
        (Base::Struct, 1) => Role::Object,
        (Base::Void, 1) => array("unsigned char", false),
        (Base::Character, 1) => array(&shape.text, true),
        (Base::Signed | Base::Unsigned, 1) => array(&shape.text, false),
        _ => return None,
    };
    let kind = if shape.pointers == 0 { format!("{} ", shape.text) } else { format!("{} *", shape.text) };
    Some(Parameter { name, kind, role })
}

/// Gives each array the first parameter after it whose name says that it is a length. Strings with a length need no terminator, and structs
/// with one are arrays.
fn find_lengths(parameters: &mut [Parameter]) {
    for index in 0..parameters.len() {
        let (before, after) = parameters.split_at_mut(index + 1);
        let Some(parameter) = before.last_mut() else { continue };
        let Some(found) = after.iter().find(|other| matches!(other.role, Role::Integer { .. }) && names_length(&other.name)) else {
            continue;
        };
        match &mut parameter.role {
            Role::Array { string, length, .. } => {
                *string = false;
                *length = Some(found.name.clone());
            }
            role @ Role::Object => {
                let element = parameter.kind.trim_end_matches([' ', '*']).to_owned();
                *role = Role::Array { element, string: false, length: Some(found.name.clone()) };
            }
            _ => {}
        }
    }
}

fn names_length(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let words = ["len", "length", "size", "siz", "sz", "count", "cnt", "num", "max", "limit", "nbytes", "bytes"];
    name == "n" || name.starts_with("n_") || name.starts_with("num_") || words.iter().any(|word| name.ends_with(word))
}
