/* The first byte with a value, which must be there (GNU). */
void *rawmemchr(const void *s, int c)
{
    const unsigned char *p = s;
    while (*p != (unsigned char)c)
        p++;
    return (void *)p;
}
