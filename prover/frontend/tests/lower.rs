//! Programs of C as they are lowered, and what is refused.

use goatherd_certificates::program::{FailKind, Input, Instruction, Program};
use goatherd_frontend::{
    lower::{Lowered, lower},
    print::print,
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
        Ok(lowered) => print(&lowered.program, &lowered.positions),
        Err(messages) => messages.join("\n"),
    }
}

/// The instructions alone.
fn code(text: &str) -> Vec<String> {
    let program = program(text);
    program.instructions.iter().map(|instruction| goatherd_frontend::print::print_instruction(&program, instruction)).collect()
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

#[test]
fn a_link_may_lie_in_an_inner_struct() {
    let links = "struct links { int mark; struct entry *next; }; struct entry { int key; struct links links; };";
    let text = format!("{links} void test(struct entry *e) {{ if (e) e = e->links.next; }}");
    assert!(matches!(program(&text).inputs[..], [Input::Linked { .. }]));
    let text = "struct other { struct entry *e; }; struct entry { struct other *o; }; void test(struct entry *e) {}";
    assert!(matches!(program(text).inputs[..], [Input::Single { .. }]));
}

#[test]
fn side_effects_wait_for_their_sequence_point() {
    let text = "void test(struct { char *s; int n_s; } a, struct { char *d; int n_d; } b) { *b.d++ = *a.s++; }";
    assert_eq!(code(text), ["%1 = *a.s", "*b.d = %1", "a.s = a.s + 1 * 1 bytes", "b.d = b.d + 1 * 1 bytes", "halt"]);
}

#[test]
fn a_truth_value_changes_before_its_old_value_is_used() {
    let expected = ["%1 = b", "%2 = b", "%3 = %2 - 1", "if %3 == 0 goto 6 else 4", "b = 1", "goto 7", "b = 0", "x = %1", "halt"];
    assert_eq!(code("void test(_Bool b, int x) { x = b--; }"), expected);
}

#[test]
fn an_old_value_is_kept_for_its_test() {
    let text = "void test(unsigned n) { while (n-- != 0) ; }";
    assert_eq!(code(text), ["%1 = n", "n = n - 1", "if %1 == 0 goto 3 else 0", "halt"]);
}

#[test]
fn comparisons_convert_only_where_a_value_changes() {
    assert_eq!(code("void test(unsigned char c, char d) { if (c < d) __VERIFIER_fail(); }")[0], "if c < d goto 1 else 2");
    assert_eq!(code("void test(unsigned c, int d) { if (c < d) __VERIFIER_fail(); }")[0], "%1 = d");
}

#[test]
fn declarations_without_value_are_kept_where_they_are_read() {
    let unseen = code("int test(int x) { int y; if (x) y = 1; else y = 2; return y; }");
    assert!(unseen.iter().all(|line| !line.contains("uninitialised")));
    let seen = code("int test(int x) { int y; if (x) y = 1; return y + 1; }");
    assert!(seen.contains(&"y = uninitialised".to_owned()));
}

#[test]
fn a_missing_return_fails_only_where_the_value_is_used() {
    let fails = |text: &str| program(text).instructions.contains(&Instruction::Fail { kind: FailKind::MissingReturn });
    assert!(fails("int f(int x) { if (x) return 1; } void test(int x) { x = f(x); }"));
    assert!(!fails("int f(int x) { if (x) return 1; } void test(int x) { f(x); }"));
}

#[test]
fn every_assertion_is_recorded_once() {
    let text = "void test(int a, int b) { assert(a || b); assert(a > 0 && b > 0); if (!(a < b)) reach_error(); }";
    assert_eq!(program(text).assertions.len(), 3);
}

#[test]
fn order_dependence_is_refused() {
    let refused = |body: &str| {
        let text = format!("int g; int next(void) {{ return ++g; }} void test(int i, struct {{ int *a; int n_a; }} s) {{ {body} }}");
        lowered(&text).is_err()
    };
    for body in ["i = i++;", "s.a[i] = i++;", "i = next() - next();", "i = g + next();", "i += i++;"] {
        assert!(refused(body), "{body}");
    }
    for body in ["i = s.a[i]++;", "i = next() + i;", "i = i++ ? 1 : i;", "i = (i++, i);", "s.a[i++] = 1;", "s.a[0] = s.a[1] = i = 0;"] {
        assert!(!refused(body), "{body}");
    }
}

#[test]
fn inputs_are_apart_from_each_other() {
    let functions = "int set(char *p) { p[0] = 1; return 0; } int get(const char *p) { return p[0]; } int both(char *p, char *q) { return set(p) + get(q); }";
    let test = |expression: &str| {
        let inputs = "struct { char *s; int n_s; } a, struct { char *s; int n_s; } b";
        lowered(&format!("{functions} void test({inputs}) {{ char *p = b.s; assert({expression}); }}")).is_ok()
    };
    assert!(test("set(a.s) + get(p + 1)"));
    assert!(!test("set(b.s) + get(p + 1)"));
    // The callee does not know what its caller knows.
    assert!(!test("both(a.s, b.s)"));
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
