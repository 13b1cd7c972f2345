/* What was put into a list that a harness builds is found in it, and nothing else. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);
extern void free(void *block);
extern void abort(void);

struct node {
    struct node *next;
    int data;
};

static int contains(const struct node *list, int value) {
    for (; list; list = list->next)
        if (list->data == value)
            return 1;
    return 0;
}

void test(int value) {
    struct node *first = 0;
    int is_put = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            abort();
        node->data = __VERIFIER_nondet_int();
        if (node->data == value)
            is_put = 1;
        node->next = first;
        first = node;
    }
    __VERIFIER_assert(contains(first, value) == is_put);
}
