/* What the bytes say of which the first is the highest (POSIX). */
unsigned ntohl(unsigned x)
{
    return x << 24 | (x & 0xff00u) << 8 | (x >> 8 & 0xff00u) | x >> 24;
}
