//! Calls of library functions.

use super::{fails, holds, refused};

/// Functions that take pointers and a number of elements, or that need not look at what a pointer points to, called for no elements. In a call,
/// each of the letters A, B (bytes), P, Q (int), R (struct) and F (a function) is a pointer.
const CALLS_FOR_NOTHING: [(&str, &str); 43] = [
    ("void *memchr(const void *, int, size_t)", "memchr(A, 0, 0)"),
    ("void *memrchr(const void *, int, size_t)", "memrchr(A, 0, 0)"),
    ("void *memset(void *, int, size_t)", "memset(A, 0, 0)"),
    ("void bzero(void *, size_t)", "bzero(A, 0)"),
    ("void explicit_bzero(void *, size_t)", "explicit_bzero(A, 0)"),
    ("size_t strnlen(const char *, size_t)", "strnlen(A, 0)"),
    ("", "free(strndup(A, 0))"),
    ("int memcmp(const void *, const void *, size_t)", "memcmp(A, B, 0)"),
    ("int bcmp(const void *, const void *, size_t)", "bcmp(A, B, 0)"),
    ("void bcopy(const void *, void *, size_t)", "bcopy(A, B, 0)"),
    ("void *memcpy(void *, const void *, size_t)", "memcpy(A, B, 0)"),
    ("void *mempcpy(void *, const void *, size_t)", "mempcpy(A, B, 0)"),
    ("void *memmove(void *, const void *, size_t)", "memmove(A, B, 0)"),
    ("void *memccpy(void *, const void *, int, size_t)", "memccpy(A, B, 0, 0)"),
    ("int strncmp(const char *, const char *, size_t)", "strncmp(A, B, 0)"),
    ("int strncasecmp(const char *, const char *, size_t)", "strncasecmp(A, B, 0)"),
    ("char *strncpy(char *, const char *, size_t)", "strncpy(A, B, 0)"),
    ("char *stpncpy(char *, const char *, size_t)", "stpncpy(A, B, 0)"),
    ("char *strncat(char *, const char *, size_t)", "strncat(A, B, 0)"),
    ("size_t strlcpy(char *, const char *, size_t)", "strlcpy(A, B, 0)"),
    ("size_t strlcat(char *, const char *, size_t)", "strlcat(A, B, 0)"),
    ("size_t strspn(const char *, const char *)", "strspn(A, B)"),
    ("size_t strcspn(const char *, const char *)", "strcspn(A, B)"),
    ("char *strpbrk(const char *, const char *)", "strpbrk(A, B)"),
    ("char *strsep(char **, const char *)", "strsep(&none, B)"),
    ("int *wmemchr(const int *, int, size_t)", "wmemchr(P, 0, 0)"),
    ("int *wmemset(int *, int, size_t)", "wmemset(P, 0, 0)"),
    ("int *wmemcpy(int *, const int *, size_t)", "wmemcpy(P, Q, 0)"),
    ("int *wmemmove(int *, const int *, size_t)", "wmemmove(P, Q, 0)"),
    ("int wmemcmp(const int *, const int *, size_t)", "wmemcmp(P, Q, 0)"),
    ("int *wcsncpy(int *, const int *, size_t)", "wcsncpy(P, Q, 0)"),
    ("int *wcsncat(int *, const int *, size_t)", "wcsncat(P, Q, 0)"),
    ("int wcsncmp(const int *, const int *, size_t)", "wcsncmp(P, Q, 0)"),
    ("size_t wcsnlen(const int *, size_t)", "wcsnlen(P, 0)"),
    ("size_t wcsspn(const int *, const int *)", "wcsspn(P, Q)"),
    ("size_t wcscspn(const int *, const int *)", "wcscspn(P, Q)"),
    ("int *wcspbrk(const int *, const int *)", "wcspbrk(P, Q)"),
    // The models of elements.
    ("void *memcpy(void *, const void *, size_t)", "memcpy(P, Q, zero * sizeof(int))"),
    ("void *memmove(void *, const void *, size_t)", "memmove(P, Q, zero * sizeof(int))"),
    ("void *memset(void *, int, size_t)", "memset(P, 0, zero * sizeof(int)), memset(R, 0, zero * sizeof(struct pair))"),
    ("int memcmp(const void *, const void *, size_t)", "memcmp(P, Q, zero * sizeof(int))"),
    ("void qsort(void *, size_t, size_t, int (*)(const void *, const void *))", "qsort(P, zero, sizeof(int), F)"),
    (
        "void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *))",
        "bsearch(Q, P, zero, sizeof(int), F)",
    ),
];

