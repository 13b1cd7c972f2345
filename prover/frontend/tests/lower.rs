//! Programs of C as they are lowered, and what is refused.

mod nodes;

use goatherd_certificates::program::{Access, Advance, Compute, FailKind, Instruction, Operand, Operation, Origin, Program, Type};
use goatherd_frontend::{
    lower::{Leaks, Lowered, lower, lower_with},
    print::{self, program::Names},
    source::{Options, from_text},
};

fn lowered(text: &str) -> Result<Lowered, Vec<String>> {
    let unit = from_text("test.c", text, &Options::default()).map_err(|reports| {
        let messages = reports.into_iter().map(|report| report.message);
        messages.collect::<Vec<_>>()
    })?;
    lower(&unit, "test").map_err(|found| {
        let line = |offset| unit.position(offset).line;
        found.into_iter().map(|found| format!("{}: {}: {}", line(found.offset), found.kind.name(), found.message)).collect()
    })
}

fn program(text: &str) -> Program {
    lowered(text).expect("the program is supported").program
}

fn shown(text: &str) -> String {
    match lowered(text) {
        Ok(lowered) => print::program(&lowered.program, &lowered.files, &lowered.positions),
        Err(messages) => messages.join("\n"),
    }
}

/// The instructions alone.
fn code(text: &str) -> Vec<String> {
    let program = program(text);
    let names = Names::new(&program);
    program.instructions.iter().map(|instruction| names.instruction(instruction)).collect()
}

macro_rules! snapshots {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                insta::assert_snapshot!(shown(include_str!(concat!("programs/", stringify!($name), ".c"))));
            }
        )*
    };
}

snapshots! { conversions effects heap inlining jumps objects refused }

/// Does an object of the program hold pointers?
fn has_pointers(program: &Program) -> bool {
    let layouts = program.objects.iter().map(|object| &program.layouts[object.layout.index()]);
    let mut fields = layouts.flat_map(|layout| &layout.fields);
    fields.any(|field| field.kind == Type::Pointer)
}

#[test]
fn pointers_that_are_only_compared_with_null_are_numbers() {
    let with = |count: &str, then: &str| {
        let memory = "void *malloc(unsigned long size); void free(void *block); struct str { char *s; int n_s; };";
        let text = format!(
            "{memory} void test(struct str a) {{ char **p = malloc({count} * sizeof *p); if (!p) return; p[0] = a.s; int n = 0; {then} }}"
        );
        has_pointers(&program(&text))
    };
    assert!(!with("(unsigned long)a.n_s", "if (p[0]) n = 1;"));
    assert!(!with("(unsigned long)a.n_s", "char *q = p[0]; while (q == 0) n++;"));
    // How many there are is known; more is asked of them; their objects may die; a number might be loaded.
    assert!(with("3ul", "if (p[0]) n = 1;"));
    assert!(with("(unsigned long)a.n_s", "if (p[0]) *p[0] = 1;"));
    assert!(with("(unsigned long)a.n_s", "char *q = p[0]; if (q) n = 1; if (q == a.s) n = 2;"));
    assert!(with("(unsigned long)a.n_s", "free(a.s); if (p[0]) n = 1;"));
    assert!(with("(unsigned long)a.n_s", "char c = 1; p[0] = &c; if (p[0]) n = 1;"));
    assert!(with("(unsigned long)a.n_s", "if (p[0]) n = *(long *)p > 1;"));
    assert!(with("(unsigned long)a.n_s", "*(long *)p = 1; if (p[0]) n = 1;"));
    // Numbers of their size are somewhere; pointers are elsewhere, too.
    assert!(with("(unsigned long)a.n_s", "long *l = malloc(sizeof *l); if (p[0]) n = 1;"));
    assert!(with("(unsigned long)a.n_s", "struct str *t = malloc(sizeof *t); if (p[0]) n = 1;"));
    assert!(with("(unsigned long)a.n_s", "static char *s; char **t = &s; if (p[0]) *t = a.s;"));
}

/// What such a pointer leads to would seem to be lost.
#[test]
fn pointers_are_kept_where_leaks_count() {
    let text = "void *malloc(unsigned long size); struct str { char *s; int n_s; };
                void test(struct str a) { char **p = malloc((unsigned long)a.n_s * sizeof *p); if (p && p[0]) p = 0; }";
    let unit = from_text("test.c", text, &Options::default()).expect("the text is read");
    let lowered = |leaks: Leaks| lower_with(&unit, "test", &leaks.into()).expect("the program is supported").program;
    assert!(!has_pointers(&lowered(Leaks::Ignored)));
    assert!(has_pointers(&lowered(Leaks::Fail)));
}

