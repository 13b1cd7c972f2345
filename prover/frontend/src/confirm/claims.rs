//! From what is believed to claims in C that a compiler can judge.

use crate::{
    lower::{
        Beliefs,
        beliefs::{Believed, Expression, Form, Layout, Room, hidden_tag, written_tag},
        types::{integer_name, maximum, minimum},
    },
    source::Unit,
};
use goatherd_certificates::{certificate::Position, program::IntegerType};
use std::{
    collections::{BTreeSet, HashSet},
    ops::Range,
};

/// Tokens that an expression may have whose claims are written down: what is inside others is written once for each of them.
const LONGEST: usize = 512;

/// Different literals that there are claims about: large tables have many, and each is as the others.
const LITERALS: usize = 1000;

/// One thing that is believed.
#[derive(Clone, Debug)]
pub(super) struct Claim {
    pub(super) site: Site,
    /// Where it is in the user's file; nothing of what is believed of all files.
    pub(super) position: Option<Position>,
    /// What it is about, as C.
    pub(super) subject: String,
    pub(super) says: Says,
}

/// What is said of the subject.
#[derive(Clone, Debug)]
pub(super) enum Says {
    Type(Believed),
    Value { value: i128, kind: IntegerType },
}

/// Where a claim stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Site {
    /// Before all.
    First,
    /// Before this token of the original text.
    At(usize),
    /// At the beginning of a body from this token up to the other one, which gets braces of its own.
    Around(usize, usize),
}

/// All claims about a program.
pub(super) fn claims(unit: &Unit, beliefs: &Beliefs) -> Vec<Claim> {
    let mut claims = Claims { unit, beliefs, literals: HashSet::new(), has_inner_restrict: has_inner_restrict(unit), found: Vec::new() };
    for ((start, end), expression) in &beliefs.expressions {
        claims.expression(*start, *end, expression);
    }
    for (offset, layout) in &beliefs.layouts {
        claims.layout(*offset, layout);
    }
    claims.found
}

struct Claims<'a> {
    unit: &'a Unit,
    beliefs: &'a Beliefs,
    /// Literals that a claim is about already: they mean the same everywhere.
    literals: HashSet<&'a str>,
    has_inner_restrict: bool,
    found: Vec<Claim>,
}

