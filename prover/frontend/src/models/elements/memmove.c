/* memmove of `count * factor` elements; more than `limit` times `factor` wrap around as a number of bytes. */
typedef char __element;
__attribute__((nonnull)) static __element *__memmove_of_elements(__element *to, const __element *from, unsigned long count, unsigned long factor, unsigned long limit)
{
    unsigned long n = count * factor;
    if (count > limit) {
        n *= sizeof(__element);
        if ((sizeof(__element) & (sizeof(__element) - 1)) != 0 && n % sizeof(__element) != 0)
            __builtin_unreachable();
        n /= sizeof(__element);
    }
    unsigned long i = 0;
    while (i < n && from + i != to)
        i++;
    if (i < n) {
        while (n > 0) {
            n--;
            to[n] = from[n];
        }
    } else {
        for (i = 0; i < n; i++)
            to[i] = from[i];
    }
    return to;
}
