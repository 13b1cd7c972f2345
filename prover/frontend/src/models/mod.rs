//! Models of C library functions, written in C.
//!
//! A program that calls `strlen` is analysed together with a `strlen` written in C: a definition is added for each function that is used,
//! but not defined, in the unit. Its lines are those of the file `<model strlen>`, and [`text`] shows them.

mod catalogue;

use crate::source::{
    File,
    token::{Place, Token, TokenKind, tokens},
};
use std::collections::{BTreeMap, BTreeSet};

/// How the names of the files of models begin.
pub(crate) const FILE: &str = "<model ";

/// Functions that are what their calls say, with what they have in common.
struct Family {
    name: &'static str,
    text: &'static str,
    functions: &'static [&'static str],
}

const FAMILIES: [Family; 3] = [
    Family { name: "printf", text: include_str!("output.c"), functions: &["dprintf", "fprintf", "printf", "snprintf", "sprintf"] },
    Family {
        name: "overflow",
        text: include_str!("overflow.c"),
        functions: &["__builtin_add_overflow", "__builtin_mul_overflow", "__builtin_sub_overflow"],
    },
    // Where it is called it has a meaning of its own.
    Family { name: POINTED_TO, text: include_str!("free.c"), functions: &[] },
];

/// The function that pointers may lead to without being defined.
pub(crate) const POINTED_TO: &str = "free";

/// How the names of models that are read per type of elements end.
const OF_ELEMENTS: &str = " of elements";

/// The function, or what functions have in common, that the file of this name is a model of.
pub fn function(file: &str) -> &str {
    let name = file.strip_prefix(FILE).and_then(|name| name.strip_suffix('>')).unwrap_or(file);
    name.strip_suffix(OF_ELEMENTS).unwrap_or(name)
}

/// Is the file a model, and none that is only called so?
pub(crate) fn is_model(file: &File) -> bool {
    let Some(name) = file.name.strip_prefix(FILE).and_then(|name| name.strip_suffix('>')) else { return false };
    let whole = || FAMILIES.iter().find(|family| family.name == name).map_or_else(|| text(name), |family| Some(family.text));
    let text = name.strip_suffix(OF_ELEMENTS).map_or_else(whole, of_elements);
    text.is_some_and(|text| file.bytes.as_deref() == Some(text.as_bytes()))
}

/// Models that leave more open than C does: what a run does in them need not be what C has it do.
const APPROXIMATE: [&str; 14] = [
    "atoi",
    "atol",
    "atoll",
    "bsearch of elements",
    "clock",
    "fputc",
    "fputs",
    "memcmp of elements",
    "printf",
    "putc",
    "putchar",
    "puts",
    "qsort of elements",
    "time",
];

/// The model whose allocation may hold what was in an older one, where that is not known.
const REALLOCATION: &str = "realloc";

/// Functions with a model that may set errno, and of which C does not say to what.
const SETS_ERRNO: [&str; 17] = [
    "atoi", "atol", "atoll", "clock", "fflush", "fgets", "fputc", "fputs", "getchar", "perror", "putc", "putchar", "puts", "realloc",
    "strdup", "strndup", "time",
];

/// What models call to choose something, the first to take any value.
const CHOOSING: [&str; 2] = ["__VERIFIER_nondet_", "__builtin_malloc"];

/// The model of errno, which no call of a function of the library leads to.
const ERRNO: &str = "__errno_location";

/// A model that chooses something as C says it, so that a program may call it in place of the library's function: that does what the model did in a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct DrawingModel {
    /// The function.
    pub name: &'static str,
    /// The model as C text.
    pub text: &'static str,
}

impl DrawingModel {
    /// The model that the file of this name is, if it is one of these.
    pub fn of(file: &str) -> Option<Self> {
        let title = file.strip_prefix(FILE).and_then(|name| name.strip_suffix('>'))?;
        let (name, text) = catalogue::MODELS.iter().find(|(name, _)| *name == title)?;
        let chooses = CHOOSING.iter().any(|callee| text.contains(callee));
        (chooses && !APPROXIMATE.contains(name) && *name != ERRNO).then_some(Self { name, text })
    }
}

