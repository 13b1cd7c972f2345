//! What is known of GNU C's extensions: attributes and pragmas by name. What is not listed here is refused, since what a compiler makes of it
//! is not known.

use super::token::{Token, TokenKind};

/// What becomes of an attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Attribute {
    /// It changes neither what a program means nor what a compiler may assume of it.
    Advice,
    /// The lowering judges it, by where it stands (`lower/elaborate/attributes.rs`).
    Judged,
    Unknown,
}

/// Attributes without a meaning for the analysis, by reason.
const ADVICE: [&[&str]; 7] = [
    // Warnings only: they tell the compiler what to say, not what to do. `access` and the like are checked, and nothing is derived from them.
    &[
        "unused",
        "maybe_unused",
        "deprecated",
        "unavailable",
        "warning",
        "error",
        "format",
        "format_arg",
        "sentinel",
        "warn_unused_result",
        "nodiscard",
        "nonstring",
        "fallthrough",
        "access",
        "designated_init",
        "warn_if_not_aligned",
        "null_terminated_string_arg",
        "fd_arg",
        "fd_arg_read",
        "fd_arg_write",
        "tainted_args",
        "diagnose_as_builtin",
    ],
    // Inlining and cloning keep the meaning of a call. Not so `gnu_inline`: beside it, `extern inline` defines no function for others.
    &["noinline", "always_inline", "noclone", "noipa", "flatten", "artificial", "no_icf", "no_reorder", "nomerge"],
    // Which code is thought to be frequent.
    &["hot", "cold", "likely", "unlikely", "expect"],
    // Where things lie in the object file and who sees them there; addresses as numbers are not part of the analysis. Not so `weak`: another file may
    // define what is defined here.
    &["visibility", "used", "retain", "externally_visible", "common", "nocommon", "noplt", "tls_model"],
    // Instrumentation, and protection from attacks.
    &[
        "no_instrument_function",
        "no_profile_instrument_function",
        "no_sanitize",
        "no_sanitize_address",
        "no_sanitize_thread",
        "no_sanitize_undefined",
        "no_address_safety_analysis",
        "no_sanitize_coverage",
        "no_stack_protector",
        "stack_protect",
        "no_split_stack",
        "patchable_function_entry",
        "nocf_check",
        "zero_call_used_regs",
        "uninitialized",
    ],
    // Exceptions, which C has not, and calls back into the file, of which there are none to what is defined elsewhere if there is no other file (of several
    // it is refused, `mod.rs`).
    &["nothrow", "leaf"],
    // It takes an assumption away from the compiler.
    &["may_alias"],
];

/// Where code and data of a program lie, by the first part of the name of their section: `.text.hot`, `.data..percpu`.
const ORDINARY_SECTIONS: [&str; 8] = ["text", "data", "bss", "init", "exit", "ref", "modinfo", "devinit"];

/// Is a section one for code, by its name? What is written must not lie there.
pub(crate) fn is_for_code(section: &str) -> bool {
    section.trim_matches('"').split('.').any(|part| part == "text")
}

/// Is it one that begins as zeros, whatever is to be there?
pub(crate) fn is_of_zeros(section: &str) -> bool {
    section.trim_matches('"').starts_with(".bss")
}

/// Is a section, given as it stands in the source, one that means nothing? A pointer in `.init_array` is a call before `main`, what stands in
/// `.init` runs then, and what is in `.noinit` does not begin as zero: names with a dot are those of linkers, and only these are known.
pub(crate) fn is_ordinary_section(literal: &str) -> bool {
    let Some(name) = literal.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else { return false };
    let is_word = |name: &str| name.chars().all(|character| character.is_ascii_alphanumeric() || matches!(character, '_' | '.'));
    let is_known = match name.strip_prefix('.').map(|rest| rest.split_once('.').unwrap_or((rest, ""))) {
        None => !name.is_empty(),
        // The section `.init` itself is a function that runs before `main`.
        // What is in `.data.rel.ro` is not written.
        Some((first, rest)) => ORDINARY_SECTIONS.contains(&first) && (first != "init" || !rest.is_empty()) && !rest.starts_with("rel"),
    };
    is_known && is_word(name)
}

/// Attributes that the lowering does right or refuses: layout, and what functions promise.
const JUDGED: [&str; 13] = [
    "packed",
    "aligned",
    "noreturn",
    "nonnull",
    "returns_nonnull",
    "pure",
    "const",
    "malloc",
    "alloc_size",
    "alloc_align",
    "assume_aligned",
    "returns_twice",
    "section",
];

/// The name of an attribute without the underscores that may stand around it.
pub(crate) fn attribute_name(spelling: &str) -> &str {
    spelling.strip_prefix("__").and_then(|rest| rest.strip_suffix("__")).filter(|name| !name.is_empty()).unwrap_or(spelling)
}

/// What becomes of the attribute of this name.
pub(crate) fn attribute(name: &str) -> Attribute {
    if ADVICE.iter().any(|group| group.contains(&name)) {
        Attribute::Advice
    } else if JUDGED.contains(&name) {
        Attribute::Judged
    } else {
        Attribute::Unknown
    }
}

