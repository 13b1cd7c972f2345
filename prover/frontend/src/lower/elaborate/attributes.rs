//! Attributes and asm labels, by where they stand. The reader of files has refused all that are not known, and taken away what is advice
//! (`source/known.rs`).

use super::{Elaborator, Outcome, literals};
use crate::{
    lower::types::Packing,
    source::known::{attribute_name, is_for_code, is_of_zeros},
};
use lang_c::{ast, span::Node};

/// The alignment that `aligned` without an argument asks for: the greatest of any type on x86-64.
const GREATEST_ALIGNMENT: u64 = 16;

/// What lies in a section.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holds {
    Code,
    Object,
}

/// What attributes of a function say of it.
#[derive(Clone, Default, Debug)]
pub(crate) struct Promises {
    /// It does not return (C11 6.7.4p8).
    pub(crate) no_return: bool,
    /// These parameters, counted from 1, are not NULL; all pointers if the list is empty.
    pub(crate) non_null: Option<Vec<i128>>,
    /// It does not return NULL.
    pub(crate) returns_non_null: bool,
    /// What is promised and not checked: the names of attributes.
    pub(crate) unchecked: Vec<String>,
    /// Other names for the linker: which function it is, is not known.
    pub(crate) labels: Vec<String>,
}

impl Promises {
    pub(crate) fn add(&mut self, other: Self) {
        self.no_return |= other.no_return;
        self.returns_non_null |= other.returns_non_null;
        self.labels.extend(other.labels);
        self.unchecked.extend(other.unchecked);
        match (&mut self.non_null, other.non_null) {
            (Some(known), Some(more)) if !known.is_empty() && !more.is_empty() => known.extend(more),
            (Some(known), Some(_)) => known.clear(),
            (known, more) => *known = known.take().or(more),
        }
    }
}

impl<'a> Elaborator<'a> {
    /// What attributes behind a struct or a member say of its layout.
    pub(crate) fn packing(&mut self, extensions: &[&'a Node<ast::Extension>]) -> Outcome<Packing> {
        let mut packing = Packing::default();
        for extension in extensions {
            let at = extension.span.start;
            let attribute = self.attribute(extension)?;
            match attribute_name(&attribute.name.node) {
                "packed" => packing.packed = true,
                "aligned" => {
                    let bytes = match attribute.arguments.first() {
                        Some(argument) => self.constant_expression(argument)?,
                        None => i128::from(GREATEST_ALIGNMENT),
                    };
                    let Some(bytes) = u64::try_from(bytes).ok().filter(|bytes| bytes.is_power_of_two() && *bytes <= 1 << 28) else {
                        return self.error(at, "an alignment that is no power of two");
                    };
                    packing.alignment = packing.alignment.max(bytes);
                }
                "pragma_pack" => {
                    let limit = match attribute.arguments.first() {
                        Some(argument) => self.constant_expression(argument)?,
                        None => 1,
                    };
                    packing.limit = u64::try_from(limit).ok();
                }
                name => return self.unsupported(at, &format!("the attribute '{name}' of a type or member")),
            }
        }
        Ok(packing)
    }

    /// What attributes of a function say of it.
    pub(crate) fn promises(&mut self, extensions: &[&'a Node<ast::Extension>]) -> Outcome<Promises> {
        let mut promises = Promises::default();
        for extension in extensions {
            if let ast::Extension::AsmLabel(label) = &extension.node {
                promises.labels.push(literals::characters(&label.node));
                continue;
            }
            let attribute = self.attribute(extension)?;
            let mut other = Promises::default();
            match attribute_name(&attribute.name.node) {
                "noreturn" => other.no_return = true,
                "returns_nonnull" => other.returns_non_null = true,
                "nonnull" => {
                    let parameters: Vec<Outcome<i128>> =
                        attribute.arguments.iter().map(|argument| self.constant_expression(argument)).collect();
                    other.non_null = Some(parameters.into_iter().collect::<Outcome<_>>()?);
                }
                // Where functions begin changes nothing.
                "aligned" => {}
                "section" => self.check_section(attribute, extension.span.start, Holds::Code)?,
                name => other.unchecked.push(name.to_owned()),
            }
            promises.add(other);
        }
        Ok(promises)
    }

    /// Attributes of an object: it may be aligned more, which nothing sees but GNU's `__alignof__` of an expression.
    pub(crate) fn object_attributes(&mut self, extensions: &[&'a Node<ast::Extension>]) -> Outcome<()> {
        for extension in extensions {
            let at = extension.span.start;
            if let ast::Extension::AsmLabel(_) = &extension.node {
                return self.unsupported(at, "an object with a name for the assembler");
            }
            let attribute = self.attribute(extension)?;
            match attribute_name(&attribute.name.node) {
                "aligned" => self.has_aligned_objects = true,
                "section" => self.check_section(attribute, at, Holds::Object)?,
                name => return self.unsupported(at, &format!("the attribute '{name}' of an object")),
            }
        }
        Ok(())
    }

    /// Refuses sections for code of what is written, and others of what is executed: that they are known has been seen (`source/known.rs`).
    fn check_section(&mut self, attribute: &'a ast::Attribute, at: usize, holds: Holds) -> Outcome<()> {
        let name = match attribute.arguments.first().map(|argument| &argument.node) {
            Some(ast::Expression::StringLiteral(literal)) => literal.node.concat(),
            _ => return self.error(at, "the attribute 'section' wants a name"),
        };
        let is_own = !name.trim_start_matches('"').starts_with('.');
        let is_right = is_own || is_for_code(&name) == (holds == Holds::Code) && !is_of_zeros(&name);
        if is_right { Ok(()) } else { self.unsupported(at, "the attribute 'section' with this section") }
    }

    /// A place where no attribute is understood that is not advice.
    pub(crate) fn no_attributes(&mut self, extensions: &'a [Node<ast::Extension>], place: &str) -> Outcome<()> {
        let Some(extension) = extensions.first() else { return Ok(()) };
        let what = match &extension.node {
            ast::Extension::Attribute(attribute) => format!("the attribute '{}' {place}", attribute_name(&attribute.name.node)),
            ast::Extension::AsmLabel(_) => format!("a name for the assembler {place}"),
            ast::Extension::AvailabilityAttribute(_) => format!("the attribute 'availability' {place}"),
        };
        self.unsupported(extension.span.start, &what)
    }

    fn attribute(&mut self, extension: &'a Node<ast::Extension>) -> Outcome<&'a ast::Attribute> {
        match &extension.node {
            ast::Extension::Attribute(attribute) => Ok(attribute),
            ast::Extension::AsmLabel(_) => self.unsupported(extension.span.start, "a name for the assembler here"),
            ast::Extension::AvailabilityAttribute(_) => self.unsupported(extension.span.start, "the attribute 'availability'"),
        }
    }
}
