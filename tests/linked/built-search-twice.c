/* A list that a harness builds by prepending, searched twice. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);
extern void free(void *block);
extern void abort(void);

struct node {
    struct node *next;
    int data;
};

static struct node *build(void) {
    struct node *first = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            abort();
        node->data = __VERIFIER_nondet_int();
        node->next = first;
        first = node;
    }
    return first;
}

static int contains(const struct node *list, int value) {
    for (; list; list = list->next)
        if (list->data == value)
            return 1;
    return 0;
}

void test(int value) {
    struct node *list = build();
    int is_found = contains(list, value);
    __VERIFIER_assert(contains(list, value) == is_found);
}
