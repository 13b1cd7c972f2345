/* No element of an array exceeds its maximum. */

extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);

/* An array input: data points to exactly n_data integers. */
struct array {
    int *data;
    int n_data;
};

static int maximum(const int *data, int count) {
    int largest = data[0];
    for (int i = 1; i < count; i++)
        if (data[i] > largest)
            largest = data[i];
    return largest;
}

void test(struct array a) {
    __VERIFIER_assume(a.n_data > 0);
    int largest = maximum(a.data, a.n_data);
    for (int i = 0; i < a.n_data; i++)
        __VERIFIER_assert(a.data[i] <= largest);
}
