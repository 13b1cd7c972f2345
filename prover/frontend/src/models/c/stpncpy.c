/* Copies at most n characters, fills up with zeros, and gives the place of the first of them (POSIX). Overlap, which C forbids, is not checked. */
char *stpncpy(char *to, const char *from, unsigned long n)
{
    unsigned long i = 0;
    while (i < n && from[i] != 0) {
        to[i] = from[i];
        i++;
    }
    char *end = to + i;
    while (i < n) {
        to[i] = 0;
        i++;
    }
    return end;
}
