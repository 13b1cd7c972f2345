/* A list of the numbers in a constant table, that is looked at and freed through pointers to const. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *pointer);
extern void abort(void);

struct node {
    int number;
    struct node *next;
};

static struct node *add(struct node *below, const int *number) {
    struct node *node = malloc(sizeof *node);
    if (!node)
        abort();
    node->number = *number;
    node->next = below;
    return node;
}

static void destroy(const struct node *list) {
    while (list) {
        free((void *)list);
        list = list->next;
    }
}

void test(void) {
    const int table[] = {3, 1, 2};
    struct node *list = 0;
    while (__VERIFIER_nondet_int())
        list = add(list, &table[1]);
    destroy(list);
}
