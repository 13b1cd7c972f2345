//! Specification files: `CHECK( init(main()), LTL(G ! call(reach_error())) )`, one or several of these.

use crate::text;
use goatherd_frontend::diagnostics::{Kind, Report};
use std::{fmt, path::Path};

/// What is asked of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Specification {
    /// The function that executions start from.
    pub entry: String,
    /// What no execution may do, each once, in the order of the file.
    pub parts: Vec<Subproperty>,
}

/// What no execution may do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Subproperty {
    /// Call this function, which is one of [`ERRORS`].
    UnreachCall(String),
    /// Free what may not be freed.
    ValidFree,
    /// Access what is no live object, or lies outside it.
    ValidDeref,
    /// Lose memory: let nothing lead to an object of the heap that lives.
    ValidMemtrack,
    /// End with an object of the heap that lives.
    ValidMemcleanup,
    /// Compute a signed value that its type does not have.
    NoOverflow,
}

impl Subproperty {
    /// Does every program have it of which no execution fails, with the checks that are asked for? Leaks are looked for only where the entry
    /// function ends, and memory that can still be reached there is none.
    #[must_use]
    pub fn follows_from_safe(&self) -> bool {
        !matches!(self, Subproperty::ValidMemtrack | Subproperty::ValidMemcleanup)
    }
}

impl fmt::Display for Subproperty {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Subproperty::UnreachCall(_) => "unreach-call",
            Subproperty::ValidFree => "valid-free",
            Subproperty::ValidDeref => "valid-deref",
            Subproperty::ValidMemtrack => "valid-memtrack",
            Subproperty::ValidMemcleanup => "valid-memcleanup",
            Subproperty::NoOverflow => "no-overflow",
        })
    }
}

/// The functions whose calls are failures, whatever a program defines them as: what `unreach-call` can be about.
pub const ERRORS: [&str; 3] = ["reach_error", "__VERIFIER_error", "__VERIFIER_fail"];

/// Formulas without a function, and what they ask for; nothing where that is not supported.
const FORMULAS: [(&[&str], Option<Subproperty>); 8] = [
    (&["G", "valid-free"], Some(Subproperty::ValidFree)),
    (&["G", "valid-deref"], Some(Subproperty::ValidDeref)),
    (&["G", "valid-memtrack"], Some(Subproperty::ValidMemtrack)),
    (&["G", "valid-memcleanup"], Some(Subproperty::ValidMemcleanup)),
    (&["G", "!", "overflow"], Some(Subproperty::NoOverflow)),
    (&["F", "end"], None),
    (&["G", "!", "data-race"], None),
    (&["G", "def-behavior"], None),
];

impl Specification {
    /// Reads a property file.
    ///
    /// # Errors
    ///
    /// It cannot be read, is no property file, or asks for what is not supported, such as termination.
    pub fn read(path: &Path) -> Result<Specification, Box<Report>> {
        let text = text(path)?;
        let name = path.to_string_lossy();
        parse(&text).map_err(|Wrong { kind, at, message }| Box::new(Report::of_text(kind, (&name, &text), at, message)))
    }

    /// Is this one of its parts?
    pub fn asks_for(&self, part: &Subproperty) -> bool {
        self.parts.contains(part)
    }

    /// The function that may not be called, if there is one.
    pub fn function(&self) -> Option<&str> {
        self.parts.iter().find_map(|part| match part {
            Subproperty::UnreachCall(function) => Some(function.as_str()),
            _ => None,
        })
    }
}

/// What is wrong with a text, and where: in bytes from its start.
#[derive(PartialEq, Eq, Debug)]
struct Wrong {
    kind: Kind,
    at: usize,
    message: String,
}

fn error(at: usize, message: impl Into<String>) -> Wrong {
    Wrong { kind: Kind::Error, at, message: message.into() }
}

fn unsupported(at: usize, message: impl Into<String>) -> Wrong {
    Wrong { kind: Kind::Unsupported, at, message: message.into() }
}

