/* The sum of an array of zeros and ones, by tail recursion, is the number of ones. */

extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);

/* An array input: data points to exactly n_data integers. */
struct array {
    int *data;
    int n_data;
};

static int sum(const int *data, int count, int total) {
    if (count == 0)
        return total;
    return sum(data + 1, count - 1, total + data[0]);
}

void test(struct array a) {
    int ones = 0;
    for (int i = 0; i < a.n_data; i++) {
        __VERIFIER_assume(a.data[i] == 0 || a.data[i] == 1);
        if (a.data[i] != 0)
            ones++;
    }
    __VERIFIER_assert(sum(a.data, a.n_data, 0) == ones);
}
