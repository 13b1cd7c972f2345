//! `scanf`: a format that is a literal says which arguments are written to (C11 7.21.6.2). The input may be anything, so any value may be, and the input may
//! end, or be other than the format wants, before each of them. Of a number too large for its type C says nothing (p10): it is any value here.

use super::{Context, Elaborator, Outcome, Request, Source, literals, output::size_of_number, scope::Entity};
use crate::lower::{
    tree::{Builtin, Expression, ExpressionKind, Function, Statement, StatementKind, VariableId},
    types::{CType, Parameters, Shape, width},
};
use goatherd_certificates::program::{IntegerType, Operation};
use lang_c::{ast, span::Node};

/// A call of `scanf`.
#[derive(Clone, PartialEq)]
pub(crate) struct Input {
    /// The types of all arguments but the format.
    parameters: Vec<CType>,
    /// The conversions, each with an argument.
    conversions: Vec<Conversion>,
    offset: usize,
}

/// What one conversion makes of an input that goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Conversion {
    /// It may find what it does not want: it is of a number, or stands behind other characters.
    Choosy,
    /// It takes any character.
    Any,
}

impl<'a> Elaborator<'a> {
    /// A call of `scanf`, unless the program defines it itself.
    pub(crate) fn input(&mut self, name: &str, arguments: &'a [Node<ast::Expression>], offset: usize) -> Outcome<Option<Expression>> {
        let Some((format, others)) = arguments.split_first().filter(|_| name == "scanf") else { return Ok(None) };
        if let Some(Entity::Function(ctype)) = self.scopes.find(name)
            && !matches!(&ctype.shape, Shape::Function(signature)
                if signature.result.as_integer() == Some(IntegerType::I32) && !matches!(signature.parameters, Parameters::Exact(_)))
        {
            return self.unsupported(offset, &format!("'{name}', which is declared with another type than the library's"));
        }
        let ast::Expression::StringLiteral(literal) = &format.node else {
            return self.unsupported(format.span.start, "a format that is no string literal");
        };
        let Ok((IntegerType::I8, text)) = literals::string(&literal.node) else {
            return self.unsupported(format.span.start, "a format of wide characters");
        };
        let values: Vec<Outcome<Expression>> = others.iter().map(|argument| self.rvalue(argument)).collect();
        let values = values.into_iter().collect::<Outcome<Vec<_>>>()?;
        let parameters: Vec<CType> = values.iter().map(|value| value.ctype.clone()).collect();
        let conversions = self.conversions(&parameters, &text, format.span.start)?;
        // Whether the input has ended where other characters are wanted is told by the result (p16), which is then no count.
        if conversions.is_empty() {
            return self.unsupported(format.span.start, "a format without conversions");
        }
        if conversions.len() < parameters.len() {
            return self.unsupported(offset, "an argument that the format does not want");
        }
        let function = self.request(Request { source: Source::Input(Input { parameters, conversions, offset }), element: None });
        Ok(Some(Expression::new(ExpressionKind::Call { function, arguments: values }, CType::int(), offset)))
    }

    /// The conversions of a format, whose arguments have these types.
    fn conversions(&mut self, parameters: &[CType], text: &[i128], at: usize) -> Outcome<Vec<Conversion>> {
        let text: Vec<char> =
            text.iter().take_while(|value| **value != 0).map(|value| u8::try_from(*value).map_or('?', char::from)).collect();
        let mut conversions = Vec::new();
        let (mut rest, mut next) = (text.as_slice(), Conversion::Any);
        while let Some((letter, after)) = rest.split_first() {
            rest = after;
            if *letter != '%' {
                // White space, a vertical tab too, takes what there is of it.
                if !(letter.is_ascii_whitespace() || *letter == '\x0b') {
                    next = Conversion::Choosy;
                }
                continue;
            }
            let size = rest.iter().take_while(|letter| "hljzt".contains(**letter)).count();
            let (size, after) = rest.split_at(size);
            let size: String = size.iter().collect();
            let kind = match after.first() {
                Some('c') if size.is_empty() => Some(IntegerType::I8),
                Some('d' | 'i' | 'u' | 'x' | 'X' | 'o') => {
                    next = Conversion::Choosy;
                    size_of_number(&size, true)
                }
                _ => None,
            };
            let Some(kind) = kind else { return self.unsupported(at, "a conversion in a format that is not known") };
            let fits = |target: &CType| {
                let is_own = !target.constant && !target.volatile && target.as_integer() != Some(IntegerType::Bool);
                is_own && target.as_integer().is_some_and(|own| width(own) == width(kind))
            };
            match parameters.get(conversions.len()) {
                Some(ctype) if ctype.pointee().is_some_and(fits) => {}
                Some(_) => return self.error(at, "an argument is not of the type that the format wants"),
                None => return self.error(at, "the format wants more arguments"),
            }
            conversions.push(next);
            next = Conversion::Any;
            rest = after.split_first().map_or(&[], |(_, after)| after);
        }
        Ok(conversions)
    }

