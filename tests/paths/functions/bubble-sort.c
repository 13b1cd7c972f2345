/* Sorts an array; how often neighbours were swapped. */
struct ints {
    int *a;
    int n_a;
};

int f(struct ints v)
{
    int swaps = 0;
    for (int i = 0; i + 1 < v.n_a; i++)
        for (int j = 0; j + 1 < v.n_a - i; j++)
            if (v.a[j] > v.a[j + 1]) {
                int kept = v.a[j];
                v.a[j] = v.a[j + 1];
                v.a[j + 1] = kept;
                swaps++;
            }
    return swaps;
}
