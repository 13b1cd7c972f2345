/* The first place of a character of the set, or NULL (C11 7.29.4.5.4); the set is a string whatever is found. */
__attribute__((nonnull)) int *wcspbrk(const int *s, const int *set)
{
    const int *end = set;
    while (*end != 0)
        end++;
    const int *q = s;
    while (*q != 0) {
        for (const int *p = set; *p != 0; p++)
            if (*p == *q)
                return (int *)q;
        q++;
    }
    return (void *)0;
}
