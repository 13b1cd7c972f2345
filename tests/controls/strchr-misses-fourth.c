/* Wrong: the search does not look at the fourth character. */

typedef unsigned long size_t;
extern void __VERIFIER_ignore(void);
extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);

/* An array input: s points to exactly n_s characters. */
struct str {
    char *s;
    int n_s;
};

/* Keeps only the inputs that hold a terminator inside their bounds. */
static void require_string(struct str a) {
    for (int i = 0; i < a.n_s; i++)
        if (a.s[i] == 0)
            return;
    __VERIFIER_ignore();
}

static const char *strchr_careless(const char *s, char c) {
    for (size_t i = 0; s[i] != 0; i++)
        if (s[i] == c && i != 3)
            return s + i;
    return 0;
}

void test(struct str a, char c) {
    require_string(a);
    __VERIFIER_assume(c != 0);
    if (strchr_careless(a.s, c) == 0)
        for (size_t i = 0; a.s[i] != 0; i++)
            __VERIFIER_assert(a.s[i] != c);
}
