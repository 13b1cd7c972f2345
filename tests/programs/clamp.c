/* After clamping, every element lies between the bounds. */

extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);

struct array {
    signed char *data;
    long n_data;
};

void test(struct array a, signed char low, signed char high) {
    __VERIFIER_assume(low <= high);
    signed char *p = a.data, *const end = a.data + a.n_data;
    for (; p != end; ++p)
        *p = *p < low ? low : *p > high ? high : *p;
    while (p != a.data) {
        --p;
        __VERIFIER_assert(low <= *p && *p <= high);
    }
}
