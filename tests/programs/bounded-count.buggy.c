/* The buggy twin of bounded-count.c: zero is counted as neither. */

extern void __VERIFIER_assert(int condition);

struct array {
    long *data;
    unsigned n_data;
};

void test(struct array a) {
    unsigned positive = 0, others = 0;
    for (unsigned i = 0; i < a.n_data; i++) {
        if (a.data[i] > 0)
            positive++;
        if (a.data[i] < 0)
            others++;
    }
    __VERIFIER_assert(positive + others == a.n_data);
}
