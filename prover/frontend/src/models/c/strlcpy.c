/* Copies as much as fits into n characters with the terminator, and gives the length of the source (BSD). Overlap is undefined: neither may reach where the
 * other begins. */
__attribute__((nonnull)) unsigned long strlcpy(char *to, const char *from, unsigned long n)
{
    unsigned long i = 0;
    while (from[i] != 0) {
        if (i + 1 < n)
            to[i] = from[i];
        else if (i + 1 == n)
            to[i] = 0;
        if (i < n && to + i == from || n > 0 && from + i == to)
            __builtin_unreachable();
        i++;
    }
    if (i < n) {
        to[i] = 0;
        if (to + i == from || from + i == to)
            __builtin_unreachable();
    }
    return i;
}
