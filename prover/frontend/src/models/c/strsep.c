/* Cuts the string at the first character of the set and moves the pointer behind it (BSD); the set is a string whatever is found. */
__attribute__((nonnull)) char *strsep(char **rest, const char *set)
{
    char *start = *rest;
    if (start == (void *)0)
        return (void *)0;
    const char *end = set;
    while (*end != 0)
        end++;
    for (char *p = start; *p != 0; p++)
        for (const char *q = set; *q != 0; q++)
            if (*p == *q) {
                *p = 0;
                *rest = p + 1;
                return start;
            }
    *rest = (void *)0;
    return start;
}
