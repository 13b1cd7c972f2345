//! Pointers of other types than what they point to, and pointers of numbers: what is called through them, and how they compare.

use goatherd_frontend::{
    lower::lower,
    print::program::Names,
    source::{Options, from_text},
};

/// The instructions of a program.
fn code(text: &str) -> Vec<String> {
    let unit = from_text("test.c", text, &Options::default()).expect("it is read");
    let program = lower(&unit, "test").expect("the program is supported").program;
    let names = Names::new(&program);
    program.instructions.iter().map(|instruction| names.instruction(instruction)).collect()
}

/// C11 6.5.2.2p9: a function is called through a pointer to functions of its own type.
#[test]
fn a_call_through_a_pointer_of_another_type_fails() {
    let calls = |function: &str, pointer: &str, call: &str| {
        let text = format!(
            "struct s {{ int x; }}; struct t {{ int x; }}; struct c {{ const int x; }};
            static {function} {{ return 0; }} static int other(void) {{ return 0; }}
            void test(int i, long l, const int c) {{
                struct s s; struct c constant = {{ 1 }}; volatile int v = 1; long long ll = 0; int *p = &i; void *any = &i; unsigned u; char z;
                {pointer} = i ? ({}) f : ({1}) other; {call};
            }}",
            pointer.replacen("(*g)", "(*)", 1).trim(),
            pointer.replacen("(*g)", "(*)", 1).trim(),
        );
        code(&text).iter().any(|line| line.contains("== &f"))
    };
    // Without a prototype arguments are promoted, and nothing else.
    assert!(calls("int f(int *p)", "int (*g)()", "g(&i)"));
    assert!(calls("int f(const int *p)", "int (*g)()", "g(&i)"));
    assert!(calls("int f(void *p)", "int (*g)()", "g(&i)"));
    assert!(calls("int f(struct s *p)", "int (*g)()", "g(any)"));
    assert!(!calls("int f(int *p)", "int (*g)()", "g(&c)"), "const is taken away");
    assert!(!calls("int f(void *p)", "int (*g)()", "g(&constant)"), "const of a member is taken away");
    assert!(!calls("int f(int *p)", "int (*g)()", "g(&v)"), "volatile is taken away");
    assert!(!calls("int f(void *p)", "int (*g)()", "g(&v)"), "volatile is taken away");
    assert!(!calls("int f(unsigned *p)", "int (*g)()", "g(&i)"), "signs");
    assert!(!calls("int f(long *p)", "int (*g)()", "g(&ll)"), "long long is not long");
    assert!(!calls("int f(struct t *p)", "int (*g)()", "g(&s)"), "two structs");
    assert!(!calls("int f(const int **p)", "int (*g)()", "g(&p)"), "const behind two pointers");
    assert!(!calls("int f(void **p)", "int (*g)()", "g(&p)"), "pointers of two types");
    // With one, the parameters of the pointer count.
    assert!(calls("int f(int *p)", "int (*g)(int *)", "g(&i)"));
    assert!(calls("int f(int *const p)", "int (*g)(int *)", "g(&i)"));
    assert!(calls("int f(const struct s *p)", "int (*g)(const void *)", "g(&s)"));
    assert!(calls("int f(const void *p)", "int (*g)(struct s *)", "g(&s)"));
    assert!(!calls("int f(int *p)", "int (*g)(const int *)", "g(&i)"), "const of the pointer's parameter");
    assert!(!calls("int f(struct s *p)", "int (*g)(const void *)", "g(&s)"), "const of the pointer's parameter");
    assert!(!calls("int f(void *p)", "int (*g)(struct c *)", "g(&constant)"), "const of a member");
    assert!(!calls("int f(int *p)", "int (*g)(unsigned *)", "g(&u)"), "signs");
    assert!(!calls("int f(long l)", "int (*g)(long long)", "g(l)"), "long long is not long");
    assert!(calls("int f(int (*h)(int))", "int (*g)(int (*)())", "g(0)"));
    assert!(!calls("int f(int (*h)(char))", "int (*g)(int (*)())", "g(0)"), "a char is promoted");
    assert!(!calls("int f(int (*h)(int *))", "int (*g)(int (*)(const int *))", "g(0)"), "functions as parameters");
    assert!(calls("int f(int (*a)[3])", "int (*g)(int (*)[])", "g(0)"));
    assert!(!calls("int f(int (*a)[3])", "int (*g)(int (*)[4])", "g(0)"), "arrays as pointees");
    // Results go the other way.
    assert!(calls("int *f(int i)", "const int *(*g)(int)", "g(i)"));
    assert!(!calls("const int *f(int i)", "int *(*g)(int)", "g(i)"), "const of the result");
    assert!(!calls("int f(int i)", "void (*g)(int)", "g(i)"), "no result");
}

/// An address wraps where a pointer is moved: what is known of two pointers of numbers is that one place is one address.
#[test]
fn pointers_of_numbers_may_meet_where_they_wrap() {
    let code = |declared: &str, condition: &str| {
        code(&format!("void test(int n, long l) {{ char a[2], *p = a, *q = a + n; {declared}; if ({condition}) l = 77; else l = 88; }}"))
    };
    let tests = |declared: &str, condition: &str| code(declared, condition).iter().filter(|line| line.contains("== NULL")).count();
    assert_eq!(tests("p = (char *)l", "p == q"), 2 + tests("p = (char *)l", "n"));
    assert_eq!(tests("p = (char *)l", "p < q"), 4 + tests("p = (char *)l", "n"));
    // Of NULL either answer comes anyway, and where there are no numbers all pointers are into objects.
    assert_eq!(tests("p = (char *)l", "p == 0"), 1 + tests("p = (char *)l", "n"));
    assert_eq!(tests("", "p == q"), 0);
    // Not equal leads where equal leads, if both pointers may be NULL by either answer.
    let shown = code("p = (char *)l", "p == q");
    let equal = shown.iter().position(|line| line.starts_with("if (p == q)")).expect("they are compared");
    assert_eq!(targets(&shown[equal])[0], targets(&shown[equal + 2])[0], "{shown:#?}");
    // p < q may be p >= q, and the other way round.
    let shown = code("p = (char *)l", "p < q");
    let less = shown.iter().position(|line| line.starts_with("if (p < q)")).expect("they are compared");
    let [yes, perhaps_no, no, perhaps_yes] = [1, 2, 3, 4].map(|line| targets(&shown[less + line]));
    assert_eq!((yes[1], no[1]), (perhaps_yes[0], perhaps_no[0]), "{shown:#?}");
    assert_ne!(yes[1], no[1], "{shown:#?}");
}

/// Where a branch goes on.
fn targets(line: &str) -> [&str; 2] {
    let (then, otherwise) = line.split_once("; else goto ").expect("it is a branch");
    [then.rsplit(' ').next().unwrap_or_default(), otherwise]
}
