//! Pointers that a cast gives another type only to compare them.

use super::{outcome, refused};

const STRUCTS: &str = "struct a { long x; }; struct b { int x; long y; }; struct c { char x; };";

/// C11 6.5.9p6: which pointers are equal is a question of where they point.
#[test]
fn pointers_to_different_structs_may_be_compared() {
    for body in [
        "return (struct b *)a == b;",
        "return b != (const struct b *)a;",
        "return (struct a *)b == (struct a *)a;",
        "return (struct c *)a == (struct c *)b;",
    ] {
        let outcome = outcome(&format!("{STRUCTS} int test(struct a *a, struct b *b) {{ {body} }}"));
        assert!(outcome.starts_with('['), "{body}: {outcome}");
        assert!(outcome.contains("Pointers"), "{body}: {outcome}");
    }
    let what = "unsupported: a pointer to a struct that becomes a pointer to another struct";
    for (body, place) in [
        // What is compared is not accessed, and what is accessed is.
        ("struct a a; struct b *b = 0; int e = (struct b *)&a == b && ((struct b *)&a)->x;", "2:79"),
        ("struct a a; struct b *b = 0, *c; int e = (c = (struct b *)&a) == b;", "2:65"),
        ("struct a a; struct b *b = 0; int e = (struct b *)&a < b;", "2:56"),
        ("struct a a; struct b *b = 0; int e = (1 ? (struct b *)&a : b) == b;", "2:61"),
        // No struct b is at all addresses of a struct c.
        ("struct c c; struct b *b = 0; int e = (struct b *)&c == b;", "2:56"),
    ] {
        refused(STRUCTS, body, &format!("{place}: {what}"));
    }
}

/// C11 6.7.2.1p15: the address of the first member is that of the struct.
#[test]
fn the_first_member_is_aligned_as_the_struct_is() {
    let of = |body: &str| outcome(&format!("{STRUCTS} void test(struct b *b) {{ {body} }}"));
    assert!(of("int e = b == (struct b *)&b->x;").starts_with('['));
    assert!(of("b = (struct b *)&b->x;").starts_with('['));
    let what = "unsupported: a pointer to a scalar that becomes one to a struct, which may have to be aligned otherwise";
    for body in ["int *x = &b->x; b = (struct b *)x;", "int *x = (int *)&b->y; b = (struct b *)(x + 1);", "b = (struct b *)(&b->x + 1);"] {
        assert!(of(body).ends_with(what), "{body}: {}", of(body));
    }
}
