//! Calls of functions that are not declared where they are called. For compilers such a function takes any arguments and returns int, as before C99
//! (C90 3.3.2.2), unless it is one of those whose types they know.

use super::{Elaborator, Outcome, scope::Entity};
use crate::lower::{
    is_of_harness,
    types::{Parameters, Shape},
};
use goatherd_certificates::program::IntegerType;

/// Functions of the library, of those that are known here, whose types compilers know.
const KNOWN_TO_COMPILERS: [&str; 71] = [
    "_Exit",
    "_exit",
    "abort",
    "abs",
    "alloca",
    "bcmp",
    "bcopy",
    "bzero",
    "calloc",
    "exit",
    "ffs",
    "ffsl",
    "ffsll",
    "fprintf",
    "fputc",
    "fputs",
    "free",
    "index",
    "isalnum",
    "isalpha",
    "isascii",
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
    "labs",
    "llabs",
    "malloc",
    "memchr",
    "memcmp",
    "memcpy",
    "memmove",
    "mempcpy",
    "memset",
    "printf",
    "putc",
    "putchar",
    "puts",
    "realloc",
    "rindex",
    "snprintf",
    "sprintf",
    "stpcpy",
    "stpncpy",
    "strcasecmp",
    "strcat",
    "strchr",
    "strcmp",
    "strcpy",
    "strcspn",
    "strdup",
    "strlen",
    "strncasecmp",
    "strncat",
    "strncmp",
    "strncpy",
    "strndup",
    "strnlen",
    "strpbrk",
    "strrchr",
    "strspn",
    "strstr",
    "toascii",
    "tolower",
    "toupper",
];

/// Does a call of this name mean something where nothing declares it? Many programs call `assert` without its header.
pub(super) fn is_known_undeclared(name: &str) -> bool {
    ["assert", "assume_abort_if_not"].contains(&name) || is_of_harness(name)
}

impl Elaborator<'_> {
    /// Refuses calls of what is not declared, where compilers take another type for it than it has.
    pub(super) fn check_declared(&mut self, name: &str, offset: usize) -> Outcome<()> {
        let is_seen = self.scopes.is_seen(name);
        let is_void = is_of_harness(name) && !name.starts_with("__VERIFIER_nondet_") || !is_seen && is_known_undeclared(name);
        if self.unevaluated > 0 && is_void {
            // That is what it is here, whatever compilers take it for.
            return self.unsupported(offset, &format!("the type of a call of '{name}'"));
        }
        if is_seen || (self.is_model)(offset) {
            return Ok(());
        }
        let is_own = self.definitions.get(name).is_some_and(|definition| !(self.is_model)(definition.span.start));
        if is_own && (KNOWN_TO_COMPILERS.contains(&name) || crate::models::is_of_library(name)) {
            // They take the type of the library's function for it.
            return self.error(offset, &format!("'{name}', which is called before it is declared, and which the library has, too"));
        }
        if is_known_undeclared(name) || name.starts_with("__builtin_") || KNOWN_TO_COMPILERS.contains(&name) {
            return Ok(());
        }
        // What nothing defines is refused as that.
        let Some(Entity::Function(ctype)) = self.scopes.find(name) else { return Ok(()) };
        let Shape::Function(signature) = &ctype.shape else { return Ok(()) };
        let is_int = signature.result.as_integer() == Some(IntegerType::I32);
        let is_wide = match &signature.parameters {
            Parameters::Exact(types) => types.iter().any(|one| matches!(one.as_integer(), Some(IntegerType::I64 | IntegerType::U64))),
            // That is looked at where it is called.
            Parameters::Unknown | Parameters::Variadic(_) => false,
        };
        if is_int && !is_wide {
            return Ok(());
        }
        self.error(offset, &format!("'{name}' is called before it is declared"))
    }
}