/// The elements that were there stay, as many as there is room for (C11 7.22.3.5p2).
#[test]
fn reallocation_keeps_the_elements() {
    let run = |body: &str| format!("struct pair {{ short n; char *p; }}; int test(void) {{ {body} return 0; }}");
    let grown = "int *a = malloc(8); if (!a) return 0; a[0] = 1; a[1] = 2; int *b = realloc(a, 16); if (!b) { free(a); return 0; }";
    holds(&run(&format!("{grown} __VERIFIER_assert(b[0] == 1 && b[1] == 2); free(b);")));
    fails(&run(&format!("{grown} b[1] = 3; __VERIFIER_assert(b[1] == 2); free(b);")));
    fails(&run(&format!("{grown} a[0] = 1; free(b);")));
    holds(&run(&format!("{grown} int *c = realloc(b, 4); if (c) {{ __VERIFIER_assert(*c == 1); free(c); }} else free(b);")));
    // That there are fewer of them is not forgotten.
    fails(&run(&format!("{grown} int *c = realloc(b, 4); if (c) {{ c[1] = 2; free(c); }} else free(b);")));
    // What holds no value does so still.
    holds(&run(
        "struct pair *a = calloc(2, sizeof *a), *b; if (!a) return 0; a[0].n = 5; a[0].p = (char *)a; b = realloc(a, 3 * sizeof *b); \
         if (b) { __VERIFIER_assert(b[0].n == 5 && b[1].n == 0 && !b[1].p); free(b); } else free(a);",
    ));
    // Only of the last allocation of its kind is known how large it is.
    holds(&run(
        "int *a = malloc(8), *b; char *c = malloc(3), *d; if (!a || !c) return 0; a[0] = 1; *c = 'c'; b = realloc(a, 16); d = realloc(c, 1); \
         if (b && d) __VERIFIER_assert(b[0] == 1 && *d == 'c');",
    ));
    fails(&run(
        "int *a = malloc(8), *c = malloc(4), *b; if (!a || !c) return 0; a[0] = 1; b = realloc(a, 16); if (b) __VERIFIER_assert(b[0] == 1);",
    ));
    fails(&run(
        "int *a = malloc(8), *c = calloc(1, 4), *b; if (!a || !c) return 0; c[0] = 0; free(a); b = realloc(c, 16); if (b) __VERIFIER_assert(b[0] == 0);",
    ));
    // What is not there any more cannot be replaced.
    fails(&run("int *a = malloc(8), *b; free(a); b = realloc(a, 16);"));
    fails(&run("int *a = malloc(8), *b; b = realloc(a + 1, 16);"));
    fails(&run("int a[2], *b; b = realloc(a, 16);"));
}

/// Each pointer alone may not be NULL (C11 7.1.4p1, 7.22.5p1, 7.24.1p2, 7.29.4p2).
#[test]
fn null_is_no_array_of_no_elements() {
    let pointers = [
        ("A", "a", "none"),
        ("B", "b", "none"),
        ("P", "p", "nowhere"),
        ("Q", "q", "nowhere"),
        ("R", "&r", "nothing"),
        ("F", "order", "never"),
    ];
    for (declared, call) in CALLS_FOR_NOTHING {
        let program = |null: &str| {
            let mut call = call.to_owned();
            for (letter, valid, no_pointer) in pointers {
                let chosen = if letter == null { no_pointer } else { valid };
                call = call.replace(&format!("({letter},"), &format!("({chosen},")).replace(&format!(" {letter},"), &format!(" {chosen},"));
                call = call.replace(&format!("({letter})"), &format!("({chosen})")).replace(&format!(" {letter})"), &format!(" {chosen})"));
            }
            format!(
                "{declared}; struct pair {{ int m, n; }}; int order(const void *x, const void *y) {{ return 0; }}\n\
                 int test(void) {{ char a[4] = \"\", b[4] = \"\", *none = 0; int p[2] = {{ 0 }}, q[2] = {{ 0 }}, *nowhere = 0; struct pair r, *nothing = 0;\n\
                 int (*never)(const void *, const void *) = 0; {call}; return 0; }}"
            )
        };
        holds(&program(""));
        for (letter, _, _) in pointers {
            if program(letter) != program("") {
                fails(&program(letter));
            }
        }
    }
}

