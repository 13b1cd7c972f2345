/* Compares strings as unsigned characters (C11 7.24.4.2). Of the result C gives the sign only. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int strcmp(const char *s, const char *t)
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
