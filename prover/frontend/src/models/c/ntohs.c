/* What the bytes say of which the first is the highest (POSIX). */
unsigned short ntohs(unsigned short x)
{
    return (unsigned short)((x & 255) << 8 | x >> 8);
}
