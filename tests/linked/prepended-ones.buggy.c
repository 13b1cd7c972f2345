/* A list built by prepending under nondeterministic conditions holds what was put in. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *block);
extern void __VERIFIER_assert(int condition);
extern void __VERIFIER_assume(int condition);

struct node { int data; struct node *next; };

void test(void) {
    struct node *head = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        node->data = 1;
        node->next = head;
        head = node;
        if (__VERIFIER_nondet_int() == 7)
            node->data = 2;
    }
    for (struct node *node = head; node; node = node->next)
        __VERIFIER_assert(node->data == 1);
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
}
