//! Macro definitions and their expansion (C11 6.10.3), keeping track of where each token comes from.
//!
//! Files without `#include` and conditions are expanded here, so that they need no C compiler. For the others the C compiler's text is what
//! is analysed, and the expansion made here only says where its tokens come from.

use super::token::{Place, Token, TokenKind, tokens};
use std::{collections::BTreeMap, collections::BTreeSet, rc::Rc};

/// More tokens than this are not expanded: a few lines of macros can ask for any number.
const LARGEST_EXPANSION: usize = 1 << 20;

/// Macro uses in arguments of macro uses, at most this deep.
const DEEPEST_ARGUMENTS: usize = 64;

/// One macro.
#[derive(Clone, Debug)]
pub(crate) struct Macro {
    /// The parameters, if it is used with parentheses. The last one takes all further arguments if `variadic`.
    parameters: Option<Vec<Rc<str>>>,
    variadic: bool,
    body: Vec<Token>,
}

/// Macros by name.
pub(crate) type Macros = BTreeMap<Rc<str>, Macro>;

/// Why macros cannot be expanded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ExpansionError {
    pub(crate) place: Place,
    pub(crate) message: String,
}

/// Reads what stands after `#define`: the name and the macro.
pub(crate) fn definition(line: &[Token]) -> Option<(Rc<str>, Macro)> {
    let (name, rest) = line.split_first()?;
    if name.kind != TokenKind::Identifier {
        return None;
    }
    let function_like = rest.first().is_some_and(|token| token.is("(") && !token.spaced);
    if !function_like {
        return Some((name.text.clone(), Macro { parameters: None, variadic: false, body: rest.to_vec() }));
    }
    let close = rest.iter().position(|token| token.is(")"))?;
    let mut parameters = Vec::new();
    let mut variadic = false;
    let list = rest.get(1..close)?;
    for token in list {
        match token.kind {
            TokenKind::Identifier => parameters.push(token.text.clone()),
            TokenKind::Punctuator if token.is(",") => {}
            TokenKind::Punctuator if token.is("...") => {
                variadic = true;
                // `name...` is the GNU spelling for a named rest.
                if !named_rest(list) {
                    parameters.push("__VA_ARGS__".into());
                }
            }
            _ => return None,
        }
    }
    Some((name.text.clone(), Macro { parameters: Some(parameters), variadic, body: rest.get(close + 1..)?.to_vec() }))
}

/// Is the `...` of this parameter list preceded by a name?
fn named_rest(parameters: &[Token]) -> bool {
    parameters.windows(2).any(|pair| matches!(pair, [name, dots] if name.kind == TokenKind::Identifier && dots.is("...")))
}

/// Reads a definition as the command line gives it, `NAME` or `NAME=VALUE` or `NAME(x)=VALUE`.
pub(crate) fn command_line_definition(text: &str) -> Option<(Rc<str>, Macro)> {
    let line = match text.split_once('=') {
        Some((name, value)) => format!("{name} {value}"),
        None => format!("{text} 1"),
    };
    definition(&tokens(line.as_bytes(), Place { file: 0, line: 1, column: 1 }))
}

/// Expands all macros in the tokens.
pub(crate) fn expand(input: &[Token], macros: &Macros) -> Result<Vec<Token>, ExpansionError> {
    Expansion { macros, produced: 0 }.expand(input, &BTreeSet::new(), 0)
}

struct Expansion<'macros> {
    macros: &'macros Macros,
    /// Tokens pushed so far.
    produced: usize,
}

/// What is still to be read: tokens, and marks where the expansion of a macro ends.
enum Item {
    Token(Token),
    EndOf(Rc<str>),
}

