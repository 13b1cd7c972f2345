/* The bytes with the highest first, as networks have them (POSIX). */
unsigned htonl(unsigned x)
{
    return x << 24 | (x & 0xff00u) << 8 | (x >> 8 & 0xff00u) | x >> 24;
}
