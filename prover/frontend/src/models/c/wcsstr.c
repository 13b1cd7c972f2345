/* The first place of one string in another, or NULL (C11 7.29.4.5.6); what is sought is a string whatever is compared. */
int *wcsstr(const int *s, const int *sought)
{
    const int *end = sought;
    while (*end != 0)
        end++;
    for (;;) {
        const int *p = s;
        const int *q = sought;
        while (*q != 0 && *p == *q) {
            p++;
            q++;
        }
        if (*q == 0)
            return (int *)s;
        if (*s == 0)
            return (void *)0;
        s++;
    }
}
