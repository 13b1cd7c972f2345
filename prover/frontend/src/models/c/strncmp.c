/* Compares at most n characters of strings (C11 7.24.4.4). Of the result C gives the sign only. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
__attribute__((nonnull)) int strncmp(const char *s, const char *t, unsigned long n)
{
    unsigned long i = 0;
    while (i < n && s[i] == t[i] && s[i] != 0)
        i++;
    if (i == n || s[i] == t[i])
        return 0;
    int result = __VERIFIER_nondet_int();
    if ((unsigned char)s[i] < (unsigned char)t[i])
        __VERIFIER_assume(result < 0);
    else
        __VERIFIER_assume(result > 0);
    return result;
}
