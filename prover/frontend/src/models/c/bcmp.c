/* Compares n bytes (POSIX 2004). The result is 0 or any other value. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
__attribute__((nonnull)) int bcmp(const void *s, const void *t, unsigned long n)
{
    const unsigned char *a = s;
    const unsigned char *b = t;
    if (n == 0)
        return 0;
    /* All of them have to be there, also after the first difference. */
    unsigned char last = a[n - 1];
    last = b[n - 1];
    unsigned long i = 0;
    while (i < n && a[i] == b[i])
        i++;
    if (i == n)
        return 0;
    int result = __VERIFIER_nondet_int();
    __VERIFIER_assume(result != 0);
    return result;
}
