/* Appends a string (C11 7.29.4.3.1). Overlap, which C forbids, is not checked. */
int *wcscat(int *to, const int *from)
{
    int *p = to;
    while (*p != 0)
        p++;
    while ((*p = *from) != 0) {
        p++;
        from++;
    }
    return to;
}
