//! The printf family: a format that is a literal says which arguments there are; strings among them are read. What is written is as long as C says
//! (`models/output.c`).

use super::{Context, Elaborator, Outcome, Request, Source, literals};
use crate::lower::{
    tree::{Base, Builtin, Comparison, Expression, ExpressionKind, Function, Item, Place, Statement, StatementKind, VariableId},
    types::{CType, convert, is_signed, width},
    undefined_behavior::UndefinedBehavior,
};
use goatherd_certificates::program::{IntegerType, Operation};
use lang_c::{ast, span::Node};

/// A call of a function of the family.
#[derive(Clone, PartialEq)]
pub(crate) struct Output {
    name: String,
    /// The types of all arguments but the format.
    parameters: Vec<CType>,
    into: Into,
    pieces: Vec<Piece>,
    /// A NUL may be among the characters.
    has_zeros: bool,
    offset: usize,
}

/// Where the characters go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Into {
    /// Out of sight: the first parameters are no part of them.
    Stream { first: usize },
    /// Into the array of the first parameter, however long they are.
    Array,
    /// Into the array of the first parameter, as many as the second one says.
    Room,
}

/// A part of what is written.
#[derive(Clone, PartialEq, Eq)]
enum Piece {
    /// So many characters.
    Literal(i128),
    String {
        parameter: usize,
        most: i128,
        width: i128,
    },
    Character {
        width: i128,
    },
    Number {
        parameter: usize,
        kind: IntegerType,
        base: Base10Or,
        sign: bool,
        prefix: bool,
        precision: i128,
        width: i128,
    },
    /// A pointer that is shown, as the library likes, or a number whose width is an argument.
    Any,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Base10Or {
    Ten,
    Sixteen,
    Eight,
}

/// The greatest width or precision that is understood.
const WIDEST: i128 = 1 << 20;

/// One conversion of a format, as text.
#[derive(Default)]
struct Conversion {
    sign: bool,
    prefix: bool,
    width: Option<i128>,
    precision: Option<i128>,
    /// Arguments that say how wide and how precise.
    stars: usize,
    size: String,
    letter: char,
}

impl<'a> Elaborator<'a> {
    /// A call of a function of the printf family, unless the program defines it itself.
    pub(crate) fn output(&mut self, name: &str, arguments: &'a [Node<ast::Expression>], offset: usize) -> Outcome<Option<Expression>> {
        let (position, into) = match name {
            "printf" => (0, Into::Stream { first: 0 }),
            "fprintf" | "dprintf" => (1, Into::Stream { first: 1 }),
            "sprintf" => (1, Into::Array),
            "snprintf" => (2, Into::Room),
            _ => return Ok(None),
        };
        if !self.definitions.contains_key("__output_store") {
            return Ok(None);
        }
        let Some(format) = arguments.get(position) else { return self.error(offset, &format!("'{name}' without a format")) };
        let ast::Expression::StringLiteral(literal) = &format.node else {
            return self.unsupported(format.span.start, "a format that is no string literal");
        };
        let Ok((IntegerType::I8, text)) = literals::string(&literal.node) else {
            return self.unsupported(format.span.start, "a format of wide characters");
        };
        let mut values = Vec::new();
        for (index, argument) in arguments.iter().enumerate().filter(|(index, _)| *index != position) {
            let value = self.rvalue(argument)?;
            if name == "fprintf" && index == 0 {
                self.note_stream(&value);
            }
            values.push(if index < position { self.leading(name, index, value)? } else { self.promoted_argument(value)? });
        }
        let mut call = Output {
            name: name.to_owned(),
            parameters: values.iter().map(|value| value.ctype.clone()).collect(),
            into,
            pieces: Vec::new(),
            has_zeros: false,
            offset,
        };
        self.read_format(&mut call, &text, position, format.span.start)?;
        if call.into != (Into::Stream { first: position }) && call.pieces.contains(&Piece::Any) {
            return self.unsupported(format.span.start, "a pointer, or a width that is an argument, in a format for an array");
        }
        let function = self.request(Request { source: Source::Output(call), element: None });
        Ok(Some(Expression::new(ExpressionKind::Call { function, arguments: values }, CType::int(), offset)))
    }

    /// An argument before the format.
    fn leading(&mut self, name: &str, index: usize, value: Expression) -> Outcome<Expression> {
        let ctype = match (name, index) {
            ("sprintf" | "snprintf", 0) => CType::integer(IntegerType::I8).pointer_to(),
            ("snprintf", _) => CType::integer(IntegerType::U64),
            ("dprintf", _) => CType::int(),
            _ => CType::void().pointer_to(),
        };
        let offset = value.offset;
        self.convert(value, &ctype, offset)
    }

