/* memcmp of `count * factor` integers; more than `limit` times `factor` wrap around as a number of bytes. Of the result it says whether it is 0. */
typedef char __element;
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
__attribute__((nonnull)) static int __memcmp_of_elements(const __element *s, const __element *t, unsigned long count, unsigned long factor, unsigned long limit)
{
    unsigned long n = count * factor;
    if (count > limit) {
        n *= sizeof(__element);
        if ((sizeof(__element) & (sizeof(__element) - 1)) != 0 && n % sizeof(__element) != 0)
            __builtin_unreachable();
        n /= sizeof(__element);
    }
    if (n == 0)
        return 0;
    /* All of them have to be there, also after the first difference. */
    __element last = s[n - 1];
    last = t[n - 1];
    unsigned long i = 0;
    while (i < n && s[i] == t[i])
        i++;
    if (i == n)
        return 0;
    int result = __VERIFIER_nondet_int();
    __VERIFIER_assume(result != 0);
    return result;
}
