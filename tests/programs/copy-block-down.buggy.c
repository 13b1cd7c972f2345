/* One of the two ways to copy a block further down leaves out its last number. */

extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);

/* An array input: a points to exactly n_a numbers. */
struct numbers {
    int *a;
    int n_a;
};

static void counting_up(int *a, int from, int to, int count) {
    int *source = a + from, *target = a + to;
    for (int i = 0; i < count; i++)
        *target++ = *source++;
}

static void counting_down(int *a, int from, int to, int count) {
    int *source = a + from, *target = a + to;
    while (count-- > 1)
        *target++ = *source++;
}

void test(struct numbers x, struct numbers y, int from, int to, int count) {
    __VERIFIER_assume(x.n_a == y.n_a);
    for (int i = 0; i < x.n_a; i++)
        __VERIFIER_assume(x.a[i] == y.a[i]);
    __VERIFIER_assume(0 <= to && to <= from && 0 <= count && count <= x.n_a && from <= x.n_a - count);
    counting_up(x.a, from, to, count);
    counting_down(y.a, from, to, count);
    for (int i = 0; i < x.n_a; i++)
        __VERIFIER_assert(x.a[i] == y.a[i]);
}
