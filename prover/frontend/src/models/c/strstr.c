/* The first place of one string in another, or NULL (C11 7.24.5.7); what is sought is a string whatever is compared. */
char *strstr(const char *s, const char *sought)
{
    const char *end = sought;
    while (*end != 0)
        end++;
    for (;;) {
        const char *p = s;
        const char *q = sought;
        while (*q != 0 && *p == *q) {
            p++;
            q++;
        }
        if (*q == 0)
            return (char *)s;
        if (*s == 0)
            return (void *)0;
        s++;
    }
}
