//! What comes of expressions whose parts C evaluates in an order that it leaves open: each program is run in every order that it has.

use crate::parameters::PARAMETERS;
use goatherd_certificates::program::{Instruction, Operation};
use goatherd_frontend::{
    lower::lower,
    source::{Options, from_text},
};
use goatherd_interpreter::{Environment, Outcome, Question, Tracing, run};

const DECLARATIONS: &str = "
    extern void __VERIFIER_assert(int); void abort(void);
    struct bits { unsigned a : 3, b : 2, c : 12; }; struct pair { int x; char y; int z; }; struct wide { struct pair one, two; };
    union parts { unsigned short all; struct { unsigned char low, high; } half; };
    struct bits bits, more; struct pair pair, twin; struct wide wide; union parts parts; int zero;
    struct bits *at(struct bits *p) { return p; } void take(int one, int two) {} int one(int x) { return x; }
    int leave(int x) { if (x == 0) abort(); return x; } int none(void) {} int half(int x) { if (x) { return 1; } }
    int quit(void) { abort(); } int set(void) { pair.x = 3; return 1; }
    int kept, *none_yet; int put(int x) { return kept = x; } int not3(int x) { __VERIFIER_assert(x != 3); return x; } int is0(void) { return not3(kept); }
    int take3(int one, int two, int three) { return one + two + three; } int count(int x, int n) { for (int i = 0; i < n; i++) x /= one(n); return x; }
    int wait(int x, int n) { while (n) n--; return 6 / x; } int down(int n) { return n ? down(n) : 0; } int stay(void) { while (&kept) ; }
    int back(int n) { again: return ({ if (n) goto again; n; }); }
    void free(void *p); int let(int *p) { free(p); return 0; } int is_null(int *p) { return p == 0; } int is_there(int *p) { return p ? 1 : 0; } int both(int *p) { return p && p; } int asked(int *p) { if (p) return 1; return 0; } long widened(long k) { return k; }
    int sure(int *p) { __VERIFIER_assert(p != 0); return 0; }
    int empty(void) { bits.a = 0; return 4; } int same(void) { return kept == (kept = 1); } int twice(void) { int x = 1; x = x == (x = 1); return 0; }
    int over(void) { int x = 1; x = (x = 2, 3); return x; } int lost(int x) { if (x) return; return 1; } struct three { int x[3]; };
    struct two { int a, b; }; int first_of(struct two *p) { return p->a; }
    void *malloc(unsigned long); int made(int n) { return malloc(n) != 0; }
    int trace, no, yes = 1; int t(int digit) { trace = trace * 10 + digit; return digit; } int seen(void) { return trace; }
";

/// Answers a choice as it is told, and remembers how many there were. Contents are 0, and no comparison is open.
struct Chosen {
    answers: Vec<i128>,
    asked: usize,
}

impl Environment for Chosen {
    fn answer(&mut self, question: Question) -> Option<i128> {
        let (least, greatest) = question.range();
        match question {
            Question::Direction => {}
            Question::Comparison => return None,
            _ => return Some(0.clamp(least, greatest)),
        }
        self.asked += 1;
        Some(self.answers.get(self.asked - 1).copied().unwrap_or(0))
    }
}

/// How the program ends, order by order; an error if it is refused.
fn endings(body: &str) -> Result<Vec<Outcome>, String> {
    let text = format!("{DECLARATIONS}\nvoid test(void) {{ {body} }}\n");
    let unit = from_text("f.c", &text, &Options::default()).map_err(|reports| reports[0].message.clone())?;
    let lowered = lower(&unit, "test").map_err(|found| found[0].help.clone().unwrap_or_default())?;
    let mut open = vec![Vec::new()];
    let mut endings = Vec::new();
    while let Some(answers) = open.pop() {
        let known = answers.len();
        let mut chosen = Chosen { answers, asked: 0 };
        let outcome = run(&lowered.program, PARAMETERS, &[], &mut chosen, 10_000, Tracing::Off).expect("it has no inputs").outcome;
        // An order that goes no further than what may fail: the rest is that of another one.
        endings.extend(Some(outcome).filter(|outcome| *outcome != Outcome::Ignored));
        for first in known..chosen.asked {
            let mut other = chosen.answers.clone();
            other.resize(first, 0);
            other.push(1);
            open.push(other);
        }
    }
    Ok(endings)
}

/// The condition holds behind the body in every order.
fn holds(body: &str, condition: &str) {
    let ended = endings(&format!("{body} __VERIFIER_assert({condition});")).unwrap_or_else(|help| panic!("{body}: {help}"));
    assert!(ended.iter().all(|outcome| *outcome == Outcome::Halted), "{body} {condition}: {ended:?}");
}

/// The body is undefined in every order.
fn fails(body: &str) {
    let ended = endings(body).unwrap_or_else(|help| panic!("{body}: {help}"));
    assert!(ended.iter().all(|outcome| matches!(outcome, Outcome::Failed { .. })), "{body}: {ended:?}");
}

