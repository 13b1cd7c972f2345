/* Is it a hexadecimal digit (C11 7.4.1.12)? In the C locale; any value but 0 says yes. Like the usual libraries, it takes every int. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int isxdigit(int c)
{
    if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')) {
        int yes = __VERIFIER_nondet_int();
        __VERIFIER_assume(yes != 0);
        return yes;
    }
    return 0;
}
