/* Compares wide strings (C11 7.29.4.4.1). Of the result C gives the sign only. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int wcscmp(const int *s, const int *t)
{
    int result = __VERIFIER_nondet_int();
    for (;;) {
        int a = *s;
        int b = *t;
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
