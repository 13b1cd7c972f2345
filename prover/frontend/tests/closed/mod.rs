//! What is not understood is refused, with its place; what is understood means what C says.

mod attributes;
mod compared;
mod compilers;
mod folding;
mod functions;
mod hidden;
mod initialisers;
mod languages;
mod options;
mod packing;

use goatherd_frontend::{
    diagnostics::{Colors, render, reports},
    lower::lower,
    source::{Options, from_text},
};

/// The first line of what is said of a file, or of the program that it becomes.
fn outcome(text: &str) -> String {
    let unit = match from_text("f.c", text, &Options::default()) {
        Ok(unit) => unit,
        Err(reports) => return first_line(&render(&reports, Colors::Never)),
    };
    match lower(&unit, "test") {
        Ok(lowered) => format!("{:?}", lowered.program.instructions),
        Err(diagnostics) => first_line(&render(&reports(&unit, &diagnostics), Colors::Never)),
    }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

/// A function with this body, after these declarations.
fn refused(declarations: &str, body: &str, expected: &str) {
    let outcome = outcome(&format!("{declarations}\nvoid test(void) {{ {body} }}\n"));
    assert_eq!(outcome, format!("f.c:{expected}"), "{declarations} {body}");
}

/// A constant expression that is true.
fn holds(declarations: &str, expression: &str) {
    let text = format!("{declarations}\nvoid test(void) {{ _Static_assert({expression}, \"\"); }}\n");
    assert!(outcome(&text).starts_with('['), "{declarations} {expression}: {}", outcome(&text));
    let text = format!("{declarations}\nvoid test(void) {{ _Static_assert(!({expression}), \"\"); }}\n");
    assert!(outcome(&text).ends_with("error: this static assertion is false"), "{declarations} {expression}");
}

/// Does the program contain an instruction that fails?
fn fails(text: &str) -> bool {
    let outcome = outcome(text);
    assert!(outcome.starts_with('['), "{text}: {outcome}");
    outcome.contains("Fail { kind: Unreachable }")
}

#[test]
fn attributes_are_known_by_name_and_position() {
    refused("int x __attribute__((frobnicate));", "", "1:22: unsupported: the attribute 'frobnicate'");
    refused("__attribute__((weak)) int f(void) { return 1; }", "", "1:16: unsupported: the attribute 'weak'");
    let gnu = "extern inline __attribute__((gnu_inline)) int abs(int n) { return 1; }";
    refused(gnu, "", "1:30: unsupported: the attribute 'gnu_inline'");
    refused("static void f(int *p) {}", "int x __attribute__((unused, cleanup(f)));", "2:48: unsupported: the attribute 'cleanup'");
    refused("typedef int v __attribute__((__vector_size__(8)));", "", "1:30: unsupported: the attribute '__vector_size__'");
    refused("int x __attribute__((noreturn));", "", "1:22: unsupported: the attribute 'noreturn' of an object");
    refused("enum e { A } __attribute__((packed));", "", "1:29: unsupported: an enumeration with an attribute");
    refused("typedef void f(void) __attribute__((noreturn)); f *p;", "(*p)();", "1:1: unsupported: the attribute 'noreturn' of a type");
    refused("int *__attribute__((aligned(8))) p;", "", "1:21: unsupported: the attribute 'aligned' of a pointer");
    refused("enum e { A __attribute__((aligned(8))) };", "", "1:27: unsupported: the attribute 'aligned' of an enumeration constant");
    refused(
        "__attribute__((pure)) static int f(void) { return 1; }",
        "f();",
        "1:34: unsupported: the attribute 'pure' of a function that is defined here",
    );
    for section in [".init_array", ".preinit_array.1", ".init", ".noinit", ".fini_array", ".ctors", "a\\n.init_array", ""] {
        let expected = "1:22: unsupported: the attribute 'section' with this section";
        refused(&format!("int x __attribute__((section(\"{section}\"))) = 1;"), "x = 1;", expected);
    }
    refused(
        "int x __attribute__((__section__(\".init\" \"_array\")));",
        "",
        "1:22: unsupported: the attribute '__section__' with this section",
    );
    let object = |section: &str| format!("int x __attribute__((section(\"{section}\")));");
    let function = |section: &str| format!("__attribute__((section(\"{section}\"))) static int f(void) {{ return 1; }}");
    for section in ["mine", ".data..read_mostly", ".init.data"] {
        assert!(outcome(&format!("{} void test(void) {{ x = 1; }}", object(section))).starts_with('['), "{section}");
    }
    for section in ["mine", ".text", ".text.hot", ".init.text"] {
        assert!(outcome(&format!("{} void test(void) {{ f(); }}", function(section))).starts_with('['), "{section}");
    }
    // What is written must not lie where code does, nor what has a value where all is zero.
    for section in [".text", ".text.x", ".init.text", ".bss", ".bss.x", ".data.rel.ro"] {
        refused(&object(section), "x = 1;", "1:22: unsupported: the attribute 'section' with this section");
    }
    for section in [".data", ".bss.f", ".init.data"] {
        refused(&function(section), "f();", "1:16: unsupported: the attribute 'section' with this section");
    }
    assert!(
        outcome("__attribute__((unused, cold, deprecated(\"x\"))) static int f(void) { return 1; } void test(void) { f(); }")
            .starts_with('[')
    );
}

#[test]
fn pragmas_and_names_for_the_assembler_are_refused() {
    refused("#pragma redefine_extname f g", "", "1:2: unsupported: #pragma redefine_extname");
    refused("#pragma GCC ivdep", "", "1:2: unsupported: #pragma GCC");
    refused("int x __asm__(\"y\");", "x = 1;", "1:7: unsupported: a name for the assembler of 'x', which may be another one's");
    refused("int f(void) __asm__(\"__xpg_f\");", "f();", "2:19: unsupported: 'f', which has another name for the assembler");
    assert!(outcome("#pragma GCC diagnostic push\nvoid test(void) {}\n").starts_with('['));
}

#[test]
fn layouts_are_those_of_the_compiler() {
    holds("union u { char c[5]; int i; };", "sizeof(union u) == 8");
    holds("struct s { char c; long l; } __attribute__((packed));", "sizeof(struct s) == 9");
    holds("struct __attribute__((packed)) s { char c; long l; };", "sizeof(struct s) == 9");
    holds("struct s { char c; int i __attribute__((packed)); };", "sizeof(struct s) == 5");
    holds("struct s { char c; int i; } __attribute__((aligned(32)));", "sizeof(struct s) == 32 && _Alignof(struct s) == 32");
    holds("struct s { char c; int i __attribute__((aligned(16))); };", "__builtin_offsetof(struct s, i) == 16 && sizeof(struct s) == 32");
    holds("struct s { short s; unsigned x : 17; char c; };", "sizeof(struct s) == 8");
    holds("struct s { unsigned a : 3, b : 30; };", "sizeof(struct s) == 8");
    holds("struct s { char a; int : 0; char b; };", "sizeof(struct s) == 5");
    holds("struct s { int a : 3; int : 0; int b : 3; char c; } __attribute__((packed));", "__builtin_offsetof(struct s, c) == 5");
    holds("struct s { char a; int b : 31, c : 31; unsigned d : 2; long e; } __attribute__((packed));", "sizeof(struct s) == 17");
    holds(
        "struct s { char a; int b : 30 __attribute__((packed)), c : 4 __attribute__((packed)); int d : 31; char e; };",
        "__builtin_offsetof(struct s, e) == 12 && sizeof(struct s) == 16 && _Alignof(struct s) == 4",
    );
    holds("struct s { char a; int b : 3 __attribute__((packed)); };", "_Alignof(struct s) == 1");
    holds("struct s { char a; int d[]; };", "sizeof(struct s) == 4");
    holds("struct s { int a; struct t { long x; }; struct { char c; }; };", "sizeof(struct s) == 8");
}

#[test]
fn a_pointer_to_a_packed_member_is_refused() {
    let packed = "struct s { char c; int i; } __attribute__((packed));";
    refused(packed, "struct s x; int *p = &x.i; *p = 1;", "2:41: unsupported: a pointer to a member of a packed struct");
    assert!(outcome(&format!("{packed} void test(void) {{ struct s x; char *p = &x.c; x.i = 1; *p = 2; }}")).starts_with('['));
    // Bit-fields lie anywhere, and what lies beside them is aligned all the same, unless it is packed.
    let bits = "struct s { char c; unsigned a : 20, b : 27; int i; };";
    assert!(outcome(&format!("{bits} void test(void) {{ struct s x; int *p = &x.i; x.i = 1; *p = 2; }}")).starts_with('['));
    let bits = "struct s { unsigned a : 20; int i; } __attribute__((packed));";
    refused(bits, "struct s x; int *p = &x.i; *p = 1;", "2:41: unsupported: a pointer to a member of a packed struct");
    let bits = "struct s { int i; unsigned a : 20; } __attribute__((packed));";
    refused(bits, "struct s x[2]; int *p = &x[1].i; *p = 1;", "2:44: unsupported: a pointer to a member of a packed struct");
}

#[test]
fn what_is_not_laid_out_is_refused_by_name() {
    let bits = "struct s { unsigned long a : 40; };";
    refused(bits, "struct s x; x.a = 1;", "2:28: unsupported: a bit-field of 32 bits or more whose type is wider than int");
    let both = "struct s { char c; union { long i; _Bool b; char *p; }; };";
    refused(both, "struct s *p = 0; p->i = 1;", "2:39: unsupported: a union in which pointers and integers overlap");
    refused("", "int x; { int f(int a[volatile 2]); }", "2:40: unsupported: a volatile object");
    let flexible = "a flexible array member, among members or with elements that are not all integers";
    refused("struct s { int n; int *a[]; };", "struct s x; x.n = 1;", &format!("2:28: unsupported: {flexible}"));
}

#[test]
fn bits_have_no_addresses_and_are_promoted() {
    let bits = "struct s { unsigned a : 3; unsigned b : 5; }; union u { int i; unsigned char b[4]; struct { int x; } s; } u;";
    let pointer = "a pointer to a bit-field, or to a part of a union that is made of bytes";
    refused(bits, "struct s x; &x.a;", &format!("2:32: unsupported: {pointer}"));
    refused(bits, "&u.i;", &format!("2:20: unsupported: {pointer}"));
    refused(bits, "&u.s;", "2:20: unsupported: a pointer to a part of a union that is made of bytes");
    let padded = "union u { int i; struct { char c; int x; } s; } u;";
    refused(padded, "u.s = u.s;", "2:19: unsupported: an assignment to a struct in a union as a whole, where the struct has padding");
    refused(
        bits,
        "int n = 1; struct s x = { n++, 1 };",
        "2:45: unsupported: a bit-field, or a part of a union that is made of bytes, initialised together with something that is more than a value",
    );
    refused(bits, "union { _Bool b; int i; } w; w.i = 1;", "2:45: unsupported: a union in which _Bool overlaps other members");
    // A bit-field of fewer bits than int is an int in expressions; the bytes of a union are found at constant indices.
    holds(&format!("{bits} struct s x; "), "sizeof(x.a + 0) == 4 && (__typeof__(x.a - 1))-1 < 0");
    assert!(outcome(&format!("{bits} void test(void) {{ u.b[u.i & 3] = 1; }}")).starts_with('['));
}

#[test]
fn alignments_of_expressions_are_those_of_their_types_or_refused() {
    holds("struct s { char c; int i[3]; union { short h; }; } s, *p; char a[64];", "__alignof__(s.i) == 4 && __alignof__(p->h) == 2");
    holds("struct s { char c; int i[3]; } s, a[2];", "__alignof__(a[1].i[2]) == 4 && __alignof__ a == 4 && __alignof__(a[1].c) == 1");
    holds("struct s { char c; } __attribute__((aligned(16))); struct s s;", "__alignof__(s) == 16 && _Alignof(__typeof__(s)) == 16");
    let otherwise = "the alignment of an expression that need not be that of its type";
    let at = |column: u32| format!("2:{column}: unsupported: {otherwise}");
    refused("_Alignas(16) char c; int i;", "int n = __alignof__(i);", &at(39));
    refused("struct s { _Alignas(8) char c; int i; } s;", "int n = __alignof__(s.i);", &at(39));
    refused("struct s { struct { _Alignas(8) char c; }; int i; } s;", "int n = __alignof__(s.i);", &at(39));
    refused("struct s { char c; int i; } __attribute__((packed)) s;", "int n = __alignof__(s.i);", &at(39));
    // gcc says 4.
    refused("int i;", "int n = __alignof__(*(char *)&i);", &at(39));
}

#[test]
fn arrays_of_variable_length_end_with_their_blocks() {
    let count = |body: &str, what: &str| outcome(&format!("void free(void *); void test(int n) {{ {body} }}")).matches(what).count();
    assert_eq!(count("{ int a[n]; a[0] = 1; } n = 1;", "Free {"), 1);
    assert_eq!(count("while (n) { char a[n]; if (n == 3) break; if (n == 4) continue; a[0] = 1; }", "Free {"), 3);
    // Too many, too few, no memory, and an array that is freed.
    assert_eq!(count("int a[n]; a[0] = 1;", "Fail { kind: Unreachable }"), 1);
    assert_eq!(count("int a[n]; a[0] = 1;", "Ignore"), 1);
    assert_eq!(count("int a[n]; free(a);", "Fail { kind: Unreachable }"), 2);
    assert_eq!(count("char *p = __builtin_alloca(n); *p = 1;", "Allocate {"), 1);
    refused(
        "",
        "int n = 1; again: ; int a[n]; if (n++ < 3) goto again;",
        "2:43: unsupported: a jump over the beginning of an array of variable length",
    );
    refused(
        "",
        "int n = 1; switch (n) { int a[n]; case 1: ; }",
        "2:47: unsupported: a jump over the beginning of an array of variable length",
    );
    refused("", "int n = 1; int a[n][n];", "2:36: unsupported: an array of arrays of variable length");
    refused("", "int n = 1; int (*p)[n];", "2:36: unsupported: a type that is made of an array of variable length");
    refused("", "int n = 1; int k = sizeof(int[n]);", "2:49: unsupported: an array of variable length");
    refused("", "for (int i = 0; i < 2; i++) __builtin_alloca(4);", "2:47: unsupported: alloca in a loop");
    holds("int f(int n, int a[n]) { return sizeof a == sizeof(int *); }", "1");
}

#[test]
fn elements_that_a_parameter_promises_are_read() {
    let loads = |parameter: &str| {
        outcome(&format!("int f({parameter}) {{ return 1; }} void test(void) {{ int a[3]; f(a); }}")).matches("Load {").count()
    };
    assert_eq!(loads("int a[static 3]"), 2);
    assert_eq!(loads("int a[3]"), 0);
}

#[test]
fn selections_ranges_and_structs_of_one_member() {
    holds(
        "int x; unsigned short h;",
        "_Generic(x, int: 1, default: 0) && _Generic(h + 0, int: 1, unsigned: 0) && _Generic(&x, int *: 1, default: 0)",
    );
    holds("const int x; int f(void);", "_Generic(x, int: 1, default: 0) && _Generic(\"a\", int: 0, default: 1)");
    refused("", "int n = _Generic(0, unsigned: 1);", "2:27: error: a selection without an association of this type");
    holds("static const int t[] = { [1 ... 3] = 7, 8, [0] = 1 };", "sizeof t == 20 && t[3] == 7 && t[4] == 8 && t[0] == 1");
    refused(
        "int f(void) { return 1; }",
        "int t[4] = { [0 ... 2] = f() };",
        "2:32: unsupported: a range of elements initialised with something that is more than a value",
    );
    refused("", "int t[4] = { [2 ... 4] = 1 };", "2:32: error: more initialisers than the object has parts");
    assert!(
        outcome(
            "struct s { int x; }; struct s f(void) { struct s a = { 1 }; return a; } void test(void) { struct s b; b = f(); b.x = 2; }"
        )
        .starts_with('[')
    );
}

/// Two fields that share a byte are two objects; one of them twice is not.
#[test]
fn bit_fields_are_objects_of_their_own() {
    let bits = "struct s { unsigned a : 3; unsigned b : 5; } x;";
    assert!(!fails(&format!("{bits} void test(void) {{ x.a = x.b++; }}")));
    assert!(fails(&format!("{bits} void test(void) {{ x.a = x.a++; }}")));
}

#[test]
fn names_have_the_scopes_of_c() {
    holds("enum { A = 1 }; int f(enum { A = 2 } x);", "A == 1");
    holds("typedef struct s *p; struct s { char c[3]; };", "sizeof(*(p)0) == 3");
    let inside = |body: &str| {
        format!("enum {{ A = 1 }}; struct s {{ long l; }}; long x; char y[3]; int n = sizeof(y);\nvoid test(void) {{ {body} }}\n")
    };
    for body in [
        "if (sizeof(enum { A = 2 })) ; _Static_assert(A == 1, \"\");",
        "{ struct s; struct s *p = 0; struct s { char c; }; _Static_assert(sizeof *p == 1, \"\"); }",
        "char x[2]; { extern long x; _Static_assert(sizeof x == 8, \"\"); }",
        "int y = n; for (char y[7];;) { _Static_assert(sizeof y == 7, \"\"); break; }",
    ] {
        assert!(outcome(&inside(body)).starts_with('['), "{body}: {}", outcome(&inside(body)));
    }
    refused("", "struct t *p = 0; int n = sizeof *p; } struct t { int a; }; void g(void) {", "2:44: error: the size of an incomplete type");
    refused("struct t;", "union t *p;", "2:19: error: 't' is a tag of another kind");
}

#[test]
fn what_goes_past_a_declaration_leaves_no_value() {
    let count = |text: &str| outcome(text).matches("Uninitialise").count();
    let jump = "void test(int n) { for (;;) { if (n) goto L; int y = 5; n = y; L: n = y; } }";
    let none = "void test(int n) { for (;;) { if (n) goto L; n = 5; L: n = 6; } }";
    assert_eq!((count(jump), count(none)), (1, 0));
}

#[test]
fn rows_and_member_arrays_have_bounds() {
    assert!(fails("int m[2][3]; void test(int i) { m[0][i] = 1; }"));
    assert!(fails("int m[2][3]; void test(void) { m[0][3] = 1; }"));
    assert!(fails("struct s { int a[2]; int b; } s; void test(int i) { s.a[i++] = 1; }"));
    assert!(!fails("int m[2][3]; int *p; void test(void) { p = &m[0][3]; m[1][2] = 1; }"));
    assert!(!fails("int m[6]; void test(int i) { m[i] = 1; }"));
    // The row may be what a pointer points to, and the index may stand first.
    assert!(fails("int m[2][3]; void test(int i) { int (*p)[3] = m; (*p)[i] = 1; }"));
    assert!(!fails("int m[2][3]; void test(void) { int (*p)[3] = m; (*p)[2] = 1; }"));
    assert!(fails("int m[2][3]; void test(void) { 3[m[0]] = 1; }"));
    assert!(!fails("int m[2][3]; void test(void) { 2[m[0]] = 1; 1[m][0] = 2; }"));
    // Only the last member may have more elements than it says, and padding is none.
    assert!(fails("struct s { long l; char a[2]; char c; } *p; void test(void) { p->a[2] = 1; }"));
    assert!(!fails("struct s { long l; char c; char a[2]; } *p; void test(void) { p->a[2] = 1; }"));
    assert!(fails("union u { int i; char a[2]; } *p; void test(void) { p->a[2] = 1; }"));
}

/// C11 6.3.2.3p3, 6.6p6: a `const` object is no constant, though its value is known.
#[test]
fn null_pointer_constants_are_constants() {
    holds("static const int z = 0; int x;", "sizeof(*(1 ? &x : (void *)z)) == 1");
    holds("enum { z }; int x;", "sizeof(*(1 ? &x : (void *)z)) == 4");
}

#[test]
fn names_that_are_not_reserved_mean_what_they_are_defined_as() {
    let text = "void assume_abort_if_not(int); void test(int x) { assume_abort_if_not(x); }";
    assert!(outcome(text).contains("Ignore"));
    assert!(!outcome(&format!("{text} void assume_abort_if_not(int x) {{}}")).contains("Ignore"));
    let what = "unsupported: an expectation that is no constant";
    refused("int n;", "__builtin_expect(1, n++);", &format!("2:19: {what}"));
}

/// C11 6.7.3p7: what a volatile object holds is any value, and the access is one.
#[test]
fn volatile_objects_hold_any_value() {
    let count = |body: &str, what: &str| {
        let text = format!("volatile int v, *p = &v; volatile struct {{ int a[2]; }} s; void test(int x) {{ {body} }}");
        let outcome = outcome(&text);
        assert!(outcome.starts_with('['), "{body}: {outcome}");
        outcome.matches(what).count()
    };
    for (body, values) in [("x = v;", 1), ("x = v + v;", 2), ("v = 1;", 0), ("v += 2;", 1), ("x = v++;", 1), ("x = s.a[1];", 1)] {
        assert_eq!(count(body, "Havoc"), values, "{body}");
    }
    refused("volatile int v;", "int *p = (int *)&v;", "2:28: unsupported: a conversion that takes volatile away");
    refused(
        "volatile struct { int a; } s, t;",
        "t = s;",
        "2:23: unsupported: the value of a volatile object that is no integer, or of a bit-field",
    );
    refused("_Atomic int a;", "a = 1;", "1:13: unsupported: an atomic object");
    let unit = from_text("f.c", "volatile int v; int test(void) { return v; }", &Options::default()).unwrap();
    assert_eq!(lower(&unit, "test").unwrap().approximate.len(), 1);
}

#[test]
fn what_compilers_exploit_is_refused() {
    refused(
        "",
        "long a = 1; long long *p = (long long *)&a;",
        "2:46: unsupported: a pointer to long that becomes a pointer to long long, or the other way round",
    );
    refused(
        "",
        "int *a = 0; char **p = (char **)&a;",
        "2:42: unsupported: a pointer to a pointer that becomes a pointer to a pointer to another type",
    );
    // Signs are left open of integers alone (C11 6.5p7).
    refused(
        "",
        "int *a = 0; unsigned **p = (unsigned **)&a;",
        "2:46: unsupported: a pointer to a pointer that becomes a pointer to a pointer to another type",
    );
    assert!(outcome("void test(void) { int a = 0; unsigned *p = (unsigned *)&a; *p = 1; }").starts_with('['));
    refused(
        "struct a { int x; }; struct b { int x; };",
        "struct a a; struct b *p = (struct b *)&a;",
        "2:45: unsupported: a pointer to a struct that becomes a pointer to another struct",
    );
    let without = "unsupported: a conversion that takes const away, in a program with const objects that can be written";
    refused("", "const int x = 1; int *p = (int *)&x;", &format!("2:45: {without}"));
    refused("struct s { const int x; } s;", "int *p = (int *)&s.x;", &format!("2:28: {without}"));
    // What is freed is not written, through whatever pointer. What comes before it may be.
    let freed = |argument: &str| {
        outcome(&format!(
            "extern void free(void *); struct s {{ char *next; }};\nvoid test(const struct s *p) {{ const int x = 1, *q = &x; free({argument}); }}"
        ))
    };
    assert!(freed("(void *)p").starts_with('[') && freed("((char *)q)").starts_with('['), "{}", freed("(void *)p"));
    for argument in ["((struct s *)p)->next = 0", "((struct s *)p)->next", "(void *)(*(int *)q = 2, q)", "(void *)(int *)q"] {
        assert!(freed(argument).ends_with(without), "{argument}: {}", freed(argument));
    }
    let own = "static void free(void *p) { *(int *)p = 2; } void test(void) { const int x = 1; free((void *)&x); }";
    assert!(outcome(own).ends_with(without), "{}", outcome(own));
    // What a const struct has in an array is const, too.
    refused("struct s { char a[4]; };", "const struct s s = { \"a\" }; char *p = (char *)s.a;", &format!("2:57: {without}"));
    refused(
        "",
        "char *p = \"abc\", *q = \"bc\"; int e = p == q;",
        "2:55: unsupported: a comparison of pointers, in a program with string literals that end alike",
    );
    refused(
        "struct s { char *a; };",
        "struct s *p = (void *)\"abc\", *q = (void *)\"bc\"; int e = p == q;",
        "2:75: unsupported: a comparison of pointers, in a program with string literals that end alike",
    );
    // What is compared is bytes, whatever they are elements of.
    for body in [
        "const int *p = L\"ab\"; const char *q = \"a\\0\\0\\0b\\0\\0\\0\\0\\0\\0\"; int e = (char *)p == q;",
        "const unsigned short *p = u\"ab\"; const char *q = \"b\\0\\0\"; int e = (const char *)p == q - 2;",
        "const int *p = L\"\"; const char *q = \"\\0\\0\\0\"; const void *a = p, *b = q; int e = a == b;",
        "const unsigned *p = U\"\"; const unsigned short *q = u\"\\0\"; const void *a = p, *b = q; int e = a == b;",
    ] {
        let outcome = outcome(&format!("void test(void) {{ {body} }}"));
        assert!(outcome.contains("string literals that end alike"), "{body}: {outcome}");
    }
    let apart = "void test(void) { const int *p = L\"ab\"; const char *q = \"ab\"; int e = (const char *)p == q; }";
    assert!(outcome(apart).starts_with('['), "{}", outcome(apart));
    let nodes = "struct s { char *name; }; int test(void) { struct s s = { \"ab\" }, t = { \"b\" }, *p = &s; return p == &t; }";
    assert!(outcome(nodes).starts_with('['), "pointers to structs lead to no strings: {}", outcome(nodes));
    // That the library's models look for overlap tells no literals apart: they write to one of the places that they compare.
    assert!(
        outcome("extern char *strcpy(char *, const char *); void test(void) { char a[4]; strcpy(a, \"abc\"); strcpy(a, \"bc\"); }")
            .starts_with('[')
    );
    let own = "extern char *strcpy(char *, const char *); int test(void) { char a[4], *p = \"bc\"; return strcpy(a, \"abc\") == p; }";
    assert!(outcome(own).contains("string literals that end alike"), "{}", outcome(own));
    // Two that are equal are two objects, so that their difference fails; one is the same whenever it is evaluated.
    let objects = |body: &str| {
        let unit = from_text("f.c", &format!("void test(void) {{ {body} }}"), &Options::default()).expect("it is read");
        lower(&unit, "test").expect("it is lowered").program.objects.len()
    };
    assert_eq!(objects("char *p = \"ab\", *q = \"ab\"; long d = p - q;"), 2);
    assert_eq!(objects("char *p = 0, *q = 0; for (int i = 0; i < 2; i++) { q = p; p = \"ab\"; } long d = p - q;"), 1);
    assert!(
        outcome("struct a { int x; }; struct b { struct a a; }; void test(void) { struct b b; struct a *p = (struct a *)&b; }")
            .starts_with('[')
    );
    assert!(outcome("char *f(const char *s) { return (char *)s; } void test(void) { char a[2]; f(a); }").starts_with('['));
}

#[test]
fn messages_name_what_is_wrong() {
    refused("", "int count = 1; coutn = 2;", "2:34: error: 'coutn' is not declared");
}

#[test]
fn text_is_split_as_gcc_does() {
    assert_eq!(outcome("void test(void) {} // a\r int x;\n"), "f.c:1:24: unsupported: a carriage return that is not the end of a line");
    let unit = |text: &str| from_text("f.c", text, &Options::default()).map(|unit| unit.text().to_owned()).unwrap_or_default();
    assert_eq!(unit("int x; // a \\ \t\nint y;\nint z;\n"), "int x ;\nint z ;\n");
    assert_eq!(unit("int x = a -\\\n-b;\n").split_whitespace().collect::<Vec<_>>().join(" "), "int x = a -- b ;");
    assert_eq!(unit("int a = __linux__;\n"), "int a = 1 ;\n");
    assert_eq!(unit("#define M(a, ...) a, ##__VA_ARGS__ -1\nint a = (M(5,));\n").replace('\n', " "), "int a = ( 5 , - 1 ) ; ");
    assert_eq!(unit("long v = __STDC_VERSION__;\n"), "long v = 201710L ;\n");
}

/// C11 6.5.1.1: the type of a value has no qualifiers, what it points to has; what is not certain is refused.
#[test]
fn selections_are_by_the_type_of_a_value() {
    holds("const int c;", "_Generic(c, const int: 0, int: 1, default: 0) && _Generic(c, volatile int: 0, default: 1)");
    holds("int x; const int c;", "_Generic(&x, const int *: 0, int *: 1) && _Generic(&c, int *: 0, const int *: 1)");
    holds("int *const p;", "_Generic(p, int *const: 0, int *: 1)");
    holds("int a[2];", "_Generic(&a, int (*)[3]: 0, const int (*)[2]: 0, int (*)[2]: 1) && _Generic(a, int[2]: 0, int *: 1)");
    holds("struct s { int x; } s; struct t { int x; };", "_Generic(s, struct t: 0, struct s: 1)");
    let at = "int n = _Generic(";
    refused("int *p;", &format!("{at}p, int *restrict: 1, int *: 2);"), "2:27: unsupported: a selection by a type with 'restrict'");
    refused("int a[2];", &format!("{at}&a, int (*)[]: 1, default: 2);"), "2:27: unsupported: a selection by an array of unknown length");
    refused(
        "int f(int x) { return x; }",
        &format!("{at}f, int (*)(): 1, default: 2);"),
        "2:27: unsupported: a selection by the type of a function",
    );
    refused(
        "struct s { unsigned b : 3; } s;",
        &format!("{at}s.b, unsigned: 1, default: 2);"),
        "2:27: unsupported: a selection by the type of a bit-field",
    );
}

/// `char` is neither `signed char` nor `unsigned char`, and `long long` is not `long` (C11 6.2.5p15).
#[test]
fn selections_tell_types_of_one_range_apart() {
    let declarations = "typedef signed char int8; char c; int8 s; long l; long long ll; unsigned long ul; unsigned long long ull; int i;
        unsigned short h; char text[3], *p; const int8 *q; struct { char c; long long l; struct { int8 s; } in[2]; } m; long f(void); long long g();";
    let kind = |value: &str, kind: &str| {
        let kinds = ["char", "signed char", "unsigned char", "long", "long long", "unsigned long", "unsigned long long", "char *", "int"];
        let pointers = "const char *: 20, const signed char *: 21, signed char *: 22, long *: 23, long long *: 24, default: 25";
        let list: Vec<String> = (0..).zip(kinds).map(|(number, name)| format!("{name}: {number}")).collect();
        let list = list.join(", ");
        let number = kinds.iter().position(|name| *name == kind).unwrap_or_else(|| kind.parse().expect("a number"));
        holds(declarations, &format!("_Generic({value}, {list}, {pointers}) == {number}"));
    };
    for (value, expected) in [
        ("c", "char"),
        ("s", "signed char"),
        ("m.c", "char"),
        ("m.in[i].s", "signed char"),
        ("*q", "signed char"),
        ("text[1]", "char"),
        ("(signed char)c", "signed char"),
        ("(char)s", "char"),
        ("(0, c)", "char"),
        ("c = s", "char"),
        ("s++", "signed char"),
        ("text", "char *"),
        ("p + 1", "char *"),
        ("&text[i]", "char *"),
        ("\"a\"", "char *"),
        ("q", "21"),
        ("&s", "22"),
        ("&l", "23"),
        ("&m.l", "24"),
        ("(const char *)q", "20"),
        ("+c", "int"),
        ("c + s", "int"),
        ("i ? c : c", "int"),
        ("'a'", "int"),
        ("h", "25"),
        ("l", "long"),
        ("ll", "long long"),
        ("(long long)l", "long long"),
        ("(long)ll", "long"),
        ("l + ll", "long long"),
        ("ll * i", "long long"),
        ("l - i", "long"),
        ("ul + ll", "unsigned long long"),
        ("ull & l", "unsigned long long"),
        ("ul | l", "unsigned long"),
        ("l << ll", "long"),
        ("ll >> l", "long long"),
        ("-ll", "long long"),
        ("~ul", "unsigned long"),
        ("p - p", "long"),
        ("1L", "long"),
        ("1LL", "long long"),
        ("1ull", "unsigned long long"),
        ("4294967296", "long"),
        ("sizeof i", "unsigned long"),
        ("f()", "long"),
        ("g(1)", "long long"),
        ("i ? l : ll", "long long"),
        ("i ? l : i", "long"),
        ("ll += i", "long long"),
        ("l = ll", "long"),
        ("l < ll", "int"),
    ] {
        kind(value, expected);
    }
    // What is not told apart by its form is refused, and all is where a type may be that of a sum.
    let twin = "unsupported: a selection by a type that has a twin, char or long, of an expression that does not tell which";
    refused("long l;", "int n = _Generic(({ l; }), long: 1, default: 2);", &format!("2:27: {twin}"));
    refused("long long l;", "__typeof__(l + 1) k; int n = _Generic(k, long: 1, default: 2);", &format!("2:48: {twin}"));
    holds(
        "union { long long l; char *s; } u;",
        "_Generic(u.l + 1, long: 0, long long: 1) && _Generic((u.l = 2), long: 0, long long: 1) && _Generic((u.l ? u.l : 1), long: 0, default: 1)",
    );
}

/// Of a call that is not evaluated the type counts alone, with a prototype and without.
#[test]
fn functions_that_are_only_measured_need_no_definition() {
    holds("int f(); char g(); long h(int, ...);", "sizeof f() == 4 && sizeof g(1, 2) == 1 && sizeof(h(1, 2)) == 8");
    refused("int f();", "int n = sizeof f(y);", "2:36: error: 'y' is not declared");
    refused("int f();", "int n = f();", "2:27: unsupported: a call of 'f', which is not defined");
}

/// Objects of a struct that ends with a flexible array member consist of its elements, or of bytes.
#[test]
fn flexible_members_have_the_room_of_their_object() {
    let ints = "struct s { unsigned n; int a[]; };";
    holds(ints, "sizeof(struct s) == 4");
    let lowered = |text: &str| {
        let unit = from_text("f.c", text, &Options::default()).unwrap();
        let program = lower(&unit, "test").unwrap().program;
        let last = program.objects.last().unwrap();
        (program.layouts[last.layout.index()].size, format!("{:?}", last.origin))
    };
    let (size, origin) = lowered(&format!("{ints} struct s x = {{ 4294967295, {{ 1, 2 }} }}; int test(int i) {{ return x.a[i]; }}"));
    assert!(size == 4 && origin.starts_with("Static { count: 3"), "{size} {origin}");
    let (size, origin) = lowered("struct s { long n; char c[]; } x = { 1, \"ab\" }; int test(int i) { return x.c[i]; }");
    assert!(size == 1 && origin.starts_with("Static { count: 11"), "{size} {origin}");
    let (size, origin) = lowered(&format!("{ints} int test(int i) {{ struct s x; x.n = 1; return x.a[i]; }}"));
    assert!(size == 4 && origin.starts_with("Local { count: 1"), "{size} {origin}");
    let input = outcome(&format!("{ints} int test(struct s *p) {{ return 1; }}"));
    assert!(input.ends_with("unsupported: an input 'p' that ends with a flexible array member"), "{input}");
}

/// GNU: what is no `int` has the type of the enumeration, that of the first integer type that holds all constants.
#[test]
fn enumeration_constants_may_be_wider_than_int() {
    holds("enum { A = 0x80000000 };", "sizeof(A) == 4 && -1 > A");
    holds("enum e { A = -1, B = 0xffffffff };", "sizeof(A) == 4 && sizeof(B) == 8 && sizeof(enum e) == 8 && A < B");
    refused("enum e { A = 1L << 40, B = A + 1 };", "", "1:28: unsupported: an enumeration constant outside int inside its enumeration");
    refused("enum e { A = -1, B = 0x8000000000000000 };", "", "1:1: error: an enumeration that no integer type can hold");
}

/// GNU's `c ?: b` evaluates `c` once, wherever it has side effects.
#[test]
fn the_short_conditional_evaluates_its_condition_once() {
    let calls = |body: &str| {
        let text = format!("int f(void); unsigned char c; void test(int x) {{ {body} }} int f(void) {{ return __VERIFIER_nondet_int(); }}");
        outcome(&text).matches("Havoc").count()
    };
    assert_eq!((calls("if (f() ?: x) __VERIFIER_fail();"), calls("if (f() ? f() : x) __VERIFIER_fail();")), (1, 2));
    holds("unsigned char c;", "sizeof(c ?: c) == 4 && (0 ?: 5) == 5 && (3 ?: 5) == 3");
    refused("int x; int y = x++ ?: 0;", "y = 0;", "1:16: error: an initialiser that is not constant");
}

/// C11 6.7.5: a member may be aligned more, and 0 asks for nothing.
#[test]
fn members_are_aligned_as_they_ask() {
    holds("struct s { char c; _Alignas(16) char d; };", "sizeof(struct s) == 32 && __builtin_offsetof(struct s, d) == 16");
    holds("struct s { char c; _Alignas(long) int d; _Alignas(0) char e; };", "sizeof(struct s) == 16 && _Alignof(struct s) == 8");
}

#[test]
fn sums_of_rows_that_are_dereferenced_stay_in_them() {
    for reached in ["*(m[0] + i)", "*(i + m[0])", "*(*m + 3)", "*(*(m + 1) + i)"] {
        assert!(fails(&format!("int test(int i) {{ int m[2][3]; m[0][0] = 1; return {reached}; }}")), "{reached}");
    }
    assert!(fails("struct s { int a[2]; int b; }; int test(int i) { struct s s; s.b = 1; return *(s.a + i); }"));
    assert!(!fails("int test(int i) { int a[3]; a[0] = 1; return *(a + i); }"), "what the access reaches decides");
}

/// What is declared again has no value again (C11 6.2.4p6), as long as its block lasts.
#[test]
fn jumps_lead_back_over_no_declaration_of_what_is_in_memory() {
    let expected = "a jump back over the declaration of a variable in memory without an initialiser";
    for declaration in ["int x[4];", "int x; int *p = &x;", "struct { int a[3]; } x;"] {
        let used = if declaration.contains('a') { "x.a[i] = 0;" } else { "(&x)[0];" };
        let text = |body: &str| outcome(&format!("void test(int i) {{ if (i < 0 || i > 2) return; {body} }}"));
        let again = text(&format!("again: i++; {declaration} {used} if (i < 2) goto again;"));
        assert!(again.ends_with(expected), "{again}");
        // From an inner block, and to one.
        let inner = text(&format!("again: i++; {declaration} if (i) {{ int y = 0; {used} goto again; }}"));
        assert!(inner.ends_with(expected), "{inner}");
        let into = text(&format!("{{ again: i++; }} {declaration} {used} if (i < 2) goto again;"));
        assert!(into.ends_with(expected), "{into}");
        // It ends and begins anew with its block.
        for body in [
            format!("again: i++; {{ {declaration} {used} }} if (i < 2) goto again;"),
            format!("{declaration} again: i++; {used} if (i < 2) goto again;"),
            format!("while (i < 2) {{ {declaration} {used} i++; }}"),
        ] {
            assert!(!text(&body).contains("unsupported"), "{body}: {}", text(&body));
        }
    }
}

/// The operations of a function that returns this of unsigned characters `a` and `b`, an int `i` and an unsigned `u`.
fn operations(value: &str) -> Vec<&'static str> {
    let instructions = outcome(&format!(
        "unsigned char any(void); int some(void);
         long test(unsigned char a, unsigned char b, int i, unsigned u) {{ return {value}; }}"
    ));
    let mut found: Vec<_> = ["Add", "Or", "Xor"].into_iter().filter(|name| instructions.contains(&format!("operation: {name}"))).collect();
    found.sort_unstable();
    found
}

