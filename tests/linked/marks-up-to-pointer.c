/* A list of 1s and then 2s: where the 2s begin is where a pointer says. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);

struct node { int mark; struct node *next; };

void test(void) {
    struct node *head = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            return;
        node->mark = 2;
        node->next = head;
        head = node;
    }
    struct node *boundary = head;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            return;
        node->mark = 1;
        node->next = head;
        head = node;
    }
    struct node *at = head;
    while (at && at->mark == 1)
        at = at->next;
    __VERIFIER_assert(at == boundary);
    while (at) {
        __VERIFIER_assert(at->mark == 2);
        at = at->next;
    }
}
