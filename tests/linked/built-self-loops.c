/* A list whose nodes each own a cell that leads to itself is built and freed. */
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

struct cell { struct cell *next; };
struct owner { struct owner *next; struct cell *cell; };

void test(void) {
    struct owner *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct owner *owner = make(sizeof *owner);
        owner->cell = make(sizeof *owner->cell);
        owner->cell->next = owner->cell;
        owner->next = list;
        list = owner;
    }
    while (list) {
        struct owner *next = list->next;
        struct cell *cell = list->cell->next;
        __VERIFIER_assert(cell == list->cell);
        free(cell);
        free(list);
        list = next;
    }
}
