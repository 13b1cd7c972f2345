/* Is it a small letter (C11 7.4.1.7)? In the C locale; any value but 0 says yes. Like the usual libraries, it takes every int. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int islower(int c)
{
    if (c >= 'a' && c <= 'z') {
        int yes = __VERIFIER_nondet_int();
        __VERIFIER_assume(yes != 0);
        return yes;
    }
    return 0;
}
