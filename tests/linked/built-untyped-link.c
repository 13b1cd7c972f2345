/* A list whose links are untyped, as generic containers have them, is built, marked and freed. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);
extern void free(void *block);
extern void abort(void);

static void *make(unsigned long size) {
    void *block = malloc(size);
    if (!block)
        abort();
    return block;
}

struct node {
    void *next;
    int mark;
};

void test(void) {
    struct node *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = make(sizeof *node);
        node->mark = 7;
        node->next = list;
        list = node;
    }
    while (list) {
        struct node *next = list->next;
        __VERIFIER_assert(list->mark == 7);
        free(list);
        list = next;
    }
}
