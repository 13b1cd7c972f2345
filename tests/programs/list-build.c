/* A list made by prepending is as long as was counted. */

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

void test(struct node *list) {
    struct node *first = 0;
    int count = 0;
    for (; list != 0; list = list->next) {
        struct node *node = malloc(sizeof(struct node));
        __VERIFIER_assume(node != 0);
        node->data = 0;
        node->next = first;
        first = node;
        count++;
    }
    __VERIFIER_assert(length(first) == count);
}
