/* All nodes with a value are taken out of a list and freed; those with another one are as many as before. */
extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);
extern void free(void *block);

struct node { int value; struct node *next; };

static int count(struct node *list, int value) {
    int found = 0;
    for (; list; list = list->next)
        if (list->value == value)
            found++;
    return found;
}

void test(struct node *list, int unwanted, int other) {
    __VERIFIER_assume(unwanted != other);
    int before = count(list, other);
    struct node **link = &list;
    while (*link) {
        struct node *node = *link;
        if (node->value == unwanted) {
            *link = node->next;
            free(node);
        } else {
            link = &node->next;
        }
    }
    __VERIFIER_assert(count(list, other) == before);
}
