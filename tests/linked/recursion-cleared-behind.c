/* Beside a call of the function itself a pointer is read and then, behind a sequence point, cleared. */
extern void __VERIFIER_assert(int condition);

struct node {
    struct node *next;
};

static int ends(struct node *node, int depth) {
    struct node *next, *same = node;
    if (depth <= 0)
        return 0;
    return ends(same, depth - 1) + (next = node->next, node = 0, next == 0);
}

void test(void) {
    struct node last = {0};
    __VERIFIER_assert(ends(&last, 3) == 3);
}