#[test]
fn operands_without_a_bit_in_common_are_added() {
    for sum in [
        "(unsigned)a << 8 | b",
        "a << 8 ^ b",
        "a | b << 8 | (unsigned)a << 16 | (unsigned)b << 24",
        "(u & 6) | (b & 1)",
        "(i & 6) | (b & 1)",
    ] {
        assert_eq!(operations(sum), ["Add"], "{sum}");
    }
    // One bit in common; a sign that is spread; a bit that is shifted out of the type, where signed; an amount that is not known.
    for other in ["(unsigned)a << 7 | b", "i << 8 | b", "a << 24 | b", "(unsigned)a << b | b", "u | b", "(u & 3) | (b & 1)"] {
        assert_eq!(operations(other), ["Or"], "{other}");
    }
    assert_eq!(operations("a ^ b"), ["Xor"]);
}

/// What lies between the members of a struct is copied with it, and may be a value of another member of a union.
#[test]
fn padding_that_another_member_has() {
    for part in ["unsigned :16; unsigned m:16;", "unsigned char x; unsigned :8; unsigned m:16;", "struct { unsigned a:4; unsigned :28; };"]
    {
        let text = format!("union {{ struct {{ {part} }} a; unsigned char c[4]; }} u, v; void test(void) {{ v.c[1] = 3; u.a = v.a; }}");
        assert!(outcome(&text).contains("where the struct has padding"), "{part}: {}", outcome(&text));
    }
    let pointers = "union { struct { int kind; char *name; } a; struct { int kind, more; } b; } u, v; void test(void)";
    assert!(outcome(&format!("{pointers} {{ u.a = v.a; }}")).contains("where the struct has padding"));
    assert!(outcome(&format!("{pointers} {{ u.a.kind = 1; u.b = v.b; }}")).starts_with('['));
}

/// That there is no entry is said where the first function is, not in a header before it.
#[test]
fn the_entry_is_missed_in_the_users_file() {
    let outcome = outcome("#include <assert.h>\n\nint main(void) { return 0; }\n");
    assert!(
        outcome.starts_with("f.c:3:1: error: no definition of the entry function 'test', but one of 'main': add --entry main"),
        "{outcome}"
    );
    let outcome = self::outcome("#include <assert.h>\n\nint helper(void) { return 0; }\n");
    assert!(outcome.starts_with("f.c:3:1: error: no definition of the entry function 'test': name another one"), "{outcome}");
}
