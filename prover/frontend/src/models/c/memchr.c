/* The first of n bytes with a value, or NULL (C11 7.24.5.1: bytes after it need not be there). */
__attribute__((nonnull)) void *memchr(const void *s, int c, unsigned long n)
{
    const unsigned char *p = s;
    for (unsigned long i = 0; i < n; i++)
        if (p[i] == (unsigned char)c)
            return (void *)(p + i);
    return (void *)0;
}