#[test]
fn known_functions_are_called_directly_through_pointers() {
    let text = "typedef int (*comparator)(int, int); static int less(int a, int b) { return a < b; }
        static int either(int a, int b, comparator c) { return c(a, b) || (*c)(b, a); }
        void test(int a, int b) { a = either(a, b, less); b = either(a, b, &less); }";
    assert!(program(text).objects.is_empty(), "no pointer is left");
}

#[test]
fn pointers_to_functions_are_values() {
    let text = "void __VERIFIER_fail(void); static int one(int x) { return x + 1; } static int two(int x) { return x + 2; }
        static long other(int x, int y) { return x; } struct choice { int (*f)(int); }; static const struct choice first = { one };
        static int (*last)(int);
        void test(int n) {
            long (*third)(int, int) = other;
            if (third == 0) __VERIFIER_fail();
            last = n ? two : first.f;
            int y = last(n);
            if (last == one) __VERIFIER_fail();
        }";
    let code = code(text);
    let compared = code.iter().filter(|line| line.contains("== &one") || line.contains("== &two")).count();
    assert_eq!(compared, 3, "{code:#?}");
    assert_eq!(code.iter().filter(|line| line.contains("unreachable")).count(), 1, "a pointer to neither fails");
    // A choice between two pointers to functions has the prototype that one of them has (C11 6.5.15p6).
    for choice in ["n ? g : f", "n ? f : g"] {
        let text = format!("static long f(long x) {{ return x; }} void test(int n) {{ long (*g)() = f; ({choice})(n); }}");
        assert!(lowered(&text).is_ok(), "{choice}: {:?}", lowered(&text));
    }
    let refused = [
        ("int f(int); void test(int (*g)(int)) { g = f; }", "a pointer to the function 'f', which is not defined"),
        (
            "void test(void) { void (*g)(int, ...) = 0; g(1, 2); }",
            "a call through a pointer to a function with a variable number of arguments",
        ),
    ];
    for (text, message) in refused {
        let found = lowered(text).expect_err("it is refused");
        assert!(found.iter().any(|found| found.contains(message)), "{found:?}");
    }
}

/// C11 6.5.2.2p6: arguments are promoted, and nothing else.
#[test]
fn a_call_without_a_prototype_converts_nothing() {
    let call = |function: &str, call: &str| format!("{function} void test(int n, char c) {{ int (*g)() = n ? f : 0; {call}; }}");
    let accepted = code(&call("static int f(int x) { return x; }", "g(c)"));
    assert!(accepted.iter().any(|line| line.contains("== &f")), "{accepted:#?}");
    // Another number of arguments is a call of no function.
    let uncalled = code(&call("static int f(int x) { return x; }", "g()"));
    assert!(!uncalled.iter().any(|line| line.contains("== &f")), "{uncalled:#?}");
    for function in ["static int f(char x) { return x; }", "static int f(long x) { return x; }", "static int f(int *x) { return *x; }"] {
        let found = lowered(&call(function, "g(c)")).expect_err("it is refused");
        assert!(found.iter().any(|found| found.contains("a call through a pointer without a prototype")), "{function} {found:?}");
    }
}

/// What a pointer is as a number nobody knows; what it was made of is found where nothing lies between.
#[test]
fn pointers_become_numbers_and_numbers_pointers() {
    let code = |statements: &str| code(&format!("void test(int n, char c) {{ int a[2]; int *p = a; long l = 0; {statements}; }}"));
    let number = code("l = (long)p; if (l == n) p = 0");
    assert!(number.iter().any(|line| line.starts_with("if (p == NULL)")), "{number:#?}");
    assert!(number.iter().any(|line| line == "l = any long"), "{number:#?}");
    for back in ["p = (int *)(unsigned long)p", "p = (int *)(unsigned long)(long)(void *)p"] {
        assert!(!code(back).iter().any(|line| line.contains("any") || line.contains("numbers")), "{back}: {:#?}", code(back));
    }
    for other in ["p = (int *)(long)(int)(long)p", "p = (int *)l", "p = (int *)(l + 0 * n)", "p = (int *)-1"] {
        assert!(code(other).iter().any(|line| line.contains("numbers")), "{other}: {:#?}", code(other));
    }
    assert!(code("l = (long)(int *)(long)n").iter().all(|line| !line.contains("numbers")), "a number stays what it was");
}

