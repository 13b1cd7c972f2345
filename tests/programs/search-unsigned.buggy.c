/* The buggy twin of search-unsigned.c: the characters of the string are compared as char. */

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

static int holds_unsigned(const char *s, int c) {
    c = (unsigned char)c;
    if (c == 0)
        return 1;
    for (; *s != 0; s++)
        if (*s == c)
            return 1;
    return 0;
}

static int holds(const char *s, char c) {
    for (; *s != c; s++)
        if (*s == 0)
            return 0;
    return 1;
}

void test(struct str a, char c) {
    require_string(a);
    __VERIFIER_assert(holds_unsigned(a.s, c) == holds(a.s, c));
}
