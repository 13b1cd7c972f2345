/* The buggy twin of list-append-length.c: the node is put behind the second one. */

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

/* Puts the node at the end. */
static struct node *append(struct node *list, struct node *last) {
    last->next = 0;
    if (list == 0)
        return last;
    struct node *node = list;
    if (node->next != 0)
        node = node->next;
    node->next = last;
    return list;
}

void test(struct node *list, int value) {
    struct node *node = malloc(sizeof(struct node));
    __VERIFIER_assume(node != 0);
    node->data = value;
    int before = length(list);
    __VERIFIER_assert(length(append(list, node)) - before == 1);
}
