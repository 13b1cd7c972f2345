/* Behind the removal of equal neighbours no two neighbours are equal. */

extern void __VERIFIER_assert(int condition);
extern void free(void *block);

struct node {
    struct node *next;
    int data;
};

/* Frees every node that equals the one before it. */
static void deduplicate(struct node *list) {
    while (list != 0) {
        struct node *next = list->next;
        if (next != 0 && next->data == list->data) {
            list->next = next->next;
            free(next);
        } else {
            list = next;
        }
    }
}

void test(struct node *list) {
    deduplicate(list);
    for (; list != 0; list = list->next)
        __VERIFIER_assert(list->next == 0 || list->data != list->next->data);
}
