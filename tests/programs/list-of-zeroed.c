/* Nodes come from an allocator that knows no types and gives memory of zeros. */

typedef unsigned long size_t;

extern void __VERIFIER_assert(int condition);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(size_t size);
extern void free(void *pointer);
extern void *memset(void *to, int value, size_t size);

struct node {
    int visits;
    struct node *next;
};

static void *zeroed(size_t size) {
    void *memory = malloc(size);
    if (!memory)
        return 0;
    return memset(memory, 0, size);
}

void test(void) {
    struct node *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = zeroed(sizeof *node);
        if (!node)
            break;
        __VERIFIER_assert(node->visits == 0 && !node->next);
        node->next = list;
        list = node;
    }
    while (list) {
        struct node *next = list->next;
        __VERIFIER_assert(list->visits == 0);
        free(list);
        list = next;
    }
}
