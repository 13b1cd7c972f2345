/* Compares strings, letters of both cases being equal (POSIX). Of the result C gives the sign only. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern int tolower(int);
int strcasecmp(const char *s, const char *t)
{
    while (tolower((unsigned char)*s) == tolower((unsigned char)*t) && *s != 0) {
        s++;
        t++;
    }
    if (tolower((unsigned char)*s) == tolower((unsigned char)*t))
        return 0;
    int result = __VERIFIER_nondet_int();
    if (tolower((unsigned char)*s) < tolower((unsigned char)*t))
        __VERIFIER_assume(result < 0);
    else
        __VERIFIER_assume(result > 0);
    return result;
}
