/* Sets n wide characters (C11 7.29.4.6.2). */
__attribute__((nonnull)) int *wmemset(int *to, int c, unsigned long n)
{
    for (unsigned long i = 0; i < n; i++)
        to[i] = c;
    return to;
}
