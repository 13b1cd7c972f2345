/* All elements equal their neighbours if and only if they equal the first. */

extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);

/* An array input: data points to exactly n_data integers. */
struct array {
    int *data;
    int n_data;
};

static int equal_neighbours(const int *data, int count) {
    for (int i = 0; i + 1 < count; i++)
        if (data[i] != data[i + 1])
            return 0;
    return 1;
}

void test(struct array a) {
    __VERIFIER_assume(a.n_data > 0);
    if (!equal_neighbours(a.data, a.n_data))
        return;
    for (int i = 0; i < a.n_data; i++)
        __VERIFIER_assert(a.data[i] == a.data[0]);
}
