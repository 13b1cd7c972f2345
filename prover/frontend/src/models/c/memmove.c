/* Copies n bytes that may overlap (C11 7.24.2.2). Byte by byte: for objects of bytes. Pointers into different objects have no order, so overlap is looked for. */
__attribute__((nonnull)) void *memmove(void *to, const void *from, unsigned long n)
{
    char *d = to;
    const char *s = from;
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
