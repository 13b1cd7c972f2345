/* A list has the same length reversed. */

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
    while (list != 0) {
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