/// Some order shows that the body is undefined.
fn may_fail(body: &str) -> bool {
    let ended = endings(body).unwrap_or_else(|help| panic!("{body}: {help}"));
    ended.iter().any(|outcome| matches!(outcome, Outcome::Failed { .. }))
}

/// The value has exactly these values behind the body, each in some order.
fn comes_to(body: &str, value: &str, values: &[u32]) {
    let one_of: Vec<String> = values.iter().map(|known| format!("({value}) == {known}")).collect();
    holds(body, &one_of.join(" || "));
    for known in values {
        assert!(may_fail(&format!("{body} __VERIFIER_assert(({value}) != {known});")), "{body}: {value} is never {known}");
    }
}

/// The side effect of an operand that is evaluated only sometimes may come behind that of the assignment (C11 6.5.16p3).
#[test]
fn what_an_operand_does_only_sometimes_clashes_with_the_assignment() {
    for (does, does_not) in [
        ("i = (yes && i++);", "i = (no && i++);"),
        ("i = yes ? i++ : 2;", "i = no ? i++ : 2;"),
        ("i += no || i++;", "i += yes || i++;"),
        ("int *p = &i; *p = (yes && (*p)++);", "int *p = &i; *p = (no && (*p)++);"),
        ("int *p = &i; *p += yes ? i++ : 2;", "int *p = &i; *p += no ? i++ : 2;"),
        ("int a[2] = { 0, 1 }; int *p = a; *(p + (yes && p++)) = 1; p = p + (yes && p++);", "int a[2]; int *p = a; p = p + (no && p++);"),
    ] {
        fails(&format!("int i = 0; {does}"));
        holds(&format!("int i = 0; {does_not}"), "yes");
    }
}

#[test]
fn assignments_of_constants_leave_the_order_of_calls_open() {
    comes_to("(trace = 5, t(1)) + t(2);", "trace", &[512, 521, 51]);
    comes_to("int i; i = zero = 5, i = (zero = 0) + t(1) + t(2);", "trace", &[12, 21]);
    comes_to("int r; r = (twin.x = 5) + t(1) + t(2);", "trace", &[12, 21]);
    comes_to("int r = (twin.x = twin.z = 5) + t(1) + t(2);", "trace", &[12, 21]);
}

/// A run that ends where nothing fails.
fn may_end(body: &str) -> bool {
    let ended = endings(&format!("{body} one(none());")).unwrap_or_else(|help| panic!("{body}: {help}"));
    ended.contains(&Outcome::Halted)
}

#[test]
fn items_of_initialisers_come_in_any_order_where_the_program_may_end() {
    let fails = |items: &str| may_fail(&format!("int a[] = {{ {items} }};"));
    assert!(fails("leave(zero), 1 / zero"));
    assert!(fails("leave(zero), leave(yes), 1, 1 / zero"));
    assert!(fails("1 / zero, leave(zero)"));
    assert!(fails("leave(zero), (leave(yes), 1 / zero)"));
    assert!(fails("leave(zero), leave(yes) / zero, (leave(yes), 1 / yes)"));
    assert!(fails("one(1) + 1 / yes, leave(zero) / yes, leave(yes) / zero, 2"));
    assert!(fails("leave(zero), ({ int i = 1; i / zero; })"));
    // What ends the program before it fails, in its own item, does not fail.
    assert!(!fails("leave(zero) && 1 / zero, 2"));
    assert!(!fails("leave(zero), (leave(zero), 1 / zero)"));
    assert!(!fails("leave(zero), 1 / yes, (leave(no), 1 / zero)"));
    assert!(may_end("int a[] = { leave(zero), 1 / yes };"));
    assert!(may_end("int a[] = { leave(zero) / yes, leave(yes) / yes };"));
    // The values are where they belong.
    comes_to("int a[4] = { leave(2), 3, 8 / yes, leave(yes) / yes };", "a[0] * 1000 + a[1] * 100 + a[2] * 10 + a[3]", &[2381]);
    comes_to("struct pair p = { 3, leave(7), 9 / yes };", "p.x * 100 + p.y * 10 + p.z", &[379]);
    comes_to("struct wide w = { .two = { leave(5), 9 / yes / 3, 7 } };", "w.two.x * 100 + w.two.y * 10 + w.two.z + w.one.x", &[537]);
    // Items that meet are refused, and so are several orders where there are labels.
    for items in ["t(1), t(2)", "zero++, zero", "leave(zero) / yes, ({ goto over; over: leave(yes) / yes; })"] {
        assert!(endings(&format!("int a[] = {{ {items} }};")).is_err(), "{items}");
    }
}