/// Is this pragma, given by its first words, one that changes nothing but warnings, or that the preprocessor has carried out?
pub(crate) fn is_harmless_pragma(words: &[&str]) -> bool {
    match words {
        [] => true,
        ["GCC", second, ..] => matches!(
            *second,
            "diagnostic" | "unroll" | "poison" | "dependency" | "warning" | "error" | "visibility" | "push_options" | "pop_options"
        ),
        [first, ..] => matches!(*first, "once" | "message" | "mark" | "region" | "endregion"),
    }
}

/// What stands for the missing operand of `?:`. The name is reserved, so that no program has it.
pub(crate) const CONDITION: &str = "__condition";

/// What stands for the parts of a compound literal that has none, `(struct s){}`.
pub(crate) const NOTHING: &str = "__nothing";

/// Is it a reserved name that the rewritten text or the models of library functions have for something of their own?
pub(crate) fn is_ours(name: &str) -> bool {
    let is_of_models = ["__output_", "__overflow_", "__errno_", "__pointer_to_"].iter().any(|prefix| name.starts_with(prefix))
        && name != "__errno_location";
    [CONDITION, NOTHING, "__element"].contains(&name)
        || is_of_models
        || name.starts_with("__goatherd_")
        || name.starts_with("__") && name.ends_with("_of_elements")
}

/// Names that GNU C defines as macros on some machine, beside those that begin with an underscore.
pub(crate) const PREDEFINED: [&str; 3] = ["unix", "linux", "i386"];

/// Keywords that declarations have, in headers of the system as well.
const OF_DECLARATIONS: [&str; 20] = [
    "char", "const", "double", "enum", "extern", "float", "inline", "int", "long", "register", "restrict", "short", "signed", "static",
    "struct", "typedef", "union", "unsigned", "void", "volatile",
];

/// Keywords of statements and expressions.
const OF_STATEMENTS: [&str; 13] =
    ["break", "case", "continue", "default", "do", "else", "for", "goto", "if", "return", "sizeof", "switch", "while"];

/// Is it a keyword, which headers have, too?
pub(crate) fn is_keyword(name: &str) -> bool {
    OF_DECLARATIONS.contains(&name) || OF_STATEMENTS.contains(&name)
}

/// May a declaration in a header of the system have this name, so that it says something else where it is a macro of the user's?
pub(crate) fn is_of_headers(name: &str) -> bool {
    is_keyword(name) || is_reserved(name)
}

/// Has a name the form of those that are reserved for the implementation (C11 7.1.3p1)?
pub(crate) fn is_reserved(name: &str) -> bool {
    matches!(name.as_bytes(), [b'_', second, ..] if *second == b'_' || second.is_ascii_uppercase())
}

/// Words that begin as the compiler's own macros do and are none: keywords, and the names of the harness and of built-in functions.
pub(crate) fn is_reserved_word(name: &str) -> bool {
    let words = [
        "_Alignas",
        "_Alignof",
        "_Atomic",
        "_Bool",
        "_Complex",
        "_Exit",
        "_Generic",
        "_Imaginary",
        "_Noreturn",
        "_Static_assert",
        "_Thread_local",
        "__FUNCTION__",
        "__PRETTY_FUNCTION__",
        "__VA_ARGS__",
        "__alignof",
        "__alignof__",
        "__asm",
        "__asm__",
        "__assert_fail",
        "__attribute",
        "__attribute__",
        "__auto_type",
        "__const",
        "__const__",
        "__extension__",
        "__func__",
        "__inline",
        "__inline__",
        "__int128",
        "__label__",
        "__restrict",
        "__restrict__",
        "__signed",
        "__signed__",
        "__thread",
        "__typeof",
        "__typeof__",
        "__volatile",
        "__volatile__",
    ];
    words.contains(&name) || name.starts_with("__VERIFIER_") || name.starts_with("__builtin_")
}

/// What programs ask or say which no header of the library defines.
const OF_COMPILERS: [&str; 5] = ["_Pragma", "__cplusplus", "_WIN32", "_WIN64", "_MSC_VER"];

/// Is it a reserved name, and none of the compiler's or the harness's?
pub(super) fn is_foreign(token: &Token) -> bool {
    token.kind == TokenKind::Identifier && is_reserved(&token.text) && !is_of_compilers(&token.text)
}

/// Is it one of the compiler's or the harness's?
pub(super) fn is_of_compilers(name: &str) -> bool {
    name.ends_with("__")
        || OF_COMPILERS.contains(&name)
        || ["__builtin_", "__VERIFIER_", "__sync_", "__atomic_"].iter().any(|prefix| name.starts_with(prefix))
        || is_reserved_word(name)
}

/// What headers of the library put before the names of functions that they have in several ways.
const REDIRECTIONS: [&str; 3] = ["__isoc99_", "__isoc23_", "__xpg_"];

/// Is the label such a name of this function for the assembler?
pub(crate) fn is_redirection(name: &str, label: &str) -> bool {
    REDIRECTIONS.iter().any(|prefix| label.strip_prefix(prefix) == Some(name))
}
