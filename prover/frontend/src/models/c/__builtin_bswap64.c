/* The bytes in the other order (GNU). */
unsigned long __builtin_bswap64(unsigned long x)
{
    unsigned long y = 0;
    for (int i = 0; i < 8; i++) {
        y = y << 8 | (x & 255);
        x >>= 8;
    }
    return y;
}