#[test]
fn statements_in_expressions_are_steps_like_others() {
    assert!(may_fail("int i = leave(zero) + ({ int k = 1; k / zero; });"));
    assert!(may_fail("int i = ({ int k = leave(zero); k; }) + 1 / zero;"));
    comes_to("int i = t(1) + t(2) + ({ int k = one(5), n = 0; while (k > 0) { k--; n += 2; } n; });", "trace * 100 + i", &[1213, 2113]);
    for body in ["int i = t(1) + ({ t(2); });", "int i = t(1) + t(2) + ({ int k = 1; if (k) goto over; k = 2; over: k; });"] {
        assert!(endings(body).is_err(), "{body}");
    }
}

#[test]
fn what_is_evaluated_only_sometimes_is_ordered_part_by_part() {
    let all = [123, 132, 213, 231, 312, 321];
    let in_order = [123, 132, 312];
    comes_to("(yes && t(1) + t(2)) + t(3);", "trace", &all);
    comes_to("(no || t(1) + t(2)) + t(3);", "trace", &all);
    comes_to("(yes ? t(1) + t(2) : t(4)) + t(3);", "trace", &all);
    comes_to("(no ? t(4) : t(1) + t(2)) + t(3);", "trace", &all);
    comes_to("(no && t(1) + t(2)) + t(3);", "trace", &[3]);
    comes_to("(yes || t(1) + t(2)) + t(3);", "trace", &[3]);
    comes_to("(t(1) && t(2)) + t(3);", "trace", &in_order);
    comes_to("(yes && (t(1), t(2))) + t(3);", "trace", &in_order);
    comes_to("(yes && (t(1) ? no || t(2) : t(4))) + t(3);", "trace", &in_order);
    comes_to("(yes && (t(1) ? yes || t(2) : t(4) + t(5))) + t(3);", "trace", &[13, 31]);
    comes_to("one(yes && one(t(1)) + t(2)) + one(t(3));", "trace", &all);
    // What is kept of a condition is its truth.
    comes_to("int r = (t(4) && t(1) + t(2)) * 10 + (yes && 2);", "trace * 100 + r", &[41211, 42111]);
    comes_to("int r = (t(4) ? t(1) - t(2) + 8 : 0) + t(3) * 0;", "r", &[7]);
    comes_to("int *p = no ? 0 : &zero; int r = (p && t(1) + t(2)) + t(3);", "r", &[4]);
    // Single accesses come before or after each call.
    comes_to("int r = (yes ? trace * 100 + t(1) : 0) + t(2);", "r", &[3, 103, 203, 1203, 2103]);
    comes_to("int r = (yes && (trace = 5, t(1))) + t(2);", "trace", &[512, 521, 51]);
    comes_to("int r = (yes ? (twin.x = 1) + seen() : 0) * 10 + t(2) + (no ? t(7) - seen() : 0);", "r", &[12, 32]);
    // What is copied on the way, structs too, is not looked at.
    comes_to("int r = leave(yes) + (yes ? (twin = pair).x * 10 + set() : 0);", "r", &[2, 32]);
    // A part that is not evaluated has no value, and its accesses meet nothing.
    comes_to("int r, u; r = (no ? u + t(1) + (zero = 2) : 3) + t(2) + (zero = 1);", "r", &[6]);
    fails("int r; r = (yes ? t(1) + seen() + (zero = 2) : 3) + t(2) + (zero = 1);");
}

/// In the order of the text the program ends before it comes to what fails.
#[test]
fn what_surely_fails_comes_before_the_end_of_the_program() {
    for fails in [
        "1 / 0",
        "one(u + 1u) / 0",
        "(u + 1u) % 0",
        "(int)(u * 2u) / -1",
        "(u + 1u) << 32",
        "(u + 1u) >> -1",
        "zero ? 1 : table[3]",
        "zero ? 1 : *(&table[0] - 1)",
        "zero ? 1 : (\"abc\"[0] = 1)",
        "one(none())",
        "one(half(zero))",
    ] {
        assert!(may_fail(&format!("unsigned u = 0x40000000; int table[3] = {{ 1, 2, 3 }}; take(leave(zero), {fails});")), "{fails}");
    }
    for fine in ["1 / 2", "one(u + 1u) / 1", "(u + 1u) << 31", "zero ? 1 : table[2]", "one(quit())", "one(half(1))"] {
        assert!(!may_fail(&format!("unsigned u = 0x40000000; int table[3] = {{ 1, 2, 3 }}; take(leave(zero), {fine});")), "{fine}");
    }
}

