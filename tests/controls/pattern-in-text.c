/* Wrong: the text may hold the pattern 1, 2, 1. */

extern void __VERIFIER_fail(void);

/* An array input: s points to exactly n_s characters. */
struct str {
    char *s;
    int n_s;
};

void test(struct str text) {
    static const char pattern[3] = {1, 2, 1};
    for (int i = 0; i + 3 <= text.n_s; i++) {
        int k = 0;
        while (k < 3 && text.s[i + k] == pattern[k])
            k++;
        if (k == 3)
            __VERIFIER_fail();
    }
}