/// Is the last parameter of the library's function a stream? Models look into none, and take a pointer to anything.
pub(crate) fn takes_stream(name: &str) -> bool {
    matches!(name, "fflush" | "fgets" | "fputc" | "fputs" | "putc")
}

/// May the library's function of this name set errno to anything?
pub(crate) fn sets_errno(name: &str) -> bool {
    SETS_ERRNO.contains(&name)
}

/// Is the file a model that leaves more open than C does?
pub(crate) fn is_approximate(file: &File) -> bool {
    let name = file.name.strip_prefix(FILE).and_then(|name| name.strip_suffix('>'));
    is_model(file) && name.is_some_and(|name| APPROXIMATE.contains(&name))
}

/// Is the file the model that allocates for what was allocated before?
pub(crate) fn is_reallocation(file: &File) -> bool {
    is_model(file) && file.name.strip_prefix(FILE).and_then(|name| name.strip_suffix('>')) == Some(REALLOCATION)
}

/// The names of all functions that have a model, in order.
pub fn names() -> impl Iterator<Item = &'static str> {
    catalogue::MODELS.iter().map(|(name, _)| *name)
}

/// The functions that `__builtin_` may stand before: those with a model, and those that write text.
pub(crate) fn with_builtins() -> impl Iterator<Item = &'static str> {
    names().chain(["fprintf", "printf", "snprintf", "sprintf"])
}

/// The C text of a function's model.
pub fn text(name: &str) -> Option<&'static str> {
    let index = catalogue::MODELS.binary_search_by_key(&name, |(known, _)| known).ok()?;
    catalogue::MODELS.get(index).map(|(_, text)| *text)
}

/// The C text of the model that is read per type of elements.
pub fn of_elements(name: &str) -> Option<&'static str> {
    let index = catalogue::ELEMENTS.binary_search_by_key(&name, |(known, _)| known).ok()?;
    catalogue::ELEMENTS.get(index).map(|(_, text)| *text)
}

/// Appends the models of all functions that are used and not defined, and those of functions that these use. Functions that the unit does not
/// declare are declared at its start.
pub(crate) fn add(unit: Vec<Token>, undeclared: &BTreeSet<&str>, files: &mut Vec<File>) -> Vec<Token> {
    let mut defined = definitions(&unit);
    let mut wanted = used(&unit);
    let mut declarations = Vec::new();
    let mut models = Vec::new();
    let mut families = BTreeSet::new();
    while let Some(name) = wanted.pop_first() {
        if defined.contains(&name) {
            continue;
        }
        if let Some(text) = text(&name) {
            let model = read_model(&name, text, files);
            wanted.append(&mut used(&model));
            if undeclared.contains(name.as_str()) {
                declarations.extend(prototype(&model));
            }
            models.extend(model);
        }
        if let Some(text) = of_elements(&name) {
            models.extend(read_model(&format!("{name}{OF_ELEMENTS}"), text, files));
        }
        families.extend(FAMILIES.iter().position(|family| family.functions.contains(&name.as_str())));
        defined.insert(name);
    }
    if !defined.contains(POINTED_TO) && is_value(&unit, POINTED_TO) {
        families.extend(FAMILIES.iter().position(|family| family.name == POINTED_TO));
    }
    for family in families.iter().filter_map(|position| FAMILIES.get(*position)) {
        models.extend(read_model(family.name, family.text, files));
    }
    declarations.into_iter().chain(unit).chain(models).collect()
}

/// The tokens of a model, which becomes a file of its own.
fn read_model(title: &str, text: &str, files: &mut Vec<File>) -> Vec<Token> {
    let file = u32::try_from(files.len()).unwrap_or(u32::MAX);
    files.push(File { name: format!("{FILE}{title}>"), bytes: Some(text.as_bytes().to_vec()) });
    with_attributes(tokens(text.as_bytes(), Place { file, line: 1, column: 1 }))
}

