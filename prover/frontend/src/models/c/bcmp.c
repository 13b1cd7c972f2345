/* Compares n bytes (POSIX 2004). Of the result C gives the sign only. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int bcmp(const void *s, const void *t, unsigned long n)
{
    const unsigned char *a = s;
    const unsigned char *b = t;
    int result = __VERIFIER_nondet_int();
    for (unsigned long i = 0; i < n; i++) {
        if (a[i] < b[i]) {
            __VERIFIER_assume(result < 0);
            return result;
        }
        if (a[i] > b[i]) {
            __VERIFIER_assume(result > 0);
            return result;
        }
    }
    return 0;
}
