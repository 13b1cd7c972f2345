/* The position of the lowest bit that is 1, counted from 1; 0 if there is none (GNU). */
int ffsl(long n)
{
    unsigned long x = (unsigned long)n;
    if (x == 0)
        return 0;
    int position = 1;
    while ((x & 1) == 0) {
        position++;
        x >>= 1;
    }
    return position;
}