#[test]
fn any_pointer_is_declared_as_one() {
    let text = |result: &str| format!("{result} __VERIFIER_nondet_pointer(void); void test(void) {{ __VERIFIER_nondet_pointer(); }}");
    assert!(lowered(&text("char *")).is_ok());
    let found = lowered(&text("long")).expect_err("it is refused");
    assert!(found.iter().any(|found| found.contains("with a result that is no pointer")), "{found:?}");
    assert!(lowered("void *__VERIFIER_nondet_ptr(); void test(void) { __VERIFIER_nondet_ptr(1); }").is_err());
}

/// To convert is no sequence point.
#[test]
fn a_number_of_a_pointer_orders_nothing() {
    let fails = |body: &str| program(body).instructions.contains(&Instruction::Fail { kind: FailKind::Unreachable });
    assert!(fails("void test(int i) { int a[2]; i = (int)(long)&a[i++]; }"));
    assert!(fails("void test(int i) { int *p; i = (p = (int *)(long)i++) == 0; }"));
    assert!(fails("union u { long l; long k; }; void test(int i, union u x) { int *p = 0; x.l = (x.k = 1) + (long)p; }"));
    assert!(!fails("void test(int i) { int a[2]; i = (int)(long)&a[i]; }"));
}

/// Is the array `a` of the program, or of a function that it calls, there from the start?
fn is_present(text: &str) -> bool {
    let program = program(text);
    let is_array = |name: &str| name == "a" || name.ends_with(":a");
    let mut arrays = program.objects.iter().filter(|object| is_array(&object.name));
    let is_static = matches!(arrays.next().expect("an array").origin, Origin::Static { access: Access::ReadWrite, .. });
    assert!(arrays.next().is_none());
    let begins =
        program.instructions.iter().filter(|instruction| matches!(instruction, Instruction::Enter { .. } | Instruction::Store { .. }));
    assert!(!is_static || begins.count() == 0, "{text}");
    is_static
}

/// An array that nothing but the end of the program ends, and that begins with zeros, once, is there from the start.
#[test]
fn arrays_of_zeros_that_begin_once_are_there_from_the_start() {
    for declared in ["int a[9] = {0};", "int a[9] = {[3] = 0};", "int a[3][3] = {{0}};", "int a[100] = {0};", "_Bool a[9] = {0};"] {
        assert!(is_present(&format!("int test(int n) {{ {declared} int *p = (int *)a; return p[n]; }}")), "{declared}");
    }
    assert!(is_present("int test(int n) { struct { int x; char y; } a[9] = {{0}}; if (n) return 3; return a[n].y; }"));
}

#[test]
fn other_arrays_begin_where_they_are_declared() {
    let others = [
        // Others than zeros, or of unknown value.
        "int test(int n) { int a[9]; a[0] = 0; return a[n]; }",
        "int test(int n) { int a[9] = {1}; return a[n]; }",
        "int test(int n) { int a[9] = {n}; return a[n]; }",
        "int test(int n) { union { char c; int i; } a[9] = {{0}}; return a[n].c; }",
        // What pointers in it lead to would not be lost where the program ends; what is constant or volatile is no variable of the program.
        "int test(int n) { int *a[9] = {0}; return a[n] == 0; }",
        "int test(int n) { const int a[9] = {0}; return a[n]; }",
        "int test(int n) { volatile int a[9] = {0}; return a[n]; }",
        // It begins again, or ends before.
        "int test(int n) { int s = 0; for (int i = 0; i < 2; i++) { int a[9] = {0}; s += a[n]++; } return s; }",
        "int test(int n) { int s; { int a[9] = {0}; s = a[n]; } return s; }",
        "int f(int n) { int a[9] = {0}; return a[n]++; } int test(int n) { return f(n); }",
        "int test(int n) { int i = 0; again:; int a[9] = {0}; a[n]++; if (i++ < 2) goto again; return a[n]; }",
        "int test(int n) { switch (n) { int a[9] = {0}; default: return a[n]; } }",
        "int test(int n) { int a[9] = {0}; if (n > 0) return test(n - 1); return a[n]; }",
        // A way leads past its initialiser.
        "int test(int n) { if (n) goto past; int a[9] = {0}; past: return a[n]; }",
    ];
    for text in others {
        assert!(!is_present(text), "{text}");
    }
}