    /// The default argument promotions (C11 6.5.2.2p6).
    pub(crate) fn promoted_argument(&mut self, value: Expression) -> Outcome<Expression> {
        let offset = value.offset;
        match value.ctype.as_integer() {
            Some(_) => self.promoted(value),
            None if value.ctype.is_pointer() => Ok(value),
            None => self.unsupported(offset, "an argument that is neither integer nor pointer"),
        }
    }

    /// What a format does with its arguments (C11 7.21.6.1).
    fn read_format(&mut self, call: &mut Output, text: &[i128], first: usize, at: usize) -> Outcome<()> {
        let text: Vec<char> =
            text.iter().take_while(|value| **value != 0).map(|value| u8::try_from(*value).map_or('?', char::from)).collect();
        let (mut rest, mut next) = (text.as_slice(), first);
        while let Some((letter, after)) = rest.split_first() {
            if *letter != '%' {
                call.pieces.push(Piece::Literal(1));
                rest = after;
                continue;
            }
            let Some((conversion, after)) = conversion(after) else {
                return self.unsupported(at, "a conversion in a format that is not known");
            };
            rest = after;
            for _ in 0..conversion.stars {
                self.expect(call, next, at, |ctype| ctype.as_integer() == Some(IntegerType::I32))?;
                next += 1;
            }
            if conversion.letter == '%' {
                call.pieces.push(Piece::Literal(1));
                continue;
            }
            let piece = self.piece(call, &conversion, next, at)?;
            call.pieces.push(piece);
            next += 1;
        }
        Ok(())
    }

    fn piece(&mut self, call: &mut Output, conversion: &Conversion, parameter: usize, at: usize) -> Outcome<Piece> {
        let (width_of, precision) = (conversion.width.unwrap_or(0), conversion.precision);
        let is_plain = conversion.size.is_empty();
        let piece = match conversion.letter {
            's' if is_plain => {
                self.expect(call, parameter, at, |ctype| {
                    ctype.pointee().and_then(CType::as_integer).is_some_and(|kind| kind != IntegerType::Bool && width(kind) == 8)
                })?;
                if conversion.stars > 0 {
                    return self.unsupported(at, "a string whose width or precision is an argument");
                }
                let most = precision.unwrap_or_else(|| convert(IntegerType::U64, -1));
                Piece::String { parameter, most, width: width_of }
            }
            'c' if is_plain => {
                self.expect(call, parameter, at, |ctype| matches!(ctype.as_integer(), Some(IntegerType::I32)))?;
                call.has_zeros = true;
                Piece::Character { width: width_of.max(1) }
            }
            'p' if is_plain => {
                self.expect(call, parameter, at, CType::is_pointer)?;
                Piece::Any
            }
            'd' | 'i' | 'u' | 'x' | 'X' | 'o' => {
                let Some(kind) = size_of_number(&conversion.size, matches!(conversion.letter, 'd' | 'i')) else {
                    return self.unsupported(at, "a conversion in a format that is not known");
                };
                let wanted = width(kind).max(32);
                self.expect(call, parameter, at, |ctype| ctype.as_integer().is_some_and(|kind| width(kind) == wanted))?;
                let base = match conversion.letter {
                    'x' | 'X' => Base10Or::Sixteen,
                    'o' => Base10Or::Eight,
                    _ => Base10Or::Ten,
                };
                if conversion.prefix && base == Base10Or::Ten || conversion.sign && !is_signed(kind) {
                    return self.unsupported(at, "a flag in a format that does not go with its conversion");
                }
                let (sign, prefix) = (conversion.sign, conversion.prefix);
                Piece::Number { parameter, kind, base, sign, prefix, precision: precision.unwrap_or(1), width: width_of }
            }
            'a' | 'A' | 'e' | 'E' | 'f' | 'F' | 'g' | 'G' => return self.unsupported(at, "floating point in a format"),
            _ => return self.unsupported(at, "a conversion in a format that is not known"),
        };
        Ok(if conversion.stars > 0 { Piece::Any } else { piece })
    }

    /// Refuses an argument that is not what the format wants: what C leaves undefined (C11 7.21.6.1p9).
    fn expect(&mut self, call: &Output, parameter: usize, at: usize, fits: impl FnOnce(&CType) -> bool) -> Outcome<()> {
        match call.parameters.get(parameter) {
            Some(ctype) if fits(ctype) => Ok(()),
            Some(_) => self.error(at, "an argument is not of the type that the format wants"),
            None => self.error(at, "the format wants more arguments"),
        }
    }

