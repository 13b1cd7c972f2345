/* Wrong: four elements may rise step by step. */

extern void __VERIFIER_assert(int condition);

/* An array input: s points to exactly n_s characters. */
struct str {
    char *s;
    int n_s;
};

void test(struct str a) {
    int rising = 0;
    for (int i = 1; i < a.n_s; i++) {
        rising = a.s[i] > a.s[i - 1] ? rising + 1 : 0;
        __VERIFIER_assert(rising < 3);
    }
}
