/* The bytes in the other order (GNU). */
unsigned __builtin_bswap32(unsigned x)
{
    return x << 24 | (x & 0xff00u) << 8 | (x >> 8 & 0xff00u) | x >> 24;
}
