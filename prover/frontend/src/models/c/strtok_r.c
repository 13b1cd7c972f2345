/* The next token of the string that an earlier call was given, or of this one; the caller keeps the place (POSIX). */
char *strtok_r(char *s, const char *set, char **rest)
{
    char *p = s != (void *)0 ? s : *rest;
    const char *q;
    for (;;) {
        for (q = set; *q != 0 && *q != *p; q++)
            ;
        if (*q == 0)
            break;
        p++;
    }
    char *start = *p != 0 ? p : (void *)0;
    while (*p != 0) {
        for (q = set; *q != 0 && *q != *p; q++)
            ;
        if (*q != 0) {
            *p = 0;
            p++;
            break;
        }
        p++;
    }
    *rest = p;
    return start;
}
