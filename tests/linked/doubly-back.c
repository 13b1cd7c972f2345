/* A doubly linked list is walked to its end and back to its first node. */
extern void __VERIFIER_assert(int condition);

struct node { struct node *next, *prev; int data; };

void test(struct node *list) {
    struct node *last = 0;
    for (struct node *at = list; at; at = at->next) {
        at->prev = last;
        last = at;
    }
    while (last && last != list) {
        last = last->prev;
        __VERIFIER_assert(last != 0);
    }
}
