/* A list of any length is made and freed. */

extern void __VERIFIER_assume(int condition);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
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

void test(void) {
    struct node *first = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof(struct node));
        __VERIFIER_assume(node != 0);
        node->data = 0;
        node->next = first;
        first = node;
    }
    free_all(first);
}
