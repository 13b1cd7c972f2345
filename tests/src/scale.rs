//! Programs that repeat one thing m times, and in which nothing is difficult: what they cost should grow with m.

use std::fmt::Write as _;

/// A way to repeat something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// Loops over one string, one after the other.
    Loops,
    /// Strings, each of which is measured twice.
    Inputs,
    /// Branches with a loop in each.
    Branches,
    /// Walks along one linked list.
    Walks,
    /// Functions that each call the next one.
    Calls,
    /// Rounds of arithmetic with a branch in each.
    Arithmetic,
    /// Increments of one variable.
    Increments,
    /// Branches in one loop over a string, each of which counts.
    Decisions,
    /// Nodes that are allocated one by one, linked and walked.
    Nodes,
    /// Loops that count to an input each, none of which has anything to do with the others.
    Templates,
    /// Elements of a table that is initialised, 500 for each.
    Table,
    /// Cases of one `switch`, 40 for each.
    Cases,
    /// Labels that jumps lead to, forwards and backwards, 4 for each.
    Labels,
}

impl Family {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::Loops,
        Self::Inputs,
        Self::Branches,
        Self::Walks,
        Self::Calls,
        Self::Arithmetic,
        Self::Increments,
        Self::Decisions,
        Self::Nodes,
        Self::Templates,
        Self::Table,
        Self::Cases,
        Self::Labels,
    ];

    /// What m counts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Loops => "loops",
            Self::Inputs => "inputs",
            Self::Branches => "branches",
            Self::Walks => "walks",
            Self::Calls => "calls",
            Self::Arithmetic => "arithmetic",
            Self::Increments => "increments",
            Self::Decisions => "decisions",
            Self::Nodes => "nodes",
            Self::Templates => "templates",
            Self::Table => "table",
            Self::Cases => "cases",
            Self::Labels => "labels",
        }
    }

    /// The program that repeats it m times. No run of it fails.
    pub fn source(self, m: usize) -> String {
        let mut text = String::from(PRELUDE);
        let repeated = |line: &dyn Fn(usize) -> String| (0..m).map(line).collect::<String>();
        let (parameters, body) = match self {
            Self::Loops => {
                let again = repeated(&|_| "    __VERIFIER_assert(length(a.s) == n);\n".to_owned());
                ("struct text a".to_owned(), format!("    require(a);\n    unsigned long n = length(a.s);\n{again}"))
            }
            Self::Inputs => {
                let parameters: Vec<String> = (0..m).map(|i| format!("struct text a{i}")).collect();
                let body = repeated(&|i| format!("    require(a{i});\n    __VERIFIER_assert(length(a{i}.s) == length(a{i}.s));\n"));
                (parameters.join(", "), body)
            }
            Self::Branches => {
                let body = repeated(&|i| format!("    if (c == {i}) {{ n = length(a.s); __VERIFIER_assert(a.s[n] == 0); }}\n"));
                ("struct text a, int c".to_owned(), format!("    require(a);\n    unsigned long n = 0;\n{body}"))
            }
            Self::Walks => {
                let body = repeated(&|_| "    __VERIFIER_assert(count(first) == n);\n".to_owned());
                ("struct node *first".to_owned(), format!("    unsigned n = count(first);\n{body}"))
            }
            Self::Calls => {
                let _ = writeln!(text, "static unsigned f0(unsigned x) {{ return x + 1; }}");
                for i in 1..=m {
                    let _ = writeln!(text, "static unsigned f{i}(unsigned x) {{ return f{}(x) + 1; }}", i - 1);
                }
                ("unsigned x".to_owned(), format!("    if (x < 1000)\n        __VERIFIER_assert(f{m}(x) == x + {});\n", m + 1))
            }
            Self::Arithmetic => {
                let body = repeated(&|i| format!("    x = x * 3 + y;\n    y ^= x >> {};\n    if (x & 1)\n        y++;\n", i % 7));
                ("unsigned x, unsigned y".to_owned(), format!("{body}    __VERIFIER_assert(x == x);\n"))
            }
            Self::Decisions => {
                let counters = repeated(&|i| format!("    unsigned n{i} = 0;\n"));
                let branches = repeated(&|i| format!("        if (*p == {})\n            n{i}++;\n", i + 1));
                let walk = format!("    const char *p;\n    for (p = a.s; *p; p++) {{\n{branches}    }}\n");
                let all = "    __VERIFIER_assert((unsigned long)(p - a.s) == length(a.s));\n";
                ("struct text a".to_owned(), format!("    require(a);\n{counters}{walk}{all}"))
            }
            Self::Increments => ("int x".to_owned(), repeated(&|_| "    x++;\n".to_owned())),
            Self::Nodes => {
                let body = repeated(&|i| {
                    let new = format!("    struct node *n{i} = malloc(sizeof(struct node));\n    if (n{i} == 0)\n        return;\n");
                    format!("{new}    n{i}->value = {i};\n    n{i}->next = first;\n    first = n{i};\n")
                });
                let walk = format!("    __VERIFIER_assert(count(first) == {m});\n");
                ("void".to_owned(), format!("    struct node *first = 0;\n{body}{walk}"))
            }
            Self::Templates => {
                let body = repeated(&|i| format!("    int i{i} = 0;\n    while (i{i} < n)\n        i{i}++;\n"));
                ("int n".to_owned(), format!("    if (n < 0)\n        return;\n{body}    __VERIFIER_assert(n >= 0);\n"))
            }
            Self::Table | Self::Cases | Self::Labels => self.large(m),
        };
        let _ = writeln!(text, "void test({parameters}) {{\n{body}}}");
        text
    }

    /// Parameters and body of those that repeat many of a small thing.
    fn large(self, m: usize) -> (String, String) {
        match self {
            Self::Table => {
                let elements = (0..m * 500).map(|i| format!("{}, ", mixed(i, 1000))).collect::<Vec<_>>().concat();
                let table = format!("    static const int table[] = {{ {elements}}};\n");
                let limit = "sizeof table / sizeof table[0]";
                ("unsigned i".to_owned(), format!("{table}    if (i < {limit})\n        __VERIFIER_assert(table[i] == table[i]);\n"))
            }
            Self::Cases => {
                let cases =
                    (0..m * 40).map(|i| format!("    case {}: y = {}; break;\n", i * 3, mixed(i, 1000))).collect::<Vec<_>>().concat();
                let body = format!("    int y = 0;\n    switch (x) {{\n{cases}    default: y = 1;\n    }}\n");
                ("int x".to_owned(), format!("{body}    __VERIFIER_assert(y >= 0);\n"))
            }
            _ => {
                let count = m * 4;
                let states = (0..count).map(|i| {
                    let (limit, target) = (mixed(i, 1000), mixed(i + 1, count));
                    format!("l{i}:\n    n++;\n    if (a > {limit})\n        goto l{target};\n")
                });
                let body = states.collect::<String>();
                ("unsigned a, unsigned b".to_owned(), format!("    unsigned n = 0;\n{body}    __VERIFIER_assert(b == b);\n"))
            }
        }
    }
}

/// A number below the limit that seems to have nothing to do with the others: 7919 is a prime.
fn mixed(number: usize, limit: usize) -> usize {
    number * 7919 % limit
}

/// What the programs share.
const PRELUDE: &str = "\
extern void __VERIFIER_ignore(void);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);

struct text {
    char *s;
    int n_s;
};

struct node {
    struct node *next;
    int value;
};

static void require(struct text a) {
    for (int i = 0; i < a.n_s; i++)
        if (a.s[i] == 0)
            return;
    __VERIFIER_ignore();
}

static unsigned long length(const char *s) {
    const char *p = s;
    while (*p)
        p++;
    return (unsigned long)(p - s);
}

static unsigned count(struct node *first) {
    unsigned n = 0;
    for (; first; first = first->next)
        n++;
    return n;
}

";
