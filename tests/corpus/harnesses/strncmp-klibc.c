/* klibc's strncmp is zero if and only if the strings agree up to the limit or their common end. */

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

// extract klibc_strncmp

void test(struct str a, struct str b, size_t limit) {
    require_string(a);
    require_string(b);
    int result = strncmp(a.s, b.s, limit);
    for (size_t i = 0; i < limit; i++) {
        if (a.s[i] != b.s[i]) {
            __VERIFIER_assert(result != 0);
            return;
        }
        if (a.s[i] == 0)
            break;
    }
    __VERIFIER_assert(result == 0);
}
