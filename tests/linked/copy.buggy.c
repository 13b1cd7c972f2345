/* A copy of a list has the same elements, and the original is as it was. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *block);
extern void __VERIFIER_assert(int condition);
extern void __VERIFIER_assume(int condition);

struct node { long value; struct node *next; };

static struct node *copy(const struct node *list, int *failed) {
    struct node *first = 0, **link = &first;
    for (; list; list = list->next) {
        struct node *node = malloc(sizeof(struct node));
        if (!node) {
            *failed = 1;
            return first;
        }
        node->value = (int)list->value;
        node->next = 0;
        *link = node;
        link = &node->next;
    }
    return first;
}

void test(struct node *list) {
    int failed = 0;
    struct node *twin = copy(list, &failed);
    if (failed)
        return;
    while (list && twin) {
        __VERIFIER_assert(list != twin);
        __VERIFIER_assert(list->value == twin->value);
        list = list->next;
        twin = twin->next;
    }
    __VERIFIER_assert(!list && !twin);
}
