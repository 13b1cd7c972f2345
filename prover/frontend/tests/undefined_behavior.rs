//! What C leaves undefined is named where the program fails for it.

use goatherd_frontend::{
    lower::{Leaks, UndefinedBehavior, lower_with},
    source::{Options, from_text},
};
use std::collections::BTreeSet;

fn named(text: &str) -> BTreeSet<UndefinedBehavior> {
    let unit = from_text("test.c", text, &Options::default()).expect("it is C");
    let lowered = lower_with(&unit, "test", &Leaks::Ignored.into()).expect("it is supported");
    lowered.undefined.into_values().collect()
}

#[test]
fn each_kind_has_its_name() {
    use UndefinedBehavior::*;
    for (text, kind) in [
        ("void test(int n) { if (n) __builtin_unreachable(); }", Unreachable),
        ("void test(int n) { n = n++ + 1; }", Unsequenced),
        ("int f(int n) { return n; } void test(int n) { int (*p)(void) = (int (*)(void))f; p(); }", CallOfAnotherType),
        ("struct s { int a[3]; int b; }; void test(int n) { struct s x; x.a[n] = 1; struct s *p = &x; p->b = 0; }", Index),
        ("void test(int n) { int a[n]; a[0] = 1; }", ArrayLength),
        ("void *alloca(unsigned long); void test(unsigned long n) { char *p = alloca(n); if (n) *p = 0; }", AllocaSize),
        ("void free(void *); void test(int n) { char a[n]; char *p = a; free(p); }", FreeOfDeclared),
        ("__attribute__((noreturn)) void f(int n) { if (n) return; for (;;) ; } void test(int n) { f(n); }", Return),
        ("__attribute__((nonnull)) void f(int *p) { *p = 0; } void test(int n) { f(n ? &n : 0); }", NullArgument),
        ("__attribute__((returns_nonnull)) int *f(int *p) { return p; } void test(int n) { f(n ? &n : 0); }", NullResult),
    ] {
        assert!(named(text).contains(&kind), "{text}: {:?}", named(text));
        assert!(!kind.to_string().is_empty());
    }
}

#[test]
fn nothing_is_named_where_nothing_is_undefined() {
    assert!(named("void test(int n) { int a[3]; if (0 <= n && n < 3) a[n] = n; n++; }").is_empty());
}
