/* The buggy twin of list-delete-inverse.c: the pointer back is not set. */

extern void __VERIFIER_assert(int condition);
extern void free(void *block);

/* In an input both pointers lead to lists of their own; the program sets those that lead back. */
struct node {
    struct node *next;
    struct node *prev;
    int data;
};

/* Sets the pointers back. */
static void link_back(struct node *list) {
    struct node *before = 0;
    for (; list != 0; list = list->next) {
        list->prev = before;
        before = list;
    }
}

/* Takes out and frees the first node with the value. */
static struct node *delete(struct node *list, int value) {
    struct node *node = list;
    while (node != 0 && node->data != value)
        node = node->next;
    if (node == 0)
        return list;
    if (node->prev == 0)
        list = node->next;
    else
        node->prev->next = node->next;
    free(node);
    return list;
}

void test(struct node *list, int value) {
    link_back(list);
    list = delete(list, value);
    for (; list != 0; list = list->next)
        __VERIFIER_assert(list->next == 0 || list->next->prev == list);
}
