/* All nodes of a list are marked with 1 or all with 2, as a choice was; another mark ends the list. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);

struct node { int mark; struct node *next; };

void test(int choice) {
    int mark = choice > 0 ? 1 : 2;
    struct node *first = malloc(sizeof *first), *last = first;
    if (!first)
        return;
    while (__VERIFIER_nondet_int()) {
        struct node *next = malloc(sizeof *next);
        if (!next)
            return;
        last->mark = mark;
        last->next = next;
        last = next;
    }
    last->mark = 3;
    last->next = 0;
    struct node *at = first;
    if (choice)
        while (at->mark == 1)
            at = at->next;
    else
        while (at->mark == 2)
            at = at->next;
    __VERIFIER_assert(at->mark == 3);
}
