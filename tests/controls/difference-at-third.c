/* Wrong: two arrays that agree in two elements may differ by seven in the third. */

extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);

/* An array input: s points to exactly n_s characters. */
struct str {
    char *s;
    int n_s;
};

void test(struct str a, struct str b) {
    __VERIFIER_assume(a.n_s == b.n_s);
    for (int i = 0; i < a.n_s; i++) {
        if (i == 2)
            __VERIFIER_assert(a.s[i] - b.s[i] != 7);
        if (a.s[i] != b.s[i])
            return;
    }
}