/// Memory that is set to zeros before anybody looks at it has them from the start.
#[test]
fn an_allocation_that_is_zeroed_at_once_is_calloc() {
    const DECLARED: &str = "typedef unsigned long size_t; void *malloc(size_t); void *memset(void *, int, size_t); void abort(void);
        void __VERIFIER_fail(void); struct node { int value; struct node *next; };";
    let code = |body: &str| {
        let text = format!(
            "{DECLARED} static void *make(size_t n, size_t m) {{ {body} }} void test(void) {{ struct node *p = make(sizeof *p, 1); p->value++; }}"
        );
        code(&text)
    };
    let is_zeroed = |body: &str| {
        let code = code(body);
        let (zeroed, filled) = (code.iter().any(|line| line.contains("calloc")), code.iter().any(|line| line.contains("memset:d")));
        assert!(zeroed || filled, "{body}: {code:#?}");
        zeroed
    };
    for body in [
        "void *p = malloc(n); if (!p) abort(); memset(p, 0, n); return p;",
        "void *p; p = malloc(n); if (p == 0) { m = 2; return 0; } return memset(p, 0, n);",
        "void *p = malloc(n); if (p) memset(p, 0, n); return p;",
        "void *p = malloc(n * m); if (0 != p) { { memset(p, 0, n * m); m = 2; } } else m = 3; return p;",
        "void *p = malloc(n); memset(p, 0, n); return p;",
        "for (;;) { void *p = malloc(n); if (!p) continue; memset(p, 0, n); return p; }",
    ] {
        assert!(is_zeroed(body), "{body}: {:#?}", code(body));
    }
    for body in [
        // Another value, other bytes, another pointer.
        "void *p = malloc(n); if (!p) abort(); memset(p, 1, n); return p;",
        "void *p = malloc(n); if (!p) abort(); memset(p, 0, m); return p;",
        "void *p = malloc(n * m); if (!p) abort(); memset(p, 0, n + m); return p;",
        "void *p = malloc(n), *q = malloc(n); if (!p) abort(); memset(q, 0, n); return p;",
        "void *p = malloc(n); if (!p) abort(); memset((char *)p + 1, 0, n); return p;",
        // The number changes in between, or what holds it.
        "void *p = malloc(n); n = 1; memset(p, 0, n); return p;",
        "void *p = malloc(n); if (!p) n = 1; memset(p, 0, n); return p;",
        "void *p = &n; p = malloc((size_t)p); memset(p, 0, (size_t)p); return p;",
        // Somebody sees the memory before, or it stays as it is on one way.
        "void *p = malloc(n); if (p) return p; memset(p, 0, n); return p;",
        "void *p = malloc(n); if (!p) memset(p, 0, n); return p;",
        "void *p = malloc(n); if (m) memset(p, 0, n); return p;",
        "void *p = malloc(n); if (p && m) memset(p, 0, n); return p;",
        // There is another way to it.
        "void *p = malloc(n); again: memset(p, 0, n); if (m++ < 9) goto again; return p;",
        "void *p = malloc(n); if (p) { again: memset(p, 0, n); if (m++ < 9) goto again; } return p;",
    ] {
        assert!(!is_zeroed(body), "{body}: {:#?}", code(body));
    }
    // Where it may be NULL, it fails as before; behind a failure that may be waived, too.
    for body in
        ["void *p = malloc(n); memset(p, 0, n); return p;", "void *p = malloc(n); if (!p) __VERIFIER_fail(); memset(p, 0, n); return p;"]
    {
        assert!(code(body).iter().any(|line| line.contains("memset:d")), "{body}: {:#?}", code(body));
    }
    let own = format!(
        "{} void test(void) {{ struct node *p = malloc(sizeof *p); memset(p, 0, sizeof *p); }}",
        DECLARED.replace("void *memset(void *, int, size_t);", "static void *memset(void *p, int c, size_t n) { return p; }")
    );
    assert!(!self::code(&own).iter().any(|line| line.contains("calloc")), "what the program defines is what it does");
}