/// Makes one token of what stands behind `__attribute__`, `((nonnull))` or `((nonnull(1)))`: the parser wants no space between two of its parentheses.
fn with_attributes(tokens: Vec<Token>) -> Vec<Token> {
    let mut joined = Vec::new();
    let mut rest = tokens.into_iter();
    while let Some(token) = rest.next() {
        let attribute = token.is("__attribute__").then(|| token.replaced(TokenKind::Identifier, &enclosed(&mut rest)));
        joined.push(token);
        joined.extend(attribute);
    }
    joined
}

/// What the tokens say up to the end of the parenthesis that they begin with.
fn enclosed(tokens: &mut impl Iterator<Item = Token>) -> String {
    let (mut text, mut depth) = (String::new(), 0_usize);
    for token in tokens {
        text += &token.text;
        if token.is("(") {
            depth += 1;
        } else if token.is(")") {
            depth = depth.saturating_sub(1);
        }
        if depth == 0 {
            break;
        }
    }
    text
}

/// A function that the unit defines, where a model that is added calls it by the library's name: the model would not mean it. With it the
/// function whose model it is. `builtins` are called as `__builtin_` something.
pub(crate) fn conflict(unit: &[Token], builtins: &BTreeSet<&str>) -> Option<(String, String)> {
    let defined = definitions(unit);
    if let Some(name) = builtins.iter().find(|name| defined.contains(**name)) {
        return Some(((*name).to_owned(), format!("__builtin_{name}")));
    }
    let mut wanted: BTreeSet<String> = used(unit).into_iter().filter(|name| !defined.contains(name)).collect();
    let mut seen = BTreeSet::new();
    while let Some(name) = wanted.pop_first() {
        let model = tokens(text(&name).unwrap_or_default().as_bytes(), Place { file: 0, line: 1, column: 1 });
        for callee in used(&model) {
            if defined.contains(&callee) {
                return Some((callee, name));
            }
            if seen.insert(callee.clone()) {
                wanted.insert(callee);
            }
        }
    }
    None
}

/// The declarations of a model up to its function's body.
fn prototype(model: &[Token]) -> Vec<Token> {
    let mut tokens: Vec<Token> = model.iter().take_while(|token| !token.is("{")).cloned().collect();
    if let Some(last) = tokens.last() {
        tokens.push(last.replaced(TokenKind::Punctuator, ";"));
    }
    tokens
}

/// Functions of the library without a model that compilers know, of those without floating point (GCC's list of built-in functions), and those that
/// inline functions of the library's headers call. Those of the
/// form of reserved names, such as `__memcpy_chk`, need no list (`lower/reserved_names.rs`).
const WITHOUT_MODEL: [&str; 80] = [
    "_Exit",
    "_exit",
    "_setjmp",
    "abort",
    "aligned_alloc",
    "alloca",
    "btowc",
    "calloc",
    "dcgettext",
    "dgettext",
    "execl",
    "execle",
    "execlp",
    "execv",
    "execve",
    "execvp",
    "exit",
    "feclearexcept",
    "fegetenv",
    "fegetexceptflag",
    "fegetround",
    "feholdexcept",
    "feraiseexcept",
    "fesetenv",
    "fesetexceptflag",
    "feupdateenv",
    "ffsimax",
    "fork",
    "fprintf_unlocked",
    "fputc_unlocked",
    "fputs_unlocked",
    "free",
    "fscanf",
    "fwrite",
    "fwrite_unlocked",
    "getc",
    "getc_unlocked",
    "getcontext",
    "gettext",
    "imaxabs",
    "iswalnum",
    "iswalpha",
    "iswblank",
    "iswcntrl",
    "iswdigit",
    "iswgraph",
    "iswlower",
    "iswprint",
    "iswpunct",
    "iswspace",
    "iswupper",
    "iswxdigit",
    "longjmp",
    "malloc",
    "posix_memalign",
    "printf_unlocked",
    "putc_unlocked",
    "putchar_unlocked",
    "puts_unlocked",
    "scanf",
    "setjmp",
    "siglongjmp",
    "sigsetjmp",
    "sscanf",
    "strcasestr",
    "strfmon",
    "strftime",
    "strtod",
    "towlower",
    "towupper",
    "vfork",
    "vfprintf",
    "vfscanf",
    "vprintf",
    "vscanf",
    "vsnprintf",
    "vsprintf",
    "vsscanf",
    "wcstol",
    "wctob",
];

