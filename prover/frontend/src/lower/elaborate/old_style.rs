//! Parameters in the old style, `f(a, b) int a; char *b; { ... }` (C11 6.9.1p6).

use super::{
    Elaborator, Outcome, Source,
    declarations::function_part,
    types::{Declared, TagUse, adjust},
};
use crate::lower::{tree::FunctionId, types::CType};
use goatherd_certificates::program::IntegerType;
use lang_c::{ast, span::Node};

impl<'a> Elaborator<'a> {
    /// The parameter types of a definition without a prototype, as they are where it stands.
    pub(crate) fn old_style_types(&mut self, function: FunctionId) -> Outcome<Vec<CType>> {
        let Source::Definition(definition) = self.requested[function].source else { return Ok(Vec::new()) };
        let Some(ast::DerivedDeclarator::KRFunction(names)) = function_part(&definition.node.declarator.node) else {
            return Ok(Vec::new());
        };
        let around = self.scopes.leave_for_file(definition.node.statement.span.start);
        self.scopes.open();
        let declared = self.old_style_parameters(names, &definition.node.declarations);
        self.scopes.return_to(around);
        Ok(declared?.into_iter().map(|parameter| parameter.ctype).collect())
    }

    /// The parameters: `int` unless the declarations before the body say otherwise.
    pub(super) fn old_style_parameters(
        &mut self,
        names: &'a [Node<ast::Identifier>],
        declarations: &'a [Node<ast::Declaration>],
    ) -> Outcome<Vec<Declared<'a>>> {
        let mut types: Vec<Declared<'a>> = Vec::new();
        for declaration in declarations {
            let offset = declaration.span.start;
            let declarators = declaration.node.declarators.iter().map(|item| &item.node.declarator.node);
            if declaration.node.specifiers.iter().any(|specifier| depends(&specifier.node)) || declarators.into_iter().any(has_sizes) {
                return self.unsupported(offset, "a parameter in the old style whose type defines something, or depends on an expression");
            }
            let base = self.specifiers(&declaration.node.specifiers, offset, TagUse::WithOthers)?.ctype;
            for item in &declaration.node.declarators {
                let declared = self.declarator(&item.node.declarator, base.clone())?;
                self.object_attributes(&declared.attributes)?;
                if declared.ctype.as_integer() == Some(IntegerType::Bool) {
                    // It is handed over as an int, and compilers differ in whether it becomes 0 or 1 again.
                    return self.unsupported(declared.offset, "a _Bool parameter in the old style");
                }
                types.push(declared);
            }
        }
        Ok(names
            .iter()
            .map(|name| {
                let found = types.iter().find(|declared| declared.name.as_deref() == Some(&name.node.name));
                let ctype = found.map_or_else(CType::int, |declared| adjust(declared.ctype.clone()));
                Declared { name: Some(name.node.name.clone()), ctype, offset: name.span.start, attributes: Vec::new() }
            })
            .collect())
    }
}

/// Has the function parameters in the old style?
pub(super) fn has_old_parameters(declarator: &ast::Declarator) -> bool {
    matches!(function_part(declarator), Some(ast::DerivedDeclarator::KRFunction(names)) if !names.is_empty())
}

/// Does it define a tag, or depend on an expression? Where the parameters are declared the ones before would be seen.
fn depends(specifier: &ast::DeclarationSpecifier) -> bool {
    match specifier {
        ast::DeclarationSpecifier::TypeSpecifier(kind) => match &kind.node {
            ast::TypeSpecifier::Struct(kind) => kind.node.declarations.is_some(),
            ast::TypeSpecifier::Enum(kind) => !kind.node.enumerators.is_empty(),
            ast::TypeSpecifier::TypeOf(_) => true,
            _ => false,
        },
        ast::DeclarationSpecifier::Alignment(_) => true,
        _ => false,
    }
}

/// Is there an array whose size is more than a number, or a function with parameters, in which there may be one?
fn has_sizes(declarator: &ast::Declarator) -> bool {
    let inner = match &declarator.kind.node {
        ast::DeclaratorKind::Declarator(inner) => has_sizes(&inner.node),
        _ => false,
    };
    inner
        || declarator.derived.iter().any(|derived| match &derived.node {
            ast::DerivedDeclarator::Array(array) => match &array.node.size {
                ast::ArraySize::Unknown => false,
                ast::ArraySize::VariableExpression(size) | ast::ArraySize::StaticExpression(size) => {
                    !matches!(size.node, ast::Expression::Constant(_))
                }
                ast::ArraySize::VariableUnknown => true,
            },
            ast::DerivedDeclarator::Function(function) => function.node.parameters.iter().any(|parameter| {
                parameter.node.specifiers.iter().any(|specifier| depends(&specifier.node))
                    || parameter.node.declarator.as_ref().is_some_and(|declarator| has_sizes(&declarator.node))
            }),
            _ => false,
        })
}
