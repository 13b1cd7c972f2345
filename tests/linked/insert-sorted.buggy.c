/* Insertion into a sorted list keeps it sorted. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *block);
extern void __VERIFIER_assert(int condition);
extern void __VERIFIER_assume(int condition);

struct node { int data; struct node *next; };

static int is_sorted(struct node *list) {
    if (!list)
        return 1;
    for (; list->next; list = list->next)
        if (list->data > list->next->data)
            return 0;
    return 1;
}

void test(struct node *list, int data) {
    __VERIFIER_assume(is_sorted(list));
    struct node *node = malloc(sizeof *node);
    if (!node)
        return;
    node->data = data;
    struct node **link = &list;
    while (*link && (*link)->next && (*link)->data < data)
        link = &(*link)->next;
    node->next = *link;
    *link = node;
    __VERIFIER_assert(is_sorted(list));
}
