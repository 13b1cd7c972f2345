/* A list counted twice has the same length both times. */

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

void test(struct node *list) {
    __VERIFIER_assert(length(list) == length(list));
}