impl Claims<'_> {
    fn expression(&mut self, start: usize, end: usize, expression: &Expression) {
        let Some(tokens) = self.tokens(start, end).filter(|tokens| tokens.len() <= LONGEST) else { return };
        let text = self.unit.original().tokens(tokens.clone());
        let is_literal = tokens.len() == 1 && text.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '\'' | '"' | '.'));
        if is_literal && (self.literals.len() >= LITERALS || !self.literals.insert(text)) || !self.can_be_repeated(tokens.clone()) {
            return;
        }
        let Some(site) = self.site(start, end, Some(&tokens)) else { return };
        let position = Some(self.unit.position(start));
        // It is to stand on one line.
        let text = text.replace('\n', " ");
        if says_something(&expression.ctype) && !self.is_open(expression, tokens) {
            let subject = match expression.form {
                Form::Plain => format!("({text})"),
                Form::BitField => format!("+({text})"),
            };
            self.found.push(Claim { site, position, subject, says: Says::Type(expression.ctype.clone()) });
        }
        if let (Some(value), Believed::Integer { kind, .. }) = (expression.value, &expression.ctype) {
            self.found.push(Claim { site, position, subject: format!("({text})"), says: Says::Value { value, kind: *kind } });
        }
    }

    /// Is its type one of which compilers differ, or that is not known exactly?
    fn is_open(&self, expression: &Expression, tokens: Range<usize>) -> bool {
        let original = self.unit.original();
        // Of a builtin not every compiler tells the type.
        let is_builtin = original.token(tokens.start).starts_with("__builtin_") && matches!(expression.ctype, Believed::Function { .. });
        // What was stored in a bit-field has the field's type for some and a promoted one for others, which is no matter where nobody reads it.
        let before = tokens.start.checked_sub(1).map_or("", |before| original.token(before));
        let is_statement = matches!(before, ";" | "{" | "}") && original.token(tokens.end) == ";";
        let is_dropped = is_statement && expression.form == Form::BitField;
        is_builtin || is_dropped || self.has_inner_restrict && has_function(&expression.ctype)
    }

    fn layout(&mut self, offset: usize, layout: &Layout) {
        let Some(point) = self.beliefs.point(offset, offset) else { return };
        // In a statement it is not known before it, and an anonymous member has no name; in a `for` it may stand behind the place where something can be said.
        if !matches!(point.room, Room::After) {
            return;
        }
        let Some(site) = self.site(offset, offset, None) else { return };
        let name = &layout.name;
        let sizes = [(format!("sizeof({name})"), layout.size), (format!("_Alignof({name})"), layout.alignment)];
        let offsets = layout.offsets.iter().map(|(member, bytes)| (format!("__builtin_offsetof({name}, {member})"), *bytes));
        for (subject, value) in sizes.into_iter().chain(offsets) {
            let says = Says::Value { value: i128::from(value), kind: IntegerType::U64 };
            self.found.push(Claim { site, position: Some(self.unit.position(offset)), subject, says });
        }
    }

    /// The tokens of an expression in the original text. The parser leaves out parentheses around an operand, so that `(a) + b` begins for it at
    /// `a`: what is not balanced grows.
    fn tokens(&self, start: usize, end: usize) -> Option<Range<usize>> {
        let original = self.unit.original();
        // What stands in attributes is one token.
        let (first, last) = (self.unit.original_at(start)?, self.unit.original_at(end.checked_sub(1)?)?);
        if !self.unit.begins_token(start) {
            return None;
        }
        let (mut depth, mut opened) = (0_usize, 0_usize);
        for token in first..=last {
            match original.token(token) {
                "(" => depth += 1,
                ")" => match depth.checked_sub(1) {
                    Some(less) => depth = less,
                    None => opened += 1,
                },
                _ => {}
            }
        }
        let (first, end) = (first.checked_sub(opened)?, last + 1 + depth);
        let is = |token: usize, text: &str| original.token(token) == text;
        let is_whole = (first..first + opened).all(|token| is(token, "(")) && (end - depth..end).all(|token| is(token, ")"));
        (is_whole && first < end).then_some(first..end)
    }

    /// Does it mean the same when it stands there once more? Not if it defines a tag or a label.
    fn can_be_repeated(&self, tokens: Range<usize>) -> bool {
        let original = self.unit.original();
        let is_tag = |token: usize| matches!(original.token(token), "struct" | "union" | "enum");
        let is_brace = |token: usize| original.token(token) == "{";
        tokens.clone().all(|token| {
            let defines =
                is_tag(token) && (is_brace(token + 1) || is_brace(token + 2) || original.token(token + 1).starts_with("__attribute"));
            let text = original.token(token);
            !(defines || matches!(text, "goto" | "__label__"))
        })
    }

    /// Where something can be said about a stretch of the text, so that the names in it mean there what they mean here.
    fn site(&self, start: usize, end: usize, tokens: Option<&Range<usize>>) -> Option<Site> {
        let point = self.beliefs.point(start, end)?;
        let original = self.unit.original();
        let is_changed = |name: &str| {
            let is_it = |token: usize| {
                let before = token.checked_sub(1).map_or("", |before| original.token(before));
                original.token(token) == name && !matches!(before, "struct" | "union" | "enum" | "." | "->")
            };
            tokens.cloned().is_some_and(|mut tokens| tokens.any(is_it))
        };
        if point.names.iter().any(|(name, offset)| start < *offset && is_changed(name)) {
            return None;
        }
        let first = |offset: usize| self.unit.original_at(offset);
        match point.room {
            Room::Nowhere => None,
            Room::Before => {
                let mut token = first(point.span.start)?;
                // What was taken away before the statement belongs to it.
                while token.checked_sub(1).is_some_and(|before| !matches!(original.token(before), ";" | "{" | "}")) {
                    token -= 1;
                }
                Some(Site::At(token))
            }
            Room::After => {
                let last = first(point.span.end.checked_sub(1)?)?;
                (last..original.length()).find(|token| original.token(*token) == ";").map(|token| Site::At(token + 1))
            }
            Room::Around(body) => {
                let last = first(body.end.checked_sub(1)?)?;
                let end = (last..original.length()).find(|token| matches!(original.token(*token), ";" | "}"))?;
                Some(Site::Around(first(body.start)?, end + 1))
            }
        }
    }

    /// Where structs and unions without a tag get one: before this token, which opens their members.
    fn tags(&self) -> Vec<(usize, String)> {
        let original = self.unit.original();
        let offsets: BTreeSet<usize> = self.beliefs.layouts.keys().copied().collect();
        let tag = |offset: usize| {
            let hidden = hidden_tag(offset);
            let written = written_tag(&hidden);
            let layout = self.beliefs.layouts.get(&offset)?;
            let is_named = layout.name.split_once(' ').is_some_and(|(_, tag)| tag == written);
            let is_anonymous = self.beliefs.point(offset, offset)?.span.end == offset;
            let first = self.unit.original_at(offset).filter(|_| is_named && !is_anonymous)?;
            (first..original.length()).find(|token| original.token(*token) == "{").map(|token| (token, written))
        };
        offsets.into_iter().filter_map(tag).collect()
    }
}

