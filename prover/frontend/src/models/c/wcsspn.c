/* The length of the longest start that has characters of the set only (C11 7.29.4.5.5); the set is a string whatever is found. */
__attribute__((nonnull)) unsigned long wcsspn(const int *s, const int *set)
{
    const int *end = set;
    while (*end != 0)
        end++;
    const int *q = s;
    while (*q != 0) {
        const int *p = set;
        while (*p != 0 && *p != *q)
            p++;
        if (*p == 0)
            return q - s;
        q++;
    }
    return q - s;
}
