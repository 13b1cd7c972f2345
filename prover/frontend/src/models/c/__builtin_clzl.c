/* How many of the highest bits are 0 (GNU). Undefined for 0. */
int __builtin_clzl(unsigned long x)
{
    if (x == 0)
        __builtin_unreachable();
    int n = 0;
    while ((x & 0x8000000000000000ul) == 0) {
        n++;
        x <<= 1;
    }
    return n;
}
