//! Transition systems as text (`spec/paths.md#text`).
//!
//! ```text
//! # Euclid's algorithm by subtraction.
//! variables x y a b
//! initial 1
//! final 9
//! 1 -> 2: a := x
//! 3 -> 4: [a != b]
//! 4 -> 5: [a > b && b >= 1] a := a - b, b := b + 1
//! ```

use crate::{
    literal::{Linear, Literal, Overflow, Variable, negated},
    lts::{Edge, Location, Lts, LtsVariable, Value},
};
use std::fmt;

/// What is wrong with a text, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextError {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// The reason, and what is expected.
    pub message: String,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for TextError {}

/// Reads a transition system.
pub fn read_lts(text: &str) -> Result<Lts, TextError> {
    let mut lts = Lts::default();
    let mut initial = None;
    // Where edges and final locations stand.
    let mut places: Vec<(Location, usize, usize)> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let mut parser = Parser::new(line, number + 1)?;
        match parser.peek() {
            Token::End => {}
            Token::Word(word) => match word.as_str() {
                "variables" => parser.variables(&mut lts)?,
                "initial" => {
                    parser.next();
                    if initial.replace(parser.location()?).is_some() {
                        return Err(parser.error("there is one initial location only"));
                    }
                }
                "final" => {
                    parser.next();
                    while parser.peek() != Token::End {
                        let column = parser.column();
                        let location = parser.location()?;
                        places.push((location, number + 1, column));
                        lts.finals.insert(location);
                    }
                }
                _ => return Err(parser.error("expected `variables`, `initial`, `final`, or an edge such as `1 -> 2: [x < 3] x := x + 1`")),
            },
            _ => {
                let column = parser.column();
                let edge = parser.edge(&lts.variables)?;
                places.push((edge.source, number + 1, column));
                lts.edges.push(edge);
            }
        }
        parser.end()?;
    }
    let last = text.lines().count().max(1);
    let missing = |message: &str| TextError { line: last, column: 1, message: message.into() };
    lts.initial = initial.ok_or_else(|| missing("no initial location: add a line such as `initial 1`"))?;
    if lts.finals.is_empty() {
        return Err(missing("no final location: add a line such as `final 9`"));
    }
    let reachable = lts.reachable();
    match places.into_iter().find(|(location, ..)| !reachable.contains(location)) {
        None => Ok(lts),
        Some((location, line, column)) => {
            let message = format!("no edges lead from the initial location {} to {location}", lts.initial);
            Err(TextError { line, column, message })
        }
    }
}

/// The lines on which the edges of a transition system stand, from 1, in the order of [`Lts::edges`].
pub fn edge_lines(text: &str) -> impl Iterator<Item = u32> {
    let is_edge = |line: &str| line.split('#').next().is_some_and(|line| line.contains("->"));
    (1..).zip(text.lines()).filter(move |(_, line)| is_edge(line)).map(|(number, _)| number)
}

/// The line on which the final locations of a transition system stand, from 1.
pub fn final_line(text: &str) -> Option<u32> {
    (1..).zip(text.lines()).find(|(_, line)| line.split_whitespace().next() == Some("final")).map(|(number, _)| number)
}

