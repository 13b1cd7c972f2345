/* A list of 1s and 2s in which each 1 is followed by two 2s. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);

struct node { int mark; struct node *next; };

static struct node *make(int mark, struct node *next) {
    struct node *node = malloc(sizeof *node);
    if (node) {
        node->mark = mark;
        node->next = next;
    }
    return node;
}

void test(void) {
    struct node *head = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = make(2, head);
        if (!node)
            return;
        if (__VERIFIER_nondet_int()) {
            node = make(2, node);
            if (!node)
                return;
            node = make(1, node);
            if (!node)
                return;
        }
        head = node;
    }
    while (head) {
        if (head->mark == 1) {
            head = head->next;
            __VERIFIER_assert(head->mark == 2);
            head = head->next;
            __VERIFIER_assert(head->mark == 2);
        }
        head = head->next;
    }
}
