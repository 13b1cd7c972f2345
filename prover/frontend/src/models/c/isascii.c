/* Is it a 7-bit character (POSIX)? Any value but 0 says yes. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int isascii(int c)
{
    if (c >= 0 && c <= 127) {
        int yes = __VERIFIER_nondet_int();
        __VERIFIER_assume(yes != 0);
        return yes;
    }
    return 0;
}
