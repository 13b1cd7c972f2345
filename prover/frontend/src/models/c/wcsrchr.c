/* The last place of a character, the terminator included, or NULL (C11 7.29.4.5.3). */
int *wcsrchr(const int *s, int c)
{
    const int *found = (void *)0;
    for (;;) {
        if (*s == (int)c)
            found = s;
        if (*s == 0)
            return (int *)found;
        s++;
    }
}
