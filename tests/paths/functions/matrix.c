/* How many rows of a matrix have a positive sum; -1 where the last row is not whole. */
struct ints {
    const int *a;
    int n_a;
};

int f(struct ints m, int columns)
{
    if (columns <= 0 || m.n_a % columns != 0)
        return -1;
    int rows = m.n_a / columns, positive = 0;
    for (int i = 0; i < rows; i++) {
        int sum = 0;
        for (int j = 0; j < columns; j++)
            if (m.a[i * columns + j] != 0)
                sum += m.a[i * columns + j];
        if (sum > 0)
            positive++;
    }
    return positive;
}
