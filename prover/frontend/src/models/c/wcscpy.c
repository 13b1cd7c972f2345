/* Copies a string (C11 7.29.4.2.1). Overlap, which C forbids, is not checked. */
int *wcscpy(int *to, const int *from)
{
    int *p = to;
    while ((*p = *from) != 0) {
        p++;
        from++;
    }
    return to;
}
