/* An array of structs is copied into fresh memory and compared; then all of the copy is set to zeros. */

typedef unsigned long size_t;
extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);
extern void *malloc(size_t size);
extern void free(void *block);
extern void *memcpy(void *to, const void *from, size_t size);
extern void *memset(void *to, int value, size_t size);

struct point {
    short x;
    int y;
};

/* An array input: p points to exactly n_p points. */
struct points {
    struct point *p;
    int n_p;
};

void test(struct points a) {
    struct point *copy = malloc(a.n_p * sizeof *copy);
    if (!copy)
        return;
    memcpy(copy, a.p, a.n_p * sizeof *copy);
    for (int i = 0; i < a.n_p; i++)
        __VERIFIER_assert(copy[i].x == a.p[i].x && copy[i].y == a.p[i].y);
    memset(copy, 0, a.n_p * sizeof *copy);
    for (int i = 0; i < a.n_p; i++)
        __VERIFIER_assert(copy[i].x == 0 && copy[i].y == 0);
    free(copy);
}
