/* A list in which 1 and 2 take turns, built in front. But two 2s may follow each other. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);

struct node { int mark; struct node *next; };

void test(void) {
    struct node *head = 0;
    int mark = 1;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            return;
        node->mark = mark;
        node->next = head;
        head = node;
        mark = mark == 1 || __VERIFIER_nondet_int() ? 2 : 1;
    }
    if (!head)
        return;
    int last = head->mark;
    for (struct node *at = head->next; at; at = at->next) {
        __VERIFIER_assert(at->mark != last);
        last = at->mark;
    }
}
