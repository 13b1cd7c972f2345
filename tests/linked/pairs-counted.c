/* A walk of two nodes a round counts all of them but for one at the end that has no other. */
extern void __VERIFIER_assert(int condition);

struct node { struct node *next; };

static unsigned length(struct node *list) {
    unsigned length = 0;
    for (; list; list = list->next)
        length++;
    return length;
}

void test(struct node *list) {
    unsigned paired = 0;
    for (struct node *node = list; node && node->next; node = node->next->next)
        paired += 2;
    unsigned all = length(list);
    __VERIFIER_assert(all == paired || all == paired + 1);
}