/// The second argument is a string also where nothing behind the first of its characters is looked at (C11 7.1.1p1, 7.24.5).
#[test]
fn sets_and_what_is_sought_are_strings() {
    for (declared, call) in [
        ("size_t strspn(const char *, const char *)", "strspn(text, SET)"),
        ("size_t strcspn(const char *, const char *)", "strcspn(text, SET)"),
        ("size_t strcspn(const char *, const char *)", "strcspn(\"\", SET)"),
        ("char *strpbrk(const char *, const char *)", "strpbrk(text, SET)"),
        ("char *strstr(const char *, const char *)", "strstr(\"b\", SET)"),
        ("char *strsep(char **, const char *)", "strsep(&rest, SET)"),
        ("size_t wcsspn(const int *, const int *)", "wcsspn(wide, WIDE)"),
        ("size_t wcscspn(const int *, const int *)", "wcscspn(wide, WIDE)"),
        ("int *wcspbrk(const int *, const int *)", "wcspbrk(wide, WIDE)"),
        ("int *wcsstr(const int *, const int *)", "wcsstr(wide + 1, WIDE)"),
    ] {
        let program = |count: usize| {
            let call = call.replace("SET", "set").replace("WIDE", "signs");
            format!(
                "{declared}; int test(void) {{ char text[] = \"a\", *rest = text, set[{count}] = {{ 'a' }}; int wide[] = {{ 'a', 0 }}, signs[{count}] = {{ 'a' }};\n\
                 {call}; return 0; }}"
            )
        };
        holds(&program(2));
        fails(&program(1));
    }
}

/// Nothing is copied where nothing is to be copied; else the terminator may not go where the other string begins (C11 7.24.3.2p2).
#[test]
fn strncat_of_the_end_of_its_first_string() {
    let program = |count: u32| {
        format!(
            "char *strncat(char *, const char *, size_t); int test(void) {{ char a[3] = \"a\"; strncat(a, a + 1, {count}); return 0; }}"
        )
    };
    holds(&program(0));
    fails(&program(1));
}

/// Whatever a program calls FILE is a stream, and nothing else (C11 7.21.1p2).
#[test]
fn streams_are_pointers_to_what_the_program_says() {
    let program = |file: &str, stream: &str| {
        format!(
            "{file} extern FILE *stdin, *stdout; char *fgets(char *, int, FILE *); int fputs(const char *, FILE *), fputc(int, FILE *), putc(int, FILE *), fflush(FILE *);\n\
             int test(void) {{ char line[8]; if (fgets(line, 8, stdin)) fputs(line, {stream}); fputc(10, stdout); putc(10, stdout); fflush(stdout); return 0; }}"
        )
    };
    for file in ["typedef struct _IO_FILE FILE;", "typedef struct stream { int fd; } FILE;", "typedef void FILE;"] {
        holds(&program(file, "stdout"));
        fails(&program(file, "(FILE *)0"));
    }
    let message = "declared with another type before, or in the library";
    refused(&program("typedef int FILE;", "stdout"), message);
    refused("struct s; int fputs(struct s *, struct s *); int test(void) { return fputs(0, 0); }", message);
    refused("struct s; void *memset(struct s *, int, size_t); int test(void) { memset(0, 0, 0); return 0; }", message);
}

