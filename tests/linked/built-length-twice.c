/* The length of a list that a harness builds by appending, counted twice. */
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
    struct node *first = 0, *last = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            abort();
        node->data = __VERIFIER_nondet_int();
        node->next = 0;
        if (last)
            last->next = node;
        else
            first = node;
        last = node;
    }
    return first;
}

static int length(const struct node *list) {
    int count = 0;
    for (; list; list = list->next)
        count++;
    return count;
}

void test(void) {
    struct node *list = build();
    int count = length(list);
    __VERIFIER_assert(length(list) == count);
}
