/* The position of the lowest bit that is 1, counted from 1; 0 if there is none (POSIX). */
int ffs(int n)
{
    unsigned x = (unsigned)n;
    if (x == 0)
        return 0;
    int position = 1;
    while ((x & 1) == 0) {
        position++;
        x >>= 1;
    }
    return position;
}
