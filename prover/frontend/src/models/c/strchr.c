/* The first place of a character, the terminator included, or NULL (C11 7.24.5.2). */
char *strchr(const char *s, int c)
{
    for (;;) {
        if (*s == (char)c)
            return (char *)s;
        if (*s == 0)
            return (void *)0;
        s++;
    }
}
