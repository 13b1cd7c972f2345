/* Appends at most n characters and a terminator (C11 7.24.3.2). Overlap, which C forbids, is not checked. */
char *strncat(char *to, const char *from, unsigned long n)
{
    char *p = to;
    while (*p != 0)
        p++;
    unsigned long i = 0;
    while (i < n && from[i] != 0) {
        *p = from[i];
        p++;
        i++;
    }
    *p = 0;
    return to;
}
