/* Copies n wide characters that may overlap (C11 7.29.4.2.4). Pointers into different objects have no order, so overlap is looked for. */
__attribute__((nonnull)) int *wmemmove(int *to, const int *from, unsigned long n)
{
    int *d = to;
    const int *s = from;
    unsigned long i = 0;
    while (i < n && s + i != d)
        i++;
    if (i < n) {
        while (n > 0) {
            n--;
            d[n] = s[n];
        }
    } else {
        for (i = 0; i < n; i++)
            d[i] = s[i];
    }
    return to;
}
