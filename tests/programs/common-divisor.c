/* The greatest common divisor after Euclid, by recursion and by a loop, and how often it goes into the larger number. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

static int by_recursion(int a, int b) {
    return b == 0 ? a : by_recursion(b, a % b);
}

static int by_loop(int a, int b) {
    while (b != 0) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

void test(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (a < 1 || b < 0)
        return;
    __VERIFIER_assert(by_recursion(a, b) >= 1);
    int divisor = by_loop(a, b);
    __VERIFIER_assert(divisor >= 1);
    int times = a / divisor;
    __VERIFIER_assert(times >= 0 && times <= a);
}
