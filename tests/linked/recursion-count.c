/* No more elements are zero than there are. */

extern void __VERIFIER_assert(int condition);

struct ints {
    int *a;
    int n_a;
};

static int zeros(const int *a, int n) {
    if (n == 0)
        return 0;
    return (a[n - 1] == 0) + zeros(a, n - 1);
}

void test(struct ints x) {
    __VERIFIER_assert(zeros(x.a, x.n_a) <= x.n_a);
}