fn parse(text: &str) -> Result<Specification, Wrong> {
    let words = words(text)?;
    let mut reader = Reader { words: &words, end: text.len() };
    let mut property: Option<Specification> = None;
    while let Some((at, word)) = reader.words.first().copied() {
        if word == "COVER" {
            return Err(unsupported(at, "a property of test generators"));
        }
        let (entry, part) = reader.check()?;
        let known = property.get_or_insert_with(|| Specification { entry: entry.to_owned(), parts: Vec::new() });
        if known.entry != entry {
            return Err(unsupported(at, format!("executions that start from '{entry}' and from '{}'", known.entry)));
        }
        if matches!((known.function(), &part), (Some(one), Subproperty::UnreachCall(other)) if one != other) {
            return Err(unsupported(at, "calls of two functions"));
        }
        if !known.asks_for(&part) {
            known.parts.push(part);
        }
    }
    property.ok_or_else(|| error(0, "this is no property: it begins with 'CHECK(' where it is one"))
}

/// Words and the characters between them, each with its offset.
fn words(text: &str) -> Result<Vec<(usize, &str)>, Wrong> {
    let is_in_word = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-');
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let at = text.len() - rest.len();
        let length = match first {
            _ if is_in_word(first) => rest.find(|next| !is_in_word(next)).unwrap_or(rest.len()),
            '(' | ')' | ',' | '!' => 1,
            _ if first.is_whitespace() => {
                rest = &rest[first.len_utf8()..];
                continue;
            }
            _ => return Err(error(at, "a character that no property has")),
        };
        let (word, after) = rest.split_at(length);
        words.push((at, word));
        rest = after;
    }
    Ok(words)
}

/// What is left of a file.
struct Reader<'a> {
    words: &'a [(usize, &'a str)],
    end: usize,
}

impl<'a> Reader<'a> {
    /// `CHECK( init(ENTRY()), LTL(FORMULA) )`.
    fn check(&mut self) -> Result<(&'a str, Subproperty), Wrong> {
        self.all(&["CHECK", "(", "init", "("])?;
        let entry = self.name("the function that executions start from")?;
        self.all(&["(", ")", ")", ",", "LTL", "("])?;
        let part = self.formula()?;
        self.all(&[")", ")"])?;
        Ok((entry, part))
    }

    fn formula(&mut self) -> Result<Subproperty, Wrong> {
        let begins_with = |words: &[&str]| self.words.iter().map(|(_, word)| *word).take(words.len()).eq(words.iter().copied());
        let at = self.at();
        if begins_with(&["G", "!", "call", "("]) {
            self.all(&["G", "!", "call", "("])?;
            let (at, function) = (self.at(), self.name("a function")?);
            self.all(&["(", ")", ")"])?;
            if !ERRORS.contains(&function) {
                return Err(unsupported(at, format!("calls of '{function}': only those of {} are", ERRORS.join(", "))));
            }
            return Ok(Subproperty::UnreachCall(function.to_owned()));
        }
        let found =
            FORMULAS.iter().find(|(words, _)| begins_with(words) && self.words.get(words.len()).is_some_and(|(_, next)| *next == ")"));
        let Some((words, part)) = found else { return Err(unsupported(at, "this formula")) };
        let Some(part) = part else { return Err(unsupported(at, format!("the property {}", words.join(" ")))) };
        self.all(words)?;
        Ok(part.clone())
    }

    fn at(&self) -> usize {
        self.words.first().map_or(self.end, |(at, _)| *at)
    }

    fn all(&mut self, expected: &[&str]) -> Result<(), Wrong> {
        expected.iter().try_for_each(|expected| match self.words.split_first() {
            Some(((_, word), rest)) if word == expected => {
                self.words = rest;
                Ok(())
            }
            _ => Err(error(self.at(), format!("'{expected}' is expected here"))),
        })
    }

