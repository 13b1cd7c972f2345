/* The first place of a character, or the terminator's (GNU). */
char *strchrnul(const char *s, int c)
{
    while (*s != 0 && *s != (char)c)
        s++;
    return (char *)s;
}
