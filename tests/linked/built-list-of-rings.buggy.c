/* A list of rings is freed, each from its header, which is freed first and then compared with. */
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
struct owner { struct owner *next; struct cell *ring; };

void test(void) {
    struct owner *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct owner *owner = make(sizeof *owner);
        struct cell *header = make(sizeof *header);
        header->next = header;
        while (__VERIFIER_nondet_int()) {
            struct cell *cell = make(sizeof *cell);
            cell->next = header->next;
            header->next = cell;
        }
        owner->ring = header;
        owner->next = list;
        list = owner;
    }
    while (list) {
        struct owner *next = list->next;
        struct cell *cell = list->ring->next;
        while (cell != list->ring) {
            struct cell *behind = cell->next;
            free(cell);
            cell = behind;
        }
        free(list->ring);
        free(cell);
        free(list);
        list = next;
    }
}
