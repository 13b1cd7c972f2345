//! Which objects are nodes, and which of them are linked to which.

use super::program;
use goatherd_certificates::program::{Allocate, Input, Instruction, Link, Object, ObjectId, Origin, Program};

#[test]
fn a_link_may_lie_in_an_inner_struct() {
    let links = "struct links { int mark; struct entry *next; }; struct entry { int key; struct links links; };";
    let text = format!("{links} void test(struct entry *e) {{ if (e) e = e->links.next; }}");
    assert!(matches!(program(&text).inputs[..], [Input::Linked { .. }]));
}

/// The declarations of nodes, as `name: link link ...` with children by name.
fn nodes(program: &Program) -> Vec<String> {
    let name = |object: ObjectId| program.objects[object.index()].name.as_str();
    let node = |object: &Object| {
        let Origin::Node { links } = &object.origin else { return None };
        let links = links.iter().map(|link| match link {
            Link::Data => "data".to_owned(),
            Link::Child(sort) => name(ObjectId(sort.0)).to_owned(),
            Link::Up => "up".to_owned(),
            Link::Same => "same".to_owned(),
            Link::Any => "any".to_owned(),
            Link::Handed { .. } => "handed".to_owned(),
            Link::Ring { .. } => "ring".to_owned(),
            Link::Last(_) => "last".to_owned(),
            Link::Null => "null".to_owned(),
            Link::Range { .. } => "range".to_owned(),
            Link::Other => "other".to_owned(),
        });
        Some(format!("{}: {}", object.name, links.collect::<Vec<_>>().join(" ")))
    };
    program.objects.iter().filter_map(node).collect()
}

/// What the program allocates, by the name of the object.
fn allocated(text: &str) -> Vec<String> {
    let program = program(text);
    let name = |instruction: &Instruction| match instruction {
        Instruction::Allocate(Allocate { object, .. }) => Some(program.objects[object.index()].name.clone()),
        _ => None,
    };
    program.instructions.iter().filter_map(name).collect()
}

#[test]
fn linked_types_are_found_through_each_other() {
    let text = "struct other { struct entry *e; }; struct entry { struct other *o; }; void test(struct entry *e) {}";
    assert_eq!(nodes(&program(text)), ["struct entry: struct other", "struct other: struct entry"]);
    // A header leads to a list, and strings of known length hang on its nodes; what is neither on a cycle nor near one is no node.
    let types =
        "struct text { char c[2]; }; struct file; struct node { struct text *t; struct node *next, *prev; char *s; struct file *f; };
        struct queue { struct node *head, *tail; int n; }; struct pair { struct text *left; int *right; };";
    let text = format!("{types} void test(struct queue *q, struct pair *p) {{}}");
    assert_eq!(
        nodes(&program(&text)),
        [
            "struct queue: struct node struct node data",
            "struct node: struct text struct node struct node other other",
            "struct text: data data"
        ]
    );
    assert!(matches!(program(&text).inputs[..], [Input::Linked { .. }, Input::Single { .. }]));
}

#[test]
fn children_may_lie_in_arrays() {
    let text = "struct tree { int key; struct tree *link[2]; struct { struct tree *up; } more[1]; }; void test(struct tree *t) {}";
    assert_eq!(nodes(&program(text)), ["struct tree: data struct tree struct tree struct tree"]);
    let by_value = "struct tree { struct tree *link[2]; }; struct two { struct tree *roots[2]; int n; }; void test(struct two t) {}";
    assert!(matches!(program(by_value).inputs[..], [Input::Linked { .. }, Input::Linked { .. }, Input::Integer { .. }]));
}

#[test]
fn one_struct_of_a_linked_type_is_a_node() {
    let types = "void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); struct node { int x; struct node *next; };";
    let allocation = |how: &str| {
        allocated(&format!(
            "{types} static void *get(unsigned long n) {{ return malloc(n); }} void test(struct node *l, unsigned long k) {{ {how} l = n; }}"
        ))
    };
    for single in ["malloc(sizeof(struct node))", "malloc(sizeof *l)", "calloc(1, sizeof *l)", "malloc(20)", "get(sizeof *l)"] {
        assert_eq!(allocation(&format!("struct node *n = {single};")), ["struct node"], "{single}");
    }
    for array in ["malloc(2 * sizeof *l)", "malloc(k)", "calloc(k, sizeof *l)", "malloc(8)"] {
        assert_eq!(allocation(&format!("struct node *n = {array};")), ["allocation"], "{array}");
    }
    // Without an input too.
    let text = format!("{types} void test(void) {{ struct node *n = malloc(sizeof *n); struct node *m = malloc(sizeof *m); }}");
    assert_eq!(allocated(&text), ["struct node", "struct node"]);
    let text = "void *malloc(unsigned long); struct plain { int x; char *s; }; void test(void) { struct plain *n = malloc(sizeof *n); }";
    assert_eq!(allocated(text), ["allocation"]);
}

