/* Compares wide strings (C11 7.29.4.4.1). Of the result C gives the sign only. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int wcscmp(const int *s, const int *t)
{
    while (*s == *t && *s != 0) {
        s++;
        t++;
    }
    if (*s == *t)
        return 0;
    int result = __VERIFIER_nondet_int();
    if (*s < *t)
        __VERIFIER_assume(result < 0);
    else
        __VERIFIER_assume(result > 0);
    return result;
}
