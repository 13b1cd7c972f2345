/* Two functions take a number down by turns, each calling the other one last: which of them comes to the end is its parity. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assert(int);

static int odd(unsigned n);

static int even(unsigned n) {
    return n == 0 ? 1 : odd(n - 1);
}

static int odd(unsigned n) {
    return n == 0 ? 0 : even(n - 1);
}

void test(void) {
    unsigned n = __VERIFIER_nondet_uchar();
    if (even(n))
        __VERIFIER_assert(n % 2 == 0);
    else
        __VERIFIER_assert(n % 2 == 1);
}
