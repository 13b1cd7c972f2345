/* The buggy twin of list-free-all.c: a node is freed before the next one is read. */

extern void free(void *block);

struct node {
    struct node *next;
    int data;
};

static void free_all(struct node *list) {
    while (list != 0) {
        free(list);
        struct node *rest = list->next;
        list = rest;
    }
}

void test(struct node *list) {
    free_all(list);
}
