/* The buggy twin of list-reverse-safe.c: it does not expect an empty list. */

extern void __VERIFIER_assert(int condition);

struct node {
    struct node *next;
    int data;
};

static struct node *reverse(struct node *list) {
    struct node *reversed = 0;
    while (list->next != 0) {
        struct node *rest = list->next;
        list->next = reversed;
        reversed = list;
        list = rest;
    }
    return reversed;
}

void test(struct node *list) {
    int is_empty = list == 0;
    struct node *node = reverse(list);
    __VERIFIER_assert((node == 0) == is_empty);
    while (node != 0)
        node = node->next;
}
