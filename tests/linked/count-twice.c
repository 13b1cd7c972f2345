/* The nodes with a key are counted, others are marked, and the nodes with the key are counted again. */
extern void __VERIFIER_assert(int condition);

struct node { struct node *next; int key; int is_marked; };

static int count(struct node *list, int key) {
    int found = 0;
    for (; list; list = list->next)
        if (list->key == key)
            found++;
    return found;
}

void test(struct node *list, int key) {
    int before = count(list, key);
    for (struct node *node = list; node; node = node->next)
        node->is_marked = node->key != key;
    __VERIFIER_assert(count(list, key) == before);
}
