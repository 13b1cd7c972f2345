/* The buggy twin of one-node-in-an-array.c: the node is used after it was freed. */
typedef unsigned long size_t;
extern void *malloc(size_t size);
extern void free(void *pointer);
extern void __VERIFIER_assert(int condition);

struct node {
    int value;
    struct node *next;
};

void test(int value) {
    struct node *node = malloc(sizeof *node), *all[3];
    if (!node)
        return;
    node->value = value;
    node->next = 0;
    for (int i = 0; i < 3; i++)
        all[i] = node;
    while (node)
        node = node->next;
    free(all[0]);
    __VERIFIER_assert(all[2]->value == value);
}
