/* How many of the lowest bits are 0 (GNU). Undefined for 0. */
int __builtin_ctzl(unsigned long x)
{
    if (x == 0)
        __builtin_unreachable();
    int n = 0;
    while ((x & 1) == 0) {
        n++;
        x >>= 1;
    }
    return n;
}
