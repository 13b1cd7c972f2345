/* A list is made whose nodes are marked with 1, and the last one with 2: a walk over 1s needs no other end. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);

struct node { int mark; struct node *next; };

void test(void) {
    struct node *first = malloc(sizeof *first), *last = first;
    if (!first)
        return;
    while (__VERIFIER_nondet_int()) {
        struct node *next = malloc(sizeof *next);
        if (!next)
            return;
        last->mark = 1;
        last->next = next;
        last = next;
    }
    last->mark = last == first ? 2 : 1;
    last->next = 0;
    struct node *at = first;
    while (at->mark == 1)
        at = at->next;
    __VERIFIER_assert(at == last);
}
