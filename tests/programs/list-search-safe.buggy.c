/* The buggy twin of list-search-safe.c: the end is not looked for. */

struct node {
    struct node *next;
    int data;
};

static int contains(const struct node *list, int value) {
    for (; ; list = list->next)
        if (list->data == value)
            return 1;
    return 0;
}

void test(struct node *list, int value) {
    contains(list, value);
}
