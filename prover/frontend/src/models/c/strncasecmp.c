/* Compares at most n characters, letters of both cases being equal (POSIX). Of the result C gives the sign only. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
__attribute__((nonnull)) int strncasecmp(const char *s, const char *t, unsigned long n)
{
    for (unsigned long i = 0; i < n; i++) {
        int one = (unsigned char)s[i];
        int other = (unsigned char)t[i];
        if (one >= 'A' && one <= 'Z')
            one += 'a' - 'A';
        if (other >= 'A' && other <= 'Z')
            other += 'a' - 'A';
        if (one != other) {
            int result = __VERIFIER_nondet_int();
            if (one < other)
                __VERIFIER_assume(result < 0);
            else
                __VERIFIER_assume(result > 0);
            return result;
        }
        if (one == 0)
            return 0;
    }
    return 0;
}