    /// An identifier of C.
    fn name(&mut self, what: &str) -> Result<&'a str, Wrong> {
        let is_name = |word: &str| word.starts_with(|first: char| first == '_' || first.is_ascii_alphabetic()) && !word.contains('-');
        match self.words.split_first() {
            Some(((_, word), rest)) if is_name(word) => {
                self.words = rest;
                Ok(word)
            }
            _ => Err(error(self.at(), format!("{what} is expected here"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, Specification, Subproperty, parse};

    #[test]
    fn the_properties_of_the_competition_are_read() {
        let of = |formula: &str| parse(&format!("CHECK( init(main()), LTL({formula}) )\n")).map(|property| property.parts);
        let call = |function: &str| Ok(vec![Subproperty::UnreachCall(function.to_owned())]);
        assert_eq!(of("G ! call(reach_error())"), call("reach_error"));
        assert_eq!(of("G!call( __VERIFIER_error ( ) )"), call("__VERIFIER_error"));
        assert_eq!(of("G valid-free"), Ok(vec![Subproperty::ValidFree]));
        assert_eq!(of("G valid-memcleanup"), Ok(vec![Subproperty::ValidMemcleanup]));
        assert_eq!(of("G ! overflow"), Ok(vec![Subproperty::NoOverflow]));
        let memory = ["valid-free", "valid-deref", "valid-memtrack"].map(|part| format!("CHECK( init(main()), LTL(G {part}) )\n")).concat();
        let parts = vec![Subproperty::ValidFree, Subproperty::ValidDeref, Subproperty::ValidMemtrack];
        assert_eq!(parse(&memory), Ok(Specification { entry: "main".to_owned(), parts }));
    }

    #[test]
    fn what_is_no_property_is_refused_where_it_stands() {
        let check = |formula: &str| format!("CHECK( init(main()), LTL({formula}) )");
        let two = |one: &str, other: &str| format!("{one}\n{other}");
        let good = check("G valid-free");
        for (text, kind, at) in [
            (String::new(), Kind::Error, 0),
            ("  \n".to_owned(), Kind::Error, 0),
            ("G valid-free".to_owned(), Kind::Error, 0),
            (check("F end"), Kind::Unsupported, 25),
            (check("G ! data-race"), Kind::Unsupported, 25),
            (check("G def-behavior"), Kind::Unsupported, 25),
            (check("G ! call(f())"), Kind::Unsupported, 34),
            (check("G call(reach_error())"), Kind::Unsupported, 25),
            (check("F ! call(reach_error())"), Kind::Unsupported, 25),
            (check("G ! valid-free"), Kind::Unsupported, 25),
            (check("G overflow"), Kind::Unsupported, 25),
            (check("G valid-free valid-deref"), Kind::Unsupported, 25),
            (check("! G valid-free"), Kind::Unsupported, 25),
            (check("G valid-freed"), Kind::Unsupported, 25),
            (check(""), Kind::Unsupported, 25),
            (check("G ! call(reach_error(x))"), Kind::Error, 46),
            (check("G ! call(5())"), Kind::Error, 34),
            ("CHECK( init(main()), LTL(G valid-free)".to_owned(), Kind::Error, 38),
            ("CHECK( init(main), LTL(G valid-free) )".to_owned(), Kind::Error, 16),
            ("CHECK( init(main()) || init(f()), LTL(G valid-free) )".to_owned(), Kind::Error, 20),
            (two(&good, "and more"), Kind::Error, good.len() + 1),
            (two(&good, "CHECK( init(f()), LTL(G valid-free) )"), Kind::Unsupported, good.len() + 1),
            (two(&check("G ! call(reach_error())"), &check("G ! call(__VERIFIER_error())")), Kind::Unsupported, 52),
            ("COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )".to_owned(), Kind::Error, 37),
            ("COVER( init(main()) )".to_owned(), Kind::Unsupported, 0),
        ] {
            let wrong = parse(&text).expect_err(&text);
            assert_eq!((wrong.kind, wrong.at), (kind, at), "{text}: {}", wrong.message);
        }
    }
}
