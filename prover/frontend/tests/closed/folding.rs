//! Null pointer constants, and what compilers fold to one.

use super::{holds, outcome, refused};

const DECLARATIONS: &str = "int n; unsigned u; int *p; static const int z = 0; typedef void *v; typedef const int *c; typedef int *i; typedef long l; enum e { E };
int f(int x) { return x; }
int abs(int);";

/// The type of `1 ? &n : OTHER` is that of `&n` where the other one is a null pointer constant, and `void *` where it is another `void *`.
fn choice(other: &str, expected: &str) {
    let kinds = "int *: 1, const int *: 2, void *: 3, const void *: 4, default: 5";
    let expected = format!("{expected}: 1, default: 0");
    holds(DECLARATIONS, &format!("_Generic((__typeof__(1 ? &n : {other}))0, {expected})"));
    holds(DECLARATIONS, &format!("_Generic((__typeof__({other} ? {other} : &n))0, {kinds}) > 0"));
}

#[test]
fn null_pointer_constants_by_their_form() {
    for constant in ["(void *)0", "(void *)(long)0", "(void *)E", "(void *)(1 - 1)", "(v)0", "(void *)(l)0", "(void *)!1"] {
        choice(constant, "int *");
    }
    for constant in ["_Generic(0, default: (void *)0)", "_Generic(n, int: (void *)0, default: n)", "_Generic(u, int: n, default: (v)(0))"] {
        choice(constant, "int *");
    }
    for other in [
        "(void *)1",
        "(void *)(void *)0",
        "(void *)(long)(void *)0",
        "(void *)(v)0",
        "(void *)(long)(v)0",
        "(void *)p",
        "_Generic(0, default: (void *)p)",
    ] {
        choice(other, "void *");
    }
    for other in ["(void *)((long)z * 0)", "(void *)((long)(v)0 + 0)"] {
        choice(other, "void *");
    }
    holds(DECLARATIONS, "_Generic((void *)0 ?: &n, int *: 1, default: 0)");
    choice("(c)0", "const int *");
    choice("(i)0", "int *");
    choice("(const void *)0", "const void *");
}

#[test]
fn what_compilers_fold_is_no_operand_by_whose_type_it_counts() {
    let message = "an operand of '?:' that is a null pointer constant or not, which depends on what compilers fold";
    let text = |other: &str| format!("{DECLARATIONS} void test(void) {{ n = sizeof(*(1 ? &n : {other})); }}");
    for other in [
        "(void *)(long)__builtin_popcount(0)",
        "(void *)(long)__builtin_bswap32(0)",
        "(void *)(long)__builtin_constant_p(n)",
        "(void *)(long)!__builtin_constant_p(1)",
        "(void *)(long)_Generic(0, default: 0)",
        "(void *)(long)(u >= 0 ? 0 : 1)",
        "(void *)(__typeof__(n))0",
        "(void *)(long)(__typeof__(p))0",
        "_Generic(0, default: (void *)(long)__builtin_popcount(0))",
    ] {
        assert!(outcome(&text(other)).ends_with(message), "{other}: {}", outcome(&text(other)));
    }
    // Of what objects hold nothing is folded, and of two pointers to void the type is the same.
    for other in ["(void *)(long)n", "(void *)(long)(n & 0)", "(void *)(long)f(n)", "(void *)(long)z", "p", "(void *)p"] {
        assert!(outcome(&text(other)).starts_with('['), "{other}: {}", outcome(&text(other)));
    }
    let any = format!("{DECLARATIONS} void *g; void test(void) {{ g = 1 ? &n : (void *)(long)__VERIFIER_nondet_int(); }}");
    assert!(outcome(&any).starts_with('['), "{}", outcome(&any));
    let alike = format!("{DECLARATIONS} void *g; void test(void) {{ g = 1 ? g : (void *)(long)__builtin_popcount(0); }}");
    assert!(outcome(&alike).starts_with('['), "{}", outcome(&alike));
    refused(
        "int n;",
        "n = sizeof(*((void *)(long)__builtin_popcount(0) ? &n : (void *)(long)__builtin_popcount(0)));",
        &format!("2:75: unsupported: {message}"),
    );
}
