/* The second array's block is one number shorter. */

extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);

/* An array input: a points to exactly n_a numbers. */
struct numbers {
    int *a;
    int n_a;
};

/* The first count numbers, to the place from index to on, the last one first. */
static void copy_up(int *a, int to, int count) {
    int *source = a + count, *target = a + to + count;
    while (count-- > 0)
        *--target = *--source;
}

void test(struct numbers x, struct numbers y, int to, int count) {
    __VERIFIER_assume(x.n_a == y.n_a);
    for (int i = 0; i < x.n_a; i++)
        __VERIFIER_assume(x.a[i] == y.a[i]);
    __VERIFIER_assume(0 <= to && 0 <= count && count <= x.n_a && to <= x.n_a - count);
    copy_up(x.a, to, count);
    copy_up(y.a, to, count > 0 ? count - 1 : 0);
    for (int i = 0; i < x.n_a; i++)
        __VERIFIER_assert(x.a[i] == y.a[i]);
}