#[test]
fn an_index_chooses_among_the_elements_of_an_array_in_a_struct() {
    let text = "struct tree { int key; struct tree *link[2]; };
        void test(struct tree *t, int key) { while (t && t->key != key) t = t->link[t->key < key]; }";
    let is_element =
        |instruction: &&Instruction| matches!(instruction, Instruction::Advance(Advance { index: Operand::Constant(_), scale: 8, .. }));
    assert_eq!(program(text).instructions.iter().filter(is_element).count(), 2, "{:#?}", code(text));
    assert!(lowered("struct s { char c[1025]; }; void test(int i) { struct s s; s.c[i] = 0; }").is_err());
    assert!(lowered("struct s { char c[1024]; }; void test(int i) { struct s s; s.c[i] = 0; }").is_ok());
}

#[test]
fn members_do_not_lie_in_scalar_variables() {
    let text = "struct node { struct node *left, *right; }; static void keep(struct node **place, struct node *n) { *place = n; }
        void test(struct node *n) { struct node *own; keep(&own, n); if (own) own->left = own->right = 0; }";
    assert!(lowered(text).is_ok());
    let text = "struct node { struct node *left, *right; };
        void test(struct node *n, struct node *m) { if (n && m) { (n->left = m)->right = n->left; } }";
    assert!(program(text).instructions.contains(&Instruction::Fail { kind: FailKind::Unreachable }));
}

#[test]
fn side_effects_wait_for_their_sequence_point() {
    let text = "void test(struct { char *s; int n_s; } a, struct { char *d; int n_d; } b) { *b.d++ = *a.s++; }";
    assert_eq!(
        code(text),
        ["%1 = *(signed char *) a.s", "*(signed char *) b.d = %1", "a.s = (char *) a.s + 1 * 1", "b.d = (char *) b.d + 1 * 1", "halt"]
    );
}

#[test]
fn a_truth_value_changes_before_its_old_value_is_used() {
    let expected = [
        "%1 = b",
        "%2 = (int) b",
        "%3 = (int) (%2 - 1)",
        "if (%3 == 0) goto 6; else goto 4",
        "b = 1",
        "goto 7",
        "b = 0",
        "x = (int) %1",
        "halt",
    ];
    assert_eq!(code("void test(_Bool b, int x) { x = b--; }"), expected);
}

#[test]
fn an_old_value_is_kept_for_its_test() {
    let text = "void test(unsigned n) { while (n-- != 0) ; }";
    assert_eq!(code(text), ["%1 = n", "n = (unsigned) (n - 1)", "if (%1 == 0) goto 3; else goto 0", "halt"]);
}

#[test]
fn comparisons_convert_only_where_a_value_changes() {
    assert_eq!(code("void test(unsigned char c, char d) { if (c < d) __VERIFIER_fail(); }")[0], "if (c < d) goto 1; else goto 2");
    assert_eq!(code("void test(unsigned c, int d) { if (c < d) __VERIFIER_fail(); }")[0], "%1 = (unsigned) d");
}

#[test]
fn declarations_without_value_are_kept_where_they_are_read() {
    let unseen = code("int test(int x) { int y; if (x) y = 1; else y = 2; return y; }");
    assert!(unseen.iter().all(|line| !line.contains("holds no value")));
    let seen = code("int test(int x) { int y; if (x) y = 1; return y + 1; }");
    assert!(seen.contains(&"y holds no value".to_owned()));
}

#[test]
fn a_missing_return_fails_only_where_the_value_is_used() {
    let fails = |text: &str| program(text).instructions.contains(&Instruction::Fail { kind: FailKind::MissingReturn });
    assert!(fails("int f(int x) { if (x) return 1; } void test(int x) { x = f(x); }"));
    assert!(!fails("int f(int x) { if (x) return 1; } void test(int x) { f(x); }"));
    // The end of `main` returns 0, whoever calls it.
    assert!(!fails("int main(void) {} void test(int x) { x = main(); }"));
    assert!(!fails("int main(void) {} void test(int x) { if (main() != 0) x = 1; }"));
    assert!(fails("long main(void) {} void test(long x) { x = main(); }"));
}

#[test]
fn every_assertion_is_recorded_once() {
    let text = "void test(int a, int b) { assert(a || b); assert(a > 0 && b > 0); if (!(a < b)) reach_error(); }";
    assert_eq!(program(text).assertions.len(), 3);
}

