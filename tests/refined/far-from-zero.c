/* The marks of the first two nodes are far from 0, and one is told by the other: no run that is drawn at random has them. */
extern void __VERIFIER_assert(int condition);

struct node { int mark; struct node *next; };

void test(struct node *list) {
    int count = 0;
    for (struct node *at = list; at; at = at->next)
        count = 1;
    int is_told = list && list->next && list->mark == 99999 && list->next->mark == list->mark - 1234;
    __VERIFIER_assert(!is_told || list->next->mark == 98765);
}
