/* Nodes by kind, in one loop of many branches, each of which may be of another kind behind it. */

extern void __VERIFIER_assert(int condition);

struct node {
    struct node *next;
    int kind;
};

void test(struct node *list) {
    unsigned first = 0, second = 0, third = 0, fourth = 0, fifth = 0, others = 0;
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
        __VERIFIER_assert(at->kind >= 0);
    }
}
