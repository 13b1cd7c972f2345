/* Insertion sort of a list that is linked both ways. The sort walks forwards only: the way back is kept up to date, and nothing takes it. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *pointer);
extern void abort(void);

struct node {
    struct node *next, *prev;
    int key;
};

static struct node *push(struct node *list, int key) {
    struct node *node = malloc(sizeof *node);
    if (!node)
        abort();
    node->key = key;
    node->prev = 0;
    node->next = list;
    if (list)
        list->prev = node;
    return node;
}

/* Puts the node in front of the first one with a larger key. */
static struct node *put_in(struct node *sorted, struct node *node) {
    struct node *before = 0, *behind = sorted;
    while (behind && behind->key <= node->key) {
        before = behind;
        behind = behind->next;
    }
    node->prev = before;
    node->next = behind;
    behind->prev = node;
    if (!before)
        return node;
    before->next = node;
    return sorted;
}

void test(void) {
    struct node *list = 0, *sorted = 0;
    while (__VERIFIER_nondet_int())
        list = push(list, __VERIFIER_nondet_int());
    while (list) {
        struct node *node = list;
        list = list->next;
        sorted = put_in(sorted, node);
    }
    while (sorted) {
        struct node *next = sorted->next;
        free(sorted);
        sorted = next;
    }
}
