/* A value that was appended to a list is found. */

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

/* Puts the node at the end. */
static struct node *append(struct node *list, struct node *last) {
    last->next = 0;
    if (list == 0)
        return last;
    struct node *node = list;
    while (node->next != 0)
        node = node->next;
    node->next = last;
    return list;
}

void test(struct node *list, int value) {
    struct node *node = malloc(sizeof(struct node));
    if (node == 0)
        return;
    node->data = value;
    __VERIFIER_assert(contains(append(list, node), value));
}
