/* Two strings that are compared two characters a round, up to a limit, come out as when they are compared one by one. */

typedef unsigned long size_t;
extern void __VERIFIER_ignore(void);
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

static int equal_by_pairs(const char *s, const char *t, size_t n) {
    for (size_t pairs = n / 2; pairs > 0; pairs--) {
        if (*s != *t)
            return 0;
        if (*s == 0)
            return 1;
        s++;
        t++;
        if (*s != *t)
            return 0;
        if (*s == 0)
            return 1;
        s++;
        t++;
    }
    return n % 2 == 0 || *s == *t;
}

static int equal(const char *s, const char *t, size_t n) {
    for (; n > 0; n--, s++, t++) {
        if (*s != *t)
            return 0;
        if (*s == 0)
            return 1;
    }
    return 1;
}

void test(struct str a, struct str b, size_t n) {
    require_string(a);
    require_string(b);
    __VERIFIER_assert(equal_by_pairs(a.s, b.s, n) == equal(a.s, b.s, n));
}
