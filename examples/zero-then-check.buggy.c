/* The buggy twin of zero-then-check.c: the first loop stops one element early. */

extern void __VERIFIER_fail(void);

/* An array input: data points to exactly n_data integers. */
struct array {
    int *data;
    int n_data;
};

void test(struct array a) {
    for (int i = 0; i < a.n_data - 1; i++)
        a.data[i] = 0;
    for (int i = 0; i < a.n_data; i++)
        if (a.data[i] != 0)
            __VERIFIER_fail();
}
