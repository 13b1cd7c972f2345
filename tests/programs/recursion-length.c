/* The length of a list, recursively and in a loop. */

extern void __VERIFIER_assert(int condition);

struct node {
    struct node *next;
    int data;
};

static unsigned length(const struct node *list) {
    return list ? 1 + length(list->next) : 0;
}

void test(struct node *list) {
    unsigned count = 0;
    for (struct node *node = list; node; node = node->next)
        count++;
    __VERIFIER_assert(length(list) == count);
}
