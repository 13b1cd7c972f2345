/* The sum of an array, from the end to the start. */

struct ints {
    int *a;
    int n_a;
};

static unsigned sum(const int *a, int n) {
    if (n == 0)
        return 0;
    return a[n - 1] + sum(a, n - 1);
}

void test(struct ints x) {
    sum(x.a, x.n_a);
}
