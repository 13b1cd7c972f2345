/* A string is as long as the walk that tells the kinds of its characters apart, in one loop of many branches, has found characters. */

extern void __VERIFIER_assert(int condition);
extern void __VERIFIER_ignore(void);

struct text {
    const char *s;
    int n_s;
};

static unsigned long length(const char *s) {
    const char *p = s;
    while (*p)
        p++;
    return (unsigned long)(p - s);
}

void test(struct text a) {
    int i = 0;
    while (i < a.n_s && a.s[i] != 0)
        i++;
    if (i == a.n_s)
        __VERIFIER_ignore();

    unsigned lines = 1, words = 0, open = 0, closed = 0, quotes = 0, marks = 0;
    const char *p;
    for (p = a.s; *p; p++) {
        if (*p == '\n')
            lines++;
        if (*p == ' ')
            words++;
        if (*p == '(')
            open++;
        if (*p == ')')
            closed++;
        if (*p == '"')
            quotes++;
        if (*p == '!' || *p == '?')
            marks++;
    }
    __VERIFIER_assert((unsigned long)(p - a.s) == length(a.s));
}