/// The tags that structs and unions without one get: before which tokens.
pub(super) fn tags(unit: &Unit, beliefs: &Beliefs) -> Vec<(usize, String)> {
    Claims { unit, beliefs, literals: HashSet::new(), has_inner_restrict: false, found: Vec::new() }.tags()
}

/// Is there a `restrict` that is not of a parameter itself? Types here do not keep it, and those of functions differ by it.
fn has_inner_restrict(unit: &Unit) -> bool {
    let original = unit.original();
    let is_restrict = |token: usize| matches!(original.token(token), "restrict" | "__restrict" | "__restrict__");
    (1..original.length()).any(|token| original.token(token) == "*" && is_restrict(token - 1))
}

fn has_function(ctype: &Believed) -> bool {
    match ctype {
        Believed::Function { .. } => true,
        Believed::Pointer { target, .. } => has_function(target),
        Believed::Array { element, .. } => has_function(element),
        _ => false,
    }
}

/// Is there a condition for it?
fn says_something(ctype: &Believed) -> bool {
    match ctype {
        Believed::Any | Believed::Record { name: None, size: None } => false,
        Believed::Function { .. } => !spellings(ctype).is_empty(),
        _ => true,
    }
}

impl Claim {
    /// Conditions that hold if the claim does. Each is C where those before it hold: what is no pointer has nothing that it points to.
    pub(super) fn conditions(&self) -> Vec<String> {
        let mut conditions = Vec::new();
        if let Says::Type(ctype) = &self.says {
            pointers(&self.subject, ctype, &mut conditions);
        }
        conditions.push(self.condition());
        conditions
    }

    fn condition(&self) -> String {
        match &self.says {
            Says::Type(ctype) => of_type(&self.subject, ctype),
            Says::Value { value, kind } => {
                let bits = if *value < minimum(IntegerType::I64) || *value > maximum(IntegerType::I64) { "ULL" } else { "LL" };
                // The least value has no literal.
                let literal = if *value == minimum(IntegerType::I64) {
                    "(-9223372036854775807LL - 1)".to_owned()
                } else {
                    format!("({value}{bits})")
                };
                format!("{} == ({}){literal}", self.subject, integer_name(*kind))
            }
        }
    }

    /// A pointer whose type tells what the compiler says instead, for its messages.
    pub(super) fn question(&self) -> String {
        let subject = &self.subject;
        match &self.says {
            Says::Type(_) => format!("(__typeof__({subject}) *)0"),
            Says::Value { .. } => {
                let word = |shift: u32| format!("((unsigned long long){subject} >> {shift} & 0xffffffffULL) + 1");
                format!("(char (*(*)[{}])[{}])0", word(32), word(0))
            }
        }
    }

    /// What is believed, in words.
    pub(super) fn words(&self) -> String {
        match &self.says {
            Says::Type(ctype) => words(ctype),
            Says::Value { value, .. } => value.to_string(),
        }
    }
}

/// What `__builtin_classify_type` says of pointers, and of arrays, which become pointers.
const POINTER_CLASS: u32 = 5;

/// The conditions that what is believed to be a pointer or an array is one of the two, from the outside in.
fn pointers(subject: &str, ctype: &Believed, conditions: &mut Vec<String>) {
    let mut pointer = |inner: String, of: &Believed| {
        conditions.push(format!("__builtin_classify_type({subject}) == {POINTER_CLASS}"));
        pointers(&inner, of, conditions);
    };
    match ctype {
        Believed::Pointer { target, .. } => pointer(target_of(subject), target),
        Believed::Array { element, .. } => pointer(element_of(subject), element),
        _ => {}
    }
}

fn target_of(subject: &str) -> String {
    format!("(*{subject})")
}

/// Without `*`, which a register array does not allow.
fn element_of(subject: &str) -> String {
    format!("({subject}[0])")
}

/// The condition that an expression is of a type, part by part: so `char` or `signed char` is one choice in any type, and what a pointer points to
/// needs no name.
fn of_type(subject: &str, ctype: &Believed) -> String {
    let is = |name: &str| format!("__builtin_types_compatible_p(__typeof__({subject}), {name})");
    let (target, element) = (target_of(subject), element_of(subject));
    match ctype {
        Believed::Any | Believed::Record { name: None, size: None } => "1".to_owned(),
        Believed::Void => is("void"),
        Believed::Integer { kind, .. } => match kind {
            IntegerType::I8 => format!("({} || {})", is("char"), is("signed char")),
            IntegerType::I64 => format!("({} || {})", is("long"), is("long long")),
            IntegerType::U64 => format!("({} || {})", is("unsigned long"), is("unsigned long long")),
            _ => is(integer_name(*kind)),
        },
        Believed::Pointer { target: to, constant } => {
            let plain = is(&format!("__typeof__({target}) *"));
            let own = match (&**to, *constant) {
                (Believed::Function { .. } | Believed::Any, _) => plain,
                (_, true) => is(&format!("const __typeof__({target}) *")),
                (_, false) => format!("{plain} && !{}", is(&format!("const __typeof__({target}) *"))),
            };
            and(own, &of_type(&target, to))
        }
        Believed::Array { element: of, length } => {
            let length = length.map(|length| length.to_string()).unwrap_or_default();
            and(is(&format!("__typeof__({element})[{length}]")), &of_type(&element, of))
        }
        Believed::Record { name: Some(name), .. } => is(name),
        Believed::Record { name: None, size: Some(size) } => format!("sizeof({subject}) == {size}"),
        Believed::Function { .. } => {
            let choices: Vec<String> = spellings(ctype).iter().map(|spelling| is(spelling)).collect();
            if choices.is_empty() { "1".to_owned() } else { format!("({})", choices.join(" || ")) }
        }
    }
}

