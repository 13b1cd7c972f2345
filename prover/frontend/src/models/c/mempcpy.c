/* Copies n bytes and gives the place after them (GNU). Byte by byte: for objects of bytes. Overlap, which C forbids, is not checked. */
void *mempcpy(void *to, const void *from, unsigned long n)
{
    char *d = to;
    const char *s = from;
    for (unsigned long i = 0; i < n; i++)
        d[i] = s[i];
    return d + n;
}
