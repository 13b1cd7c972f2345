/* A list is reversed and walked: its last node is the one that was first. */
extern void __VERIFIER_assert(int condition);

struct node { struct node *next; int data; };

void test(struct node *list) {
    struct node *first = list, *reversed = 0;
    while (list) {
        struct node *next = list->next;
        list->next = reversed;
        reversed = list;
        list = next;
    }
    while (reversed->next)
        reversed = reversed->next;
    __VERIFIER_assert(reversed == first);
}
