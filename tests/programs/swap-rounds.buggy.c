/* The buggy twin of swap-rounds.c: the value kept is that of the first element. */

extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);

/* An array input: data points to exactly n_data integers. */
struct array {
    int *data;
    int n_data;
};

void test(struct array a, struct array b, unsigned char rounds) {
    __VERIFIER_assume(a.n_data == b.n_data);
    for (int i = 0; i < a.n_data; i++)
        __VERIFIER_assume(a.data[i] == b.data[i]);
    for (unsigned char r = 0; r < rounds; r++) {
        for (int i = 0; i < a.n_data; i++) {
            int kept = a.data[0];
            a.data[i] = b.data[i];
            b.data[i] = kept;
        }
    }
    for (int i = 0; i < a.n_data; i++)
        __VERIFIER_assert(a.data[i] == b.data[i]);
}
