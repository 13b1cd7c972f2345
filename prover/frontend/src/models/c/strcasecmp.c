/* Compares strings, letters of both cases being equal (POSIX). Of the result C gives the sign only. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern int tolower(int);
int strcasecmp(const char *s, const char *t)
{
    int result = __VERIFIER_nondet_int();
    for (;;) {
        int a = tolower((unsigned char)*s);
        int b = tolower((unsigned char)*t);
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
