/* All nodes of a list are set to 1, and then all are 1. */
extern void __VERIFIER_assert(int condition);

struct node { struct node *next; int data; };

void test(struct node *list) {
    for (struct node *at = list; at; at = at->next)
        at->data = 1;
    for (; list; list = list->next)
        __VERIFIER_assert(list->data == 1);
}
