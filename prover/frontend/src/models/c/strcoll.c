/* Compares strings in the C locale (C11 7.24.4.3). Of the result C gives the sign only. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int strcoll(const char *s, const char *t)
{
    while (*s == *t && *s != 0) {
        s++;
        t++;
    }
    if (*s == *t)
        return 0;
    int result = __VERIFIER_nondet_int();
    if ((unsigned char)*s < (unsigned char)*t)
        __VERIFIER_assume(result < 0);
    else
        __VERIFIER_assume(result > 0);
    return result;
}
