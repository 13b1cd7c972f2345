/* Wrong: a character may occur three times, wherever that is. */

extern void __VERIFIER_assert(int condition);

/* An array input: s points to exactly n_s characters. */
struct str {
    char *s;
    int n_s;
};

void test(struct str a) {
    int seen = 0;
    for (int i = 0; i < a.n_s; i++)
        if (a.s[i] == 7)
            seen++;
    __VERIFIER_assert(seen < 3);
}
