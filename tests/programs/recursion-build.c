/* A list is built from its end, and taken apart from its start. */

extern void *malloc(unsigned long size);
extern void free(void *block);
extern void __VERIFIER_ignore(void);
extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int data;
};

static struct node *build(void) {
    if (!__VERIFIER_nondet_int())
        return 0;
    struct node *rest = build(), *node = malloc(sizeof *node);
    if (!node)
        __VERIFIER_ignore();
    node->next = rest;
    node->data = 1;
    return node;
}

static void destroy(struct node *list) {
    if (!list)
        return;
    struct node *next = list->next;
    free(list);
    destroy(next);
}

void test(void) {
    destroy(build());
}
