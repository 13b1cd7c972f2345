/* Buggy: the first pointer is never set. An array holds a pointer to each element that is not 0, and NULL for the others: as many are NULL as elements are 0. */

typedef unsigned long size_t;
extern void *malloc(size_t size);
extern void __VERIFIER_assert(int condition);

/* An array input: data points to exactly n_data integers. */
struct array {
    int *data;
    int n_data;
};

static int count_null(int **pointers, int count) {
    int found = 0;
    for (int i = 0; i < count; i++)
        if (!pointers[i])
            found++;
    return found;
}

static int count_zeros(const int *data, int count) {
    int found = 0;
    for (int i = 0; i < count; i++)
        found += data[i] == 0;
    return found;
}

void test(struct array a) {
    int **chosen = malloc((size_t)a.n_data * sizeof *chosen);
    if (!chosen)
        return;
    for (int i = 1; i < a.n_data; i++)
        chosen[i] = a.data[i] != 0 ? &a.data[i] : 0;
    __VERIFIER_assert(count_null(chosen, a.n_data) == count_zeros(a.data, a.n_data));
}
