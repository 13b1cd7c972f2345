//! Macros that say how a program is compiled, which is not known here, and names that stand for such macros once they are pasted together.
//!
//! ```c
//! #define JOIN(a, b) a##b
//! #if JOIN(__OPTI, MIZE__)        /* so is this */
//! ```

use super::{
    File,
    directives::{self, Part},
    reserved,
    token::{Place, Token, TokenKind, tokens},
    unit::report_at,
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

/// Macros that depend on the dialect, on options and on the processor that programs are compiled for. Programs define some of them themselves, and have words
/// of them in the names of headers: what counts is where they are looked at.
const OF_OPTIONS: [&str; 74] = [
    "_OPENACC",
    "_OPENMP",
    "_REENTRANT",
    "_SOFT_FLOAT",
    "_STDC_PREDEF_H",
    "__ABM__",
    "__ADX__",
    "__AES__",
    "__ASSOCIATIVE_MATH__",
    "__BIGGEST_ALIGNMENT__",
    "__BMI2__",
    "__BMI__",
    "__CET__",
    "__CLFLUSHOPT__",
    "__CLWB__",
    "__CLZERO__",
    "__CRC32__",
    "__EXCEPTIONS",
    "__F16C__",
    "__FINITE_MATH_ONLY__",
    "__FMA4__",
    "__FMA__",
    "__FSGSBASE__",
    "__GCC_HAVE_DWARF2_CFI_ASM",
    "__GCC_HAVE_SYNC_COMPARE_AND_SWAP_16",
    "__GCC_IEC_559",
    "__GCC_IEC_559_COMPLEX",
    "__GFNI__",
    "__GNUC_GNU_INLINE__",
    "__GNUC_STDC_INLINE__",
    "__LAHF_SAHF__",
    "__LZCNT__",
    "__MMX_WITH_SSE__",
    "__MMX__",
    "__MOVBE__",
    "__NO_MATH_ERRNO__",
    "__NO_SIGNED_ZEROS__",
    "__NO_TRAPPING_MATH__",
    "__PCLMUL__",
    "__POPCNT__",
    "__PRFCHW__",
    "__RDPID__",
    "__RDRND__",
    "__RDSEED__",
    "__RECIPROCAL_MATH__",
    "__ROUNDING_MATH__",
    "__RTM__",
    "__SHA__",
    "__SHSTK__",
    "__SSE2_MATH__",
    "__SSE2__",
    "__SSE3__",
    "__SSE4A__",
    "__SSE4_1__",
    "__SSE4_2__",
    "__SSE_MATH__",
    "__SSE__",
    "__SSSE3__",
    "__STDC_HOSTED__",
    "__STDC_IEC_559_COMPLEX__",
    "__STDC_IEC_559__",
    "__STDC_IEC_60559_BFP__",
    "__STDC_IEC_60559_COMPLEX__",
    "__STDC_ISO_10646__",
    "__STRICT_ANSI__",
    "__SUPPORT_SNAN__",
    "__TBM__",
    "__USER_LABEL_PREFIX__",
    "__VAES__",
    "__VPCLMULQDQ__",
    "__XOP__",
    "__XSAVE__",
    "linux",
    "unix",
];

/// How others of them begin.
const PREFIXES_OF_OPTIONS: [&str; 6] = ["__AVX", "__FP_FAST_", "__XSAVE", "__code_model_", "__k8", "__tune_"];

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

/// Refuses what the user's own text, or a definition on the command line, may make of such macros; given is also what the compiler makes of the text.
pub(super) fn varying_macros(files: &[File], definitions: &[String], preprocessed: &[Token]) -> Vec<Report> {
    let own: Vec<Token> = (0..).zip(files).flat_map(|(number, file)| tokens_of(number, file)).collect();
    let defined: Vec<Token> = definitions.iter().flat_map(|definition| tokens(definition.as_bytes(), Place::default())).collect();
    let varies = |token: &&Token| token.is_any(&VARYING) || token.text.starts_with("_BITS_") && token.text.ends_with("_H");
    let functions = functions_of_system(files, preprocessed);
    let conditions = (0..).zip(files).flat_map(|(number, file)| conditions(tokens_of(number, file)));
    let asked: Vec<Token> =
        conditions.filter(|token| token.is_any(&PERHAPS_MACROS) || token.is("__FILE__") || functions.contains(&*token.text)).collect();
    let quotes = (0..).zip(files).any(|(number, file)| quotes_expansions(tokens_of(number, file)));
    let is_quoted = |token: &&Token| {
        token.kind == TokenKind::String && token.macro_name.is_some() && PERHAPS_MACROS.iter().any(|name| token.text.contains(name))
    };
    let quoted = preprocessed.iter().filter(|token| quotes && is_quoted(token));
    let looked_at: Vec<Token> = (0..).zip(files).flat_map(|(number, file)| looked_at(tokens_of(number, file))).collect();
    let bodies = definitions.iter().flat_map(|definition| tokens(definition.as_bytes(), Place::default()).into_iter().skip(1));
    let of_options: Vec<Token> = looked_at.into_iter().chain(bodies).filter(is_of_options).collect();
    let named = own.iter().filter(varies).chain(&asked).chain(&of_options).chain(quoted).chain(defined.iter().filter(varies));
    let named = named.map(|token| report_at(files, token.place, Kind::Unsupported, &format!("{}, {DEPENDS}", token.text)));
    let texts: BTreeSet<&str> = own.iter().chain(&defined).filter(|token| is_part(token)).map(|token| &*token.text).collect();
    let pastes = own.iter().any(|token| token.is_any(&["##", "%:%:"]) || reserved::is_foreign(token));
    let pasted = VARYING.iter().filter(|_| pastes).filter_map(|name| pasted_from(name, &texts));
    let place = |part: &str| own.iter().find(|token| &*token.text == part).map_or(Place::default(), |token| token.place);
    let pasted = pasted.map(|(name, part)| {
        let message = format!("{part}, out of which {name} may be pasted together, {DEPENDS}");
        report_at(files, place(&part), Kind::Unsupported, &message)
    });
    named.chain(pasted).collect()
}

/// What is said of such a macro.
const DEPENDS: &str = "which depends on how the program is compiled";

fn tokens_of(number: u32, file: &File) -> Vec<Token> {
    file.bytes.iter().flat_map(|bytes| tokens(bytes, Place { file: number, line: 1, column: 1 })).collect()
}

/// The tokens of all conditions, `#if` and its like, and of macros that may stand there.
fn conditions(text: Vec<Token>) -> impl Iterator<Item = Token> {
    let parts = directives::parts(text);
    let is_definition = |line: &[Token]| line.first().is_some_and(|first| first.is("define"));
    // `#define HAS(x) defined(x)`: then any macro may say what is asked.
    let asks =
        |part: &Part| matches!(part, Part::Directive(_, line) if is_definition(line) && line.iter().any(|token| token.is("defined")));
    let all = parts.iter().any(asks);
    let condition = move |part| match part {
        Part::Directive(_, line) if line.first().is_some_and(|first| first.text.contains("if")) => Some(line),
        Part::Directive(_, line) if all && is_definition(&line) => Some(line),
        _ => None,
    };
    parts.into_iter().filter_map(condition).flatten()
}

fn is_of_options(token: &Token) -> bool {
    token.is_any(&OF_OPTIONS) || token.is_identifier() && PREFIXES_OF_OPTIONS.iter().any(|prefix| token.text.starts_with(prefix))
}

/// The tokens that are looked at, or may be: not the names that are defined, nor those of headers.
fn looked_at(text: Vec<Token>) -> impl Iterator<Item = Token> {
    directives::parts(text).into_iter().flat_map(|part| match part {
        Part::Text(text) => text,
        Part::Directive(_, line) => {
            let names = match line.first().map(|first| &*first.text) {
                Some("define") => 2,
                Some("undef" | "include" | "include_next" | "import" | "pragma" | "error" | "warning" | "line") => usize::MAX,
                _ => 0,
            };
            line.into_iter().skip(names).collect()
        }
    })
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

/// Does a macro hand what it is given, after expanding it, to one that makes a string of it?
fn quotes_expansions(text: Vec<Token>) -> bool {
    let used: Vec<Token> = directives::parts(text.clone())
        .into_iter()
        .filter_map(|part| match part {
            Part::Text(text) => Some(text),
            Part::Directive(..) => None,
        })
        .flatten()
        .collect();
    let definitions: Vec<Vec<Token>> = directives::parts(text)
        .into_iter()
        .filter_map(|part| match part {
            Part::Directive(_, line) if line.first().is_some_and(|first| first.is("define")) => Some(line),
            _ => None,
        })
        .collect();
    let quoting = definitions.iter().filter(|line| line.iter().any(|token| token.is("#"))).filter_map(|line| line.get(1));
    let quoting: BTreeSet<&str> = quoting.map(|name| &*name.text).chain(["__STRING"]).collect();
    let is_handed_on = used.windows(2).any(|pair| matches!(pair, [name, next] if quoting.contains(&*name.text) && !next.is("(")));
    is_handed_on || definitions.iter().any(|line| line.iter().skip(2).any(|token| quoting.contains(&*token.text)))
}

/// May the token be a part of a name?
fn is_part(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Identifier | TokenKind::Number)
}

/// The name, if it is several of these texts one behind the other, and the last one of them. Headers of the system have macros that put underscores
/// before what they are given.
fn pasted_from(name: &'static str, texts: &BTreeSet<&str>) -> Option<(&'static str, String)> {
    let underscores = name.len() - name.trim_start_matches('_').len();
    // What is before each of these ends is made of parts.
    let mut ends: BTreeSet<usize> = (0..=underscores).collect();
    let mut last = None;
    for end in 1..=name.len() {
        let part = ends.iter().filter_map(|start| name.get(*start..end)).find(|part| *part != name && texts.contains(part));
        if let Some(part) = part {
            last = Some(part);
            ends.insert(end);
        }
    }
    (ends.contains(&name.len())).then(|| (name, last.unwrap_or_default().to_owned()))
}
