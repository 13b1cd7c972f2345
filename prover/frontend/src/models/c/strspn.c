/* The length of the longest start that has characters of the set only (C11 7.24.5.6); the set is a string whatever is found. */
__attribute__((nonnull)) unsigned long strspn(const char *s, const char *set)
{
    const char *end = set;
    while (*end != 0)
        end++;
    const char *q = s;
    while (*q != 0) {
        const char *p = set;
        while (*p != 0 && *p != *q)
            p++;
        if (*p == 0)
            return q - s;
        q++;
    }
    return q - s;
}
