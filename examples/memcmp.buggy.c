/* The buggy twin of memcmp.c: the bytes are compared as signed numbers. */

typedef unsigned long size_t;
extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);

/* An array input: s points to exactly n_s characters. */
struct str {
    char *s;
    int n_s;
};

static int memcmp(const void *block, const void *other, size_t size) {
    const signed char *s = block;
    const signed char *t = other;
    while (size-- > 0) {
        if (*s != *t)
            return *s - *t;
        s++;
        t++;
    }
    return 0;
}

void test(struct str a, struct str b) {
    __VERIFIER_assume(a.n_s == b.n_s);
    int result = memcmp(a.s, b.s, (size_t)a.n_s);
    for (int i = 0; i < a.n_s; i++) {
        unsigned char x = (unsigned char)a.s[i];
        unsigned char y = (unsigned char)b.s[i];
        if (x != y) {
            __VERIFIER_assert(x < y ? result < 0 : result > 0);
            return;
        }
    }
    __VERIFIER_assert(result == 0);
}
