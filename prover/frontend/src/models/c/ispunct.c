/* Is it a punctuation (C11 7.4.1.9)? In the C locale; any value but 0 says yes. Other than unsigned characters and EOF is undefined; from -128 on, plain characters, it is none, as in the usual libraries. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int ispunct(int c)
{
    if (c < -128 || c > 255)
        __builtin_unreachable();
    if ((c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~')) {
        int yes = __VERIFIER_nondet_int();
        __VERIFIER_assume(yes != 0);
        return yes;
    }
    return 0;
}
