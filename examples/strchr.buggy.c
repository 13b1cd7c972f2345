/* The buggy twin of strchr.c: the terminator itself is never found. */

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

static char *strchr(const char *s, int c) {
    for (;; s++) {
        if (*s == 0)
            return 0;
        if (*s == (char)c)
            return (char *)s;
    }
}

void test(struct str a, int c) {
    require_string(a);
    char *found = strchr(a.s, c);
    if (found)
        __VERIFIER_assert(*found == (char)c);
    for (char *p = a.s; p != found; p++) {
        __VERIFIER_assert(*p != (char)c);
        if (*p == 0)
            return;
    }
}
