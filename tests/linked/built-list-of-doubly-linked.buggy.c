/* A list of doubly linked lists is freed: the node behind a freed one still leads back to it, and that is written to. */
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

struct item { struct item *next, *previous; };
struct owner { struct owner *next; struct item *items; };

void test(void) {
    struct owner *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct owner *owner = make(sizeof *owner);
        owner->items = 0;
        while (__VERIFIER_nondet_int()) {
            struct item *item = make(sizeof *item);
            item->previous = 0;
            item->next = owner->items;
            if (owner->items)
                owner->items->previous = item;
            owner->items = item;
        }
        owner->next = list;
        list = owner;
    }
    while (list) {
        struct owner *next = list->next;
        while (list->items) {
            struct item *item = list->items->next;
            free(list->items);
            list->items = item;
            if (item)
                item->previous->next = 0;
        }
        free(list);
        list = next;
    }
}
