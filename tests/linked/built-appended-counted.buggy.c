/* A list that a harness builds by appending has as many nodes as were put in. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);
extern void free(void *block);
extern void abort(void);

struct node {
    struct node *next;
    int data;
};

static int length(const struct node *list) {
    int count = 0;
    for (; list; list = list->next)
        count++;
    return count;
}

void test(void) {
    struct node *first = 0, *last = 0;
    int count = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            abort();
        node->data = __VERIFIER_nondet_int();
        node->next = 0;
        if (last)
            last->next = node;
        first = first ? first->next : node;
        last = node;
        count++;
    }
    __VERIFIER_assert(length(first) == count);
}
