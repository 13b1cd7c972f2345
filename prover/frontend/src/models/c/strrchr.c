/* The last place of a character, the terminator included, or NULL (C11 7.24.5.5). */
char *strrchr(const char *s, int c)
{
    const char *found = (void *)0;
    for (;;) {
        if (*s == (char)c)
            found = s;
        if (*s == 0)
            return (char *)found;
        s++;
    }
}