impl Expansion<'_> {
    fn expand(&mut self, input: &[Token], disabled: &BTreeSet<Rc<str>>, depth: usize) -> Result<Vec<Token>, ExpansionError> {
        let mut pending: Vec<Item> = input.iter().rev().cloned().map(Item::Token).collect();
        let mut disabled = disabled.clone();
        let mut output = Vec::new();
        while let Some(item) = pending.pop() {
            let mut token = match item {
                Item::EndOf(name) => {
                    disabled.remove(&name);
                    continue;
                }
                Item::Token(token) => token,
            };
            let Some((name, definition)) =
                self.macros.get_key_value(&token.text).filter(|_| token.kind == TokenKind::Identifier && !token.painted)
            else {
                output.push(token);
                continue;
            };
            if disabled.contains(name) {
                token.painted = true;
                output.push(token);
                continue;
            }
            let arguments = match &definition.parameters {
                None => Vec::new(),
                Some(parameters) => {
                    if !next_is_open(&mut pending, &mut disabled) {
                        output.push(token);
                        continue;
                    }
                    collect_arguments(&token, definition, parameters.len(), &mut pending, &mut disabled)?
                }
            };
            let body = self.substitute(&token, definition, &arguments, &disabled, depth)?;
            self.produced += body.len() + 1;
            if self.produced > LARGEST_EXPANSION {
                return Err(error(&token, "the expansion of this macro is too large"));
            }
            pending.push(Item::EndOf(name.clone()));
            disabled.insert(name.clone());
            pending.extend(body.into_iter().rev().map(Item::Token));
        }
        Ok(output)
    }

    /// The macro's body with arguments in place of parameters (C11 6.10.3.1 to 6.10.3.3).
    fn substitute(
        &mut self,
        usage: &Token,
        definition: &Macro,
        arguments: &[Vec<Token>],
        disabled: &BTreeSet<Rc<str>>,
        depth: usize,
    ) -> Result<Vec<Token>, ExpansionError> {
        let outermost = usage.macro_name.clone().unwrap_or_else(|| usage.text.clone());
        let parameter = |token: &Token| {
            let parameters = definition.parameters.as_deref().unwrap_or_default();
            let index = parameters.iter().position(|name| token.kind == TokenKind::Identifier && *name == token.text)?;
            arguments.get(index).map(|argument| (argument, definition.variadic && index + 1 == parameters.len()))
        };
        let mut output: Vec<Token> = Vec::new();
        let mut paste = false;
        // Did the part before `##` have tokens? If not there is nothing to paste to.
        let mut left_is_empty = true;
        let mut index = 0;
        while let Some(token) = definition.body.get(index) {
            index += 1;
            if token.is("##") && index > 1 {
                paste = !left_is_empty;
                continue;
            }
            let next = definition.body.get(index);
            let mut part = if token.is("#")
                && definition.parameters.is_some()
                && let Some((argument, _)) = next.and_then(parameter)
            {
                index += 1;
                let string = usage.replaced(TokenKind::String, &stringified(argument));
                vec![Token { macro_name: Some(outermost.clone()), ..string }]
            } else if let Some((argument, rest)) = parameter(token) {
                // `, ## rest` is GNU C: the comma goes when there is nothing after it, and nothing is pasted.
                if paste && rest && output.last().is_some_and(|last| last.is(",")) {
                    paste = false;
                    if argument.is_empty() {
                        output.pop();
                    }
                }
                let mut part = if paste || definition.body.get(index).is_some_and(|next| next.is("##")) {
                    argument.clone()
                } else {
                    if depth >= DEEPEST_ARGUMENTS {
                        return Err(error(usage, "macro uses are nested too deeply"));
                    }
                    self.expand(argument, disabled, depth + 1)?
                };
                for token in &mut part {
                    token.macro_name.get_or_insert_with(|| outermost.clone());
                }
                part
            } else {
                vec![Token { place: usage.place, macro_name: Some(outermost.clone()), first: false, ..token.clone() }]
            };
            left_is_empty = part.is_empty() && !paste;
            if paste {
                paste = false;
                if !part.is_empty()
                    && let Some(left) = output.pop()
                {
                    let right = part.remove(0);
                    output.extend(pasted(&left, &right));
                }
            }
            output.extend(part);
            if output.len() > LARGEST_EXPANSION {
                return Err(error(usage, "the expansion of this macro is too large"));
            }
        }
        Ok(output)
    }
}

/// Takes an opening parenthesis if it is next. Ends of expansions before it are passed.
fn next_is_open(pending: &mut Vec<Item>, disabled: &mut BTreeSet<Rc<str>>) -> bool {
    while let Some(Item::EndOf(name)) = pending.last() {
        disabled.remove(name);
        pending.pop();
    }
    let open = matches!(pending.last(), Some(Item::Token(token)) if token.is("("));
    if open {
        pending.pop();
    }
    open
}

/// The arguments up to the closing parenthesis.
fn collect_arguments(
    usage: &Token,
    definition: &Macro,
    parameters: usize,
    pending: &mut Vec<Item>,
    disabled: &mut BTreeSet<Rc<str>>,
) -> Result<Vec<Vec<Token>>, ExpansionError> {
    let mut arguments = vec![Vec::new()];
    let mut depth = 0_usize;
    loop {
        let token = match pending.pop() {
            None => return Err(error(usage, "the use of this macro has no closing parenthesis")),
            Some(Item::EndOf(name)) => {
                disabled.remove(&name);
                continue;
            }
            Some(Item::Token(token)) => token,
        };
        if token.is(")") && depth == 0 {
            break;
        }
        if token.is(",") && depth == 0 && !(definition.variadic && arguments.len() >= parameters) {
            arguments.push(Vec::new());
            continue;
        }
        if token.is("(") {
            depth += 1;
        } else if token.is(")") {
            depth -= 1;
        }
        if let Some(argument) = arguments.last_mut() {
            argument.push(token);
        }
    }
    if parameters == 0 && matches!(arguments.as_slice(), [only] if only.is_empty()) {
        arguments.clear();
    }
    if definition.variadic && arguments.len() + 1 == parameters {
        arguments.push(Vec::new());
    }
    if arguments.len() == parameters {
        Ok(arguments)
    } else {
        let message = format!("macro {} takes {parameters} arguments, not {}", usage.text, arguments.len());
        Err(ExpansionError { place: usage.place, message })
    }
}

/// `#argument` (C11 6.10.3.2).
fn stringified(argument: &[Token]) -> String {
    let mut text = String::from("\"");
    for (index, token) in argument.iter().enumerate() {
        if index > 0 && (token.spaced || token.first) {
            text.push(' ');
        }
        let literal = matches!(token.kind, TokenKind::String | TokenKind::Character);
        for character in token.text.chars() {
            if literal && matches!(character, '"' | '\\') {
                text.push('\\');
            }
            text.push(character);
        }
    }
    text.push('"');
    text
}

/// `left ## right` (C11 6.10.3.3): one token, or both if they make none.
fn pasted(left: &Token, right: &Token) -> Vec<Token> {
    let text = format!("{}{}", left.text, right.text);
    match tokens(text.as_bytes(), left.place).as_slice() {
        [one] => vec![left.replaced(one.kind, &one.text)],
        _ => vec![left.clone(), right.clone()],
    }
}

fn error(usage: &Token, message: &str) -> ExpansionError {
    ExpansionError { place: usage.place, message: format!("macro {}: {message}", usage.text) }
}