    /// The function that a call of the family is.
    pub(crate) fn output_function(&mut self, call: &Output) -> Outcome<Function> {
        self.context = Context { name: call.name.clone(), returns: 1, ..Context::default() };
        self.open_block();
        let offset = call.offset;
        let parameters: Vec<VariableId> =
            call.parameters.iter().map(|ctype| self.variable("argument".to_owned(), ctype.clone(), offset)).collect();
        let body = self.output_body(call, &parameters);
        self.close_block();
        let context = std::mem::take(&mut self.context);
        Ok(Function {
            name: call.name.clone(),
            result: CType::int(),
            parameters,
            variables: context.variables,
            blocks: context.blocks,
            labels: Vec::new(),
            returns: 1,
            body: body?,
            offset,
            end: offset,
        })
    }

    fn output_body(&mut self, call: &Output, parameters: &[VariableId]) -> Outcome<Vec<Statement>> {
        let offset = call.offset;
        let mut body: Vec<Statement> = self.errno_is_set(offset)?.into_iter().collect();
        // Every argument that the format mentions has to have a value.
        for parameter in parameters {
            let ctype = self.context.variables[*parameter].ctype.clone();
            let zero = Expression::constant(0, ctype.clone(), offset);
            let kind = ExpressionKind::Compare(Comparison::Equal, Box::new(self.value_of(*parameter, offset)), Box::new(zero));
            body.push(Statement { kind: StatementKind::Expression(Expression::new(kind, CType::int(), offset)), offset });
        }
        if let (Into::Stream { first: 1 }, Some(stream)) = (call.into, parameters.first().filter(|_| call.name == "fprintf")) {
            body.push(self.fail_if_null(*stream, UndefinedBehavior::NullArgument, offset));
        }
        let total = self.variable("length".to_owned(), CType::integer(IntegerType::U64), offset);
        let literal: i128 = call.pieces.iter().map(|piece| if let Piece::Literal(count) = piece { *count } else { 0 }).sum();
        let start = Expression::constant(literal, CType::integer(IntegerType::U64), offset);
        body.push(Statement { kind: StatementKind::Initialise(total, vec![Item::new(0, start)]), offset });
        let is_counted = !matches!(call.into, Into::Stream { .. });
        for piece in &call.pieces {
            if !is_counted && !matches!(piece, Piece::String { .. }) {
                continue;
            }
            let Some(length) = self.length_of(piece, parameters, offset)? else { continue };
            let sum = ExpressionKind::Binary(Operation::Add, Box::new(self.value_of(total, offset)), Box::new(length));
            let ctype = CType::integer(IntegerType::U64);
            let place = Place { base: Base::Variable(total), displacement: 0, ctype: ctype.clone(), offset };
            let value = Box::new(Expression::new(sum, ctype.clone(), offset));
            let kind = ExpressionKind::Assign { place: Box::new(place), value };
            body.push(Statement { kind: StatementKind::Expression(Expression::new(kind, ctype, offset)), offset });
        }
        let room = match (call.into, parameters) {
            (Into::Stream { .. }, _) => {
                self.approximate.insert(offset);
                let result = Expression::new(ExpressionKind::Builtin(Builtin::Arbitrary), CType::int(), offset);
                body.push(Statement { kind: StatementKind::Return(Some(result)), offset });
                return Ok(body);
            }
            (Into::Room, [_, room, ..]) => self.value_of(*room, offset),
            _ => Expression::constant(convert(IntegerType::U64, -1), CType::integer(IntegerType::U64), offset),
        };
        let Some(to) = parameters.first().copied() else { return self.error(offset, "no array to write into") };
        // What is read lies apart from what is written (C11 7.21.6.5p2).
        for piece in &call.pieces {
            let Piece::String { parameter, most, .. } = piece else { continue };
            let most = Expression::constant(*most, CType::integer(IntegerType::U64), offset);
            let arguments = vec![
                self.value_of(to, offset),
                room.clone(),
                self.value_of(total, offset),
                self.value_of(parameters[*parameter], offset),
                most,
            ];
            let apart = self.call_model("__output_apart", arguments, offset)?;
            body.push(Statement { kind: StatementKind::Expression(apart), offset });
        }
        let result = self.stored(call, to, room, total, offset)?;
        body.push(Statement { kind: StatementKind::Return(Some(result)), offset });
        Ok(body)
    }

    /// Writes the characters into the array.
    fn stored(&mut self, call: &Output, to: VariableId, room: Expression, total: VariableId, offset: usize) -> Outcome<Expression> {
        let arguments = vec![
            self.value_of(to, offset),
            room,
            self.value_of(total, offset),
            Expression::constant(i128::from(call.has_zeros), CType::int(), offset),
        ];
        self.call_model("__output_store", arguments, offset)
    }

