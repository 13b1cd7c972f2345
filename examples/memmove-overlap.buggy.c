/* The buggy twin of memmove-overlap.c: it always copies upwards and overwrites what it has yet to copy. */

typedef unsigned long size_t;
extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);

/* An array input: data points to exactly n_data integers. */
struct array {
    int *data;
    size_t n_data;
};

static void memmove_ints(int *target, const int *source, size_t count) {
    for (size_t i = 0; i < count; i++)
        target[i] = source[i];
}

void test(struct array a, struct array before) {
    __VERIFIER_assume(a.n_data > 0 && a.n_data == before.n_data);
    for (size_t i = 0; i < a.n_data; i++)
        __VERIFIER_assume(a.data[i] == before.data[i]);
    memmove_ints(a.data + 1, a.data, a.n_data - 1);
    for (size_t i = 1; i < a.n_data; i++)
        __VERIFIER_assert(a.data[i] == before.data[i - 1]);
}
