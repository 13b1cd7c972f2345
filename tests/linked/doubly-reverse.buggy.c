/* A doubly linked list is reversed in place. */
extern void __VERIFIER_assert(int condition);

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
    struct node *first = 0;
    while (list) {
        struct node *next = list->next, *prev = list->prev;
        list->next = prev;
        first = list;
        list = next;
    }
    for (; first && first->next; first = first->next)
        __VERIFIER_assert(first->next->prev == first);
}
