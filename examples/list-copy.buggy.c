/* The buggy twin of list-copy.c: a node with the value 1 is not linked. */

extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);

struct node {
    struct node *next;
    int data;
};

static struct node *copy(const struct node *list) {
    struct node *first = 0, *last = 0;
    for (; list != 0; list = list->next) {
        struct node *node = malloc(sizeof(struct node));
        __VERIFIER_assume(node != 0);
        node->data = list->data;
        node->next = 0;
        if (last == 0)
            first = node;
        else if (node->data != 1)
            last->next = node;
        last = node;
    }
    return first;
}

/* Fails where the lists differ. */
static void require_equal(const struct node *one, const struct node *other) {
    for (; one != 0; one = one->next) {
        __VERIFIER_assert(other != 0);
        __VERIFIER_assert(one->data == other->data);
        other = other->next;
    }
    __VERIFIER_assert(other == 0);
}

void test(struct node *list) {
    require_equal(list, copy(list));
}
