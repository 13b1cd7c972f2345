//! Harnesses: C of our own with directives, whole lines that begin with `// `. `tests/corpus/README.md` tells how to write one.
//!
//! | directive | does |
//! |---|---|
//! | `include NAME` | puts in our own text `tests/corpus/include/NAME` |
//! | `extract ID [OLD=NEW]...` | puts in the function ID of the manifest, whole words replaced as asked |
//! | `rewrite "old" => "new"` | replaces the only occurrence of a text in the function just extracted |
//! | `twin [N] "old" => "new"` | replaces the only occurrence of a text in the whole program: an edit of its N-th (first) buggy twin |

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

/// A harness, read but not filled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Harness {
    pieces: Vec<Piece>,
    /// The edits of each buggy twin, by its number.
    twins: BTreeMap<u32, Vec<Edit>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    /// A line of the harness itself.
    Own(String),
    Include(String),
    Extract {
        id: String,
        /// Words of the function and what they become, one after the other.
        renamed: Vec<(String, String)>,
        rewritten: Vec<Edit>,
    },
}

/// A text that must occur once, and what takes its place.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Edit {
    /// The line of the harness, counted from 1.
    line: usize,
    old: String,
    new: String,
}

/// What is put into harnesses, each by its name.
#[derive(Debug, Clone, Default)]
pub struct Texts {
    /// Our own shared texts.
    pub includes: BTreeMap<String, String>,
    /// The functions that could be had.
    pub functions: BTreeMap<String, Extracted>,
}

/// A function taken from its package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extracted {
    /// Where it stands: its name in the manifest, package and version, file and lines.
    pub place: String,
    /// Its text.
    pub text: String,
}

/// A self-contained C program and its buggy twins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Programs {
    /// The program.
    pub good: String,
    /// Its twins, with their numbers.
    pub twins: BTreeMap<u32, String>,
}

/// Why there is no program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unfilled {
    /// A function could not be had: not a fault of the harness.
    Missing(String),
    /// The harness is wrong: at which line, counted from 1, and why.
    Wrong(usize, String),
}

impl fmt::Display for Unfilled {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(id) => write!(formatter, "{id} is missing"),
            Self::Wrong(line, reason) => write!(formatter, "line {line}: {reason}"),
        }
    }
}

impl Harness {
    /// Reads a harness; refuses a directive that is not of its form, or a `rewrite` that follows no `extract`.
    pub fn read(text: &str) -> Result<Self, Unfilled> {
        let mut harness = Self { pieces: Vec::new(), twins: BTreeMap::new() };
        for (line, text) in (1..).zip(text.lines()) {
            let (directive, rest) = text.strip_prefix("// ").and_then(|rest| rest.split_once(' ')).unwrap_or_default();
            match directive {
                "include" => harness.pieces.push(Piece::Include(rest.trim().to_owned())),
                "extract" => harness.pieces.push(extract(rest).ok_or(Unfilled::Wrong(line, "expected ID [OLD=NEW]...".into()))?),
                "rewrite" => {
                    let Some(Piece::Extract { rewritten, .. }) = harness.pieces.last_mut() else {
                        return Err(Unfilled::Wrong(line, "a rewrite stands directly behind its extract".into()));
                    };
                    rewritten.push(edit(line, rest)?);
                }
                "twin" => {
                    let (number, rest) =
                        rest.split_once(' ').and_then(|(word, rest)| Some((word.parse().ok()?, rest))).unwrap_or((1, rest));
                    harness.twins.entry(number).or_default().push(edit(line, rest)?);
                }
                _ => harness.pieces.push(Piece::Own(text.to_owned())),
            }
        }
        Ok(harness)
    }

    /// The manifest's functions that the harness names.
    pub fn functions(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|piece| if let Piece::Extract { id, .. } = piece { Some(id.as_str()) } else { None })
    }

    /// Puts the texts in.
    pub fn fill(&self, texts: &Texts) -> Result<Programs, Unfilled> {
        let mut good = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Own(line) => {
                    good.push_str(line);
                    good.push('\n');
                }
                Piece::Include(name) => good.push_str(texts.includes.get(name).ok_or_else(|| Unfilled::Missing(name.clone()))?),
                Piece::Extract { id, renamed, rewritten } => {
                    let Extracted { place, text } = texts.functions.get(id).ok_or_else(|| Unfilled::Missing(id.clone()))?;
                    let renamed = renamed.iter().fold(text.clone(), |text, (old, new)| replace_word(&text, old, new));
                    let _ = writeln!(good, "/* {place} */\n{}", apply(rewritten, renamed)?.trim_end());
                }
            }
        }
        let twins = self.twins.iter().map(|(number, edits)| Ok((*number, apply(edits, good.clone())?))).collect::<Result<_, _>>()?;
        Ok(Programs { good, twins })
    }
}

/// Where the functions stand that were put into a program.
pub fn places(program: &str) -> Vec<String> {
    let place = |line: &str| Some(line.strip_prefix("/* ")?.strip_suffix(" */")?.to_owned());
    // Other comments of one line name no lines of a file.
    let is_place =
        |place: &String| place.rsplit_once(':').is_some_and(|(_, lines)| lines.split('-').all(|line| line.parse::<u32>().is_ok()));
    program.lines().filter_map(place).filter(is_place).collect()
}

