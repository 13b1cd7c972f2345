/* The number of characters before the terminator, at most n (POSIX). */
__attribute__((nonnull)) unsigned long wcsnlen(const int *s, unsigned long n)
{
    unsigned long i = 0;
    while (i < n && s[i] != 0)
        i++;
    return i;
}
