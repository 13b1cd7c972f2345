/* A list of period three. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);

struct node { int mark; struct node *next; };

void test(void) {
    struct node *head = 0;
    int phase = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            return;
        node->mark = phase == 2 ? 2 : 1;
        node->next = head;
        head = node;
        phase = phase == 2 ? 0 : phase + 1;
    }
    while (head) {
        phase = phase == 0 ? 2 : phase - 1;
        __VERIFIER_assert(head->mark == (phase == 2 ? 2 : 1));
        head = head->next;
    }
}
