/* The elements of an array are copied into an array of as many elements. */

extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);

/* An array input: a points to exactly n_a elements. */
struct ints {
    int *a;
    int n_a;
};

void test(struct ints in) {
    __VERIFIER_assume(in.n_a > 0);
    int copy[in.n_a];
    for (int i = 0; i < in.n_a; i++)
        copy[i] = in.a[i];
    __VERIFIER_assert(sizeof copy == in.n_a * sizeof(int));
    __VERIFIER_assert(copy[0] == in.a[0]);
}
