/* Copies a string and gives the place of the terminator (POSIX). Overlap is undefined: neither may reach where the other begins. */
char *stpcpy(char *to, const char *from)
{
    char *p = to;
    const char *s = from;
    for (;;) {
        *p = *s;
        if (p == from || s == to)
            __builtin_unreachable();
        if (*p == 0)
            return p;
        p++;
        s++;
    }
}
