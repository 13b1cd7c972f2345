/* Sets n bytes (C11 7.24.6.1). Byte by byte: for objects of bytes. */
__attribute__((nonnull)) void *memset(void *to, int c, unsigned long n)
{
    unsigned char *d = to;
    for (unsigned long i = 0; i < n; i++)
        d[i] = (unsigned char)c;
    return to;
}
