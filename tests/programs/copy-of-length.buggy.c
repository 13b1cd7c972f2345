/* The buggy twin of copy-of-length.c: there is one element too few. */

extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);

/* An array input: a points to exactly n_a elements. */
struct ints {
    int *a;
    int n_a;
};

void test(struct ints in) {
    __VERIFIER_assume(in.n_a > 1);
    int copy[in.n_a - 1];
    for (int i = 0; i < in.n_a; i++)
        copy[i] = in.a[i];
    __VERIFIER_assert(copy[0] == in.a[0]);
}
