/* Compares n wide characters (C11 7.29.4.4.5). Of the result C gives the sign only. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int wmemcmp(const int *s, const int *t, unsigned long n)
{
    const int *a = s;
    const int *b = t;
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