#[test]
fn bit_fields_meet_where_they_have_bits_in_common() {
    let one = "struct bits *p = at(&bits), *q = at(&more);";
    let same = "struct bits *p = at(&bits), *q = at(zero ? &more : &bits);";
    holds(&format!("{one} p->a = (q->a = 5) - 1;"), "bits.a == 4 && more.a == 5");
    holds(&format!("{same} p->a = (q->b = 3) + 2; "), "bits.a == 5 && bits.b == 3");
    holds(&format!("{same} p->b = (q->c = 1000) - 998; "), "bits.b == 2 && bits.c == 1000");
    holds(&format!("{same} p->c = q->a = 9;"), "bits.c == 1 && bits.a == 1");
    holds(&format!("{same} p->c = q->c = 9;"), "bits.c == 9");
    fails(&format!("{same} p->a = (q->a = 5) - 1;"));
    fails(&format!("{same} p->c = p->c + q->c++;"));
    // Whole structs have all bits.
    fails(&format!("{same} int i = (*p = more).a + q->b;"));
    holds(&format!("{one} int i = (*p = *q).a + more.b;"), "i == 0");
}

#[test]
fn structs_meet_where_they_have_a_cell_in_common() {
    let part = |member: &str| format!("struct pair *p = zero ? &pair : &wide.{member}; wide.one.z = 4; wide.two.z = 6;");
    holds(&format!("{} int i = (*p = twin).x + wide.two.z;", part("one")), "i == 6");
    fails(&format!("{} int i = (*p = twin).x + wide.two.z;", part("two")));
    fails(&format!("{} int i = (wide = wide, *p = twin).x + (wide.one.y = 1);", part("one")));
    holds(&format!("{} int i = (*p = twin).x + wide.one.y;", part("two")), "i == 0");
    // An int is not where a char is, and what is not accessed is not met.
    holds("char *c = zero ? &twin.y : &pair.y; int i = (pair.x = 3) + (*c = 4);", "i == 7");
    fails("char *c = zero ? &twin.y : &pair.y; int i = (pair = twin).x + (*c = 4);");
    // The other access need not have happened.
    holds("struct pair *p = zero ? &pair : &twin; int i = (zero && (*p = twin).x) + (pair.z = 7);", "i == 7");
    fails("struct pair *p = zero ? &pair : &twin; int i = (!zero && ((*p = pair).x, 1)) + (twin.z = 7);");
}

#[test]
fn one_value_that_is_stored_in_different_parts_depends_on_the_order() {
    fails("union parts *p = zero ? 0 : &parts, *q = &parts; p->all = q->half.high = 5;");
    fails("parts.all = parts.half.high = 5;");
    holds("struct pair *p = zero ? &twin : &pair, *q = &pair; p->x = q->x = 5;", "pair.x == 5");
}

/// What is handed to one call meets another: either call may come first.
#[test]
fn what_a_call_is_handed_orders_it_with_others() {
    for body in [
        "take(not3(kept), put(3));",
        "take(is0(), kept = one(3));",
        "take(is0(), kept += one(3));",
        "int k = 0; int *p = &k; take(not3(k), *p = one(put(3)));",
        "__VERIFIER_assert(one(kept) + put(3) == 6);",
        "__VERIFIER_assert(one(kept) + put(3) == 3);",
        "if (not3(kept) == put(3)) take(1, 2);",
        "take3(leave(zero), 1 / (kept - 3), put(3));",
        "take3(leave(zero), not3(kept), put(3));",
        "take3(leave(yes), not3(kept) + leave(zero), put(3));",
    ] {
        assert!(may_fail(body), "{body}");
    }
    // Sequence points order them.
    holds("int r = (not3(kept), put(3));", "r == 3");
    holds("int r = not3(kept) || put(3);", "r == 1");
}

/// Nobody has to take a loop to end, or calls around a circle.
#[test]
fn what_may_never_end_comes_behind_what_fails() {
    for endless in ["wait(1, yes)", "down(yes)", "stay()", "back(yes)", "({ while (yes) ; 1; })"] {
        let body = format!("take({endless}, 1 / zero);");
        assert!(may_fail(&body), "{body}");
    }
    assert!(endings("take(({ again: if (yes) goto again; 1; }), 1 / zero);").is_err(), "a label is written once only");
    let orders = |body: &str| endings(body).expect("it is supported").len();
    let chooses = |body: &str| {
        let unit = from_text("f.c", &format!("{DECLARATIONS} void test(void) {{ {body} }}"), &Options::default()).expect("it is C");
        let lowered = lower(&unit, "test").expect("it is supported");
        lowered.program.instructions.iter().any(|instruction| matches!(instruction, Instruction::Choose { .. }))
    };
    assert!(chooses("take(wait(1, 2), wait(2, 1));"));
    assert!(!chooses("take(count(1, 2), count(2, 1));"), "it counts");
    assert!(may_fail("take(wait(1, yes + 1), wait(zero, 1));") && may_fail("take(wait(zero, 1), wait(1, yes + 1));"));
    assert_eq!(orders("take(wait(1, 2), wait(2, 1));"), 1, "the rest follows on one of the orders");
}

#[test]
fn compound_assignments_read_before_a_call_that_does_not_come_back() {
    assert!(may_fail("*none_yet += leave(zero);"));
    assert!(!may_fail("int u = 1; u += leave(zero);"));
}

