/* How many runs of equal bytes are longer than one. */
struct bytes {
    const char *s;
    int n_s;
};

int f(struct bytes b)
{
    int runs = 0, i = 0;
    while (i < b.n_s) {
        int j = i + 1;
        while (j < b.n_s && b.s[j] == b.s[i])
            j++;
        if (j - i > 1)
            runs++;
        i = j;
    }
    return runs;
}
