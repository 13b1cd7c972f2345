/* The buggy twin of list-prepend.c: the list is lost, and the value is not stored. */

extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);

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
    struct node *node = malloc(sizeof(struct node));
    __VERIFIER_assume(node != 0);
    node->data = 0;
    node->next = list;
    __VERIFIER_assert(contains(node, value));
}