#[test]
fn giving_up_ends_a_run_and_is_no_failure() {
    let ends = |call: &str| program(&format!("void test(int x) {{ if (x) {call}; x = 1 / x; }}")).instructions;
    for call in ["abort()", "exit(1)", "_exit(1)", "_Exit(1)", "quick_exit(1)"] {
        let instructions = ends(call);
        assert_eq!(instructions.iter().filter(|instruction| **instruction == Instruction::Halt).count(), 2, "{call}");
        assert!(!instructions.iter().any(|instruction| matches!(instruction, Instruction::Fail { .. })), "{call}");
    }
}

#[test]
fn harness_names_mean_the_same_where_the_source_defines_them() {
    let text = "void reach_error(void) {} void __VERIFIER_assert(int c) { if (!c) reach_error(); }
        void test(int x) { __VERIFIER_assert(x != 1); if (x == 2) reach_error(); }";
    let fails = |kind| program(text).instructions.contains(&Instruction::Fail { kind });
    assert!(fails(FailKind::Assertion) && fails(FailKind::Reached));
    assert!(
        program("void abort(void) { __VERIFIER_fail(); } void test(void) { abort(); }")
            .instructions
            .iter()
            .any(|instruction| matches!(instruction, Instruction::Fail { kind: FailKind::Reached }))
    );
}

/// What is done about the order of an expression: nothing, tests for accesses that clash, choices among orders, or it is refused.
fn order_of(declarations: &str, body: &str) -> (bool, bool, bool) {
    let inputs = "int i, int j, struct { int *a; int n_a; } s, struct { int *a; int n_a; } t";
    let Ok(lowered) = lowered(&format!("{declarations} void test({inputs}) {{ {body} }}")) else { return (true, false, false) };
    let has = |wanted: fn(&Instruction) -> bool| lowered.program.instructions.iter().any(wanted);
    let tests = has(|instruction| matches!(instruction, Instruction::Fail { kind: FailKind::Unreachable }));
    (false, tests, has(|instruction| matches!(instruction, Instruction::Choose { .. })))
}

const FUNCTIONS: &str = "int g; int h; void abort(void); int next(void) { return ++g; } int peek(void) { return g; } int one(int x) { return x; }
    int set(int *p) { return *p = 1; } int get(int *p) { return *p; } int leave(int x) { if (x) abort(); return x; }
    int check(int x) { assert(x); return x; } int stay(void) { for (;;) ; } int both(int x) { check(x); return leave(x); }
    int spin(void) { again: goto again; } int turn(void) { for (;;) { goto over; over: ; } } int skip(int x) { if (x) goto out; x = 2; out: return x; }
    struct n { struct n *left, *right; int k; }; struct n *mk(void) { struct n *n = malloc(sizeof *n); if (!n) abort(); n->left = 0; return n; }";

#[test]
fn unsequenced_accesses_to_one_object_fail() {
    let declarations = format!("void *malloc(unsigned long); {FUNCTIONS}");
    for body in [
        "i = i++;",
        "i = i++ + 1;",
        "s.a[i] = i++;",
        "i += i++;",
        "i = (j = 1) + (j = 2);",
        "i = j + j++;",
        "s.a[i] = s.a[j]++;",
        "j = s.a[0] + s.a[i]--;",
        "int *p = s.a; int *q = t.a; if (i) q = p; *p = (*q)++;",
        "int *h = s.a, *n = t.a; if (i) n = h; h[0] = h[--*n];",
        "i = i + (j && (i = 2));",
        "g = g++;",
        "i = one(j++) + j;",
        "g = (g = 1) + 1;",
        "struct n x; struct n *p = &x; p->k = p->k++;",
        "int k = i++ + (j ? i : 0);",
        "int *p = &i; *p = i++;",
        "i = j ? i++ : i--;",
    ] {
        assert_eq!(order_of(&declarations, body), (false, true, false), "{body}");
    }
    for body in [
        "i = s.a[i]++;",
        "i = i++ ? 1 : i;",
        "i = (i++, i);",
        "s.a[i++] = 1;",
        "s.a[0] = s.a[1] = i = 0;",
        "i = one(i++);",
        "i = (i = 1, 2);",
        "*s.a = one(*s.a = 3);",
        "struct { int x, y; } u; u.x = i; u.y = u.x++;",
        "struct n x; struct n *p = &x; p->left = p; p->left->k = p->k + 1;",
        "struct n x; struct n *p = &x; p->k = 1; (p->right = p)->k = 2;",
    ] {
        assert_eq!(order_of(&declarations, body), (false, false, false), "{body}");
    }
}

