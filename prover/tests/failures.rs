//! Which failing runs are failures of C, and which are answers: what a model leaves open, what addresses are, and what comes first.

use std::{fs, path::Path, process::Command};

/// Asks for a proof of a program, with few steps: the exit status and the report.
fn answer(name: &str, text: &str, options: &[&str]) -> (i32, String) {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("failures").join(name);
    fs::create_dir_all(&directory).expect("the directory of a test");
    fs::write(directory.join("program.c"), text).expect("the program");
    let asked = ["prove", "program.c", "--steps", "500"];
    let output =
        Command::new(env!("CARGO_BIN_EXE_goatherd")).args(asked).args(options).current_dir(&directory).output().expect("the command");
    (output.status.code().expect("no signal"), String::from_utf8(output.stdout).expect("text"))
}

/// What a model leaves more open than C does, and what does not depend on it.
#[test]
fn runs_that_c_does_not_have_are_no_answer() {
    let prelude = "typedef unsigned long size_t;\nextern void __VERIFIER_assert(int condition);\nvoid *malloc(size_t);\nvoid *realloc(void *, size_t);\n\
        void free(void *);\nint printf(const char *, ...);\nint snprintf(char *, size_t, const char *, ...);\n";
    let verdict = |name: &str, body: &str| answer(&format!("model-{name}"), &format!("{prelude}void test(int n)\n{{\n{body}\n}}\n"), &[]);
    // Of two allocations that are alike the older one is not known to hold so many elements.
    let grown = "int *a = malloc(4), *d = malloc(4); if (!a || !d) return; *a = 1; int *b = realloc(a, 8); if (!b) return;";
    let (status, report) = verdict("lost", &format!("{grown} __VERIFIER_assert(*b == 1); free(b);"));
    assert_eq!(status, 2, "{report}");
    assert!(report.contains("need not be one of the C program: at") && report.contains("of which C says more"), "{report}");
    assert_eq!(verdict("length", "__VERIFIER_assert(printf(\"abc\") == 3);").0, 2);
    assert_eq!(verdict("text", "char b[4]; snprintf(b, 4, \"%d\", n); __VERIFIER_assert(b[0] != 'x');").0, 2);
    // Whichever way it is reached, a cell is one.
    let grown = format!("{grown} int c[2]; int *q = c + 1;");
    assert_eq!(verdict("moved", &format!("{grown} c[1] = *b; __VERIFIER_assert(*q == 1); free(b);")).0, 2);
    assert_eq!(verdict("overwritten", &format!("{grown} *q = 1; c[1] = *b; __VERIFIER_assert(*q == 1); free(b);")).0, 2);
    assert_eq!(verdict("settled", &format!("{grown} c[1] = *b; *q = n; __VERIFIER_assert(c[1] == 1); free(b);")).0, 1);
    // These fail in C too.
    let one = "int *a = malloc(4); if (!a) return; *a = 1; int *b = realloc(a, 8); if (!b) { free(a); return; }";
    assert_eq!(verdict("kept", &format!("{one} __VERIFIER_assert(*b == 2); free(b);")).0, 1);
    assert_eq!(verdict("new", &format!("{one} __VERIFIER_assert(b[1] == 1); free(b);")).0, 1);
    assert_eq!(verdict("printed", "printf(\"%d\", n); __VERIFIER_assert(n != 5);").0, 1);
    assert_eq!(verdict("beyond", "char b[4]; snprintf(b, 9, \"%d\", n);").0, 1);
    assert_eq!(
        verdict("freed", "int *a = malloc(4); if (!a) return; int *b = realloc(a, 8); if (b) { *a = 1; free(b); } else free(a);").0,
        1
    );
}

/// C may evaluate an access that fails before the call beside it that ends the program.
#[test]
fn an_access_that_fails_comes_before_an_end() {
    let prelude = "void exit(int);\nstruct pair { int a, b; };\nstatic int bye(void) { exit(0); return 0; }\nstatic int two(int a, int b) { return a + b; }\n";
    for (number, body) in [
        "int *p = 0; int k = bye() + *p;",
        "int *p; int k = bye() + *p;",
        "int *p = 0; int k = bye() + p[1];",
        "struct pair *p = 0; int k = bye() + p->b;",
        "int *p = 0; int k = two(bye(), *p);",
        "struct pair *p; int k = bye() + (&p->b == 0);",
    ]
    .into_iter()
    .enumerate()
    {
        let (status, report) = answer(&format!("before-an-end-{number}"), &format!("{prelude}void test(int n) {{ {body} }}\n"), &[]);
        assert_eq!(status, 1, "{body}: {report}");
    }
}

