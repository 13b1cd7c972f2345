/* A node is put anywhere into a doubly linked list. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);

struct node { struct node *next, *prev; int data; };

/* Lets every node point back to the one before it. */
static void link_back(struct node *list) {
    struct node *before = 0;
    for (; list; list = list->next) {
        list->prev = before;
        before = list;
    }
}

void test(struct node *list) {
    link_back(list);
    struct node *node = malloc(sizeof *node);
    if (!node)
        return;
    node->next = node->prev = 0;
    node->data = 0;
    if (!list) {
        list = node;
    } else {
        struct node *at = list, *next = at->next;
        while (next && __VERIFIER_nondet_int()) {
            at = next;
            next = at->next;
        }
        node->next = next;
        node->prev = at;
        at->next = node;
        if (next)
            next->prev = node;
    }
    for (; list->next; list = list->next)
        __VERIFIER_assert(list->next->prev == list);
}
