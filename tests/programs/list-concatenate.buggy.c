/* The buggy twin of list-concatenate.c: the last node of the first list is replaced. */

extern void __VERIFIER_assert(int condition);

struct node {
    struct node *next;
    int data;
};

static int length(const struct node *list) {
    int count = 0;
    for (; list != 0; list = list->next)
        count++;
    return count;
}

static struct node *concatenate(struct node *list, struct node *rest) {
    if (list == 0)
        return rest;
    struct node *node = list;
    while (node->next != 0 && node->next->next != 0)
        node = node->next;
    node->next = rest;
    return list;
}

void test(struct node *one, struct node *other) {
    unsigned first = length(one), second = length(other);
    __VERIFIER_assert((unsigned)length(concatenate(one, other)) == first + second);
}
