/* The buggy twin of list-delete-all.c: the search stops at the first one. */

extern void __VERIFIER_assert(int condition);
extern void free(void *block);

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

/* Takes out and frees all nodes with the value. */
static struct node *delete_all(struct node *list, int value) {
    struct node *before = 0, *node = list;
    while (node != 0) {
        struct node *rest = node->next;
        if (node->data == value) {
            if (before == 0)
                list = rest;
            else
                before->next = rest;
            free(node);
            return list;
        } else {
            before = node;
        }
        node = rest;
    }
    return list;
}

void test(struct node *list, int value) {
    __VERIFIER_assert(!contains(delete_all(list, value), value));
}
