/* Appends at most n characters and a terminator (C11 7.24.3.2). Overlap is undefined: neither may reach where the other begins. */
__attribute__((nonnull)) char *strncat(char *to, const char *from, unsigned long n)
{
    char *p = to;
    while (*p != 0)
        p++;
    char *end = p;
    unsigned long i = 0;
    while (i < n && from[i] != 0) {
        *p = from[i];
        if (p == from || from + i == end)
            __builtin_unreachable();
        p++;
        i++;
    }
    *p = 0;
    if (n != 0 && p == from)
        __builtin_unreachable();
    return to;
}