fn and(one: String, other: &str) -> String {
    if other == "1" { one } else { format!("{one} && {other}") }
}

/// So many of the types in a function's may be `char` or `signed char` that all choices are tried.
const MOST_CHARS: u32 = 4;

/// A function's type as C writes it, with every choice of `char` and `signed char`; nothing if it has parts without a name, or too many choices.
fn spellings(ctype: &Believed) -> Vec<String> {
    let count = chars(ctype);
    if count > MOST_CHARS {
        return Vec::new();
    }
    (0..1_u32 << count)
        .filter_map(|choice| {
            let mut place = 0;
            let mut char = || {
                place += 1;
                if choice >> (place - 1) & 1 == 0 { "char" } else { "signed char" }
            };
            declare(ctype, "", "", &mut char)
        })
        .collect()
}

/// How many times a type has `char` in it.
fn chars(ctype: &Believed) -> u32 {
    match ctype {
        Believed::Integer { kind: IntegerType::I8, .. } => 1,
        Believed::Pointer { target, .. } => chars(target),
        Believed::Array { element, .. } => chars(element),
        Believed::Function { result, parameters } => chars(result) + parameters.iter().map(chars).sum::<u32>(),
        _ => 0,
    }
}

/// A declaration of something of this type. `char` chooses what stands for a type with the values of `char`.
fn declare(ctype: &Believed, qualifier: &str, declarator: &str, char: &mut impl FnMut() -> &'static str) -> Option<String> {
    let plain = |name: &str| Some(format!("{qualifier}{name} {declarator}"));
    match ctype {
        Believed::Any | Believed::Record { name: None, .. } => None,
        Believed::Void => plain("void"),
        Believed::Integer { kind: IntegerType::I8, .. } => plain(char()),
        Believed::Integer { kind: IntegerType::I64, long_long: true } => plain("long long"),
        Believed::Integer { kind: IntegerType::U64, long_long: true } => plain("unsigned long long"),
        Believed::Integer { kind, .. } => plain(integer_name(*kind)),
        Believed::Record { name: Some(name), .. } => plain(name),
        Believed::Pointer { target, constant } => {
            let inner = if *constant { "const " } else { "" };
            declare(target, inner, &format!("(*{qualifier}{declarator})"), char)
        }
        Believed::Array { element, length } => {
            let length = length.map(|length| length.to_string()).unwrap_or_default();
            declare(element, qualifier, &format!("({declarator})[{length}]"), char)
        }
        Believed::Function { result, parameters } => {
            let parameters: Option<Vec<String>> = parameters.iter().map(|parameter| declare(parameter, "", "", char)).collect();
            let parameters = parameters?.join(", ");
            let parameters = if parameters.is_empty() { "void" } else { &parameters };
            let declarator = if declarator.is_empty() { String::new() } else { format!("({declarator})") };
            declare(result, "", &format!("{declarator}({parameters})"), char)
        }
    }
}

/// The type for people.
fn words(ctype: &Believed) -> String {
    match ctype {
        Believed::Any => "something".to_owned(),
        Believed::Void => "void".to_owned(),
        Believed::Integer { kind, .. } => integer_name(*kind).to_owned(),
        Believed::Pointer { target, constant } => {
            let target = words(target);
            let space = if target.ends_with('*') { "" } else { " " };
            format!("{}{target}{space}*", if *constant { "const " } else { "" })
        }
        Believed::Array { element, length } => {
            format!("{}[{}]", words(element), length.map(|length| length.to_string()).unwrap_or_default())
        }
        Believed::Record { name: Some(name), .. } => name.clone(),
        Believed::Record { name: None, size: Some(size) } => format!("a struct of {size} bytes"),
        Believed::Record { name: None, size: None } => "a struct".to_owned(),
        Believed::Function { result, parameters } => {
            format!("{}({})", words(result), parameters.iter().map(words).collect::<Vec<_>>().join(", "))
        }
    }
}
