/* An array is compared with itself backwards, pair by pair. */

struct ints {
    int *a;
    int n_a;
};

static int differences(const int *a, int low, int high) {
    if (low >= high)
        return 0;
    return (a[low] != a[high]) + differences(a, low + 1, high - 1);
}

void test(struct ints x) {
    differences(x.a, 0, x.n_a);
}
