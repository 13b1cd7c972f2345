/* All nodes of a list are freed, each once. */

extern void free(void *block);

struct node {
    struct node *next;
    int data;
};

static void free_all(struct node *list) {
    while (list != 0) {
        struct node *rest = list->next;
        free(list);
        list = rest;
    }
}

void test(struct node *list) {
    free_all(list);
}
