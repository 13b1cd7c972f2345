/* The sum of a list's data, which is read behind the call. */

struct node {
    struct node *next;
    int data;
};

static unsigned sum(const struct node *list) {
    if (!list)
        return 0;
    unsigned own = list->data, rest = sum(list->next);
    return own + rest;
}

void test(struct node *list) {
    sum(list);
}
