/* Results come back through pointers to variables of the calls that wait. */

extern void __VERIFIER_assert(int condition);

static void divide(unsigned n, unsigned by, unsigned *quotient, unsigned *rest) {
    if (n <= by) {
        *quotient = 0;
        *rest = n;
        return;
    }
    unsigned part;
    divide(n - by, by, &part, rest);
    *quotient = part + 1;
}

void test(unsigned n) {
    unsigned quotient, rest;
    divide(n, 3, &quotient, &rest);
    __VERIFIER_assert(rest < 3);
}
