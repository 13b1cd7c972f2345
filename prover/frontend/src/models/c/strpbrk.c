/* The first place of a character of the set, or NULL (C11 7.24.5.4); the set is a string whatever is found. */
__attribute__((nonnull)) char *strpbrk(const char *s, const char *set)
{
    const char *end = set;
    while (*end != 0)
        end++;
    const char *q = s;
    while (*q != 0) {
        for (const char *p = set; *p != 0; p++)
            if (*p == *q)
                return (char *)q;
        q++;
    }
    return (void *)0;
}
