/* A node is taken out of a doubly linked list: neighbours still know each other. */
extern void __VERIFIER_assert(int condition);
extern void free(void *block);

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
    struct node *at = list;
    while (at && at->data != 1)
        at = at->next;
    if (at) {
        struct node *next = at->next, *prev = at->prev;
        if (prev)
            prev->next = next;
        else
            list = next;
        if (next)
            next->prev = prev;
        free(at);
    }
    for (at = list; at; at = at->next)
        if (at->next)
            __VERIFIER_assert(at->next->prev == at);
}
