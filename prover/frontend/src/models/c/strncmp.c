/* Compares at most n characters of strings (C11 7.24.4.4). Of the result C gives the sign only. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int strncmp(const char *s, const char *t, unsigned long n)
{
    int result = __VERIFIER_nondet_int();
    for (unsigned long i = 0; i < n; i++) {
        unsigned char a = (unsigned char)s[i];
        unsigned char b = (unsigned char)t[i];
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