#[test]
fn calls_come_in_every_order() {
    let declarations = format!("void *malloc(unsigned long); {FUNCTIONS}");
    for body in [
        "i = next() - next();",
        "i = g + next();",
        "g += next();",
        "i = next() + peek();",
        "i = set(s.a) + *s.a;",
        "s.a[g] = next();",
        "i = both(i) + both(j);",
        "i = (j && next()) + g;",
    ] {
        assert_eq!(order_of(&declarations, body), (false, false, true), "{body}");
    }
    for body in [
        "i = next() + i;",
        "i = one(i) + one(j);",
        "i = set(s.a) + get(t.a);",
        "i = next() + h;",
        "i = peek() + peek();",
        "i += next();",
        "struct n x; x.left = mk(); if (x.left) x.left->right = mk();",
        "i = (next(), g);",
        "i = next() && next();",
        "*s.a = leave(i);",
    ] {
        assert_eq!(order_of(&declarations, body), (false, false, false), "{body}");
    }
    // `next` comes between the two parts of a block.
    assert_eq!(order_of(&declarations, "i = (j ? g + h * peek() : 0) + next();"), (false, false, true));
}

#[test]
fn a_failure_comes_before_the_end_of_the_program() {
    // In the order of the text the program may end before it fails.
    let fails_first = |body: &str| {
        let text = format!("void *malloc(unsigned long); {FUNCTIONS} void test(int i, int j) {{ {body} }}");
        let program = program(&text);
        let position = |wanted: &dyn Fn(&Instruction) -> bool| program.instructions.iter().position(wanted);
        let fails = |instruction: &Instruction| {
            matches!(instruction, Instruction::Fail { .. } | Instruction::Compute(Compute { operation: Operation::Divide, .. }))
        };
        let end = position(&|instruction| matches!(instruction, Instruction::Halt));
        position(&fails).is_some_and(|fails| end.is_none_or(|end| fails < end))
    };
    assert!(fails_first("i = leave(i) + check(j);"));
    assert!(fails_first("i = leave(i) + 1 / j;"));
    assert!(fails_first("i = stay() + check(j);"));
    assert!(fails_first("i = spin() + 1 / j;"));
    assert!(fails_first("i = turn() + 1 / j;"));
    // One after the other it may end first.
    assert!(!fails_first("leave(i); check(j);"));
}

/// To use what was only copied may fail: no value, or a pointer to what is no more.
#[test]
fn a_value_is_used_before_the_end_of_the_program() {
    let uses_first = |body: &str| {
        let text = format!(
            "{FUNCTIONS} int *old; static int is_old(int *p) {{ if (p == old) return 1; return 0; }} static int tests(int *p) {{ if (p) return 1; return 0; }}
            static int twice(int *p) {{ return p && p; }} static int *same(int *p) {{ return p; }} void take(int n, int *p) {{}}
            void test(int i, int n) {{ int *p, *q; unsigned u; _Bool b; int y; {body} }}"
        );
        let code = code(&text);
        let position = |wanted: &dyn Fn(&str) -> bool| code.iter().position(|line| wanted(line));
        let is_use = |line: &str| {
            let copied = line.split_once(" = ").map_or(line, |(_, value)| value);
            let words = || copied.split(|c: char| !c.is_alphanumeric());
            copied.contains("== NULL") || copied.contains(' ') && words().any(|word| ["p", "u", "b"].contains(&word))
        };
        let uses = position(&|line| is_use(line) && !line.ends_with("holds no value"));
        let end = position(&|line| line == "halt");
        uses.is_some_and(|uses| end.is_some_and(|end| uses < end))
    };
    for body in [
        "i = leave(i) + (p == &y);",
        "i = leave(i) + (&y != p);",
        "i = leave(i) + !p;",
        "i = leave(i) + (p ? 1 : 2);",
        "i = leave(i) + (p && n);",
        "i = leave(i) + (n && p);",
        "i = leave(i) + (p || n);",
        "i = leave(i) + (u & 1);",
        "i = leave(i) + (u == 3);",
        "i = leave(i) + (b ? 1 : 2);",
        "i = leave(i) + (_Bool)p;",
        "i = leave(i) + ((q = p) == 0);",
        "i = leave(i) + (same(p) == 0);",
        "i = leave(i) + is_old(p);",
        "i = leave(i) + tests(p);",
        "i = leave(i) + twice(p);",
    ] {
        assert!(uses_first(body), "{body}");
    }
    // To copy a value is no use of it.
    assert!(!uses_first("take(leave(i), p); q = p; i = q == 0;"));
    // The items of an initialiser are evaluated in any order.
    for item in ["p == &y", "1 / (int)u", "!p", "p && 1", "p ? 1 : 2", "n ? (p ? 1 : 2) : 3"] {
        assert!(uses_first(&format!("int a[2] = {{ leave(i), {item} }};")), "{item}");
    }
    // A `goto` to what follows ends nothing.
    lowered(&format!("{FUNCTIONS} void test(int i, int n) {{ int *p; int a[2] = {{ skip(i), p ? 1 : 2 }}; }}")).expect("independent items");
}

