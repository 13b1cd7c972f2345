/* A linear search returns the index of the first occurrence of a value, or -1 if there is none. */

extern void __VERIFIER_assert(int condition);

/* An array input: data points to exactly n_data integers. */
struct array {
    int *data;
    int n_data;
};

static int search(const int *data, int count, int value) {
    int i = 0;
    while (i < count && data[i] != value)
        i++;
    return i < count ? i : -1;
}

void test(struct array a, int value) {
    int found = search(a.data, a.n_data, value);
    if (found != -1) {
        __VERIFIER_assert(0 <= found && found < a.n_data);
        __VERIFIER_assert(a.data[found] == value);
    }
    for (int i = 0; i < a.n_data && i != found; i++)
        __VERIFIER_assert(a.data[i] != value);
}
