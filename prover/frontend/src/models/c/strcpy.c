/* Copies a string (C11 7.24.2.3). Overlap is undefined: neither may reach where the other begins. */
char *strcpy(char *to, const char *from)
{
    char *p = to;
    const char *s = from;
    for (;;) {
        *p = *s;
        if (p == from || s == to)
            __builtin_unreachable();
        if (*p == 0)
            return to;
        p++;
        s++;
    }
}
