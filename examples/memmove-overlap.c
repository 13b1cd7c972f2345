/* memmove shifts the elements of an array up by one place: the regions overlap, and no element
   is lost. A second array with the same contents tells what they were. */

typedef unsigned long size_t;
extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);

/* An array input: data points to exactly n_data integers. */
struct array {
    int *data;
    size_t n_data;
};

static void memmove_ints(int *target, const int *source, size_t count) {
    if (target < source)
        for (size_t i = 0; i < count; i++)
            target[i] = source[i];
    else
        for (size_t i = count; i > 0; i--)
            target[i - 1] = source[i - 1];
}

void test(struct array a, struct array before) {
    __VERIFIER_assume(a.n_data > 0 && a.n_data == before.n_data);
    for (size_t i = 0; i < a.n_data; i++)
        __VERIFIER_assume(a.data[i] == before.data[i]);
    memmove_ints(a.data + 1, a.data, a.n_data - 1);
    for (size_t i = 1; i < a.n_data; i++)
        __VERIFIER_assert(a.data[i] == before.data[i - 1]);
}
