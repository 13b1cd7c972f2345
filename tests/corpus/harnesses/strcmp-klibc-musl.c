/* klibc's and musl's strcmp agree in sign. */

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

// extract klibc_strcmp strcmp=klibc_strcmp

// extract musl_strcmp strcmp=musl_strcmp

static int sign(int n) {
    return n < 0 ? -1 : n > 0;
}

void test(struct str a, struct str b) {
    require_string(a);
    require_string(b);
    __VERIFIER_assert(sign(klibc_strcmp(a.s, b.s)) == sign(musl_strcmp(a.s, b.s)));
}