/// A statement expression that a jump leaves takes what is around it along, as far as that has come.
#[test]
fn jumps_out_of_statement_expressions() {
    for jump in ["return", "goto out"] {
        let left = format!("({{ if (yes) {jump}; 1; }})");
        for body in ["take(LEFT, t(1)); out: ;", "int a[2] = { LEFT, t(1) }; out: ;", "take(one(LEFT), kept++); out: ;"] {
            let body = body.replace("LEFT", &left);
            assert!(endings(&body).is_err(), "{body}");
        }
        for body in ["int r = LEFT + 1; out: ;", "kept = LEFT; out: ;", "if (yes) take(LEFT, kept); out: ;", "int r = LEFT && t(1); out: ;"]
        {
            let body = body.replace("LEFT", &left);
            assert!(!may_fail(&body), "{body}");
        }
    }
    assert!(endings("for (;;) take(({ if (yes) break; 1; }), t(1));").is_err());
    assert!(endings("do take(({ if (yes) continue; 1; }), t(1)); while (zero);").is_err());
    assert!(!may_fail("take(({ while (yes) break; 1; }), t(1));"), "it leaves nothing");
    assert!(!may_fail("take(({ int r; switch (zero) { case 0: r = 1; break; default: r = 2; } r; }), t(1));"), "it leaves nothing");
}

/// Memory that was allocated beside a jump is lost, or was never allocated.
#[test]
fn jumps_out_beside_allocations() {
    let left = "({ if (yes) return; 1; })";
    for (beside, apart) in [("LEFT, malloc(4) != 0", "malloc(4) != 0 && LEFT, 1"), ("made(4), LEFT", "(made(4), LEFT), 1")] {
        for body in ["take(BOTH);", "int a[2] = { BOTH };", "int *p = (int[2]){ BOTH };"] {
            let body = |both: &str| body.replace("BOTH", &both.replace("LEFT", left));
            assert!(endings(&body(beside)).is_err(), "{}", body(beside));
            assert!(!may_fail(&body(apart)), "{}", body(apart));
        }
    }
}

/// Only what may hold no value may fail where it is used.
#[test]
fn values_that_are_set_are_used_at_any_time() {
    let orders = |body: &str| endings(body).expect("it is supported").len();
    assert_eq!(orders("int n = one(3); take(leave(n) + leave(n), n ? 1 : 2);"), 1);
    for nothing in ["int n;", "int n; if (zero) n = 1;", "int u, n = 1; if (yes) n = u;", "goto over; int n = 1; over: ;"] {
        assert!(may_fail(&format!("{nothing} take(leave(zero), n ? 1 : 2);")), "{nothing}");
    }
}

/// A block that may end the program is taken apart too: others may come before that, behind what the block has done.
#[test]
fn others_come_in_the_middle_of_blocks_that_may_end_the_program() {
    for body in [
        "take(yes && (put(3), leave(zero)), is0());",
        "take(is0(), yes && (put(3), leave(zero)));",
        "take(yes ? (put(3), leave(zero)) : 0, not3(kept));",
        "take(no || take3(leave(zero), put(3), 0), 1 / (kept - 3));",
        "int x = 0; take(yes && take3(leave(zero), x = 1, 0), x);",
    ] {
        assert!(may_fail(body), "{body}");
    }
}

/// Both accesses have to be there before the program ends.
#[test]
fn accesses_are_undefined_together_before_the_end_of_the_program() {
    for body in [
        "int x = 0; take3(leave(zero), (x = one(2)), x);",
        "int x = 0; take3(leave(zero), yes && (x = 2), x);",
        "int x[2]; int *p = x, *q = x; take3(leave(zero), *p = one(2), *q = one(3));",
        "int x = 0; take3((leave(zero), x), x = one(1), x = one(2));",
        "int x = 0, *p = zero ? &x : 0; take((leave(zero), x = 1), *p = one(2));",
    ] {
        assert!(may_fail(body), "{body}");
    }
}

/// Using a pointer looks at whether that is there to which it points.
#[test]
fn pointers_are_used_before_what_they_point_to_is_freed_or_behind() {
    let pointer = "int *p = __builtin_malloc(4); if (!p) return;";
    for used in [
        "p == 0",
        "!p",
        "p ? 1 : 2",
        "p && 1",
        "(long)p != 0",
        "is_null(p)",
        "is_there(p)",
        "both(p)",
        "asked(p)",
        "sure(p)",
        "(__VERIFIER_assert(p != 0), 1)",
        "p + 1 == 0",
        "p++ == 0",
    ] {
        for body in [format!("take({used}, let(p));"), format!("take(let(p), {used});"), format!("take({used}, (free(p), 1));")] {
            assert!(may_fail(&format!("{pointer} {body}")), "{body}");
        }
        assert!(!may_fail(&format!("{pointer} int *q = p; take({used}, 1); let(q);")), "{used}");
    }
    assert!(!may_fail("int *p = __builtin_malloc(4); if (!p) return; int *q = p; take((q = p, 1), let(p));"), "a copy is no use");
    for item in ["p == 0", "p ? 1 : 2", "p && yes", "yes && p", "is_there(p)", "sure(p)", "(__VERIFIER_assert(p), 1)"] {
        assert!(endings(&format!("{pointer} int a[2] = {{ {item}, let(p) }};")).is_err(), "{item}");
        assert!(endings(&format!("{pointer} int a[2] = {{ let(p), {item} }};")).is_err(), "{item}");
    }
}

