/* strncmp returns zero if and only if the strings agree up to the limit or their common end. */

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

static int strncmp(const char *s, const char *t, size_t limit) {
    while (limit != 0 && *s != 0 && *s == *t) {
        s++;
        t++;
        limit--;
    }
    if (limit == 0)
        return 0;
    return *(const unsigned char *)s - *(const unsigned char *)t;
}

static int agree(const char *s, const char *t, size_t limit) {
    for (size_t i = 0; i < limit; i++) {
        if (s[i] != t[i])
            return 0;
        if (s[i] == 0)
            return 1;
    }
    return 1;
}

void test(struct str a, struct str b, size_t limit) {
    require_string(a);
    require_string(b);
    __VERIFIER_assert((strncmp(a.s, b.s, limit) == 0) == agree(a.s, b.s, limit));
}
