/* Compares n wide characters (C11 7.29.4.4.5). Of the result C gives the sign only. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
__attribute__((nonnull)) int wmemcmp(const int *s, const int *t, unsigned long n)
{
    const int *a = s;
    const int *b = t;
    if (n == 0)
        return 0;
    /* All of them have to be there, also after the first difference. */
    int last = a[n - 1];
    last = b[n - 1];
    unsigned long i = 0;
    while (i < n && a[i] == b[i])
        i++;
    if (i == n)
        return 0;
    int result = __VERIFIER_nondet_int();
    if (a[i] < b[i])
        __VERIFIER_assume(result < 0);
    else
        __VERIFIER_assume(result > 0);
    return result;
}
