//! What is assumed of one program and not of another, and said of it.

use goatherd_frontend::{
    lower::{Assumption, lower},
    source::{Options, from_text},
};

const DECLARATIONS: &str = "
    typedef unsigned long size_t; void *malloc(size_t); void *realloc(void *, size_t); void *memcpy(void *, const void *, size_t);
    void *memmove(void *, const void *, size_t);
    struct two { int a, b; }; struct wide { int a, b; long c; }; struct base { int kind; }; struct derived { struct base base; long more; };
    struct __attribute__((aligned(32))) line { int a; };
    union either { struct two two; int all[2]; }; union shifted { struct two two; struct { int first; struct two two; } later; };
    union links { void *any; struct two *two; }; union parts { int whole; short halves[2]; };
    int m[8]; char bytes[64]; struct two twos[4]; struct two *two = twos;
    struct cell { void *any; } cell; struct holder { struct two *two; };
    void *any; union shifted shifted, *shift = &shifted; union parts parts, *part = &parts;
";

/// What is assumed of a program with this text; the first message if it is refused.
fn outcome(text: &str) -> Result<Vec<Assumption>, String> {
    let text = format!("{DECLARATIONS}\n{text}\n");
    let unit = from_text("f.c", &text, &Options::default()).map_err(|reports| reports[0].message.clone())?;
    let lowered = lower(&unit, "test").map_err(|found| found[0].message.clone())?;
    Ok(Assumption::all_of(&lowered.program).into_iter().collect())
}

fn assumed(text: &str) -> Vec<Assumption> {
    outcome(text).unwrap_or_else(|message| panic!("{text}: {message}"))
}

fn of_body(body: &str) -> Vec<Assumption> {
    assumed(&format!("void test(void) {{ {body} }}"))
}

fn refused(body: &str, message: &str) {
    let found = outcome(&format!("void test(void) {{ {body} }}")).expect_err(body);
    assert!(found.contains(message), "{body}: {found}");
}

fn ordinary(name: &str) -> Vec<Assumption> {
    vec![Assumption::Ordinary(name.to_owned())]
}

/// GCC takes a function for its own that has the name of one, and calls what has the name of its own.
#[test]
fn names_of_the_library() {
    for name in ["ffs", "index", "strlen", "memcpy", "puts", "abs", "vfork", "qsort"] {
        let name_of_mine = if name == "memcpy" {
            "void *memcpy(void *to, const void *from, size_t n) { return 0; }".to_owned()
        } else {
            format!("int {name}(int n) {{ return n; }}")
        };
        let plain = format!("{name_of_mine} void test(void) {{}}");
        assert_eq!(assumed(&plain), ordinary(name), "also where it is not called: compilers may call it");
        if name != "memcpy" {
            assert_eq!(assumed(&format!("static {plain}")), ordinary(name), "inside of its file");
        }
    }
    assert_eq!(assumed("static char puts[8]; void test(void) { puts[0] = 1; }"), ordinary("puts"));
    assert_eq!(assumed("static int index; void test(void) { index = 1; }"), [], "no compiler calls that unasked");
    assert_eq!(assumed("int my_strlen(int n) { return n; } void test(void) { my_strlen(1); }"), []);
    assert_eq!(assumed("size_t strlen(const char *); void test(void) { strlen(bytes); }"), [], "the library's");
}

