//! Recursive functions: what their frames keep, and what is refused.

use goatherd_certificates::program::{FailKind, Instruction, Origin, Program};
use goatherd_frontend::{
    lower::{is_frame, lower},
    source::{Options, from_text},
};

fn lowered(text: &str) -> Result<Program, Vec<String>> {
    let unit = from_text("t.c", text, &Options::default()).expect("it is read");
    let messages =
        |diagnostics: Vec<goatherd_frontend::diagnostics::Diagnostic>| diagnostics.into_iter().map(|found| found.message).collect();
    lower(&unit, "test").map(|lowered| lowered.program).map_err(messages)
}

/// The names of the fields of each kind of frame.
fn frames(text: &str) -> Vec<Vec<String>> {
    let program = lowered(text).unwrap_or_else(|messages| panic!("{text}: {messages:?}"));
    let frames = program.layouts.iter().filter(|layout| is_frame(layout));
    frames.map(|layout| layout.fields.iter().map(|field| field.name.clone()).collect()).collect()
}

#[test]
fn a_frame_keeps_what_is_read_behind_the_call() {
    let list = "struct n { int v; struct n *next; };";
    let length = "static int f(struct n *l) { return l ? 1 + f(l->next) : 0; } void test(struct n *l) { f(l); }";
    assert_eq!(frames(&format!("{list}{length}")), [["below"]]);
    let append = "static struct n *f(struct n *l, struct n *m) { if (!l) return m; l->next = f(l->next, m); return l; }
        void test(struct n *l, struct n *m) { f(l, m); }";
    assert_eq!(frames(&format!("{list}{append}")), [["below", "f:l"]], "m is handed on as it is");
    let fibonacci = "static int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); } void test(int n) { f(n); }";
    let [frame] = &frames(fibonacci)[..] else { panic!("one stack") };
    assert_eq!(frame[..2], ["below", "place"], "either call may come first");
    assert_eq!(frame.iter().filter(|field| *field == "f:n" || field.starts_with("f:%part")).count(), frame.len() - 2, "and a sum");
    let global = "static int g; static int f(int n) { if (n) { g++; f(n - 1); g += n; } return g; } void test(int n) { f(n); }";
    assert_eq!(frames(global), [["below", "f:n"]], "globals are as the callee leaves them");
}

/// What is read beside a call that may not come back is read before it, and again where nothing between writes it: its frame keeps where that is.
#[test]
fn frames_keep_nodes_and_not_what_their_fields_lead_to() {
    let tree = "struct t { int v; struct t *l, *r; };";
    let count = "static unsigned f(struct t *t) { return t ? 1 + f(t->l) + f(t->r) : 0; } void test(struct t *t) { f(t); }";
    let [frame] = &frames(&format!("{tree}{count}"))[..] else { panic!("one stack") };
    assert_eq!(frame[..3], ["below", "place", "f:t"]);
    assert_eq!(frame.len(), 4, "and a sum: {frame:?}");
}

#[test]
fn calls_that_come_last_need_no_frames() {
    let gcd = "static unsigned f(unsigned a, unsigned b) { return b ? f(b, a % b) : a; } void test(unsigned a, unsigned b) { f(a, b); }";
    assert!(frames(gcd).is_empty());
    let ackermann = "static unsigned f(unsigned m, unsigned n) { return m ? n ? f(m - 1, f(m, n - 1)) : f(m - 1, 1) : n + 1; }
        void test(unsigned m, unsigned n) { f(m, n); }";
    let [frame] = &frames(ackermann)[..] else { panic!("one stack") };
    assert_eq!(frame.len(), 2, "the inner call alone, which keeps what the outer one is given first: {frame:?}");
}

/// Also where functions call each other: as values, as statements, and where the value only decides; from the entry function, too.
#[test]
fn calls_of_each_other_that_come_last_need_no_frames() {
    let values = "static int g(int n); static int f(int n) { return n ? g(n - 1) : 1; } static int g(int n) { return n ? f(n - 1) : 0; }";
    assert!(frames(&format!("{values} int test(int n) {{ return f(n) ? 1 : g(n); }}")).is_empty());
    assert!(frames(&format!("{values} int test(int n) {{ if (f(n)) return 3; return n ? test(n - 1) : 2; }}")).is_empty());
    let statements = "static int c; static void g(int n); static void h(int n);
        static void f(int n) { if (n > 3) { c++; g(n - 1); } else if (n) { h(n - 2); return; } }
        static void g(int n) { if (n) f(n - 1); } static void h(int n) { if (n > 0) g(n - 1); else if (n < -3) h(n + 1); }";
    assert!(frames(&format!("{statements} void test(int n) {{ f(n); h(n); }}")).is_empty());
    let entry = "static int g(int n); int test(int n) { return n ? g(n - 1) : 0; } static int g(int n) { return n ? test(n - 1) : 1; }";
    assert!(frames(entry).is_empty());
    let waits = "static int g(int n); static int f(int n) { return n ? g(n - 1) : 1; } static int g(int n) { return n ? !f(n - 1) : 0; }";
    assert_eq!(frames(&format!("{waits} int test(int n) {{ return f(n); }}")), [["below"]], "g goes on behind f");
    let converts =
        "static char g(int n); static int f(int n) { return n ? g(n - 1) : 1; } static char g(int n) { return n ? f(n - 1) : 0; }";
    assert_eq!(frames(&format!("{converts} int test(int n) {{ return f(n); }}")), [["below"]], "g cuts off what f returns");
    let missing =
        "static int g(int n); static int f(int n) { if (n < 0) return; return g(n - 1); } static int g(int n) { return f(n - 1); }";
    assert_eq!(frames(&format!("{missing} int test(int n) {{ return f(n); }}")), [["below"]], "g uses a value that f need not have");
    let nodes = "struct n { int v; struct n *next; }; static void b(struct n *l);
        static void a(struct n *l) { if (!l) return; if (l->v) { l->v = 0; a(l->next); return; } b(l->next); }
        static void b(struct n *l) { int x = 0, *p = &x; if (!l) return; *p = l->v; a(l->next); } void test(struct n *l) { a(l); }";
    let calls = lowered(nodes).expect("it is supported").instructions;
    let allocations = calls.iter().filter(|instruction| matches!(instruction, Instruction::Allocate(_))).count();
    assert_eq!(allocations, 3, "where b has a variable in memory calls wait at nodes, and the one of a by itself as well");
}

