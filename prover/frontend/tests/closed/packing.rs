//! `#pragma pack` is followed between declarations, and refused elsewhere.

use super::{holds, outcome, refused};

/// Sizes and offsets are those that gcc and clang give.
#[test]
fn members_are_aligned_as_the_pragma_says() {
    let one = "#pragma pack(push, 1)\nstruct s { char c; long l; short h; };\n#pragma pack(pop)\nstruct t { char c; long l; };";
    holds(one, "sizeof(struct s) == 11 && _Alignof(struct s) == 1 && __builtin_offsetof(struct s, h) == 9 && sizeof(struct t) == 16");
    let two = "#pragma pack(2)\nstruct s { char c; struct { char c; long l; } in; union { char c; int x; } u; };\n#pragma pack()\nstruct t { char c; long l; };";
    holds(two, "sizeof(struct s) == 16 && __builtin_offsetof(struct s, u) == 12 && _Alignof(struct s) == 2 && sizeof(struct t) == 16");
    // The alignment of before comes back.
    let nested = "#pragma pack(push, 4)\n#pragma pack(push)\n#pragma pack(1)\nstruct a { char c; long l; };\n#pragma pack(pop)\n\
        struct b { char c; long l; };\n#pragma pack(pop)\nstruct c { char c; long l; };";
    holds(nested, "sizeof(struct a) == 9 && sizeof(struct b) == 12 && sizeof(struct c) == 16");
    // Bit-fields begin at the next bit, whatever the alignment.
    for (limit, size) in [(1, 7), (2, 8), (8, 8)] {
        let bits = format!("#pragma pack({limit})\nstruct s {{ char c; int x : 5; int y : 30; char d; }};\n#pragma pack()");
        holds(&bits, &format!("sizeof(struct s) == {size} && __builtin_offsetof(struct s, d) == 6"));
    }
    // What is defined inside of a function follows the last pragma before it.
    let around = "#pragma pack(push, 1)\nint n;\nint f(void) { struct s { char c; int i; }; return sizeof(struct s); }\n#pragma pack(pop)";
    let within = format!("{around}\nvoid test(void) {{ n = f(); }}");
    assert!(outcome(&within).contains("Constant(5)"), "{}", outcome(&within));
}

#[test]
fn pragmas_elsewhere_are_refused() {
    let place = "unsupported: #pragma pack in this place";
    refused("struct s { char c;\n#pragma pack(1)\nint i; };", "", &format!("2:2: {place}"));
    refused("struct s { char c; }\n#pragma pack(1)\nx;", "", &format!("2:2: {place}"));
    refused("#pragma pack(pop)", "", &format!("1:2: {place}"));
    refused("", "\n#pragma pack(1)\n", &format!("3:2: {place}"));
    refused("_Pragma(\"pack(1)\") struct s { char c; int i; };", "", &format!("1:1: {place}"));
    refused("#pragma pack(push, here, 1)", "", "1:2: unsupported: #pragma pack(push,here,1)");
    refused("#define push 4\n#pragma pack(push)", "", "2:2: unsupported: #pragma pack");
    refused("#include <stddef.h>\n#define N 1\n#pragma pack(N)", "", "3:1: unsupported: #pragma pack");
    refused("#pragma pack(3)", "", "1:2: unsupported: #pragma pack(3)");
    refused("#pragma pack", "", "1:2: unsupported: #pragma pack");
    refused("#pragma pack(show)", "", "1:2: unsupported: #pragma pack(show)");
}

#[test]
fn what_is_packed_has_no_pointers_that_are_not_aligned() {
    let header = "#pragma pack(push, 1)\nstruct s { char c; int i; };\n#pragma pack(pop)";
    refused(header, "struct s s; int *p = &s.i; *p = 1;", "4:41: unsupported: a pointer to a member of a packed struct");
    refused(
        "#pragma pack(1)\nstruct s { char c; int i __attribute__((aligned(2))); };",
        "",
        "2:1: unsupported: an alignment, or a bit-field of no width, behind #pragma pack",
    );
    refused("struct s { char c; } __attribute__((__pragma_pack__(1)));", "", "1:37: unsupported: the attribute '__pragma_pack__'");
}
