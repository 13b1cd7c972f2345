/* A node is put anywhere into a list, which is then freed. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *block);

struct node { struct node *next; int data; };

void test(struct node *list) {
    struct node *node = malloc(sizeof *node);
    if (!node)
        return;
    node->data = 1;
    if (!list) {
        list = node;
    } else {
        struct node *at = list, *next = at->next;
        while (next && __VERIFIER_nondet_int()) {
            at = next;
            next = at->next;
        }
        node->next = next;
        at->next = node;
    }
    while (list) {
        struct node *rest = list->next;
        free(list);
        list = rest;
    }
}