/// What depends on the number of a pointer, or on the pointer of a number, is neither proved nor refuted.
#[test]
fn numbers_of_pointers_are_not_known() {
    let prelude = "extern void __VERIFIER_assert(int condition);\nvoid *malloc(unsigned long);\nvoid free(void *);\nvoid *__VERIFIER_nondet_pointer(void);\n";
    let all = |cases: &[(&str, &[&str], &str)], expected| {
        for (name, options, body) in cases {
            let text = format!("{prelude}void test(int n)\n{{\nint x = n;\n{body}\n}}\n");
            let (status, report) = answer(&format!("numbers-{name}"), &text, options);
            assert_eq!(status, expected, "{name}: {report}");
        }
    };
    let proved: [(&str, &[&str], &str); 6] = [
        ("any-unused", &[], "int *p = __VERIFIER_nondet_pointer(), *q = p; __VERIFIER_assert(p == q && (p == &x || *&x == n));"),
        ("back", &[], "int *p = (int *)(unsigned long)&x; __VERIFIER_assert(*p == n);"),
        ("null", &[], "int *p = 0; __VERIFIER_assert((long)p == 0);"),
        ("failed", &[], "int *p = n < 0 ? (int *)-1 : &x; if (p == (int *)-1) return; __VERIFIER_assert(*p == n);"),
        ("alike", &[], "void *p = (void *)-1, *q = p; __VERIFIER_assert(p == q && p == (void *)(long)-1);"),
        ("as-it-was", &[], "void *p = (void *)(long)n; __VERIFIER_assert((long)(void *)(long)n == n);"),
    ];
    all(&proved, 0);
    let unknown: [(&str, &[&str], &str); 12] = [
        ("any", &[], "int *p = __VERIFIER_nondet_pointer(); if (p) *p = 1;"),
        ("any-freed", &[], "free(__VERIFIER_nondet_pointer());"),
        // As addresses these may be apart by 2^64.
        ("told-apart", &[], "void *p = (void *)-1, *q = (void *)-2; __VERIFIER_assert(p != q);"),
        ("compared", &[], "if ((long)&x == 4096) __VERIFIER_assert(0);"),
        ("twice", &[], "long a = (long)&x, b = (long)&x; __VERIFIER_assert(a == b);"),
        ("read", &[], "long a = (long)&x; int *p = (int *)a; __VERIFIER_assert(*p == n);"),
        ("equal", &[], "long a = (long)&x; int *p = (int *)a; __VERIFIER_assert(p == &x);"),
        ("freed", &[], "int *p = malloc(4); if (!p) return; long a = (long)p; free((void *)a);"),
        ("null-or-not", &[], "void *p = (void *)4096L; __VERIFIER_assert(p != 0);"),
        ("ordered", &[], "long a = (long)&x; char *p = (char *)a; __VERIFIER_assert(p <= (char *)&x);"),
        ("formed", &["--checks", "pointer"], "void *p = (void *)-1; __VERIFIER_assert(n == x);"),
        ("kept", &["--checks", "leak"], "static long kept; void *p = malloc(4); kept = (long)p;"),
    ];
    all(&unknown, 2);
    // These fail whatever the number is.
    let refuted: [(&str, &[&str], &str); 2] = [
        ("beside", &[], "long a = (long)&x; __VERIFIER_assert(n != 5);"),
        ("dead", &[], "int *p = malloc(4); free(p); long a = (long)p; if (a) x = 1;"),
    ];
    all(&refuted, 1);
    // Such a function could reach what the number was made of.
    let refused: [(&str, &[&str], &str); 1] =
        [("reached", &["--undefined", "havoc"], "int other(long); long a = (long)&x; other(a); __VERIFIER_assert(x == n);")];
    all(&refused, 3);
}
