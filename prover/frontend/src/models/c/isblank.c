/* Is it a blank (C11 7.4.1.3)? In the C locale; any value but 0 says yes. Like the usual libraries, it takes every int. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int isblank(int c)
{
    if (c == ' ' || c == '\t') {
        int yes = __VERIFIER_nondet_int();
        __VERIFIER_assume(yes != 0);
        return yes;
    }
    return 0;
}