#[test]
fn values_that_are_none_stay_so() {
    for body in [
        "int u; int m = widened(u); take(leave(zero), m ? 1 : 2);",
        "int u; int m = (int)(long)u; take(leave(zero), m ? 1 : 2);",
        "switch (yes) { int x = 5; case 1: take(leave(zero), x ? 1 : 2); }",
        "switch (yes) { case 0: ; int x = 5; break; case 1: take(leave(zero), x / 2); }",
    ] {
        assert!(may_fail(body), "{body}");
    }
}

/// What is taken for a loop that counts does so.
#[test]
fn loops_that_do_not_count() {
    let is_endless = |declared: &str| {
        let text = format!("{declared} void test(void) {{ take(f(-1), 1 / zero); }}");
        let unit = from_text("f.c", &format!("{DECLARATIONS} {text}"), &Options::default()).expect("it is C");
        let lowered = lower(&unit, "test").expect("it is supported");
        let halts =
            |instruction: &Instruction| matches!(instruction, Instruction::Compute(compute) if compute.operation == Operation::Divide);
        let back = |(location, instruction): (usize, &Instruction)| matches!(instruction, Instruction::Jump { target } if target.index() < location);
        let divides = lowered.program.instructions.iter().position(halts).expect("it divides");
        let loops = lowered.program.instructions.iter().enumerate().position(back).expect("it loops");
        divides < loops
    };
    for declared in [
        "int f(signed char n) { for (signed char s = 0; s < (unsigned char)n; s++) ; return 0; }",
        "int f(int n) { for (signed char s = 0; (unsigned char)s > n; s--) ; return 0; }",
        "int f(int n) { for (unsigned char s = 0; s < 1000; s++) ; return 0; }",
        "int f(int n) { for (int s = 0; s < (long)(unsigned)n; s++) ; return 0; }",
        "int f(int n) { struct two s = { n, 0 }; for (; s.a < 10; s.b++) ; return 0; }",
        "int f(int n) { for (int s = 0; s < n; s++) n++; return 0; }",
        "int f(int n) { for (int s = 0; s < n; s++) if (n) s--; return 0; }",
        "int f(int n) { for (int s = 0; s <= n; s++) ; return 0; }",
        "int f(int n) { int *p = &n; for (int s = 0; s < n; s++) ++*p; return 0; }",
    ] {
        assert!(is_endless(declared), "{declared}");
    }
    for declared in [
        "int f(int n) { for (int s = 0; s < n; s++) ; return 0; }",
        "int f(int n) { for (int s = n; s > 0; s--) ; return 0; }",
        "int f(int n) { for (unsigned char s = 0; s < 200; s++) ; return 0; }",
        "int f(int n) { for (unsigned long s = 0; s < n; s++) ; return 0; }",
    ] {
        assert!(!is_endless(declared), "{declared}");
    }
}

#[test]
fn values_that_are_made_narrower_on_the_way_are_not_one() {
    assert!(may_fail("int x, *p = &x, *q = p; *p = (signed char)(*q = 300);"));
    assert!(may_fail("int x, *p = &x, *q = p; struct bits s; *p = s.a = *q = 9;"));
    holds("int x, *p = &x, *q = p; *p = (unsigned)(*q = 300);", "x == 300");
}

#[test]
fn items_that_look_at_what_they_initialise_are_refused() {
    assert!(endings("struct two s = { 3, first_of(&s) };").is_err());
    assert!(endings("int a[2] = { 3, a[0] = 5 };").is_err());
    assert!(endings("int *p = &zero, n = 0; again: ; struct two s = { n + 1, *p }; p = &s.a; if (n++ < 1) goto again;").is_err());
    holds("struct two s = { one(3), sizeof s }; struct two *p = &s;", "p->a == 3");
    holds("struct list { struct list *next; int n; } list = { &list, one(1) };", "list.next == &list");
}

/// Accesses are undefined together only where both happen.
#[test]
fn what_does_not_happen_is_not_undefined() {
    for body in [
        "int x = 0; take(x, x = leave(zero));",
        "int x = 0; x++ + (x = leave(zero));",
        "int x = 0; x = no ? (wait(1, 1), x++) : 3;",
        "int x = 0; x = no && (leave(1), x++);",
    ] {
        assert!(!may_fail(body), "{body}");
    }
    for body in ["int x = 0; take(x, x = leave(yes));", "int x = 0; x = yes ? (wait(1, 1), x++) : 3;"] {
        assert!(may_fail(body), "{body}");
    }
}

