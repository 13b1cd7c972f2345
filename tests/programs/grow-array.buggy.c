/* The buggy twin of grow-array.c: the old array is used after it was reallocated. */

typedef unsigned long size_t;
extern void __VERIFIER_assert(int condition);
extern void *malloc(size_t size);
extern void *realloc(void *old, size_t size);
extern void free(void *block);

/* An array input: a points to exactly n_a elements. */
struct ints {
    int *a;
    int n_a;
};

void test(struct ints in) {
    size_t room = 1, used = 0;
    int *all = malloc(room * sizeof *all);
    if (!all)
        return;
    for (int i = 0; i < in.n_a; i++) {
        if (used == room) {
            int *more = realloc(all, 2 * room * sizeof *all);
            if (!more)
                break;
            room *= 2;
        }
        all[used++] = in.a[i];
    }
    free(all);
}
