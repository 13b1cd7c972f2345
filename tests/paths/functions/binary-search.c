/* The index of a key in an ascending array, or -1. */
struct ints {
    const int *a;
    int n_a;
};

int f(struct ints v, int key)
{
    int low = 0, high = v.n_a;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (v.a[middle] == key)
            return middle;
        if (v.a[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}
