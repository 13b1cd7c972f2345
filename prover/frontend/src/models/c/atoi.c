/* The value of the digits at the start, after white space and a sign (C11 7.22.1). Too large a number gives any value. */
extern int __VERIFIER_nondet_int(void);
int atoi(const char *s)
{
    while (*s == ' ' || (*s >= '\t' && *s <= '\r'))
        s++;
    int negative = *s == '-';
    if (*s == '-' || *s == '+')
        s++;
    int large = 0;
    int value = 0;
    while (*s >= '0' && *s <= '9') {
        if (value > 214748363)
            large = 1;
        else
            value = value * 10 + (*s - '0');
        s++;
    }
    if (large)
        return __VERIFIER_nondet_int();
    return negative ? -value : value;
}
