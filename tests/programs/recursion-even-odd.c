/* Two functions that call each other say yes or no. */

extern void __VERIFIER_assert(int condition);

static int odd(unsigned n);

static int even(unsigned n) {
    if (n == 0)
        return 1;
    return !!odd(n - 1);
}

static int odd(unsigned n) {
    if (n == 0)
        return 0;
    return !!even(n - 1);
}

void test(unsigned char n) {
    int answer = even(n);
    __VERIFIER_assert(answer == 0 || answer == 1);
}
