/* Nodes by kind, in one loop of many branches; the list is as long as before. */

extern void __VERIFIER_assert(int condition);

struct node {
    struct node *next;
    int kind;
};

static unsigned length(const struct node *list) {
    unsigned n = 0;
    for (; list; list = list->next)
        n++;
    return n;
}

void test(struct node *list) {
    unsigned first = 0, second = 0, third = 0, fourth = 0, fifth = 0, others = 0, all = 0;
    for (struct node *at = list; at; at = at->next) {
        if (at->kind == 1)
            first++;
        else if (at->kind == 2)
            second++;
        else if (at->kind == 3)
            third++;
        else if (at->kind == 4)
            fourth++;
        else if (at->kind == 5)
            fifth++;
        else
            others++;
        if (at->kind < 0)
            at->kind = 0;
        all++;
    }
    __VERIFIER_assert(all == length(list));
}
