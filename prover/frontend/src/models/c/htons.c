/* The bytes with the highest first, as networks have them (POSIX). */
unsigned short htons(unsigned short x)
{
    return (unsigned short)((x & 255) << 8 | x >> 8);
}
