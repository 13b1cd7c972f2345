/* A list is made by appending to its last node. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);

struct node { struct node *next; int data; };

void test(void) {
    struct node *first = 0, *last = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        node->next = 0;
        if (first)
            last->next = node;
        else
            first = node;
        if (!last)
            last = node;
    }
    struct node *at = 0;
    for (; first; first = first->next)
        at = first;
    __VERIFIER_assert(at == last);
}
