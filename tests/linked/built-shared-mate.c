/* Pieces in a stack all of which know one and the same piece that is in none: each takes it over from the one that it is laid on. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *pointer);
extern void abort(void);

struct piece {
    struct piece *below;
    struct piece *mate;
};

static struct piece *get(void) {
    struct piece *piece = malloc(sizeof *piece);
    if (!piece)
        abort();
    return piece;
}

static struct piece *lay(struct piece *top) {
    struct piece *piece = get();
    piece->below = top;
    piece->mate = top ? top->mate : get();
    return piece;
}

void test(void) {
    struct piece *top = lay(0);
    while (__VERIFIER_nondet_int())
        top = lay(top);
    free(top->mate);
    while (top) {
        struct piece *below = top->below;
        free(top);
        top = below;
    }
}
