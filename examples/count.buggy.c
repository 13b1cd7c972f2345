/* The buggy twin of count.c: counting by index leaves out the first element. */

extern void __VERIFIER_assert(int condition);

/* An array input: data points to exactly n_data integers. */
struct array {
    int *data;
    int n_data;
};

static int count_by_index(const int *data, int count, int value) {
    int occurrences = 0;
    for (int i = 1; i < count; i++)
        if (data[i] == value)
            occurrences++;
    return occurrences;
}

static int count_by_pointer(const int *data, int count, int value) {
    int occurrences = 0;
    for (const int *p = data, *end = data + count; p != end; p++)
        occurrences += *p == value;
    return occurrences;
}

void test(struct array a, int value) {
    int occurrences = count_by_index(a.data, a.n_data, value);
    __VERIFIER_assert(0 <= occurrences && occurrences <= a.n_data);
    __VERIFIER_assert(occurrences == count_by_pointer(a.data, a.n_data, value));
}