/// NULL is no string, whatever the precision (C11 7.21.6.1p8), but an array to write nothing into (7.21.6.5p2).
#[test]
fn null_in_calls_of_printf() {
    fails("int test(void) { char *s = 0; printf(\"%.0s\", s); return 0; }");
    holds("int test(void) { char *s = \"\"; printf(\"%.0s\", s); return 0; }");
    holds("int snprintf(char *, size_t, const char *, ...); int test(void) { char *s = 0; snprintf(s, 0, \"%d\", 5); return 0; }");
}

/// errno is set when the arguments have been evaluated (C11 6.5.2.2p10), also by a call through a pointer.
#[test]
fn errno_is_set_behind_the_arguments() {
    for call in [
        "malloc((*e = 0, 8))",
        "calloc((*e = 0, 2), 4)",
        "realloc((*e = 0, (void *)0), 4)",
        "strdup((*e = 0, \"a\"))",
        "strndup((*e = 0, \"a\"), 1)",
        "printf(\"%d\", *e = 0)",
        "puts((*e = 0, \"a\"))",
        "puts(\"\"), p = puts, p((*e = 0, \"a\"))",
    ] {
        fails(&format!(
            "int test(void) {{ int *e = __errno_location(), (*p)(const char *); {call}; __VERIFIER_assert(*e == 0); return 0; }}"
        ));
    }
    for call in ["malloc((kept = *e, 8))", "calloc(2, (kept = *e, 4))", "printf(\"%d\", kept = *e)", "puts((kept = *e, \"a\"))"] {
        holds(&format!(
            "int test(void) {{ int *e = __errno_location(), kept = 5; *e = 0; {call}; __VERIFIER_assert(kept == 0); return 0; }}"
        ));
    }
    // What the program defines itself does not set it.
    holds(
        "char *strdup(const char *s) { return 0; } int test(void) { int *e = __errno_location(); strdup(\"\"); __VERIFIER_assert(*e == 0); return 0; }",
    );
}

/// What an allocation is for is seen through the function that sets errno too.
#[test]
fn allocations_beside_errno_are_used() {
    holds(
        "int test(void) { *__errno_location() = 0; int *p = malloc(8), *q = calloc(2, sizeof *q); p[1] = 3; q[1] += p[1]; __VERIFIER_assert(q[1] == 3); free(p); free(q); return 0; }",
    );
}

/// The status is a value (C11 6.3.2.1p2).
#[test]
fn exit_looks_at_its_argument() {
    fails("int test(void) { int x; exit(x); }");
    holds("int test(void) { int x = one; exit(x); }");
}