/// Is this the name of a function of the library that compilers may know more of than a declaration says?
pub(crate) fn is_of_library(name: &str) -> bool {
    is_known(name) || WITHOUT_MODEL.contains(&name)
}

/// Is this a function of the library that has a model?
pub(crate) fn is_known(name: &str) -> bool {
    text(name).is_some() || of_elements(name).is_some() || FAMILIES.iter().any(|family| family.functions.contains(&name))
}

/// Does the name stand somewhere as a value, neither called or declared as a function nor as a member?
fn is_value(tokens: &[Token], name: &str) -> bool {
    tokens.windows(3).any(|three| {
        matches!(three, [before, token, next]
            if token.kind == TokenKind::Identifier && token.is(name) && !next.is("(") && !before.is_any(&["*", ".", "->"]))
    })
}

/// The functions with a model that are called in the bodies of functions.
fn used(tokens: &[Token]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut depth = 0_usize;
    for (index, pair) in tokens.windows(2).enumerate() {
        let [token, next] = pair else { continue };
        // `(isdigit)(c)` is not the macro, if there is one.
        let is_called = || next.is("(") || next.is(")") && tokens.get(index + 2).is_some_and(|after| after.is("("));
        match token.kind {
            TokenKind::Punctuator if token.is("{") => depth += 1,
            TokenKind::Punctuator if token.is("}") => depth = depth.saturating_sub(1),
            TokenKind::Identifier if depth > 0 && is_called() && is_known(&token.text) => {
                names.insert(token.text.to_string());
            }
            _ => {}
        }
    }
    names
}

/// The functions that these tokens define: a name with parentheses at the outermost level, after which no declaration ends or goes on.
pub(crate) fn definitions(tokens: &[Token]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut depth = 0_usize;
    let mut candidates: BTreeMap<usize, &Token> = BTreeMap::new();
    for (index, token) in tokens.iter().enumerate() {
        match &*token.text {
            "(" | "[" | "{" => {
                if depth == 0
                    && token.is("(")
                    && let Some(before) = name_at_end(tokens.get(..index).unwrap_or_default())
                {
                    candidates.insert(index, before);
                }
                depth += 1;
            }
            ")" | "]" | "}" => {
                depth = depth.saturating_sub(1);
                let declaration_goes_on =
                    tokens.get(index + 1).is_none_or(|next| next.is_any(&[";", ",", "=", "(", ")", "[", "__asm__", "__attribute__"]));
                if depth == 0
                    && token.is(")")
                    && let Some((_, function)) = candidates.pop_last()
                    && !declaration_goes_on
                {
                    names.insert(function.text.to_string());
                }
            }
            _ => {}
        }
    }
    names
}

/// The name with which the tokens end, also in parentheses of its own: `int (abs)`.
fn name_at_end(tokens: &[Token]) -> Option<&Token> {
    let closed = tokens.iter().rev().take_while(|token| token.is(")")).count();
    let (name, before) = tokens.get(..tokens.len() - closed)?.split_last()?;
    let opened = before.iter().rev().take_while(|token| token.is("(")).count();
    (name.kind == TokenKind::Identifier && opened >= closed).then_some(name)
}
