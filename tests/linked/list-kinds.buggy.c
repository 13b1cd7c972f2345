/* Nodes by kind: one of a negative kind keeps it. */

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
        if (at->kind > 5)
            at->kind = 0;
        __VERIFIER_assert(at->kind >= 0);
    }
}
