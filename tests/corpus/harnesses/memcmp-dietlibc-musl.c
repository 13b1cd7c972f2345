/* dietlibc's and musl's memcmp agree in sign. */

typedef unsigned long size_t;
extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);

/* An array input: s points to exactly n_s characters. */
struct str {
    char *s;
    int n_s;
};

// extract diet_memcmp memcmp=diet_memcmp __likely= __unlikely=

// extract musl_memcmp memcmp=musl_memcmp

static int sign(int n) {
    return n < 0 ? -1 : n > 0;
}

void test(struct str a, struct str b) {
    __VERIFIER_assume(a.n_s == b.n_s);
    size_t size = (size_t)a.n_s;
    __VERIFIER_assert(sign(diet_memcmp(a.s, b.s, size)) == sign(musl_memcmp(a.s, b.s, size)));
}
