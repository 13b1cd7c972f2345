/* How many of the highest bits are 0 (GNU). Undefined for 0. */
int __builtin_clzll(unsigned long long x)
{
    if (x == 0)
        __builtin_unreachable();
    int n = 0;
    while ((x & 0x8000000000000000ull) == 0) {
        n++;
        x <<= 1;
    }
    return n;
}
