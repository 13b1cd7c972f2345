/* A string has another one as a prefix if and only if each character before the other's end is
   the same. */

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

static _Bool is_prefix(const char *prefix, const char *s) {
    while (*prefix) {
        if (*prefix++ != *s++)
            return 0;
    }
    return 1;
}

void test(struct str a, struct str b) {
    require_string(a);
    require_string(b);
    _Bool answer = is_prefix(a.s, b.s);
    for (int i = 0; a.s[i] != 0; i++)
        if (a.s[i] != b.s[i]) {
            __VERIFIER_assert(!answer);
            return;
        }
    __VERIFIER_assert(answer);
}
