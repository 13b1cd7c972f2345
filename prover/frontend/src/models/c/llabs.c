/* The absolute value (C11 7.22.6.1); of the smallest value it overflows. */
long long llabs(long long n)
{
    if (n < 0)
        return -n;
    return n;
}
