/* memset of `count * factor` elements to this value, which may be NULL, or to zeros; more than `limit` times `factor` wrap around as a number of
   bytes. */
typedef char __element;
__attribute__((nonnull(1))) static __element *__memset_of_elements(__element *to, __element value, unsigned long count, unsigned long factor, unsigned long limit)
{
    unsigned long n = count * factor;
    if (count > limit) {
        n *= sizeof(__element);
        if ((sizeof(__element) & (sizeof(__element) - 1)) != 0 && n % sizeof(__element) != 0)
            __builtin_unreachable();
        n /= sizeof(__element);
    }
    for (unsigned long i = 0; i < n; i++)
        to[i] = value;
    return to;
}
__attribute__((nonnull)) static __element *__zero_of_elements(__element *to, unsigned long count, unsigned long factor, unsigned long limit)
{
    unsigned long n = count * factor;
    if (count > limit) {
        n *= sizeof(__element);
        if ((sizeof(__element) & (sizeof(__element) - 1)) != 0 && n % sizeof(__element) != 0)
            __builtin_unreachable();
        n /= sizeof(__element);
    }
    __element zero = {0};
    for (unsigned long i = 0; i < n; i++)
        to[i] = zero;
    return to;
}
