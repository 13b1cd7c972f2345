//! Macros that say how a program is compiled, which is not known here, and names that stand for such macros once they are pasted together.
//!
//! ```c
//! #define JOIN(a, b) a##b
//! #if JOIN(__OPTI, MIZE__)
//! ```

use super::{
    File,
    directives::{self, Part},
    macro_bodies::MacroBodies,
    names_of_files::NAMES_OF_FILE,
    parts_of_names::is_part,
    predefined::{self, is_of_options, is_perhaps_processor},
    reserved::is_feature,
    token::{Token, TokenKind},
    unit::report_at,
    users_text::{UsersText, definition},
};
use crate::diagnostics::{Kind, Report};
use std::collections::BTreeSet;

/// The macros: `cc -E` is told neither to optimise nor to sanitise, and reads the standard input.
const VARYING: [&str; 23] = [
    "_FORTIFY_SOURCE",
    "__BASE_FILE__",
    "__DATE__",
    "__FAST_MATH__",
    "__NO_CTYPE",
    "__NO_INLINE__",
    "__OPTIMIZE_SIZE__",
    "__OPTIMIZE__",
    "__PIC__",
    "__PIE__",
    "__SANITIZE_ADDRESS__",
    "__SANITIZE_HWADDRESS__",
    "__SANITIZE_THREAD__",
    "__SSP_ALL__",
    "__SSP_EXPLICIT__",
    "__SSP_STRONG__",
    "__SSP__",
    "__TIMESTAMP__",
    "__TIME__",
    "__USE_EXTERN_INLINES",
    "__USE_FORTIFY_LEVEL",
    "__pic__",
    "__pie__",
];

/// Functions that headers have as macros, too, but for how they are read here.
pub(crate) const PERHAPS_MACROS: [&str; 46] = [
    "isalnum",
    "isalpha",
    "isblank",
    "iscntrl",
    "isdigit",
    "isgraph",
    "islower",
    "isprint",
    "ispunct",
    "isspace",
    "isupper",
    "isxdigit",
    "tolower",
    "toupper",
    "isascii",
    "toascii",
    "_tolower",
    "_toupper",
    "htonl",
    "htons",
    "ntohl",
    "ntohs",
    "fread_unlocked",
    "fwrite_unlocked",
    "gettext",
    "ngettext",
    "dgettext",
    "dcgettext",
    "dngettext",
    "dcngettext",
    "isalnum_l",
    "isalpha_l",
    "isascii_l",
    "isblank_l",
    "iscntrl_l",
    "isdigit_l",
    "isgraph_l",
    "islower_l",
    "isprint_l",
    "ispunct_l",
    "isspace_l",
    "isupper_l",
    "isxdigit_l",
    "toascii_l",
    "tolower_l",
    "toupper_l",
];

/// Macros that a header of the system has where programs are optimised, since it then includes others: which header, and the macros.
const OF_HEADERS: [(&str, &[&str]); 2] = [
    (
        "/libintl.h",
        &[
            "NULL",
            "LC_ADDRESS",
            "LC_ADDRESS_MASK",
            "LC_ALL",
            "LC_ALL_MASK",
            "LC_COLLATE",
            "LC_COLLATE_MASK",
            "LC_CTYPE",
            "LC_CTYPE_MASK",
            "LC_GLOBAL_LOCALE",
            "LC_IDENTIFICATION",
            "LC_IDENTIFICATION_MASK",
            "LC_MEASUREMENT",
            "LC_MEASUREMENT_MASK",
            "LC_MESSAGES",
            "LC_MESSAGES_MASK",
            "LC_MONETARY",
            "LC_MONETARY_MASK",
            "LC_NAME",
            "LC_NAME_MASK",
            "LC_NUMERIC",
            "LC_NUMERIC_MASK",
            "LC_PAPER",
            "LC_PAPER_MASK",
            "LC_TELEPHONE",
            "LC_TELEPHONE_MASK",
            "LC_TIME",
            "LC_TIME_MASK",
            "_LOCALE_H",
        ],
    ),
    ("/argp.h", &["ARGP_EI"]),
];

