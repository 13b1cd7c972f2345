/* Appends a string (C11 7.24.3.1). Overlap, which C forbids, is not checked. */
char *strcat(char *to, const char *from)
{
    char *p = to;
    while (*p != 0)
        p++;
    while ((*p = *from) != 0) {
        p++;
        from++;
    }
    return to;
}
