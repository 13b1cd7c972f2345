/* Copies at most n characters and fills up with zeros (C11 7.29.4.2.2). Overlap, which C forbids, is not checked. */
int *wcsncpy(int *to, const int *from, unsigned long n)
{
    unsigned long i = 0;
    while (i < n && from[i] != 0) {
        to[i] = from[i];
        i++;
    }
    while (i < n) {
        to[i] = 0;
        i++;
    }
    return to;
}
