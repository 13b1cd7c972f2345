/* A list that a harness builds by appending is summed up, reversed and freed. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);
extern void free(void *block);
extern void abort(void);

struct node {
    struct node *next;
    int data;
};

static struct node *build(void) {
    struct node *first = 0, *last = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            abort();
        node->data = __VERIFIER_nondet_int();
        node->next = 0;
        if (last)
            last->next = node;
        else
            first = node;
        last = node;
    }
    return first;
}

static struct node *reverse(struct node *list) {
    struct node *first = 0;
    while (list) {
        struct node *rest = list->next;
        list->next = first;
        first = list;
        list = rest;
    }
    return first;
}

static void free_all(struct node *list) {
    while (list) {
        struct node *rest = list->next;
        free(list);
        list = rest;
    }
}

void test(void) {
    struct node *list = build();
    int sum = 0;
    for (struct node *node = list; node; node = node->next)
        sum += node->data;
    free_all(reverse(list));
}
