/* Two lists are interleaved in any way, and freed. */
extern int __VERIFIER_nondet_int(void);
extern void free(void *block);

struct node { struct node *next; int data; };

void test(struct node *list, struct node *other) {
    struct node *first = 0, *last = 0;
    while (list && other) {
        struct node *node;
        if (__VERIFIER_nondet_int()) {
            node = list;
            list = list->next;
        } else {
            node = other;
            other = other->next;
        }
        node->next = 0;
        if (last)
            last->next = node;
        else
            first = node;
        last = node;
    }
    if (!list)
        list = other;
    last->next = list;
    while (first) {
        struct node *rest = first->next;
        free(first);
        first = rest;
    }
}
