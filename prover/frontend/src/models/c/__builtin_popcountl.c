/* How many bits are 1 (GNU). */
int __builtin_popcountl(unsigned long x)
{
    int n = 0;
    while (x != 0) {
        n += (int)(x & 1);
        x >>= 1;
    }
    return n;
}
