/* Arithmetic that says whether its result fits (GNU): on numbers that are longs, and on numbers that are not negative. */
typedef char __element;
static _Bool __overflow_add_signed(long a, long b, __element *to)
{
    const long most = 9223372036854775807;
    long exact = (long)((unsigned long)a + (unsigned long)b);
    *to = (__element)exact;
    if ((b > 0 && a > most - b) || (b < 0 && a < -most - 1 - b))
        return 1;
    if (sizeof(__element) == 8 && (__element)-1 > 0)
        return exact < 0;
    return (long)(__element)exact != exact;
}
static _Bool __overflow_sub_signed(long a, long b, __element *to)
{
    const long most = 9223372036854775807;
    long exact = (long)((unsigned long)a - (unsigned long)b);
    *to = (__element)exact;
    if ((b < 0 && a > most + b) || (b > 0 && a < -most - 1 + b))
        return 1;
    if (sizeof(__element) == 8 && (__element)-1 > 0)
        return exact < 0;
    return (long)(__element)exact != exact;
}
static _Bool __overflow_mul_signed(long a, long b, __element *to)
{
    const long most = 9223372036854775807;
    long exact = (long)((unsigned long)a * (unsigned long)b);
    *to = (__element)exact;
    if (a > 0 && b > 0 && a > most / b)
        return 1;
    if (a > 0 && b < 0 && b < (-most - 1) / a)
        return 1;
    if (a < 0 && b > 0 && a < (-most - 1) / b)
        return 1;
    if (a < 0 && b < 0 && b < most / a)
        return 1;
    if (sizeof(__element) == 8 && (__element)-1 > 0)
        return exact < 0;
    return (long)(__element)exact != exact;
}
static _Bool __overflow_add_unsigned(unsigned long a, unsigned long b, __element *to)
{
    unsigned long exact = a + b;
    *to = (__element)exact;
    if (a > 0xffffffffffffffff - b)
        return 1;
    return (__element)exact < 0 || (unsigned long)(__element)exact != exact;
}
static _Bool __overflow_sub_unsigned(unsigned long a, unsigned long b, __element *to)
{
    unsigned long exact = a - b;
    *to = (__element)exact;
    if (a < b)
        return 1;
    return (__element)exact < 0 || (unsigned long)(__element)exact != exact;
}
static _Bool __overflow_mul_unsigned(unsigned long a, unsigned long b, __element *to)
{
    unsigned long exact = a * b;
    *to = (__element)exact;
    if (b != 0 && a > 0xffffffffffffffff / b)
        return 1;
    return (__element)exact < 0 || (unsigned long)(__element)exact != exact;
}
