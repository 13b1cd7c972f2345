/* No element is less than the one at the index of the minimum. */

extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);

/* An array input: data points to exactly n_data integers. */
struct array {
    int *data;
    int n_data;
};

static int minimum_index(const int *data, int count) {
    int best = 0;
    for (int i = 1; i < count; i++)
        if (data[i] < data[best])
            best = i;
    return best;
}

void test(struct array a) {
    __VERIFIER_assume(a.n_data >= 1);
    int best = minimum_index(a.data, a.n_data);
    __VERIFIER_assert(best >= 0 && best < a.n_data);
    for (int i = 0; i < a.n_data; i++)
        __VERIFIER_assert(a.data[i] >= a.data[best]);
}