/// What is left by a jump goes on elsewhere: which of two that do not both come to a value is first decides what happens.
#[test]
fn jumps_out_beside_what_may_not_come_to_its_end() {
    for jump in ["return", "goto out"] {
        let left = format!("({{ if (yes) {jump}; 1; }})");
        for body in [
            "take(quit(), LEFT); out: ;",
            "take(LEFT, leave(yes)); out: ;",
            "take(LEFT, stay()); out: ;",
            "take(yes && leave(yes), no || LEFT); out: ;",
            "take(LEFT, LEFT); out: ;",
            "int a[2] = { quit(), LEFT }; out: ;",
            "int a[2] = { LEFT, LEFT }; out: ;",
            "int *p = (int[2]){ quit(), LEFT }; out: ;",
            "int *p = (int[2]){ LEFT, stay() }; out: ;",
        ] {
            let body = body.replace("LEFT", &left);
            assert!(endings(&body).is_err(), "{body}");
        }
        for body in ["leave(yes), LEFT; out: ;", "take(1, leave(yes) && LEFT); out: ;", "one(LEFT) && LEFT; out: ;"] {
            let body = body.replace("LEFT", &left);
            assert!(!may_fail(&body), "{body}");
        }
    }
}

/// The value of an assignment is what the object holds behind it (C11 6.5.16p3), also where it is a step among others.
#[test]
fn assignments_to_bit_fields_have_the_value_of_their_bits() {
    let fields = "struct { int low : 5; unsigned b : 3; _Bool is : 1; } s;";
    for (value, bits) in [(40, "8"), (24, "-8"), (-17, "15"), (15, "15")] {
        holds(&format!("{fields} int r = (s.low = {value}) + 0 * (trace ^ t(1));"), &format!("r == {bits} && s.low == {bits}"));
        holds(&format!("{fields} int r = (s.low = one({value})) + 0 * (trace ^ t(1));"), &format!("r == {bits} && s.low == {bits}"));
    }
    holds(&format!("{fields} int r = (s.b = one(13)) + 0 * (trace ^ t(1));"), "r == 5");
    holds(&format!("{fields} int r = (s.is = one(6)) + 0 * (trace ^ t(1));"), "r == 1");
    holds(&format!("{fields} int r = s.low = s.b = one(13 + 0 * (trace ^ t(1)));"), "r == 5 && s.low == 5 && s.b == 5");
    comes_to("bits.a = 7; int r = (bits.a += empty());", "r", &[3, 4]);
}

/// The steps of an arm are no sequence points: what is evaluated only sometimes is a part of the expression around it.
#[test]
fn side_effects_of_arms_whose_steps_are_ordered_are_still_to_come() {
    for body in [
        "i = yes ? (trace ^ t(1)) ^ i++ : 0;",
        "i = yes ? (trace ^ t(1)) ^ (i = 3) : 0;",
        "i = (yes ? i++ ^ trace ^ t(1) : 0) + 1;",
        "i = yes && ((trace ^ t(1)) ^ (i = 4));",
        "i = no || ((trace ^ t(1)) ^ (i = 4));",
        "i += yes ? (trace ^ t(1)) ^ i++ : 0;",
        "i = yes ? (yes ? (trace ^ t(1)) ^ i++ : 4) + (trace ^ t(2)) : 0;",
        "int *p = &i; *p = yes ? (trace ^ t(1)) ^ (*p)++ : 0;",
        "pair.x = yes ? (trace ^ t(1)) ^ pair.x++ : 0;",
    ] {
        fails(&format!("int i = 1; {body}"));
    }
    // The source has a sequence point behind the side effect, or the arm is not evaluated.
    comes_to("int i = 1; i = yes ? (i = 3, trace + t(1)) : 0;", "i", &[1, 2]);
    comes_to("int i = 1; i = yes ? one(i = 3) + (trace + t(1)) : 0;", "i", &[4, 5]);
    comes_to("int i = 1; i = yes ? (i++ && one(1)) + (trace + t(1)) : 0;", "i", &[2, 3]);
    comes_to("int i = 1; i = yes ? (yes ? (i++, trace + t(1)) : 4) + 5 : 0;", "i", &[6, 7]);
    holds("int i = 1; i = no ? (trace ^ t(1)) ^ i++ : 7;", "i == 7");
}

/// Two accesses of a callee are undefined as a division by zero is.
#[test]
fn calls_that_are_undefined_come_before_the_end_of_the_program() {
    for body in ["take(quit(), same());", "take(stay(), twice());", "take(leave(zero), twice());", "int a[] = { quit(), twice() };"] {
        assert!(may_fail(body), "{body}");
    }
    assert!(!may_fail("take(quit(), over());") && !may_fail("take(quit(), over() / 1);"));
}