/// Reads a conjunction over these variables, such as `n >= 2 && n % 2 == 0`. Columns count from the start of the text.
pub fn read_condition(text: &str, variables: &[LtsVariable]) -> Result<Vec<Literal>, TextError> {
    let mut parser = Parser::new(text, 1)?;
    let names: Vec<&str> = variables.iter().map(|variable| variable.name.as_str()).filter(|name| !name.is_empty()).collect();
    parser.advice = if names.is_empty() { "there are none".to_owned() } else { format!("there are {}", names.join(", ")) };
    let literals = parser.condition(variables)?;
    parser.end()?;
    Ok(literals)
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    Word(String),
    Number(i128),
    Symbol(&'static str),
    End,
}

const SYMBOLS: [&str; 21] =
    ["->", ":=", "==", "!=", "<=", ">=", "&&", "<", ">", "=", "+", "-", "*", "%", "(", ")", "[", "]", ",", ":", ";"];

/// The tokens of one line, with the column of each.
struct Parser {
    tokens: Vec<(Token, usize)>,
    next: usize,
    line: usize,
    end: usize,
    /// What to do about a variable that is not declared.
    advice: String,
}

impl Parser {
    fn new(text: &str, line: usize) -> Result<Self, TextError> {
        let mut tokens = Vec::new();
        let mut rest = text.split('#').next().unwrap_or_default();
        let mut column = 1;
        loop {
            let trimmed = rest.trim_start();
            column += rest.chars().count() - trimmed.chars().count();
            rest = trimmed;
            let Some(first) = rest.chars().next() else { break };
            // A field is named with its struct, as in C.
            let is_word = |character: char| character.is_alphanumeric() || matches!(character, '_' | '.');
            let length = rest.find(|character| !is_word(character)).unwrap_or(rest.len());
            let (token, length) = if first.is_ascii_digit() {
                let number = rest[..length].parse().map_err(|_| TextError {
                    line,
                    column,
                    message: format!("`{}` is no number", &rest[..length]),
                })?;
                (Token::Number(number), length)
            } else if is_word(first) && first != '.' {
                (Token::Word(rest[..length].to_owned()), length)
            } else if let Some(symbol) = SYMBOLS.into_iter().find(|symbol| rest.starts_with(symbol)) {
                (Token::Symbol(symbol), symbol.len())
            } else {
                let message = match first {
                    '|' | '&' => "conditions are joined with `&&` or a comma, and all of them hold".to_owned(),
                    _ => format!("`{first}` means nothing here"),
                };
                return Err(TextError { line, column, message });
            };
            tokens.push((token, column));
            column += rest[..length].chars().count();
            rest = &rest[length..];
        }
        Ok(Self { tokens, next: 0, line, end: column, advice: "add it to a line `variables ...`".to_owned() })
    }

    fn peek(&self) -> Token {
        self.tokens.get(self.next).map_or(Token::End, |(token, _)| token.clone())
    }

    fn next(&mut self) -> Token {
        let token = self.peek();
        self.next += 1;
        token
    }

    fn takes(&mut self, symbol: &str) -> bool {
        let found = matches!(self.peek(), Token::Symbol(found) if found == symbol);
        self.next += usize::from(found);
        found
    }

    /// Of the next token, from 1.
    fn column(&self) -> usize {
        self.tokens.get(self.next).map_or(self.end, |(_, column)| *column)
    }

    fn error(&self, message: &str) -> TextError {
        TextError { line: self.line, column: self.column(), message: message.into() }
    }

    fn expect(&mut self, symbol: &str) -> Result<(), TextError> {
        if self.takes(symbol) { Ok(()) } else { Err(self.error(&format!("expected `{symbol}`"))) }
    }

    fn end(&self) -> Result<(), TextError> {
        if self.next >= self.tokens.len() { Ok(()) } else { Err(self.error("expected the end of the line")) }
    }

    fn location(&mut self) -> Result<Location, TextError> {
        let error = self.error("expected a location: a number from 0 to 999999");
        match self.next() {
            Token::Number(number) => Location::try_from(number).ok().filter(|number| *number < 1_000_000).ok_or(error),
            _ => Err(error),
        }
    }

    /// `variables x y z`
    fn variables(&mut self, lts: &mut Lts) -> Result<(), TextError> {
        self.next();
        while let Token::Word(name) = self.peek() {
            if lts.variables.iter().any(|variable| variable.name == name) {
                return Err(self.error(&format!("`{name}` is declared twice")));
            }
            lts.variables.push(LtsVariable { name, range: None });
            self.next();
        }
        Ok(())
    }

    fn number(&mut self) -> Result<i128, TextError> {
        let sign = if self.takes("-") { -1 } else { 1 };
        let error = self.error("expected a number");
        match self.next() {
            Token::Number(number) => Ok(sign * number),
            _ => Err(error),
        }
    }

    fn edge(&mut self, variables: &[LtsVariable]) -> Result<Edge, TextError> {
        let source = self.location()?;
        self.expect("->")?;
        let target = self.location()?;
        let mut edge = Edge { source, target, guard: Vec::new(), assignments: Vec::new() };
        if !self.takes(":") {
            return Ok(edge);
        }
        if self.takes("[") {
            edge.guard = self.condition(variables)?;
            self.expect("]")?;
        }
        if self.peek() == Token::End {
            return Ok(edge);
        }
        loop {
            let again = self.error("the variable is assigned twice: all assignments of an edge are made at once");
            let variable = self.variable(variables)?;
            if edge.assignments.iter().any(|(other, _)| *other == variable) {
                return Err(again);
            }
            self.expect(":=")?;
            let value = if self.takes("*") { Value::Unknown } else { Value::Exact(self.sum(variables)?) };
            edge.assignments.push((variable, value));
            if !self.takes(",") {
                break;
            }
        }
        edge.assignments.sort_by_key(|(variable, _)| *variable);
        Ok(edge)
    }

    fn variable(&mut self, variables: &[LtsVariable]) -> Result<Variable, TextError> {
        let unknown = match self.peek() {
            Token::Word(name) => self.error(&format!("`{name}` is not declared: {}", self.advice)),
            _ => self.error("expected a variable"),
        };
        let Token::Word(name) = self.next() else { return Err(unknown) };
        let position = variables.iter().position(|variable| variable.name == name).ok_or(unknown)?;
        Ok(Variable::try_from(position).unwrap_or(Variable::MAX))
    }

    fn condition(&mut self, variables: &[LtsVariable]) -> Result<Vec<Literal>, TextError> {
        let mut literals = self.comparison(variables)?;
        while self.takes("&&") || self.takes(",") {
            literals.extend(self.comparison(variables)?);
        }
        Ok(literals)
    }

    fn comparison(&mut self, variables: &[LtsVariable]) -> Result<Vec<Literal>, TextError> {
        let left = self.sum(variables)?;
        let overflow = self.error("a number is too great");
        if self.takes("%") {
            let modulus = self.number()?;
            if modulus < 2 {
                return Err(self.error("a modulus is at least 2"));
            }
            if !self.takes("==") && !self.takes("=") {
                return Err(self.error("a remainder is compared with `==` only; others need an edge for each remainder"));
            }
            let remainder = self.number()?.checked_sub(left.constant).ok_or(overflow)?;
            return Ok(vec![Literal::residue(left.term, modulus, remainder)]);
        }
        let relations = ["==", "=", "!=", "<=", ">=", "<", ">"];
        let relation = relations.into_iter().find(|relation| self.takes(relation));
        let relation = relation.ok_or_else(|| self.error("expected a comparison: ==, !=, <, <=, > or >="))?;
        let right = self.sum(variables)?;
        comparison(&left, relation, &right).map_err(|Overflow| overflow)
    }

    fn sum(&mut self, variables: &[LtsVariable]) -> Result<Linear, TextError> {
        let overflow = self.error("a number is too great");
        let mut result = Linear::default();
        let mut sign = if self.takes("-") { -1 } else { 1 };
        loop {
            let product = self.product(variables)?;
            result = result.plus(&product, sign).map_err(|Overflow| overflow.clone())?;
            sign = if self.takes("+") {
                1
            } else if self.takes("-") {
                -1
            } else {
                return Ok(result);
            };
        }
    }

    fn product(&mut self, variables: &[LtsVariable]) -> Result<Linear, TextError> {
        let mut result = self.factor(variables)?;
        while self.takes("*") {
            let error = self.error("a product needs a number on one side");
            let factor = self.factor(variables)?;
            let (linear, number) = match (result.term.is_empty(), factor.term.is_empty()) {
                (_, true) => (&result, factor.constant),
                (true, _) => (&factor, result.constant),
                _ => return Err(error),
            };
            result = Linear::default().plus(linear, number).map_err(|Overflow| self.error("a number is too great"))?;
        }
        Ok(result)
    }

    fn factor(&mut self, variables: &[LtsVariable]) -> Result<Linear, TextError> {
        match self.peek() {
            Token::Number(number) => {
                self.next();
                Ok(Linear::constant(number))
            }
            Token::Word(_) => self.variable(variables).map(Linear::variable),
            _ => Err(self.error("expected a number or a variable")),
        }
    }
}

fn comparison(left: &Linear, relation: &str, right: &Linear) -> Result<Vec<Literal>, Overflow> {
    let one_more = |linear: &Linear| linear.plus(&Linear::constant(1), 1);
    Ok(match relation {
        "<=" => vec![Literal::less_or_equal(left, right)?],
        ">=" => vec![Literal::less_or_equal(right, left)?],
        "<" => vec![Literal::less_or_equal(&one_more(left)?, right)?],
        ">" => vec![Literal::less_or_equal(&one_more(right)?, left)?],
        "!=" => {
            let Linear { term, constant } = left.plus(right, -1)?;
            vec![Literal::differs(term, constant.checked_neg().ok_or(Overflow)?)]
        }
        _ => {
            let Linear { term, constant } = left.plus(right, -1)?;
            let opposite = negated(&term);
            vec![Literal::at_most(term, constant.checked_neg().ok_or(Overflow)?), Literal::at_most(opposite, constant)]
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{read_condition, read_lts};
    use crate::{literal::Literal, lts::LtsVariable};

    #[test]
    fn reads_edges() {
        let lts = read_lts("variables x y\ninitial 1\nfinal 3\n1 -> 2: [x < 2*y && x != 3] x := x - y + 1, y := 0 # and so on\n2 -> 3\n")
            .unwrap();
        assert_eq!(lts.edges.len(), 2);
        assert_eq!(lts.edges[0].guard, [Literal::at_most(vec![(0, 1), (1, -2)], -1), Literal::differs(vec![(0, 1)], 3)]);
        assert_eq!(lts.edges[0].assignments.len(), 2);
    }

    #[test]
    fn says_where_something_is_wrong() {
        let error = |text: &str| read_lts(text).unwrap_err().to_string();
        assert_eq!(error("variables x\n1 -> 2: z := 1"), "2:9: `z` is not declared: add it to a line `variables ...`");
        assert_eq!(error("variables x\n1 -> 2: [x < ] "), "2:14: expected a number or a variable");
        assert_eq!(error("variables x x"), "1:13: `x` is declared twice");
        assert!(error("1 -> 2").contains("no initial location"));
        assert_eq!(error("initial 1\nfinal 3\n1 -> 3\n2 -> 3"), "4:1: no edges lead from the initial location 1 to 2");
        assert_eq!(error("initial 1\nfinal 2 4\n1 -> 2"), "2:9: no edges lead from the initial location 1 to 4");
    }

    #[test]
    fn reads_a_residue() {
        let variables = [LtsVariable { name: "n".into(), range: None }];
        assert_eq!(read_condition("n % 2 == 1", &variables), Ok(vec![Literal::residue(vec![(0, 1)], 2, 1)]));
    }
}
