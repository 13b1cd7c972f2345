/* Copies as much as fits into n characters with the terminator, and gives the length of the source (BSD). Overlap, which C forbids, is not checked. */
unsigned long strlcpy(char *to, const char *from, unsigned long n)
{
    unsigned long i = 0;
    while (from[i] != 0) {
        if (i + 1 < n)
            to[i] = from[i];
        else if (i + 1 == n)
            to[i] = 0;
        i++;
    }
    if (i < n)
        to[i] = 0;
    return i;
}
