/* Copies at most n characters and fills up with zeros (C11 7.24.2.4). Overlap is undefined: neither may reach where the other begins. */
__attribute__((nonnull)) char *strncpy(char *to, const char *from, unsigned long n)
{
    unsigned long i = 0;
    while (i < n && from[i] != 0) {
        to[i] = from[i];
        if (to + i == from || from + i == to)
            __builtin_unreachable();
        i++;
    }
    while (i < n) {
        to[i] = 0;
        if (to + i == from)
            __builtin_unreachable();
        i++;
    }
    return to;
}
