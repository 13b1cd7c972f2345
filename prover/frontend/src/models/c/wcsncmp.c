/* Compares at most n characters of wide strings (C11 7.29.4.4.3). Of the result C gives the sign only. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int wcsncmp(const int *s, const int *t, unsigned long n)
{
    int result = __VERIFIER_nondet_int();
    for (unsigned long i = 0; i < n; i++) {
        int a = s[i];
        int b = t[i];
        if (a < b) {
            __VERIFIER_assume(result < 0);
            return result;
        }
        if (a > b) {
            __VERIFIER_assume(result > 0);
            return result;
        }
        if (a == 0)
            return 0;
    }
    return 0;
}
