/* The first place of a character, the terminator included, or NULL (C11 7.29.4.5.1). */
int *wcschr(const int *s, int c)
{
    for (;;) {
        if (*s == (int)c)
            return (int *)s;
        if (*s == 0)
            return (void *)0;
        s++;
    }
}
