/* Copies at most n characters, fills up with zeros, and gives the place of the first of them (POSIX). Overlap is undefined: neither may reach where the other begins. */
__attribute__((nonnull)) char *stpncpy(char *to, const char *from, unsigned long n)
{
    unsigned long i = 0;
    while (i < n && from[i] != 0) {
        to[i] = from[i];
        if (to + i == from || from + i == to)
            __builtin_unreachable();
        i++;
    }
    char *end = to + i;
    while (i < n) {
        to[i] = 0;
        if (to + i == from)
            __builtin_unreachable();
        i++;
    }
    return end;
}
