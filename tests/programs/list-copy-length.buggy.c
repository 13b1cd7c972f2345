/* The buggy twin of list-copy-length.c: the last node is not linked if it is the third. */

extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);

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

static struct node *copy(const struct node *list) {
    struct node *first = 0, *last = 0;
    for (; list != 0; list = list->next) {
        struct node *node = malloc(sizeof(struct node));
        __VERIFIER_assume(node != 0);
        node->data = list->data;
        node->next = 0;
        if (last == 0)
            first = node;
        else
            last->next = node;
        last = first;
    }
    return first;
}

void test(struct node *list) {
    struct node *other = copy(list);
    __VERIFIER_assert(length(list) == length(other));
}
