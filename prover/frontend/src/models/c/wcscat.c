/* Appends a string (C11 7.29.4.3.1). Overlap is undefined: neither may reach where the other begins. */
int *wcscat(int *to, const int *from)
{
    int *p = to;
    while (*p != 0)
        p++;
    int *end = p;
    const int *s = from;
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
