/* The maximum of an array is not below its first element. */

extern void __VERIFIER_assert(int condition);
extern void __VERIFIER_assume(int condition);

struct ints {
    int *a;
    int n_a;
};

static int maximum(const int *a, int n) {
    if (n == 1)
        return a[0];
    int rest = maximum(a, n - 1);
    return a[n - 1] > rest ? a[n - 1] : rest;
}

void test(struct ints x) {
    __VERIFIER_assume(x.n_a > 0);
    __VERIFIER_assert(maximum(x.a, x.n_a) >= x.a[0]);
}
