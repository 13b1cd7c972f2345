/* A list that is built by appending, each node filled when the next one is made, the last one at the end: all hold the same. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long size);
extern void abort(void);

struct node {
    int data;
    struct node *next;
};

static struct node *make(void) {
    struct node *node = malloc(sizeof *node);
    if (!node)
        abort();
    return node;
}

void test(void) {
    struct node *first = make(), *last = first;
    while (__VERIFIER_nondet_int()) {
        last->data = 1;
        struct node *node = make();
        last->next = node;
        last = node;
    }
    last->data = 1;
    last->next = 0;
    if (first->next)
        last->data = 2;
    for (struct node *node = first; node; node = node->next)
        if (node->data != 1)
            reach_error();
}
