/* The buggy twin of first-difference.c: the longer of the two lengths is taken for the shorter one. */

extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);

/* An array input: data points to exactly n_data integers. */
struct array {
    int *data;
    int n_data;
};

static int first_difference(const int *p, const int *q, int count) {
    int i;
    for (i = 0; i < count; i++) {
        if (p[i] == q[i])
            continue;
        break;
    }
    return i;
}

void test(struct array a, struct array b) {
    int count = a.n_data > b.n_data ? a.n_data : b.n_data;
    int i = first_difference(a.data, b.data, count);
    __VERIFIER_assert(i >= 0 && i <= count);
    for (int j = 0; j < i; j++)
        __VERIFIER_assert(a.data[j] == b.data[j]);
    if (i < count)
        __VERIFIER_assert(a.data[i] != b.data[i]);
}
