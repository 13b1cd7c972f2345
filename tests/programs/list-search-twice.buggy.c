/* The buggy twin of list-search-twice.c: the second search leaves out the first node. */

extern void __VERIFIER_assert(int condition);

struct node {
    struct node *next;
    int data;
};

static int contains(const struct node *list, int value) {
    for (; list != 0; list = list->next)
        if (list->data == value)
            return 1;
    return 0;
}

void test(struct node *list, int value) {
    int first = contains(list, value);
    __VERIFIER_assert(contains(list == 0 ? list : list->next, value) == first);
}
