/* McCarthy's function is 91 up to 101. */

extern void __VERIFIER_assert(int condition);
extern void __VERIFIER_assume(int condition);

static int mccarthy(int n) {
    return n > 101 ? n - 10 : mccarthy(mccarthy(n + 11));
}

void test(signed char n) {
    __VERIFIER_assume(n <= 101);
    __VERIFIER_assert(mccarthy(n) == 91);
}
