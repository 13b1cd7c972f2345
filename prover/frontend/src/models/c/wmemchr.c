/* The first of n wide characters with a value, or NULL (C11 7.29.4.5.8). */
__attribute__((nonnull)) int *wmemchr(const int *s, int c, unsigned long n)
{
    for (unsigned long i = 0; i < n; i++)
        if (s[i] == c)
            return (int *)(s + i);
    return (void *)0;
}
