/* Merge sort of a list: what comes out is in order. */

extern void __VERIFIER_assert(int condition);

struct node {
    struct node *next;
    int data;
};

static struct node *split(struct node *list) {
    if (!list || !list->next)
        return 0;
    struct node *second = list->next;
    list->next = second->next;
    second->next = split(second->next);
    return second;
}

static struct node *merge(struct node *one, struct node *two) {
    if (!one)
        return two;
    if (!two)
        return one;
    if (one->data >= two->data) {
        one->next = merge(one->next, two);
        return one;
    }
    two->next = merge(one, two->next);
    return two;
}

static struct node *sort(struct node *list) {
    if (!list || !list->next)
        return list;
    struct node *second = split(list);
    list = sort(list);
    return merge(list, sort(second));
}

void test(struct node *list) {
    for (list = sort(list); list && list->next; list = list->next)
        __VERIFIER_assert(list->data <= list->next->data);
}
