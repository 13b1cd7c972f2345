/* A list whose nodes all point to its header: one is taken out, and the others still know the list that they are in. */
extern void __VERIFIER_assert(int condition);

struct list {
    struct node *first;
};

struct node {
    int key;
    struct node *next;
    struct list *owner;
};

static void adopt(struct list *list, struct node *first) {
    list->first = first;
    for (struct node *node = first; node; node = node->next)
        node->owner = list;
}

/* Takes the first node with the key out of the list, if there is one. */
static struct node *take(struct list *list, int key) {
    struct node **link = &list->first;
    while (*link && (*link)->key != key)
        link = &(*link)->next;
    struct node *node = *link;
    if (node) {
        *link = node->next;
        if (*link)
            (*link)->owner = 0;
    }
    return node;
}

void test(struct node *first, int key) {
    struct list list;
    adopt(&list, first);
    struct node *taken = take(&list, key);
    __VERIFIER_assert(!taken || !taken->owner);
    for (struct node *node = list.first; node; node = node->next)
        __VERIFIER_assert(node->owner == &list);
}
