/* Compares strings in the C locale (C11 7.24.4.3). Of the result C gives the sign only. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int strcoll(const char *s, const char *t)
{
    int result = __VERIFIER_nondet_int();
    for (;;) {
        unsigned char a = (unsigned char)*s;
        unsigned char b = (unsigned char)*t;
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
        s++;
        t++;
    }
}
