/* Shelves, on each of which there is at least one book: the walks take this for granted and do not look whether a shelf is empty. */
extern int __VERIFIER_nondet_int(void);
extern void *calloc(unsigned long count, unsigned long size);
extern void free(void *pointer);
extern void abort(void);

struct book {
    struct book *next;
    void *reader;
};

struct shelf {
    struct book *first;
    struct shelf *below;
};

static void *get(unsigned long size) {
    void *memory = calloc(1, size);
    if (!memory)
        abort();
    return memory;
}

static struct shelf *add(struct shelf *below) {
    struct shelf *shelf = get(sizeof *shelf);
    do {
        struct book *book = get(sizeof *book);
        book->next = shelf->first;
        shelf->first = book;
    } while (__VERIFIER_nondet_int());
    shelf->below = below;
    return shelf;
}

static void clear(struct book *book) {
    do {
        struct book *next = book->next;
        free(book);
        book = next;
    } while (book);
}

void test(void) {
    struct shelf *top = 0;
    while (__VERIFIER_nondet_int())
        top = add(top);
    while (top) {
        struct shelf *below = top->below;
        clear(top->first);
        free(top);
        top = below;
    }
}
