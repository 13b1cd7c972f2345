/* Copies a string and gives the place of the terminator (POSIX). Overlap is undefined: neither may reach where the other begins. */
int *wcpcpy(int *to, const int *from)
{
    int *p = to;
    const int *s = from;
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
