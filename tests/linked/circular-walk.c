/* A list is closed to a circle and walked round. */
extern void __VERIFIER_assert(int condition);

struct node { struct node *next; int data; };

void test(struct node *list) {
    if (!list)
        return;
    struct node *at = list, *next = at->next;
    while (next) {
        at = next;
        next = at->next;
    }
    at->next = list;
    at = list->next;
    while (at != list)
        at = at->next;
    __VERIFIER_assert(at->next != 0);
}