    /// How many characters a piece is that is no literal one; for a string, after reading it.
    fn length_of(&mut self, piece: &Piece, parameters: &[VariableId], offset: usize) -> Outcome<Option<Expression>> {
        let wide = CType::integer(IntegerType::U64);
        let number = |value: i128| Expression::constant(value, wide.clone(), offset);
        Ok(Some(match piece {
            Piece::Literal(_) | Piece::Any => return Ok(None),
            Piece::Character { width } => number(*width),
            Piece::String { parameter, most, width } => {
                let pointer = self.value_of(parameters[*parameter], offset);
                self.call_model("__output_string", vec![pointer, number(*most), number(*width)], offset)?
            }
            Piece::Number { parameter, kind, base, sign, prefix, precision, width } => {
                let value = self.value_of(parameters[*parameter], offset);
                let value = self.convert(value, &CType::integer(*kind), offset)?;
                let zero = Expression::constant(0, value.ctype.clone(), offset);
                let is_negative = ExpressionKind::Compare(Comparison::Less, Box::new(value.clone()), Box::new(zero));
                let is_negative = Expression::new(is_negative, CType::int(), offset);
                let magnitude = self.convert(value, &wide, offset)?;
                let (helper, extra) = match base {
                    Base10Or::Ten if is_signed(*kind) => {
                        let negated = ExpressionKind::Binary(Operation::Subtract, Box::new(number(0)), Box::new(magnitude.clone()));
                        let negated = Expression::new(negated, wide.clone(), offset);
                        let choice = ExpressionKind::Conditional(Box::new(is_negative.clone()), Box::new(negated), Box::new(magnitude));
                        let magnitude = Expression::new(choice, wide.clone(), offset);
                        let sign = if *sign { number(1) } else { self.convert(is_negative, &wide, offset)? };
                        let arguments = vec![magnitude, sign, number(*precision), number(*width)];
                        return self.call_model("__output_decimal", arguments, offset).map(Some);
                    }
                    Base10Or::Ten => ("__output_decimal", 0),
                    Base10Or::Sixteen => ("__output_hexadecimal", if *prefix { 2 } else { 0 }),
                    Base10Or::Eight => ("__output_octal", i128::from(*prefix)),
                };
                self.call_model(helper, vec![magnitude, number(extra), number(*precision), number(*width)], offset)?
            }
        }))
    }
}

/// The conversion after a `%`, and what comes after it.
fn conversion(text: &[char]) -> Option<(Conversion, &[char])> {
    let mut rest = text;
    let mut found = Conversion::default();
    while let Some((flag, after)) = rest.split_first().filter(|(flag, _)| "-+ #0".contains(**flag)) {
        found.sign |= matches!(flag, '+' | ' ');
        found.prefix |= *flag == '#';
        rest = after;
    }
    let (width, after) = amount(rest, &mut found.stars)?;
    (found.width, rest) = (width, after);
    if let Some((_, after)) = rest.split_first().filter(|(dot, _)| **dot == '.') {
        let (precision, after) = amount(after, &mut found.stars)?;
        (found.precision, rest) = (Some(precision.unwrap_or(0)), after);
    }
    while let Some((letter, after)) = rest.split_first().filter(|(letter, _)| "hljzt".contains(**letter)) {
        found.size.push(*letter);
        rest = after;
    }
    let (letter, after) = rest.split_first()?;
    found.letter = *letter;
    let is_plain = found.size.is_empty() && found.width.is_none() && found.precision.is_none() && found.stars == 0;
    (*letter != '%' || is_plain).then_some((found, after))
}

/// A width or precision: digits, or `*`.
fn amount<'t>(text: &'t [char], stars: &mut usize) -> Option<(Option<i128>, &'t [char])> {
    if let Some((_, after)) = text.split_first().filter(|(star, _)| **star == '*') {
        *stars += 1;
        return Some((None, after));
    }
    let digits = text.iter().take_while(|letter| letter.is_ascii_digit()).count();
    let (number, after) = text.split_at(digits);
    let number: String = number.iter().collect();
    let value = number.parse::<i128>().ok().filter(|value| *value <= WIDEST);
    (digits == 0 || value.is_some()).then_some((value, after))
}

/// The type of the number that a size and a conversion name (C11 7.21.6.1p7).
pub(super) fn size_of_number(size: &str, signed: bool) -> Option<IntegerType> {
    let (one, other) = match size {
        "" => (IntegerType::I32, IntegerType::U32),
        "hh" => (IntegerType::I8, IntegerType::U8),
        "h" => (IntegerType::I16, IntegerType::U16),
        "l" | "ll" | "j" | "z" | "t" => (IntegerType::I64, IntegerType::U64),
        _ => return None,
    };
    Some(if signed { one } else { other })
}
