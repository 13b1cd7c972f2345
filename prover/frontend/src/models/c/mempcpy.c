/* Copies n bytes and gives the place after them (GNU). Byte by byte: for objects of bytes. Overlap is undefined: neither may reach where the other begins. */
__attribute__((nonnull)) void *mempcpy(void *to, const void *from, unsigned long n)
{
    char *d = to;
    const char *s = from;
    for (unsigned long i = 0; i < n; i++) {
        d[i] = s[i];
        if (d + i == s || s + i == d)
            __builtin_unreachable();
    }
    return d + n;
}
