/* Any number from 0 to RAND_MAX (C11 7.22.2.1). */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int rand(void)
{
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0);
    return n;
}