    /// The function that a call of `scanf` is.
    pub(crate) fn input_function(&mut self, call: &Input) -> Outcome<Function> {
        let name = "scanf".to_owned();
        let offset = call.offset;
        self.context = Context { name: name.clone(), returns: call.conversions.len() + 1, ..Context::default() };
        self.open_block();
        let parameters: Vec<VariableId> =
            call.parameters.iter().map(|ctype| self.variable("argument".to_owned(), ctype.clone(), offset)).collect();
        let body = self.input_body(call, &parameters);
        self.close_block();
        let context = std::mem::take(&mut self.context);
        Ok(Function {
            name,
            result: CType::int(),
            parameters,
            variables: context.variables,
            blocks: context.blocks,
            labels: Vec::new(),
            returns: context.returns,
            body: body?,
            offset,
            end: offset,
        })
    }

    /// Each conversion in turn: the input ends there, and how many there were is returned (C11 7.21.6.2p16), or a value is written.
    fn input_body(&mut self, call: &Input, parameters: &[VariableId]) -> Outcome<Vec<Statement>> {
        let offset = call.offset;
        let mut body: Vec<Statement> = self.errno_is_set(offset)?.into_iter().collect();
        let returned = |value: Expression| Statement { kind: StatementKind::Return(Some(value)), offset };
        for ((count, conversion), parameter) in (0..).zip(&call.conversions).zip(parameters) {
            let stopped =
                if count == 0 { self.end_of_input(*conversion, offset)? } else { Expression::constant(count, CType::int(), offset) };
            let condition = any(CType::integer(IntegerType::Bool), offset);
            body.push(Statement { kind: StatementKind::If { condition, then: vec![returned(stopped)], otherwise: Vec::new() }, offset });
            let place = self.dereference(self.value_of(*parameter, offset), offset)?;
            let ctype = place.ctype.unqualified();
            let kind = ExpressionKind::Assign { place: Box::new(place), value: Box::new(any(ctype.clone(), offset)) };
            body.push(Statement { kind: StatementKind::Expression(Expression::new(kind, ctype, offset)), offset });
        }
        let count = i128::try_from(call.conversions.len()).unwrap_or(i128::MAX);
        body.push(returned(Expression::constant(count, CType::int(), offset)));
        Ok(body)
    }

    /// What is returned where the first conversion comes to nothing: -1 (`EOF`) at the end of the input, and else 0.
    fn end_of_input(&mut self, conversion: Conversion, offset: usize) -> Outcome<Expression> {
        let end = Expression::constant(-1, CType::int(), offset);
        if conversion == Conversion::Any {
            return Ok(end);
        }
        let is_mismatch = self.convert(any(CType::integer(IntegerType::Bool), offset), &CType::int(), offset)?;
        let kind = ExpressionKind::Binary(Operation::Add, Box::new(is_mismatch), Box::new(end));
        Ok(Expression::new(kind, CType::int(), offset))
    }
}

fn any(ctype: CType, offset: usize) -> Expression {
    Expression::new(ExpressionKind::Builtin(Builtin::Arbitrary), ctype, offset)
}