/// A compound assignment reads its object without an order to its right side, whatever sequence points that has in it (C11 6.5.16p3).
#[test]
fn compound_assignments_read_beside_their_right_side() {
    for body in [
        "i += (i = 3, 4);",
        "i += one(i = 3);",
        "i += (i = 2) ? 1 : 2;",
        "i += (i++, 2);",
        "i += (yes ? (i = 3, 4) : 5);",
        "i += (yes && (i = 3, 4));",
        "int *p = &kept; *p += (kept = yes && 1, 2);",
        "int *p = &i; p += (p = &i, 0);",
        "bits.a += (bits.a = 1, 2);",
    ] {
        fails(&format!("int i = 1; {body}"));
    }
    // The place is found before it is read, and a plain assignment reads nothing.
    holds("int a[2] = { 1, 2 }; a[(a[0] = 5, 0)] += 2;", "a[0] == 7");
    holds("int i = 1; i = (i = 3, 4); i += (kept = 3, 4);", "i == 8");
    holds("int i = 1; i += no ? (i = 3, 4) : 5;", "i == 6");
}

/// `*p = *q = g` is one value for one object, not for two that overlap.
#[test]
fn one_struct_that_is_stored_at_two_offsets_is_undefined() {
    let stored = |at: &str| {
        format!("struct three g = {{ {{ 1, 2, 3 }} }}; int m[6]; struct three *p = (void *)m, *q = (void *)({at}); *p = *q = g;")
    };
    fails(&stored("m + 1"));
    fails(&stored("m + 2"));
    holds(&stored("m + 3"), "m[2] == 3 && m[3] == 1");
    holds(&stored("m"), "m[0] == 1 && m[2] == 3");
    // The text says as much of two places in one object.
    let known =
        |at: &str| format!("struct three g = {{ {{ 1, 2, 3 }} }}; int m[6]; int *q = m; *(struct three *)({at}) = *(struct three *)q = g;");
    fails(&known("q + 1"));
    holds(&known("q + 3"), "m[2] == 3 && m[3] == 1");
    holds(&known("q"), "m[0] == 1 && m[2] == 3");
}

/// `*p = *q = 5` stores one value twice; `*p = (*q = 5) + 1` does not.
#[test]
fn another_value_that_is_stored_is_undefined() {
    let pointers = "int x = 0, y = 0, *p = &x, *q = &x, *r = &y;";
    holds(&format!("{pointers} *p = *q = 5;"), "x == 5");
    holds(&format!("{pointers} *p = (*r = 5) + 1;"), "x == 6 && y == 5");
    fails(&format!("{pointers} *p = (*q = 5) + 1;"));
    fails(&format!("{pointers} *p = (*r = *q = 5) + 1;"));
}

#[test]
fn calls_that_return_without_a_value_have_none() {
    assert!(may_fail("take(quit(), lost(1) ? 1 : 2);"));
    assert!(!may_fail("take(quit(), lost(0) ? 1 : 2);"));
}

/// What is tested and then used is evaluated once, and its side effects are still to come where C has no sequence point.
#[test]
fn side_effects_in_indices_and_omitted_operands() {
    let declared =
        "int m[3][3] = { { 4, 5, 6 }, { 7, 8, 9 } }; struct { struct three in; int last; } s = { { { 1, 2, 3 } }, 4 }; int i = 1, *p = &i;";
    for body in [
        "i = m[0][i++];",
        "i = m[1][i = 2];",
        "i = s.in.x[++i] + 1;",
        "*p = m[0][i++];",
        "m[0][i++] = i;",
        "i = (one(no) ?: i++);",
        "i = (one(no) ?: (i = 2)) + 1;",
        "i += (one(i = 3) ?: 2);",
        "i = m[0][one(i)] + i++;",
    ] {
        fails(&format!("{declared} {body}"));
    }
    holds(&format!("{declared} i = m[0][one(i++)]; "), "i == 5");
    holds(&format!("{declared} i = (i++ ?: 5);"), "i == 1");
    holds(&format!("{declared} i = (one(yes) ?: i++);"), "i == 1");
    holds(&format!("{declared} m[1][i++] = m[0][2];"), "m[1][1] == 6 && i == 2");
    comes_to(&format!("{declared} i = m[0][t(1)] + m[1][t(2)];"), "trace * 100 + i", &[1214, 2114]);
    comes_to(&format!("{declared} int r = (t(1) ?: t(3)) + (t(0) ?: t(2));"), "trace * 10 + r", &[1023, 123, 213]);
    fails(&format!("{declared} i = m[0][one(3)];"));
    fails(&format!("{declared} i = s.in.x[one(-1)];"));
    comes_to("kept = 1; int r = (kept ?: 7) + put(0);", "r", &[1, 7]);
}