#[test]
fn allocations_of_several_types_are_told_apart_also_through_memory() {
    let text = "void *malloc(unsigned long);
        struct head { struct head *next; }; struct left { int x; struct head in; }; struct right { struct head in; long y; };
        void test(void) {
            struct left *l = malloc(sizeof *l); struct right *r = malloc(sizeof *r);
            if (!l || !r) return;
            l->in.next = &r->in; r->in.next = &l->in;
            struct right *s = (struct right *)((char *)l->in.next - 0);
            struct left *t = (struct left *)((char *)s->in.next - 8);
            t->x = 1;
        }";
    assert_eq!(allocated(text), ["struct left", "struct right"]);
}

#[test]
fn what_has_one_size_and_hangs_in_nodes_is_a_node() {
    let types = "void *malloc(unsigned long); struct node { void *data; int *key; struct node *next; };";
    let lowered = |how: &str, rest: &str| {
        let first = "struct node *n = malloc(sizeof *n); if (!n) return;";
        program(&format!("{types} void test(unsigned long k) {{ {first} {how} {rest} }}"))
    };
    let own = "struct node: other other struct node";
    let found = |how: &str, rest: &str| nodes(&lowered(how, rest)).into_iter().filter(|node| node != own).collect::<Vec<_>>();
    assert_eq!(found("n->key = malloc(sizeof *n->key);", "*n->key = 1;"), ["allocation#2: data"]);
    assert_eq!(found("n->data = malloc(sizeof(int *)); int **p = n->data;", "*p = 0;"), ["allocation#2: other"]);
    assert_eq!(found("n->data = malloc(119);", ""), ["allocation#2: data"]);
    // Two allocations with one layout are nodes of one declaration.
    assert_eq!(found("n->data = malloc(119); void *more = malloc(119);", ""), ["allocation#2: data"]);
    assert_eq!(found("n->data = malloc(119); void *more = malloc(120);", ""), ["allocation#2: data", "allocation#3: data"]);
    // What is looked into stays an array, and so does what has another size each time.
    assert_eq!(found("n->data = malloc(119);", "*(char *)n->data = 1;"), [""; 0]);
    assert_eq!(found("n->data = malloc(119);", "k = *(unsigned char *)n->data;"), [""; 0]);
    assert_eq!(found("n->key = malloc(2 * sizeof *n->key);", "*n->key = 1;"), [""; 0]);
    assert_eq!(found("n->data = malloc(k);", ""), [""; 0]);
    // Where no node can hold it, too.
    let text = "void *malloc(unsigned long); struct node { struct node *next; };
        void test(void) { struct node *n = malloc(sizeof *n); void *data = malloc(119); }";
    assert_eq!(nodes(&program(text)), ["struct node: struct node"]);
}

#[test]
fn pointers_that_lead_to_their_like_are_nodes() {
    let found = |how: &str| {
        let start = "void *malloc(unsigned long); void test(unsigned long k) { int i = 0; void *top = 0; while (k--) { ";
        nodes(&program(&format!("{start} {how} if (!cell) return; top = cell; }} }}")))
    };
    assert_eq!(found("void **cell = malloc(sizeof *cell); if (cell) *cell = top;"), ["allocation: allocation"]);
    let pair = "void *(*cell)[2] = malloc(sizeof *cell);";
    assert_eq!(found(&format!("{pair} if (cell) (*cell)[k & 1] = top;")), ["allocation: allocation allocation"]);
    // Two allocations with one layout are nodes of one declaration.
    let other = "void **other = malloc(16); if (other) top = other;";
    assert_eq!(found(&format!("{other} {pair} if (cell) (*cell)[1] = top;")), ["allocation: allocation allocation"]);
    // What leads elsewhere stays an array, and so does what has too many pointers, another size each time, or a type that leads to no pointer.
    assert_eq!(found(&format!("{pair} if (cell) (*cell)[1] = &i;")), [""; 0]);
    assert_eq!(found("void *(*cell)[5] = malloc(sizeof *cell); if (cell) (*cell)[1] = top;"), [""; 0]);
    assert_eq!(found("void **cell = malloc(k); if (cell) *cell = top;"), [""; 0]);
    assert_eq!(found("char **cell = malloc(sizeof *cell); if (cell) *cell = top;"), [""; 0]);
    // What is reallocated keeps its elements, and a node has none.
    let grown = "void *realloc(void *, unsigned long); void *malloc(unsigned long); void test(void) { void **cell = malloc(8); if (!cell) return; *cell = 0;
        void **more = realloc(cell, 16); if (more) more[1] = more; }";
    assert_eq!(nodes(&program(grown)), [""; 0]);
}

#[test]
fn a_buffer_that_is_a_node_ends_where_the_buffer_does() {
    let text = "void *malloc(unsigned long); struct node { void *data; struct node *next; };
        void test(void) { struct node *n = malloc(sizeof *n); if (n) { n->data = malloc(121); int *p = n->data; } }";
    let program = program(text);
    let size = |object: &Object| program.layouts[object.layout.index()].size;
    // Thirty integers and a byte, which belongs to none.
    assert_eq!(program.objects.iter().map(size).collect::<Vec<_>>(), [120, 16]);
}
