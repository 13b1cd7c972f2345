/* A list is taken apart, and each node put anywhere into another one. */
extern int __VERIFIER_nondet_int(void);
extern void free(void *block);

struct node { struct node *next; int data; };

void test(struct node *list) {
    struct node *sorted = 0;
    while (list) {
        struct node *node = list, *before = 0, *at = sorted;
        list = node->next;
        free(sorted ? 0 : node);
        while (at && __VERIFIER_nondet_int()) {
            before = at;
            at = at->next;
        }
        node->next = at;
        if (before)
            before->next = node;
        else
            sorted = node;
    }
    while (sorted) {
        struct node *rest = sorted->next;
        free(sorted);
        sorted = rest;
    }
}
