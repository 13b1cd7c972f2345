/* A stack whose entries own their values: each is a number in memory of its own, which goes when the entry does. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *pointer);
extern void abort(void);

struct entry {
    int *value;
    struct entry *below;
};

static void *get(unsigned long size) {
    void *memory = malloc(size);
    if (!memory)
        abort();
    return memory;
}

static struct entry *push(struct entry *top, int value) {
    struct entry *entry = get(sizeof *entry);
    entry->value = get(sizeof *entry->value);
    *entry->value = value;
    entry->below = top;
    return entry;
}

static struct entry *pop(struct entry *top) {
    struct entry *below = top->below;
    free(top->value);
    free(top);
    return below;
}

void test(void) {
    struct entry *top = 0;
    while (__VERIFIER_nondet_int())
        top = push(top, __VERIFIER_nondet_int());
    for (struct entry *entry = top; entry; entry = entry->below)
        *entry->value = 0;
    while (top)
        top = pop(top);
}
