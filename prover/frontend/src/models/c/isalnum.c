/* Is it a letter or digit (C11 7.4.1.1)? In the C locale; any value but 0 says yes. Like the usual libraries, it takes every int. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int isalnum(int c)
{
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) {
        int yes = __VERIFIER_nondet_int();
        __VERIFIER_assume(yes != 0);
        return yes;
    }
    return 0;
}
