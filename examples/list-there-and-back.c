/* A doubly linked list has as many nodes from its end back. */

extern void __VERIFIER_assert(int condition);

/* In an input both pointers lead to lists of their own; the program sets those that lead back. */
struct node {
    struct node *next;
    struct node *prev;
    int data;
};

/* Sets the pointers back. */
static void link_back(struct node *list) {
    struct node *before = 0;
    for (; list != 0; list = list->next) {
        list->prev = before;
        before = list;
    }
}

void test(struct node *list) {
    link_back(list);
    if (list == 0)
        return;
    int ahead = 1, back = 0;
    struct node *node = list;
    for (; node->next != 0; node = node->next)
        ahead++;
    for (; node != 0; node = node->prev)
        back++;
    __VERIFIER_assert(ahead == back);
}
