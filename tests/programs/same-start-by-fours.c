/* Two strings begin alike, up to a limit, whether four characters a round are compared or one. */

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

/* Do both begin alike, for n characters or up to a terminator? Unrolled four times. */
static int same_start_by_fours(const char *s, const char *t, size_t n) {
    size_t rounds = n >> 2;
    while (rounds-- > 0) {
        if (s[0] != t[0])
            return 0;
        if (s[0] == 0)
            return 1;
        if (s[1] != t[1])
            return 0;
        if (s[1] == 0)
            return 1;
        if (s[2] != t[2])
            return 0;
        if (s[2] == 0)
            return 1;
        if (s[3] != t[3])
            return 0;
        if (s[3] == 0)
            return 1;
        s += 4;
        t += 4;
    }
    for (n &= 3; n > 0; n--, s++, t++) {
        if (*s != *t)
            return 0;
        if (*s == 0)
            return 1;
    }
    return 1;
}

static int same_start(const char *s, const char *t, size_t n) {
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
    __VERIFIER_assert(same_start_by_fours(a.s, b.s, n) == same_start(a.s, b.s, n));
}
