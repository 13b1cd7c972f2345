/* A sorted list is sorted after an insertion. */

extern void __VERIFIER_ignore(void);
extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);

struct node {
    struct node *next;
    int data;
};

static int is_sorted(const struct node *list) {
    if (list == 0)
        return 1;
    for (; list->next != 0; list = list->next)
        if (list->data > list->next->data)
            return 0;
    return 1;
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
    before->next = new;
    return list;
}

void test(struct node *list, int value) {
    if (!is_sorted(list))
        __VERIFIER_ignore();
    struct node *node = malloc(sizeof(struct node));
    __VERIFIER_assume(node != 0);
    node->data = value;
    __VERIFIER_assert(is_sorted(insert(list, node)));
}
