/* Appends as much as fits into n characters with the terminator, and gives the length that was wanted (BSD). Overlap, which C forbids, is not checked. */
unsigned long strlcat(char *to, const char *from, unsigned long n)
{
    unsigned long length = 0;
    while (length < n && to[length] != 0)
        length++;
    unsigned long i = 0;
    while (from[i] != 0) {
        if (length < n && i + 1 < n - length)
            to[length + i] = from[i];
        else if (length < n && i + 1 == n - length)
            to[length + i] = 0;
        i++;
    }
    if (length < n && i < n - length)
        to[length + i] = 0;
    return length + i;
}