#[test]
fn inputs_are_apart_from_each_other() {
    let functions = "int set(char *p) { p[0] = 1; return 0; } int get(const char *p) { return p[0]; } int both(char *p, char *q) { return set(p) + get(q); }";
    // Is one order enough?
    let test = |expression: &str| {
        let inputs = "struct { char *s; int n_s; } a, struct { char *s; int n_s; } b";
        let program = program(&format!("{functions} void test({inputs}) {{ char *p = b.s; assert({expression}); }}"));
        !program.instructions.iter().any(|instruction| matches!(instruction, Instruction::Choose { .. }))
    };
    assert!(test("set(a.s) + get(p + 1)"));
    assert!(!test("set(b.s) + get(p + 1)"));
    // The callee does not know what its caller knows.
    assert!(!test("both(a.s, b.s)"));
}

#[test]
fn a_pointer_to_a_struct_may_point_to_what_is_declared_as_none() {
    let declarations = "struct bytes { unsigned char first, rest[3]; }; union word { int i; unsigned u; }; struct link { int *to; };
        unsigned char buffer[8]; int x; int *y[2]; struct bytes *header = (struct bytes *)&buffer[1]; union word *word;
        struct link *at(void) { return (void *)(y + 1); } int set_first(void) { header->first = 1; return 0; }
        int set_word(void) { word->i = 1; return 0; } int set_link(void) { at()->to = &x; return 0; }
        int copy(void) { struct bytes b = {2}; *header = b; return 0; }";
    for body in [
        "i = buffer[1] + set_first();",
        "word = (union word *)&x; i = x + set_word();",
        "i = (y[1] == 0) + set_link();",
        "i = buffer[2] + copy();",
    ] {
        assert_eq!(order_of(declarations, body), (false, false, true), "{body}");
    }
    for body in ["word = (union word *)&x; word->i = x++;", "header->first = buffer[1]++;"] {
        assert_eq!(order_of(declarations, body), (false, true, false), "{body}");
    }
    // An access of another width is never to the same.
    for body in ["word = (union word *)&x; i = x + set_first();", "i = buffer[1] + set_word();"] {
        assert_eq!(order_of(declarations, body), (false, false, false), "{body}");
    }
}

#[test]
fn inputs_need_a_known_size() {
    let messages = lowered("void test(int *p) { *p = 1; }").expect_err("the length is missing");
    assert_eq!(messages, ["1: unsupported: an input 'p' of type 'int *', whose length nobody knows"]);
}

#[test]
fn lowering_is_deterministic() {
    let text = include_str!("programs/objects.c");
    assert_eq!(lowered(text), lowered(text));
}

#[test]
fn deep_programs_are_refused_or_lowered() {
    let sum = vec!["x"; 20_000].join(" + ");
    assert!(lowered(&format!("int test(int x) {{ return {sum}; }}")).is_err());
    let sum = vec!["x"; 1_000].join(" + ");
    let levels = (1..60).map(|level| format!("int f{level}(int x) {{ return f{}(x) + {sum}; }}\n", level - 1));
    let text = format!("int f0(int x) {{ return x; }}\n{}int test(int x) {{ return f59(x); }}", levels.collect::<String>());
    assert!(lowered(&text).is_ok());
}

#[test]
fn a_label_that_is_not_there_is_reported() {
    // What comes before the program, here the value of `g`, moves all places in it.
    let wrong = lowered("static int g = 1; void test(void) { if (g) goto done; g = 2; }").expect_err("a label is missing");
    assert_eq!(wrong, ["1: error: no label 'done'"]);
}