/// Each argument may be given any value, or the input ends there (C11 7.21.6.2p16).
#[test]
fn what_is_read_may_be_anything() {
    let program = |body: &str| {
        format!(
            "int scanf(const char *, ...); int test(void) {{ int n = 3, k = 4, r; unsigned char c = 'c'; long l = 5; {body} return 0; }}"
        )
    };
    holds(&program("r = scanf(\"%d\", &n); __VERIFIER_assert(r >= -1 && r <= 1 && (r == 1 || n == 3));"));
    holds(&program(
        "r = scanf(\"%d %c,%lu\", &n, &c, &l); __VERIFIER_assert(r >= -1 && r <= 3 && (r >= 2 || c == 'c') && (r == 3 || l == 5));",
    ));
    holds(&program("r = scanf(\" %c\", &c); __VERIFIER_assert(r == 1 || r == -1);"));
    holds(&program("r = scanf(\"\\v%c\", &c); __VERIFIER_assert(r == 1 || r == -1);"));
    for condition in ["n == 3", "r == 1", "r == -1 || r == 1"] {
        fails(&program(&format!("r = scanf(\"%d\", &n); __VERIFIER_assert({condition});")));
    }
    for condition in ["k == 4", "r != 2", "r != 0"] {
        fails(&program(&format!("r = scanf(\"%i%d\", &n, &k); __VERIFIER_assert({condition});")));
    }
    fails(&program("r = scanf(\"x%c\", &c); __VERIFIER_assert(r != 0);"));
    fails(&program("r = scanf(\" %c\", &c); __VERIFIER_assert(r != -1);"));
    fails(&program("r = scanf(\"%d\", (int *)0);"));
    fails(&program("int a[1]; r = scanf(\"%d\", &a[n - 2]);"));
    fails(&program("*__errno_location() = 0; scanf(\"%d\", &n); __VERIFIER_assert(*__errno_location() == 0);"));
    let wrong = "an argument is not of the type that the format wants";
    for (call, message) in [
        ("scanf(\"%d\", n)", wrong),
        ("scanf(\"%d\", &l)", wrong),
        ("scanf(\"%ld\", &n)", wrong),
        ("scanf(\"%c\", &n)", wrong),
        ("scanf(\"%d\", &nine)", wrong),
        ("scanf(\"%d\", (const int *)&n)", wrong),
        ("scanf(\"%d\", &v)", wrong),
        ("scanf(\"%c\", (_Bool *)&c)", wrong),
        ("scanf(\"%d%d\", &n)", "the format wants more arguments"),
        ("scanf(\"%d\", &n, &k)", "an argument that the format does not want"),
        ("scanf((char *)&c)", "a format that is no string literal"),
        ("scanf(\"%s\", &c)", "a conversion in a format that is not known"),
        ("scanf(\"%3d\", &n)", "a conversion in a format that is not known"),
        ("scanf(\"%*d\")", "a conversion in a format that is not known"),
        ("scanf(\"x\")", "a format without conversions"),
        ("scanf(\"%n\", &n)", "a conversion in a format that is not known"),
        ("scanf(\"%hhc\", &c)", "a conversion in a format that is not known"),
        ("scanf(\"%\", &n)", "a conversion in a format that is not known"),
    ] {
        refused(&program(&format!("{call};")), message);
    }
    refused(
        "void scanf(const char *, ...); int test(void) { scanf(\"x\"); return 0; }",
        "which is declared with another type than the library's",
    );
    // The program's own is what it defines.
    holds(
        "int scanf(const char *s, int *p) { *p = 3; return 7; } int test(void) { int n; __VERIFIER_assert(scanf(\"%s\", &n) == 7 && n == 3); return 0; }",
    );
}

#[test]
fn the_time_may_be_any() {
    let program = |body: &str| format!("long time(long *); long clock(void); int test(void) {{ long t = 1, now = 2; {body} return 0; }}");
    holds(&program("now = time(&t); __VERIFIER_assert(now == t); now = time(0); now = clock();"));
    fails(&program("time(&t); __VERIFIER_assert(t == 1);"));
    fails(&program("now = time(0); __VERIFIER_assert(now >= 0);"));
    fails(&program("now = clock(); __VERIFIER_assert(now >= 0);"));
}

/// A pointer may lead to `free`, which is no function of the program.
#[test]
fn pointers_lead_to_free() {
    let program = |body: &str| {
        format!(
            "struct list {{ void (*destroy)(void *); char *p; }} s = {{ free }}; void nothing(void *p) {{}} int test(void) {{ void (*d)(void *) = free; char *p = malloc(3); {body} return 0; }}"
        )
    };
    holds(&program("d(p); d = nothing; d(p); d = one ? free : nothing; d(0); __VERIFIER_assert(s.destroy == free && d != nothing);"));
    holds(&program("s.p = p; s.destroy(s.p); (*d)(malloc(1)); (&*free)(malloc(2));"));
    fails(&program("d(p); *p = 1;"));
    fails(&program("d(p); s.destroy(p);"));
    fails(&program("char a[1]; d(a);"));
    fails(&program("p = p + 1; d(p);"));
    refused(
        "void (*d)(void *) = free; int test(void) { d(0); calloc; return 0; }",
        "a pointer to the function 'calloc', which is not defined",
    );
    holds(
        "int called; static void release(void *p) { called++; } int test(void) { void (*d)(void *) = release; d(0); free(0); __VERIFIER_assert(called == 1); return 0; }",
    );
}
