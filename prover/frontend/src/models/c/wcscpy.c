/* Copies a string (C11 7.29.4.2.1). Overlap is undefined: neither may reach where the other begins. */
int *wcscpy(int *to, const int *from)
{
    int *p = to;
    const int *s = from;
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
