/* The buggy twin of list-reverse-length.c: the last node is left out. */

extern void __VERIFIER_assert(int condition);

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

void test(struct node *list) {
    int before = length(list);
    __VERIFIER_assert(length(reverse(list)) == before);
}
