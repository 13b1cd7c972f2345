/* Ackermann's function leaves alone what it hands on. */

extern void __VERIFIER_assert(int condition);
extern void __VERIFIER_assume(int condition);

static unsigned ackermann(unsigned m, unsigned n, int *calls) {
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1, calls);
    return ackermann(m - 1, ackermann(m, n - 1, calls), calls);
}

void test(unsigned m, unsigned char n) {
    int calls = 0;
    __VERIFIER_assume(m < 3);
    ackermann(m, n, &calls);
    __VERIFIER_assert(calls == 0);
}
