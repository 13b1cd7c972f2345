/* A search in a list touches nothing outside it. */

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
    contains(list, value);
}
