/* Powers of one are one. */

extern void __VERIFIER_assert(int condition);

static unsigned power(unsigned base, unsigned exponent) {
    if (exponent == 0)
        return 1;
    unsigned root = power(base, exponent / 2);
    return exponent % 2 ? base + root * root : root * root;
}

void test(unsigned exponent) {
    __VERIFIER_assert(power(1, exponent) == 1);
}
