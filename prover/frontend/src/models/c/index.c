/* The first place of a character, the terminator included, or NULL (POSIX 2004). */
char *index(const char *s, int c)
{
    for (;;) {
        if (*s == (char)c)
            return (char *)s;
        if (*s == 0)
            return (void *)0;
        s++;
    }
}
