/* Copies up to n bytes, the last one being c, and gives the place after it, or NULL (POSIX). Byte by byte: for objects of bytes. Overlap is undefined: neither may reach where the other begins. */
__attribute__((nonnull)) void *memccpy(void *to, const void *from, int c, unsigned long n)
{
    unsigned char *d = to;
    const unsigned char *s = from;
    for (unsigned long i = 0; i < n; i++) {
        d[i] = s[i];
        if (d + i == s || s + i == d)
            __builtin_unreachable();
        if (s[i] == (unsigned char)c)
            return d + i + 1;
    }
    return (void *)0;
}