/// Refuses what the user's own text, or a definition on the command line, may make of such macros; given is also what the compiler makes of the text, and
/// which strings of that our own expansion does not have.
pub(super) fn varying_macros(text: &UsersText, preprocessed: &[Token], unexplained: &[Token]) -> Vec<Report> {
    let files = text.files;
    let of_headers = of_headers(files);
    let varies = |token: &&Token| token.is_any(&VARYING) || token.text.starts_with("_BITS_") && token.text.ends_with("_H");
    let functions = functions_of_system(files, preprocessed);
    let is_asked = |token: &&Token| token.is_any(&PERHAPS_MACROS) || token.is_any(&NAMES_OF_FILE) || functions.contains(&*token.text);
    let conditions = conditions(&text.parts);
    let asked = conditions.iter().copied().filter(is_asked).chain(named_lines(text, is_asked));
    let parts = text.parts_of_names();
    let mut perhaps: Vec<&str> = PERHAPS_MACROS.iter().chain(&of_headers).copied().collect();
    perhaps.retain(|name| text.tokens.iter().any(|token| &*token.text == *name) || parts.last_of(name).is_some());
    let made = made(text, preprocessed, unexplained, &perhaps);
    let unsettled = unsettled(text, &conditions, preprocessed, &of_headers);
    let of_headers_options = of_options_in_headers(text);
    let of_options =
        text.parts.iter().flat_map(looked_at).filter(|token| is_of_options(token) || of_headers_options.contains(&*token.text));
    let named =
        text.tokens.iter().filter(varies).chain(asked).chain(of_options).chain(perhaps_processors(text)).chain(made).chain(unsettled);
    let named = named.map(|token| report_at(files, token.place, Kind::Unsupported, &format!("{}, {DEPENDS}", token.text)));
    let names = VARYING.iter().chain(&of_headers).chain(&predefined::OF_OPTIONS).map(|name| (parts.last_of(name), (*name).to_owned()));
    let names = names.chain(predefined::names_of_processors().map(|name| (parts.last_of_all(&name), name)));
    let pasted = names.filter(|_| !text.is_preprocessed()).filter_map(|(part, name)| Some((part?, name)));
    let pasted = pasted.map(|(part, name)| {
        let message = format!("{part}, out of which {name} may be pasted together, {DEPENDS}");
        report_at(files, text.place(part), Kind::Unsupported, &message)
    });
    named.chain(pasted).collect()
}

/// What is said of such a macro.
const DEPENDS: &str = "which depends on how the program is compiled";

/// The macros that headers among the files have or not.
fn of_headers(files: &[File]) -> Vec<&'static str> {
    let is_there = |header: &str| files.iter().any(|file| file.bytes.is_none() && file.name.ends_with(header));
    OF_HEADERS.iter().filter(|(header, _)| is_there(header)).flat_map(|(_, names)| *names).copied().collect()
}

/// Where the text says something of such a macro of a header that another one has not settled: it asks for it, also by way of its own macros, defines it, or
/// has the name left when all macros are expanded.
fn unsettled<'text>(
    text: &'text UsersText,
    conditions: &[&'text Token],
    preprocessed: &'text [Token],
    names: &[&'static str],
) -> Vec<&'text Token> {
    let names: BTreeSet<&str> = names.iter().copied().collect();
    let standing_for_it = text.macros.leading_to(&names);
    let asked = conditions.iter().copied().filter(|token| names.contains(&*token.text) || standing_for_it.contains(&*token.text));
    let defined = text.parts.iter().filter_map(|part| match part {
        Part::Directive(_, line) if line.first().is_some_and(|first| first.is_any(&["define", "undef"])) => line.get(1),
        _ => None,
    });
    let defined = defined.filter(|token| names.contains(&*token.text));
    let left = preprocessed.iter().filter(|token| token.kind == TokenKind::Identifier && names.contains(&*token.text));
    asked.chain(defined).chain(left).collect()
}

