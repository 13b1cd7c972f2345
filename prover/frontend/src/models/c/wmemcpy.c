/* Copies n wide characters (C11 7.29.4.2.3). Overlap, which C forbids, is not checked. */
int *wmemcpy(int *to, const int *from, unsigned long n)
{
    for (unsigned long i = 0; i < n; i++)
        to[i] = from[i];
    return to;
}