/// What lies at an address that its alignment does not allow is undefined (C11 6.3.2.3p7).
#[test]
fn alignment() {
    for body in [
        "struct wide *p = (struct wide *)bytes; p->a = 1;",
        "struct wide *p = any; p->a = 1;",
        "struct base *b = malloc(16); struct derived *d = (struct derived *)b; d->base.kind = 1;",
        "struct two **p = (struct two **)&any; (*p)->a = 1;",
        "struct line *p = malloc(64); p->a = 1;",
        "struct two **p; void *v = &any; p = v; (*p)->a = 1;",
        "struct two **p = (struct two **)&cell; (*p)->a = 1;",
        "struct holder *p = (struct holder *)&any; p->two->a = 1;",
        "union links u; u.any = bytes; u.two->a = 1;",
        "memcpy(&two, &any, sizeof two); two->a = 1;",
        "int *p = (int *)(bytes + 1); *p = 1;",
        "int *p = (int *)(bytes + 1); struct two *q = (struct two *)p; q->a = 1;",
        "int *p = any; *p = 1;",
        "int **p = (int **)&any; **p = 1;",
        "union { void *v; int *i; } u; u.v = bytes + 1; *u.i = 1;",
    ] {
        assert!(of_body(body).contains(&Assumption::Aligned), "{body}");
    }
    assert!(
        assumed("void reach(struct two *p) { p->a = 1; } void test(void) { void (*f)(char *) = (void (*)(char *))reach; f(bytes); }")
            .contains(&Assumption::Aligned)
    );
    refused("struct wide *p = (struct wide *)(m + 1); p->a = 1;", "a pointer to a scalar that becomes one to a struct");
    for body in [
        "struct two *p = (struct two *)(m + 1); p->a = 1;",
        "struct wide *p = malloc(sizeof *p); p->a = 1;",
        "struct two **p = malloc(8 * sizeof *p); p[0] = two; struct holder *h = malloc(sizeof *h); h->two = two;",
        "struct wide *p = realloc(0, sizeof *p); p->a = 1;",
        "struct wide *p = 0, *q = (void *)0; void *v = q; p = q;",
        "two->a = 1; two = twos + 1; void *v = two;",
        "char *p = (char *)two; p++; int *q = (int *)two;",
        "int *p = malloc(8 * sizeof *p); p[1] = 1; unsigned *q = (unsigned *)p; void *v = p; char *c = v;",
    ] {
        assert!(!of_body(body).contains(&Assumption::Aligned), "{body}");
    }
}

/// What is assigned to a place that overlaps it in part has no value that C says (C11 6.5.16.1p3).
#[test]
fn places_that_overlap() {
    for body in [
        "struct two *p = (struct two *)m, *q = (struct two *)(m + 1); *p = *q;",
        "any = m + 1; struct two *q = any; *q = *two;",
        "struct two *q = (struct two *)(bytes + 4); twos[0] = *q;",
        "struct two *q = (struct two *)m; *q = m[0] ? *two : twos[1];",
        "*two = shifted.later.two;",
        "*two = shift->later.two;",
        "struct two *q = (struct two *)m; memcpy(q, two, sizeof *q);",
        "parts.whole = parts.halves[1];",
        "part->halves[0] = part->whole;",
        "struct owner { int n; struct two two; } o[2]; struct two *p = &o[0].two; *p = *two;",
        "struct owner { int n; struct two two[2]; } o[2]; memmove(o[1].two, o[0].two + 1, 2 * sizeof *two);",
        "struct two *q = (struct two *)m; memmove(two, q, 2 * sizeof *q);",
    ] {
        assert!(of_body(body).contains(&Assumption::Apart), "{body}");
    }
    for body in [
        "*two = twos[1]; two[1] = *two;",
        "struct two a, b; a = b; struct two *q = (struct two *)m; q->a = 1; twos[0] = twos[1];",
        "struct two *q = (struct two *)m; struct two copy = *q;",
        "struct two *p = malloc(sizeof *p); *p = *two;",
        "parts.whole = 1; int i = parts.halves[1];",
        "parts.whole = parts.whole;",
    ] {
        assert!(!of_body(body).contains(&Assumption::Apart), "{body}");
    }
    refused("shifted.two = shifted.later.two;", "an assignment of a struct to a place that overlaps it in part");
    let moves = "memmove(two, q, 2 * sizeof *q);";
    assert_eq!(of_body(&format!("struct two *q = twos + 1; {moves}")), []);
    assert_eq!(of_body("struct two *q = (struct two *)m; memmove(two, q, sizeof *q);"), []);
}

/// Models look into no stream, so that any object would do for one (C11 7.21.3).
#[test]
fn streams() {
    let said = |body: &str| {
        let declarations =
            "typedef struct stream FILE; struct stream { int x; }; extern FILE *stdout, *stdin; FILE mine, *own = &mine; int c;
            int fputs(const char *, FILE *); int fputc(int, FILE *); int fflush(FILE *); char *fgets(char *, int, FILE *);
            int fprintf(FILE *, const char *, ...);";
        assumed(&format!("{declarations} void test(FILE *given) {{ {body} }}"))
    };
    for body in ["fputs(bytes, own);", "fputc(1, &mine);", "fflush((FILE *)m);", "fgets(bytes, 8, c ? own : 0);", "fprintf(own, \"a\");"] {
        assert!(said(body).contains(&Assumption::Streams), "{body}");
    }
    for body in ["fputs(bytes, stdout);", "fflush(0);", "fgets(bytes, 8, stdin);", "fprintf(stdout, \"a\");"] {
        assert!(!said(body).contains(&Assumption::Streams), "{body}");
    }
}
