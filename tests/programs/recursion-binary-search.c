/* What a binary search finds is there. */

extern void __VERIFIER_assert(int condition);

struct ints {
    int *a;
    int n_a;
};

static int find(const int *a, int low, int high, int key) {
    if (low >= high)
        return -1;
    int middle = low + (high - low) / 2;
    if (a[middle] == key)
        return middle;
    return a[middle] < key ? find(a, middle + 1, high, key) : find(a, low, middle, key);
}

void test(struct ints x, int key) {
    int found = find(x.a, 0, x.n_a, key);
    if (found >= 0)
        __VERIFIER_assert(x.a[found] == key);
}
