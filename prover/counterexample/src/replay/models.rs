//! Functions of the library as the C file has them: those that choose something are models, which choose what they chose in the run.

use super::scan::Scan;

/// A function of the library that the C file defines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DefinedModel<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its definition, which calls `__VERIFIER_nondet_int` and its like, `__VERIFIER_assume`, `__VERIFIER_ignore` and `__builtin_malloc` to choose.
    pub text: &'a str,
}

/// Before the first one. Of memory without a byte that may be accessed, `malloc_usable_size` tells that it has one.
pub(super) const PRELUDE: &str = r"
unsigned long malloc_usable_size(void *memory);
int __asan_address_is_poisoned(void const volatile *) __attribute__((weak));
unsigned long goatherd_size(void *memory)
{
    if (__asan_address_is_poisoned && __asan_address_is_poisoned(memory))
        return 0;
    return malloc_usable_size(memory);
}
void goatherd_model_ignore(void) { __builtin_exit(3); }
void goatherd_model_assume(int condition) { if (!condition) goatherd_model_ignore(); }";

/// How the names of the harness are called in the models: the source declares its own in its own way.
const HARNESS: [&str; 2] = ["__VERIFIER_", "goatherd_model_"];

/// The functions that give any value which are called in models, as they are called there.
pub(super) fn values(model: DefinedModel<'_>) -> Vec<String> {
    let scan = Scan::new(model.text);
    let [name, own] = HARNESS;
    scan.identifiers().filter(|called| called.starts_with("__VERIFIER_nondet_")).map(|called| called.replace(name, own)).collect()
}

/// Defines the function under another name, which stands for the library's own from there on. The source declares it with the types of the library,
/// which the model may not know: only the linker sees that they are one.
pub(super) fn definition(model: DefinedModel<'_>) -> String {
    let DefinedModel { name, text } = model;
    let [harness, own] = HARNESS;
    let text = text.replace(harness, own).replace("__builtin_malloc", "goatherd_malloc").replace("malloc_usable_size", "goatherd_size");
    format!(
        "\n#define {name} goatherd_model_{name}\n{text}#undef {name}\nextern __typeof__(goatherd_model_{name}) goatherd_alias_{name} \
         __asm__(\"goatherd_{name}\") __attribute__((alias(\"goatherd_model_{name}\")));\n#define {name} goatherd_{name}"
    )
}
