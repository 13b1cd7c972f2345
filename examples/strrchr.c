/* strrchr returns the last occurrence of a character, the terminator included, or a null
   pointer if there is none. */

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

static char *strrchr(const char *s, int c) {
    const char *last = 0;
    for (;; s++) {
        if (*s == (char)c)
            last = s;
        if (*s == 0)
            return (char *)last;
    }
}

void test(struct str a, int c) {
    require_string(a);
    char *found = strrchr(a.s, c);
    if (!found) {
        for (char *p = a.s; *p != 0; p++)
            __VERIFIER_assert(*p != (char)c);
        return;
    }
    __VERIFIER_assert(*found == (char)c);
    for (char *p = found; *p != 0; p++)
        __VERIFIER_assert(p == found || *p != (char)c);
}
