/* Looks for a value in a list: where the walk ends, it stands. */
extern void __VERIFIER_assert(int condition);

struct node { struct node *next; int data; };

void test(struct node *list) {
    struct node *at = list;
    while (at && at->data != 2)
        at = at->next;
    if (at)
        __VERIFIER_assert(at->data == 1);
}