/// Strings and names that a macro makes of what it is given, with one of these names in them, other than what `assert` hands to the library.
fn made<'tokens>(text: &UsersText, preprocessed: &'tokens [Token], unexplained: &'tokens [Token], names: &[&str]) -> Vec<&'tokens Token> {
    let (quotes, pastes) = (hands_on(text, "#"), hands_on(text, "##"));
    let is_own = text.tokens.iter().any(|token| token.is("__assert_fail"));
    let is_asserted = |at: usize| {
        let before = at.checked_sub(2).and_then(|from| preprocessed.get(from..at)).unwrap_or_default();
        !is_own && matches!(before, [name, open] if name.is("__assert_fail") && open.is("("))
    };
    let is_made = |token: &&Token| match token.kind {
        TokenKind::String => quotes && names.iter().any(|name| token.text.contains(name)),
        TokenKind::Identifier => pastes && names.iter().any(|name| token.text.contains(name) && &*token.text != *name),
        _ => false,
    };
    // Of what a line marker calls a header of the system it is not known what comes of macros.
    let has_markers = text.parts.iter().any(directives::is_marker);
    let expanded = preprocessed.iter().enumerate().filter(|(at, token)| (has_markers || token.macro_name.is_some()) && !is_asserted(*at));
    expanded.map(|(_, token)| token).chain(unexplained).filter(is_made).collect()
}

/// The tokens of all conditions, `#if` and its like, and of macros that may stand there.
fn conditions(parts: &[Part]) -> Vec<&Token> {
    // `#define HAS(x) defined(x)`: then any macro may say what is asked.
    let asks = |part: &Part| definition(part).is_some_and(|line| line.iter().any(|token| token.is("defined")));
    let all = parts.iter().any(asks);
    let is_condition = |part: &&Part| match part {
        Part::Directive(_, line) => line.first().is_some_and(|first| first.text.contains("if")) || all && definition(part).is_some(),
        Part::Text(_) => false,
    };
    parts.iter().filter(is_condition).flat_map(Part::tokens).collect()
}

/// The tokens that are looked at, or may be: not the names that are defined, nor those of headers.
fn looked_at(part: &Part) -> &[Token] {
    match part {
        Part::Text(text) => text,
        Part::Directive(_, line) => match line.first().map(|first| &*first.text) {
            Some("define") => line.get(2..).unwrap_or_default(),
            Some("include" | "include_next" | "import") if line.get(1).is_some_and(|name| name.is("<")) => &[],
            Some("undef" | "error" | "warning") => &[],
            _ => line,
        },
    }
}

/// The tokens of lines in which macros are expanded that name a header, or a line: those of which this is so, or that stand for such ones.
fn named_lines<'text>(text: &'text UsersText, is_such: impl Fn(&&Token) -> bool) -> impl Iterator<Item = &'text Token> {
    let such: BTreeSet<&str> = text.tokens.iter().filter(&is_such).map(|token| &*token.text).collect();
    let standing_for_it = text.macros.leading_to(&such);
    let lines = text.parts.iter().filter(|part| match part {
        Part::Directive(_, line) => line.first().is_some_and(|first| first.is_any(&["include", "include_next", "import", "line"])),
        Part::Text(_) => false,
    });
    let tokens: Vec<&Token> =
        lines.flat_map(looked_at).filter(|token| such.contains(&*token.text) || standing_for_it.contains(&*token.text)).collect();
    tokens.into_iter()
}

