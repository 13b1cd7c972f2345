/* Compares at most n characters, letters of both cases being equal (POSIX). Of the result C gives the sign only. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern int tolower(int);
int strncasecmp(const char *s, const char *t, unsigned long n)
{
    int result = __VERIFIER_nondet_int();
    for (unsigned long i = 0; i < n; i++) {
        int a = tolower((unsigned char)s[i]);
        int b = tolower((unsigned char)t[i]);
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
