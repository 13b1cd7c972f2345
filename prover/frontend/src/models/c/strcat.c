/* Appends a string (C11 7.24.3.1). Overlap is undefined: neither may reach where the other begins. */
char *strcat(char *to, const char *from)
{
    char *p = to;
    while (*p != 0)
        p++;
    char *end = p;
    const char *s = from;
    for (;;) {
        *p = *s;
        if (p == from || s == end)
            __builtin_unreachable();
        if (*p == 0)
            return to;
        p++;
        s++;
    }
}
