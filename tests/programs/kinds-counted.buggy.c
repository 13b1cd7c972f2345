/* Characters by kind: one that is 0 is not counted among all. */

extern void __VERIFIER_assert(int condition);

struct text {
    char *s;
    int n_s;
};

void test(struct text a) {
    int letters = 0, digits = 0, blanks = 0, signs = 0, others = 0, ends = 0, all = 0;
    for (int i = 0; i < a.n_s; i++) {
        char c = a.s[i];
        if (c == 0) {
            ends++;
            continue;
        }
        if (c >= 'a' && c <= 'z')
            letters++;
        else if (c >= '0' && c <= '9')
            digits++;
        else if (c == ' ' || c == '\t')
            blanks++;
        else if (c == '+' || c == '-')
            signs++;
        else
            others++;
        all++;
    }
    __VERIFIER_assert(all == a.n_s);
}
