/* Compares at most n characters, letters of both cases being equal (POSIX). Of the result C gives the sign only. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern int tolower(int);
int strncasecmp(const char *s, const char *t, unsigned long n)
{
    unsigned long i = 0;
    while (i < n && tolower((unsigned char)s[i]) == tolower((unsigned char)t[i]) && s[i] != 0)
        i++;
    if (i == n || tolower((unsigned char)s[i]) == tolower((unsigned char)t[i]))
        return 0;
    int result = __VERIFIER_nondet_int();
    if (tolower((unsigned char)s[i]) < tolower((unsigned char)t[i]))
        __VERIFIER_assume(result < 0);
    else
        __VERIFIER_assume(result > 0);
    return result;
}
