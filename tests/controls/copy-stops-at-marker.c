/* Wrong: the copy ends behind the second 5, so that what follows is lost. */

extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);

/* An array input: s points to exactly n_s characters. */
struct str {
    char *s;
    int n_s;
};

void test(struct str source, struct str target) {
    __VERIFIER_assume(source.n_s == target.n_s);
    int markers = 0;
    for (int i = 0; i < source.n_s && markers < 2; i++) {
        target.s[i] = source.s[i];
        if (source.s[i] == 5)
            markers++;
    }
    for (int i = 0; i < source.n_s; i++)
        __VERIFIER_assert(target.s[i] == source.s[i]);
}
