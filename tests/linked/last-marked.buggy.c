/* The program of Holik and Rogalewicz, Fig. 1, for lists that are not empty: the last node is marked. Its twin is the figure, where the list may be empty. */
extern void __VERIFIER_assert(int condition);

struct node { struct node *next; int data; };

void test(struct node *list) {
    struct node *at = list, *end;
    while (at) {
        end = at;
        at = at->next;
    }
    end->data = 1;
    __VERIFIER_assert(!end->next);
}
