/* The number of characters before the terminator (C11 7.24.6.3, 7.29.4.6.1). */
unsigned long wcslen(const int *s)
{
    const int *p = s;
    while (*p != 0)
        p++;
    return p - s;
}
