/* The bytes in the other order (GNU). */
unsigned short __builtin_bswap16(unsigned short x)
{
    return (unsigned short)((x & 255) << 8 | x >> 8);
}
