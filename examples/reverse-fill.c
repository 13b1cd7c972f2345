/* A loop that runs from the last element down to the first one reaches all of them. */

extern void __VERIFIER_assert(int condition);

/* An array input: data points to exactly n_data integers. */
struct array {
    int *data;
    int n_data;
};

static void fill(int *data, int count, int value) {
    for (int i = count - 1; i >= 0; i--)
        data[i] = value;
}

void test(struct array a, int value) {
    fill(a.data, a.n_data, value);
    for (int i = 0; i < a.n_data; i++)
        __VERIFIER_assert(a.data[i] == value);
}
