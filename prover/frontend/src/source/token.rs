//! Preprocessing tokens (C11 6.4) and where they stand in the user's files.

use std::rc::Rc;

/// A place in a file: what a [`goatherd_certificates::certificate::Position`] says.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Place {
    /// Index into the unit's files.
    pub(crate) file: u32,
    /// From 1.
    pub(crate) line: u32,
    /// From 1, in bytes.
    pub(crate) column: u32,
}

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    /// Also a keyword.
    Identifier,
    /// A preprocessing number.
    Number,
    /// A string literal, with its prefix and quotes.
    String,
    /// A character constant, with its prefix and quotes.
    Character,
    /// Operators and brackets; digraphs are replaced by what they stand for.
    Punctuator,
    /// Nothing that C knows; an error if it is still there after preprocessing.
    Stray(Stray),
}

/// Why text is no token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stray {
    /// A quote without its partner on the line.
    UnterminatedLiteral,
    /// `/*` without `*/`.
    UnterminatedComment,
    /// A byte above 0x7f outside literals and comments.
    NotAscii,
    /// A byte above 0x7f in a literal of characters wider than a byte.
    NotAsciiInWideLiteral,
    /// A literal with `\u` or `\U` (C11 6.4.3).
    UniversalCharacterName,
    /// A backslash before what GNU C drops it of, or what is no character of the basic set.
    UnknownEscape,
    /// `R"(...)"`, a GNU extension.
    RawString,
    /// The beginning of `<x/*y>`, or `"a\"/*"`, in a directive: if it is the name of a header it ends elsewhere than it does here.
    HeaderName,
    /// Any other byte.
    Byte,
}

/// One token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    /// What it is.
    pub(crate) kind: TokenKind,
    /// Its text, in ASCII: other bytes of literals are octal escapes.
    pub(crate) text: Rc<str>,
    /// Where it comes from: inside a macro expansion, the use of the macro or the argument.
    pub(crate) place: Place,
    /// The macro in the user's text that it comes from.
    pub(crate) macro_name: Option<Rc<str>>,
    /// Is there white space before it? Decides between the two kinds of macro definition and the spelling of `#parameter`.
    pub(crate) spaced: bool,
    /// Is it the first on its line? Only such a `#` begins a directive.
    pub(crate) first: bool,
    /// May it not be expanded any more (C11 6.10.3.4p2)?
    pub(crate) painted: bool,
    /// Its position among the tokens of the file after preprocessing, also where it was copied or respelt since. Tokens of models have none.
    pub(crate) original: Option<u32>,
}

impl Token {
    /// Is it this punctuator or identifier?
    pub(crate) fn is(&self, text: &str) -> bool {
        matches!(self.kind, TokenKind::Punctuator | TokenKind::Identifier) && &*self.text == text
    }

    /// Is it one of these punctuators or identifiers?
    pub(crate) fn is_any(&self, texts: &[&str]) -> bool {
        texts.iter().any(|text| self.is(text))
    }

    /// Is it an identifier, or a keyword?
    pub(crate) fn is_identifier(&self) -> bool {
        self.kind == TokenKind::Identifier
    }

    /// Is it in doubt whether it begins the name of a header?
    pub(crate) fn is_odd_header_name(&self) -> bool {
        self.kind == TokenKind::Stray(Stray::HeaderName)
    }

    /// The same place and macro with another text.
    pub(crate) fn replaced(&self, kind: TokenKind, text: &str) -> Token {
        Token { kind, text: text.into(), ..self.clone() }
    }
}

