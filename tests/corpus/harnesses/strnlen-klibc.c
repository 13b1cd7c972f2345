/* klibc's strnlen stops at the terminator or the limit, whichever comes first. */

typedef unsigned long size_t;
extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);

/* An array input: s points to exactly n_s characters. */
struct str {
    char *s;
    int n_s;
};

// extract klibc_strnlen

void test(struct str a, size_t limit) {
    __VERIFIER_assume(limit <= (size_t)a.n_s);
    size_t length = strnlen(a.s, limit);
    __VERIFIER_assert(length <= limit);
    for (size_t i = 0; i < length; i++)
        __VERIFIER_assert(a.s[i] != 0);
    if (length < limit)
        __VERIFIER_assert(a.s[length] == 0);
}
