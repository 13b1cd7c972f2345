/* The length of the longest start that has no character of the set (C11 7.24.5.3); the set is a string whatever is found. */
__attribute__((nonnull)) unsigned long strcspn(const char *s, const char *set)
{
    const char *end = set;
    while (*end != 0)
        end++;
    const char *q = s;
    while (*q != 0) {
        for (const char *p = set; *p != 0; p++)
            if (*p == *q)
                return q - s;
        q++;
    }
    return q - s;
}
