/* The last of n bytes with a value, or NULL (GNU). */
__attribute__((nonnull)) void *memrchr(const void *s, int c, unsigned long n)
{
    const unsigned char *p = s;
    while (n > 0) {
        n--;
        if (p[n] == (unsigned char)c)
            return (void *)(p + n);
    }
    return (void *)0;
}
