/* The greatest common divisor of two positive numbers, by recursion, is at most either of them. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

static int divisor(int a, int b) {
    return b == 0 ? a : divisor(b, a % b);
}

void test(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (a < 1 || b < 1)
        return;
    int common = divisor(a, b);
    __VERIFIER_assert(1 <= common && common <= a && common < b);
}