#[test]
fn functions_of_one_circle_share_a_stack_and_others_do_not() {
    let mutual =
        "static int g(int n); static int f(int n) { return n ? 1 + g(n - 1) : 0; } static int g(int n) { return n ? 2 + f(n - 1) : 0; }
        void test(int n) { f(n); }";
    assert_eq!(frames(mutual), [["below"]]);
    let inner = "static int g(int n) { return n ? 1 + g(n - 1) : 0; } static int f(int n) { return n ? g(n) + f(n - 1) : 0; }
        void test(int n) { f(n); }";
    assert_eq!(frames(inner).len(), 2);
}

#[test]
fn each_activation_has_variables_in_memory_of_its_own() {
    let program =
        lowered("static void f(int n, int *p) { int a = n; if (n) f(n - 1, &a); *p += a; } void test(int n) { int r = 0; f(n, &r); }");
    let program = program.expect("it is supported");
    let heap: Vec<&str> =
        program.objects.iter().filter(|object| object.origin == Origin::Heap).map(|object| object.name.as_str()).collect();
    assert_eq!(heap, ["f:a"]);
    assert_eq!(program.objects.iter().filter(|object| matches!(object.origin, Origin::Local { .. })).count(), 1, "r of test");
    let count = |is_such: fn(&Instruction) -> bool| program.instructions.iter().filter(|instruction| is_such(instruction)).count();
    assert_eq!(count(|instruction| matches!(instruction, Instruction::Allocate(_))), 2, "a, and the frame");
    assert_eq!(count(|instruction| matches!(instruction, Instruction::Free { .. })), 2);
}

#[test]
fn what_frames_cannot_express_is_refused() {
    let cases = [
        (
            "void free(void *); static void f(int n) { int a; if (n) f(n - 1); free(&a); } void test(int n) { f(n); }",
            "a free of what may be a variable of a recursive function",
        ),
        (
            "void free(void *); static void f(int n, int *p) { int a; if (n) f(n - 1, &a); else free(p); } void test(int n) { int b; f(n, &b); }",
            "a free of what may be a variable of a recursive function",
        ),
        (
            "static int f(int n) { int v[n + 1]; return n > 0 ? f(n - 1) + 1 : 0; } void test(int n) { f(n); }",
            "an array of variable length in a recursive function",
        ),
        (
            "static int f(int n) { if (n > 0) { f(n - 1); return 1 + f(n - 2); } } void test(int n) { f(n); }",
            "a call whose value is not used, of a recursive function that may come back without one elsewhere",
        ),
    ];
    for (text, message) in cases {
        let messages = lowered(text).expect_err("it is refused");
        assert!(messages.iter().any(|found| found == message), "{text}: {messages:?}");
    }
}

#[test]
fn the_end_of_main_is_a_value() {
    let text = "static int n; int main(void) { if (n < 3) { n++; main(); int r = main(); n += r; } } void test(void) { main(); }";
    assert!(lowered(text).is_ok());
    let other = "static int n; static int f(void) { if (n < 3) { n++; f(); int r = f(); n += r; } } void test(void) { f(); }";
    assert!(lowered(other).is_err(), "another function ends without one");
}

/// A function that comes back without a value fails where a caller uses that, and where nobody does it need not have one (C11 6.9.1p12).
#[test]
fn a_value_that_nobody_uses_may_be_missing() {
    let fails = |body: &str, call: &str| {
        let text = format!(
            "static int k; static int g(int n); static int f(int n) {{ {body} }} static int g(int n) {{ f(n); return 0; }} int test(int n) {{ {call} }}"
        );
        let program = lowered(&text).unwrap_or_else(|messages| panic!("{text}: {messages:?}"));
        program.instructions.contains(&Instruction::Fail { kind: FailKind::MissingReturn })
    };
    for body in [
        "if (n > 0) f(n - 1);",
        "if (n < 1) return; f(n - 1); return 1;",
        "int l = n, *p = &l; if (n < 1) return; f(*p - 1); k++; return 1;",
        "if (n < 1) return; (void)f(n - 1), f(n - 2);",
        "if (n < 1) return; g(n - 1); return 1;",
    ] {
        assert!(!fails(body, "f(n); return 0;"), "{body}");
    }
    for body in ["if (n < 1) return; k += f(n - 1); return 1;", "if (n > 0) return 1 + f(n - 1);"] {
        assert!(fails(body, "return f(n);"), "{body}");
    }
    assert!(!fails("if (n > 0) f(n - 1);", "f(n); k = g(n); return k;"));
    let entry = "int test(int n) { if (n > 3) return; if (n > 2) test(n - 1); n++; return n; }";
    let program = lowered(entry).expect("it is supported");
    assert!(!program.instructions.contains(&Instruction::Fail { kind: FailKind::MissingReturn }));
}
