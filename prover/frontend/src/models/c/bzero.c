/* Sets n bytes to zero (POSIX 2004). Byte by byte: for objects of bytes. */
__attribute__((nonnull)) void bzero(void *to, unsigned long n)
{
    unsigned char *d = to;
    for (unsigned long i = 0; i < n; i++)
        d[i] = 0;
}