/// Splits bytes into tokens. Total: what is no token becomes [`TokenKind::Stray`].
pub(crate) fn tokens(bytes: &[u8], start: Place) -> Vec<Token> {
    let at = if bytes.starts_with(&BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    let mut lexer = Lexer { bytes, at, place: start, spaced: false, first: true, line: 0, tokens: Vec::new() };
    lexer.run();
    lexer.tokens
}

/// What some editors put before UTF-8.
pub(crate) const BYTE_ORDER_MARK: [u8; 3] = [0xef, 0xbb, 0xbf];

/// Longest first.
const PUNCTUATORS: [&str; 54] = [
    "%:%:", "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "*=", "/=", "%=", "+=", "-=", "&=",
    "^=", "|=", "##", "<:", ":>", "<%", "%>", "%:", "[", "]", "(", ")", "{", "}", ".", "&", "*", "+", "-", "~", "!", "/", "%", "<", ">",
    "^", "|", "?", ":", ";", "=", ",", "#",
];

/// Other spellings of punctuators (C11 6.4.6p3).
const DIGRAPHS: [(&str, &str); 6] = [("%:%:", "##"), ("<:", "["), (":>", "]"), ("<%", "{"), ("%>", "}"), ("%:", "#")];

/// Literal prefixes (C11 6.4.4.4, 6.4.5).
const PREFIXES: [&str; 4] = ["L", "u", "U", "u8"];

struct Lexer<'text> {
    bytes: &'text [u8],
    at: usize,
    place: Place,
    spaced: bool,
    first: bool,
    /// Where the line begins, among the tokens.
    line: usize,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    fn run(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b'\n' => {
                    self.bump();
                    self.first = true;
                    self.spaced = false;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {
                    self.bump();
                    self.spaced = true;
                }
                b'/' if self.peek_after() == Some(b'/') => {
                    while self.peek().is_some_and(|next| next != b'\n') {
                        self.bump();
                    }
                    self.spaced = true;
                }
                b'/' if self.peek_after() == Some(b'*') => self.block_comment(),
                _ => self.token(byte),
            }
        }
    }

    /// The byte at hand, after any line splices (C11 5.1.1.2p1, phase 2).
    fn peek(&mut self) -> Option<u8> {
        while let Some(length) = splice(self.bytes.get(self.at..).unwrap_or_default()) {
            self.at += length;
            self.place.line = self.place.line.saturating_add(1);
            self.place.column = 1;
        }
        self.bytes.get(self.at).copied()
    }

    fn peek_after(&self) -> Option<u8> {
        let mut at = self.at + 1;
        while let Some(length) = splice(self.bytes.get(at..).unwrap_or_default()) {
            at += length;
        }
        self.bytes.get(at).copied()
    }

    /// The next four bytes, without the line splices among them: as many as the longest punctuator has.
    fn upcoming(&self) -> Vec<u8> {
        let (mut at, mut bytes) = (self.at, Vec::with_capacity(4));
        while bytes.len() < 4 {
            while let Some(length) = splice(self.bytes.get(at..).unwrap_or_default()) {
                at += length;
            }
            let Some(byte) = self.bytes.get(at) else { break };
            bytes.push(*byte);
            at += 1;
        }
        bytes
    }

    fn bump(&mut self) {
        if self.bytes.get(self.at) == Some(&b'\n') {
            self.place.line = self.place.line.saturating_add(1);
            self.place.column = 1;
        } else {
            self.place.column = self.place.column.saturating_add(1);
        }
        self.at += 1;
    }

    fn block_comment(&mut self) {
        let start = self.place;
        self.bump();
        self.peek();
        self.bump();
        loop {
            match self.peek() {
                None => return self.push(TokenKind::Stray(Stray::UnterminatedComment), "/*", start),
                Some(b'*') if self.peek_after() == Some(b'/') => {
                    self.bump();
                    self.peek();
                    self.bump();
                    self.spaced = true;
                    return;
                }
                Some(_) => self.bump(),
            }
        }
    }

    fn token(&mut self, byte: u8) {
        let start = self.place;
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => self.identifier(start),
            b'0'..=b'9' => self.number(start),
            b'.' if self.peek_after().is_some_and(|next| next.is_ascii_digit()) => self.number(start),
            b'"' | b'\'' => self.literal("", byte, start),
            0x80.. => {
                while self.peek().is_some_and(|next| !next.is_ascii()) {
                    self.bump();
                }
                self.push(TokenKind::Stray(Stray::NotAscii), "?", start);
            }
            b'<' if may_be_header_name(self.line()) && is_odd_header_name(&self.angled()) => {
                self.bump();
                self.push(TokenKind::Stray(Stray::HeaderName), "<", start);
            }
            _ => self.punctuator(byte, start),
        }
    }

    /// The tokens of this line so far.
    fn line(&self) -> &[Token] {
        self.tokens.get(self.line..).filter(|_| !self.first).unwrap_or_default()
    }

    /// What stands between the bracket at hand and the next one that closes it, if there is one on the line.
    fn angled(&self) -> Vec<u8> {
        let (mut at, mut bytes) = (self.at + 1, Vec::new());
        loop {
            while let Some(length) = splice(self.bytes.get(at..).unwrap_or_default()) {
                at += length;
            }
            match self.bytes.get(at) {
                Some(b'>') => return bytes,
                None | Some(b'\n') => return Vec::new(),
                Some(byte) => bytes.push(*byte),
            }
            at += 1;
        }
    }

    fn identifier(&mut self, start: Place) {
        let mut text = String::new();
        while let Some(next) = self.peek().filter(|next| next.is_ascii_alphanumeric() || matches!(next, b'_' | b'$')) {
            text.push(char::from(next));
            self.bump();
        }
        match self.peek() {
            Some(quote @ (b'"' | b'\'')) if PREFIXES.contains(&text.as_str()) => self.literal(&text, quote, start),
            Some(b'"') if matches!(text.as_str(), "R" | "LR" | "uR" | "UR" | "u8R") => {
                self.push(TokenKind::Stray(Stray::RawString), &text, start);
            }
            _ => self.push(TokenKind::Identifier, &text, start),
        }
    }

    fn number(&mut self, start: Place) {
        let mut text = String::new();
        while let Some(next) = self.peek() {
            let exponent = matches!(next, b'+' | b'-') && text.ends_with(['e', 'E', 'p', 'P']);
            if !(next.is_ascii_alphanumeric() || matches!(next, b'_' | b'.') || exponent) {
                break;
            }
            text.push(char::from(next));
            self.bump();
        }
        self.push(TokenKind::Number, &text, start);
    }

    /// A literal up to its closing quote. Bytes outside ASCII become octal escapes, which stand for the same bytes and, unlike hexadecimal
    /// ones, have a fixed length.
    fn literal(&mut self, prefix: &str, quote: u8, start: Place) {
        let mut text = String::from(prefix);
        text.push(char::from(quote));
        self.bump();
        let mut ascii = true;
        let (mut universal, mut unknown, mut closed) = (false, false, false);
        // Of a header's name a backslash is an ordinary character.
        let mut escapes = false;
        while !closed {
            match self.peek() {
                None | Some(b'\n') => break,
                Some(b'\\') => {
                    escapes = true;
                    text.push('\\');
                    self.bump();
                    if let Some(escaped) = self.peek().filter(|escaped| *escaped != b'\n') {
                        universal |= matches!(escaped, b'u' | b'U');
                        unknown |= !escaped.is_ascii_graphic();
                        self.literal_byte(escaped, &mut text);
                    }
                }
                Some(byte) => {
                    ascii &= byte.is_ascii();
                    self.literal_byte(byte, &mut text);
                    closed = byte == quote;
                }
            }
        }
        let kind = match quote {
            _ if escapes && may_be_header_name(self.line()) => TokenKind::Stray(Stray::HeaderName),
            _ if !closed => TokenKind::Stray(Stray::UnterminatedLiteral),
            _ if !ascii && matches!(prefix, "L" | "u" | "U") => TokenKind::Stray(Stray::NotAsciiInWideLiteral),
            _ if universal => TokenKind::Stray(Stray::UniversalCharacterName),
            _ if unknown => TokenKind::Stray(Stray::UnknownEscape),
            b'"' => TokenKind::String,
            _ => TokenKind::Character,
        };
        self.push(kind, &text, start);
    }

    fn literal_byte(&mut self, byte: u8, text: &mut String) {
        if byte.is_ascii_graphic() || byte == b' ' {
            text.push(char::from(byte));
        } else {
            text.push('\\');
            for shift in [6, 3, 0] {
                text.push(char::from(b'0' + (byte >> shift & 7)));
            }
        }
        self.bump();
    }

    fn punctuator(&mut self, byte: u8, start: Place) {
        let rest = self.upcoming();
        let known = PUNCTUATORS.iter().find(|spelling| rest.starts_with(spelling.as_bytes()));
        let Some(spelling) = known else {
            self.bump();
            let text = if byte.is_ascii_graphic() { char::from(byte).to_string() } else { "?".to_owned() };
            return self.push(TokenKind::Stray(Stray::Byte), &text, start);
        };
        for _ in 0..spelling.len() {
            self.peek();
            self.bump();
        }
        let meaning = DIGRAPHS.iter().find(|(digraph, _)| digraph == spelling).map_or(*spelling, |(_, meaning)| meaning);
        self.push(TokenKind::Punctuator, meaning, start);
    }

    fn push(&mut self, kind: TokenKind, text: &str, place: Place) {
        let token = Token {
            kind,
            text: text.into(),
            place,
            macro_name: None,
            spaced: self.spaced,
            first: self.first,
            painted: false,
            original: None,
        };
        if self.first {
            self.line = self.tokens.len();
        }
        self.tokens.push(token);
        self.spaced = false;
        self.first = false;
    }
}

/// The length of a backslash with the line end after it. As for GCC, blanks may stand between them.
fn splice(bytes: &[u8]) -> Option<usize> {
    let rest = bytes.strip_prefix(b"\\")?;
    let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c)).count();
    (rest.get(blanks) == Some(&b'\n')).then_some(blanks + 2)
}

/// May a header's name follow on a line of which these are the first tokens? In a definition nothing asks for one.
fn may_be_header_name(line: &[Token]) -> bool {
    matches!(line, [hash, directive, ..] if hash.is("#") && !directive.is("define"))
}

/// Is what stands in angle brackets another text if it is no header's name?
fn is_odd_header_name(inside: &[u8]) -> bool {
    inside.iter().any(|byte| matches!(byte, b'\'' | b'"' | b'\\')) || inside.windows(2).any(|pair| matches!(pair, b"//" | b"/*"))
}
