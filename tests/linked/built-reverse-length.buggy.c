/* Reversing a list that a harness builds by appending keeps its length; then it is freed. */
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

static int length(const struct node *list) {
    int count = 0;
    for (; list; list = list->next)
        count++;
    return count;
}

static struct node *reverse(struct node *list) {
    struct node *first = 0;
    while (list && (first || list->next)) {
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
    int count = length(list);
    list = reverse(list);
    __VERIFIER_assert(length(list) == count);
    free_all(list);
}
