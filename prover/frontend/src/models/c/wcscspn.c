/* The length of the longest start that has no character of the set (C11 7.29.4.5.2); the set is a string whatever is found. */
__attribute__((nonnull)) unsigned long wcscspn(const int *s, const int *set)
{
    const int *end = set;
    while (*end != 0)
        end++;
    const int *q = s;
    while (*q != 0) {
        for (const int *p = set; *p != 0; p++)
            if (*p == *q)
                return q - s;
        q++;
    }
    return q - s;
}
