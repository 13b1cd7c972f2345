/* The buggy twin of nested-swap.c: the outer loop runs one element too far. */

extern void __VERIFIER_assert(int condition);

/* An array input: data points to exactly n_data integers. */
struct array {
    int *data;
    int n_data;
};

static void swap(int *p, int *q) {
    int kept = *p;
    *p = *q;
    *q = kept;
}

void test(struct array a) {
    for (int i = 0; i <= a.n_data; i++)
        for (int j = 0; j < i; j++) {
            if (a.data[i] < a.data[j])
                swap(&a.data[i], &a.data[j]);
            __VERIFIER_assert(a.data[j] <= a.data[i]);
        }
}
