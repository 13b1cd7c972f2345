/* A list is copied from its end, and the copy freed. */

extern void *malloc(unsigned long size);
extern void free(void *block);
extern void __VERIFIER_ignore(void);

struct node {
    struct node *next;
    int data;
};

static struct node *copy(const struct node *list) {
    if (!list)
        return 0;
    int data = list->data;
    struct node *rest = copy(list->next);
    struct node *node = malloc(sizeof *node);
    if (!node)
        __VERIFIER_ignore();
    node->data = data;
    node->next = rest;
    return node;
}

void test(struct node *list) {
    struct node *copied = copy(list);
    while (copied) {
        struct node *next = copied->next;
        free(copied);
        copied = next;
    }
}
