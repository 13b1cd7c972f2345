/* A doubly linked list that a harness builds by prepending: neighbours know each other, and it is freed from its end. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);
extern void free(void *block);
extern void abort(void);

struct node {
    struct node *next, *prev;
    int data;
};

void test(void) {
    struct node *first = 0, *last = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            abort();
        node->data = __VERIFIER_nondet_int();
        node->next = first;
        node->prev = 0;
        if (first && !first->prev && first->data)
            first->prev = node;
        else
            last = node;
        first = node;
    }
    for (struct node *node = first; node && node->next; node = node->next)
        __VERIFIER_assert(node->next->prev == node);
    while (last) {
        struct node *rest = last->prev;
        free(last);
        last = rest;
    }
}