/// Macros of the system's headers that stand for such ones, and what `<math.h>` has as these say.
fn of_options_in_headers<'text>(text: &'text UsersText) -> BTreeSet<&'text str> {
    let of_options = text.library.with(is_of_options);
    let mut names = text.library.leading_to(&of_options);
    names.extend(of_options);
    if text.files.iter().any(|file| file.bytes.is_none() && file.name.ends_with("/math.h")) {
        names.extend(OF_FLOATING_POINT);
    }
    names
}

/// What `<math.h>` has as the options for floating point say.
const OF_FLOATING_POINT: [&str; 6] = ["FP_FAST_FMA", "FP_FAST_FMAF", "FP_FAST_FMAL", "double_t", "float_t", "math_errhandling"];

/// Names that may be those of processors of which conditions ask, or macros that may stand there. `__has_attribute` and its like ask for no macro.
fn perhaps_processors<'text>(text: &'text UsersText) -> Vec<&'text Token> {
    let is_settled = |name: &str| is_feature(name) || text.macros.defines(name) || text.library.defines(name);
    let may_ask = |part: &&Part| match part {
        Part::Directive(_, line) => {
            line.first().is_some_and(|first| first.text.contains("if"))
                || definition(part).is_some_and(|line| line.iter().any(|token| token.is("defined")))
        }
        Part::Text(_) => false,
    };
    let mut found = Vec::new();
    for line in text.parts.iter().filter(may_ask).map(Part::tokens) {
        let is_of_question = |at: usize| {
            let before = at.checked_sub(2).and_then(|from| line.get(from..at)).unwrap_or_default();
            matches!(before, [question, open] if question.text.starts_with("__has_") && open.is("("))
        };
        let asked =
            line.iter().enumerate().filter(|(at, token)| is_perhaps_processor(token) && !is_settled(&token.text) && !is_of_question(*at));
        found.extend(asked.map(|(_, token)| token));
    }
    found
}

/// What the system's headers declare as functions: with other options some of them are macros.
fn functions_of_system<'tokens>(files: &[File], tokens: &'tokens [Token]) -> BTreeSet<&'tokens str> {
    let is_own = |token: &Token| {
        let file = usize::try_from(token.place.file).ok().and_then(|file| files.get(file));
        file.is_some_and(|file| file.bytes.is_some())
    };
    let pairs = tokens.iter().zip(tokens.iter().skip(1));
    pairs.filter(|(name, next)| is_part(name) && next.is("(") && !is_own(name)).map(|(name, _)| &*name.text).collect()
}

/// Does a macro hand what it is given, after expanding it, to one that quotes or pastes it? Macros of the system's headers may do either.
fn hands_on(text: &UsersText, operator: &str) -> bool {
    let operates = |token: &Token| token.is(operator);
    let of_library = text.library.with(operates);
    let handing_on = text.library.handing_on_to(&of_library);
    let mut operating = text.macros.with(operates);
    operating.extend(&of_library);
    operating.extend(["__STRING", "__CONCAT"]);
    let of_optional = |bodies: &MacroBodies| !bodies.of_bodies(|body| operates_on_optional(body, operator)).is_empty();
    let words: Vec<&Token> = text.parts.iter().filter(|part| matches!(part, Part::Text(_))).flat_map(Part::tokens).collect();
    let is_handed_on = words.windows(2).any(|pair| matches!(pair, [name, next] if operating.contains(&*name.text) && !next.is("(")));
    let is_optional = of_optional(&text.macros) || of_optional(text.library);
    is_optional
        || is_handed_on
        || text.tokens.iter().any(|token| handing_on.contains(&*token.text))
        || !text.macros.leading_to(&operating).is_empty()
}

/// Are there both the operator and `__VA_OPT__` in what a macro stands for, as in `#__VA_OPT__(x)`? Then x is expanded before it is quoted.
fn operates_on_optional(body: &[Token], operator: &str) -> bool {
    let has = |text: &str| body.iter().any(|token| token.is(text));
    has("__VA_OPT__") && has(operator)
}
