/* An array that was filled from its end is zero everywhere. */

extern void __VERIFIER_assert(int condition);

struct ints {
    int *a;
    int n_a;
};

static void fill(int *a, int n) {
    if (n <= 1)
        return;
    fill(a, n - 1);
    a[n - 1] = 0;
}

void test(struct ints x) {
    fill(x.a, x.n_a);
    for (int i = 0; i < x.n_a; i++)
        __VERIFIER_assert(x.a[i] == 0);
}
