/* Copies a string (C11 7.24.2.3). Overlap, which C forbids, is not checked. */
char *strcpy(char *to, const char *from)
{
    char *p = to;
    while ((*p = *from) != 0) {
        p++;
        from++;
    }
    return to;
}
