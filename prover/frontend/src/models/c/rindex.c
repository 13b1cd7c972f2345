/* The last place of a character, the terminator included, or NULL (POSIX 2004). */
char *rindex(const char *s, int c)
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
