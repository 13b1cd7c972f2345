/* Nodes of a list own another node each, which nobody has written in: a pointer in it is freed. */

extern void *malloc(unsigned long size);
extern void free(void *block);
extern int __VERIFIER_nondet_int(void);
extern void abort(void);

struct item {
    struct item *next, *owned;
};

static struct item *fresh(void) {
    struct item *item = malloc(sizeof *item);
    if (!item)
        abort();
    return item;
}

int test(void) {
    struct item *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct item *item = fresh();
        item->owned = fresh();
        item->next = list;
        list = item;
    }
    while (list) {
        struct item *next = list->next;
        free(list->owned->next);
        free(list);
        list = next;
    }
    return 0;
}
