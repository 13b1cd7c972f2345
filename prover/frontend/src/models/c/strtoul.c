/* The number at the start, after white space and a sign, and the place after it (C11 7.22.1.4). */
unsigned long strtoul(const char *s, char **end, int base)
{
    if (base < 0 || base == 1 || base > 36)
        __builtin_unreachable();
    const char *p = s;
    while (*p == ' ' || (*p >= '\t' && *p <= '\r'))
        p++;
    int negative = *p == '-';
    if (*p == '-' || *p == '+')
        p++;
    int radix = base;
    if ((base == 0 || base == 16) && *p == '0' && (p[1] == 'x' || p[1] == 'X')
        && ((p[2] >= '0' && p[2] <= '9') || (p[2] >= 'a' && p[2] <= 'f') || (p[2] >= 'A' && p[2] <= 'F'))) {
        p += 2;
        radix = 16;
    } else if (base == 0) {
        radix = *p == '0' ? 8 : 10;
    }
    unsigned long limit = ~(unsigned long)0;
    unsigned long value = 0;
    int is_number = 0;
    int is_large = 0;
    for (;;) {
        int digit = 36;
        if (*p >= '0' && *p <= '9')
            digit = *p - '0';
        else if (*p >= 'a' && *p <= 'z')
            digit = *p - 'a' + 10;
        else if (*p >= 'A' && *p <= 'Z')
            digit = *p - 'A' + 10;
        if (digit >= radix)
            break;
        is_number = 1;
        if (value > limit / radix || value * radix > limit - digit)
            is_large = 1;
        else
            value = value * radix + digit;
        p++;
    }
    if (end != (void *)0)
        *end = (char *)(is_number ? p : s);
    if (is_large) {
        *__errno_location() = 34;
        return limit;
    }
    return negative ? -value : value;
}
