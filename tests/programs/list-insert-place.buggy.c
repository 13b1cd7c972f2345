/* The buggy twin of list-insert-place.c: it is lost at the end of the list. */

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

/* Puts the node ahead of the first one that is not smaller. */
static struct node *insert(struct node *list, struct node *new) {
    struct node *before = 0, *node = list;
    while (node != 0 && node->data < new->data) {
        before = node;
        node = node->next;
    }
    new->next = node;
    if (before == 0)
        return new;
    if (node != 0)
        before->next = new;
    return list;
}

void test(struct node *list, int value) {
    struct node *node = malloc(sizeof(struct node));
    __VERIFIER_assume(node != 0);
    node->data = value;
    __VERIFIER_assert(contains(insert(list, node), value));
}
