/* What the functions of the printf family do with one argument, and with all characters (C11 7.21.6.1, 7.21.6.5). Which characters numbers become is not
 * said, but how many. */
extern char __VERIFIER_nondet_char(void);
extern void __VERIFIER_assume(int);
__attribute__((nonnull)) static unsigned long __output_string(const char *s, unsigned long most, unsigned long width)
{
    unsigned long n = 0;
    while (n < most && s[n] != 0)
        n++;
    return n < width ? width : n;
}
static unsigned long __output_decimal(unsigned long n, unsigned long sign, unsigned long precision, unsigned long width)
{
    unsigned long digits = 1;
    if (n >= 10u)
        digits = 2;
    if (n >= 100u)
        digits = 3;
    if (n >= 1000u)
        digits = 4;
    if (n >= 10000u)
        digits = 5;
    if (n >= 100000u)
        digits = 6;
    if (n >= 1000000u)
        digits = 7;
    if (n >= 10000000u)
        digits = 8;
    if (n >= 100000000u)
        digits = 9;
    if (n >= 1000000000u)
        digits = 10;
    if (n >= 10000000000ul)
        digits = 11;
    if (n >= 100000000000ul)
        digits = 12;
    if (n >= 1000000000000ul)
        digits = 13;
    if (n >= 10000000000000ul)
        digits = 14;
    if (n >= 100000000000000ul)
        digits = 15;
    if (n >= 1000000000000000ul)
        digits = 16;
    if (n >= 10000000000000000ul)
        digits = 17;
    if (n >= 100000000000000000ul)
        digits = 18;
    if (n >= 1000000000000000000ul)
        digits = 19;
    if (n >= 10000000000000000000ul)
        digits = 20;
    if (n == 0 && precision == 0)
        digits = 0;
    if (digits < precision)
        digits = precision;
    digits += sign;
    return digits < width ? width : digits;
}
static unsigned long __output_hexadecimal(unsigned long n, unsigned long prefix, unsigned long precision, unsigned long width)
{
    unsigned long digits = 1;
    if (n >= 0x10u)
        digits = 2;
    if (n >= 0x100u)
        digits = 3;
    if (n >= 0x1000u)
        digits = 4;
    if (n >= 0x10000u)
        digits = 5;
    if (n >= 0x100000u)
        digits = 6;
    if (n >= 0x1000000u)
        digits = 7;
    if (n >= 0x10000000u)
        digits = 8;
    if (n >= 0x100000000ul)
        digits = 9;
    if (n >= 0x1000000000ul)
        digits = 10;
    if (n >= 0x10000000000ul)
        digits = 11;
    if (n >= 0x100000000000ul)
        digits = 12;
    if (n >= 0x1000000000000ul)
        digits = 13;
    if (n >= 0x10000000000000ul)
        digits = 14;
    if (n >= 0x100000000000000ul)
        digits = 15;
    if (n >= 0x1000000000000000ul)
        digits = 16;
    if (n == 0 && precision == 0)
        digits = 0;
    if (digits < precision)
        digits = precision;
    if (n != 0)
        digits += prefix;
    return digits < width ? width : digits;
}
static unsigned long __output_octal(unsigned long n, unsigned long prefix, unsigned long precision, unsigned long width)
{
    unsigned long digits = 1;
    if (n >= 010u)
        digits = 2;
    if (n >= 0100u)
        digits = 3;
    if (n >= 01000u)
        digits = 4;
    if (n >= 010000u)
        digits = 5;
    if (n >= 0100000u)
        digits = 6;
    if (n >= 01000000u)
        digits = 7;
    if (n >= 010000000u)
        digits = 8;
    if (n >= 0100000000u)
        digits = 9;
    if (n >= 01000000000u)
        digits = 10;
    if (n >= 010000000000u)
        digits = 11;
    if (n >= 0100000000000ul)
        digits = 12;
    if (n >= 01000000000000ul)
        digits = 13;
    if (n >= 010000000000000ul)
        digits = 14;
    if (n >= 0100000000000000ul)
        digits = 15;
    if (n >= 01000000000000000ul)
        digits = 16;
    if (n >= 010000000000000000ul)
        digits = 17;
    if (n >= 0100000000000000000ul)
        digits = 18;
    if (n >= 01000000000000000000ul)
        digits = 19;
    if (n >= 010000000000000000000ul)
        digits = 20;
    if (n >= 0100000000000000000000ul)
        digits = 21;
    if (n >= 01000000000000000000000ul)
        digits = 22;
    if (n == 0 && precision == 0)
        digits = 0;
    /* A zero comes first, unless there is one already. */
    if (prefix != 0 && (n != 0 || precision == 0) && digits >= precision)
        digits++;
    if (digits < precision)
        digits = precision;
    return digits < width ? width : digits;
}
static void __output_apart(const char *to, unsigned long room, unsigned long length, const char *s, unsigned long most)
{
    if (room == 0)
        return;
    for (unsigned long i = 0; i <= length && i < room; i++)
        if (to + i == s)
            __builtin_unreachable();
    for (unsigned long i = 0; i < most; i++) {
        if (s + i == to)
            __builtin_unreachable();
        if (s[i] == 0)
            break;
    }
}
static int __output_store(char *to, unsigned long room, unsigned long length, int has_zeros)
{
    if (room > 0) {
        unsigned long i = 0;
        while (i < length && i + 1 < room) {
            to[i] = __VERIFIER_nondet_char();
            if (!has_zeros)
                __VERIFIER_assume(to[i] != 0);
            i++;
        }
        to[i] = 0;
    }
    return length > 2147483647 ? -1 : (int)length;
}