fn extract(rest: &str) -> Option<Piece> {
    let mut words = rest.split_whitespace();
    let id = words.next()?.to_owned();
    let renamed = words.map(|word| word.split_once('=').map(|(old, new)| (old.to_owned(), new.to_owned()))).collect::<Option<_>>()?;
    Some(Piece::Extract { id, renamed, rewritten: Vec::new() })
}

/// Reads `"old" => "new"`, with the escapes of JSON.
fn edit(line: usize, rest: &str) -> Result<Edit, Unfilled> {
    let wrong = || Unfilled::Wrong(line, "expected \"old\" => \"new\", with the escapes of JSON".into());
    let mut strings = serde_json::Deserializer::from_str(rest).into_iter::<String>();
    let old = strings.next().and_then(Result::ok).ok_or_else(wrong)?;
    let rest = rest.get(strings.byte_offset()..).and_then(|rest| rest.trim_start().strip_prefix("=>")).ok_or_else(wrong)?;
    let new = serde_json::from_str(rest).map_err(|_| wrong())?;
    Ok(Edit { line, old, new })
}

/// Makes the edits one after the other; each must find its text exactly once.
fn apply(edits: &[Edit], text: String) -> Result<String, Unfilled> {
    edits.iter().try_fold(text, |text, Edit { line, old, new }| match text.match_indices(old.as_str()).count() {
        1 => Ok(text.replacen(old, new, 1)),
        count => Err(Unfilled::Wrong(*line, format!("{old:?} occurs {count} times, not once"))),
    })
}

/// Replaces an identifier wherever it stands as a whole word.
fn replace_word(text: &str, old: &str, new: &str) -> String {
    let is_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let mut result = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(is_word) {
        let (before, from) = rest.split_at(start);
        let (word, after) = from.split_at(from.find(|character| !is_word(character)).unwrap_or(from.len()));
        result.push_str(before);
        result.push_str(if word == old { new } else { word });
        rest = after;
    }
    result + rest
}

#[cfg(test)]
mod tests {
    use super::{Extracted, Harness, Programs, Texts, Unfilled, places, replace_word};
    use std::collections::BTreeMap;

    fn texts() -> Texts {
        let function = Extracted { place: "f: p=1, f.c:1-1".into(), text: "int f(int f1) { return f1 + 1; }\n".into() };
        Texts {
            includes: BTreeMap::from([("own.h".to_owned(), "typedef int t;\n".to_owned())]),
            functions: BTreeMap::from([("f".to_owned(), function)]),
        }
    }

    fn fill(text: &str) -> Result<Programs, Unfilled> {
        Harness::read(text)?.fill(&texts())
    }

    #[test]
    fn fills_a_harness() {
        let text = "// include own.h\n// extract f f=g\n// rewrite \"+ 1\" => \"+ 2\"\nvoid test(void);\n";
        let good = "typedef int t;\n/* f: p=1, f.c:1-1 */\nint g(int f1) { return f1 + 2; }\nvoid test(void);\n";
        assert_eq!(fill(text), Ok(Programs { good: good.into(), twins: BTreeMap::new() }));
    }

    #[test]
    fn makes_twins_of_several_edits() {
        let programs = fill("// extract f\n// twin \"+ 1\" => \"- 1\"\n// twin \"int f1\" => \"long f1\"\n// twin 2 \"f1 +\" => \"\"\n");
        let twins = programs.expect("a good harness").twins;
        assert_eq!(twins[&1], "/* f: p=1, f.c:1-1 */\nint f(long f1) { return f1 - 1; }\n");
        assert_eq!(twins[&2], "/* f: p=1, f.c:1-1 */\nint f(int f1) { return  1; }\n");
    }

    #[test]
    fn a_program_names_the_places_of_its_functions() {
        let programs = fill("/* This: that. */\n// extract f\n").expect("a good harness");
        assert_eq!(places(&programs.good), ["f: p=1, f.c:1-1"]);
    }

    #[test]
    fn names_what_is_missing() {
        assert_eq!(fill("// extract h\n"), Err(Unfilled::Missing("h".into())));
        assert_eq!(fill("// include h\n"), Err(Unfilled::Missing("h".into())));
    }

    #[test]
    fn refuses_an_edit_that_does_not_match_once() {
        for (text, line) in [
            ("// extract f\n// rewrite \"f1\" => \"g\"\n", 2),
            ("// extract f\n\n// twin \"f2\" => \"g\"\n", 3),
            ("// extract f\n\n// rewrite \"+ 1\" => \"\"\n", 3),
            ("// twin \"a\" \"b\"\n", 1),
            ("// extract f\n// rewrite \"+\\q\" => \"\"\n", 2),
            ("// extract f g\n", 1),
        ] {
            assert!(matches!(fill(text), Err(Unfilled::Wrong(at, _)) if at == line), "{text}: {:?}", fill(text));
        }
    }

    #[test]
    fn replaces_whole_words_only() {
        assert_eq!(replace_word("strcmp(my_strcmp, strcmp2);", "strcmp", "f"), "f(my_strcmp, strcmp2);");
        assert_eq!(replace_word("__likely(n)", "__likely", ""), "(n)");
    }
}
