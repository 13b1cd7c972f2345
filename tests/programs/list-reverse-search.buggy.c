/* The buggy twin of list-reverse-search.c: the last node is left out. */

extern void __VERIFIER_assert(int condition);

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

static struct node *reverse(struct node *list) {
    struct node *reversed = 0;
    while (list != 0 && (reversed == 0 || list->next != 0)) {
        struct node *rest = list->next;
        list->next = reversed;
        reversed = list;
        list = rest;
    }
    return reversed;
}

void test(struct node *list, int value) {
    int before = contains(list, value);
    __VERIFIER_assert(contains(reverse(list), value) == before);
}
