/* The buggy twin of copy-until-delimiter.c: the end of the string is not looked for. */

typedef unsigned long size_t;
extern void __VERIFIER_ignore(void);
extern void __VERIFIER_assume(int condition);
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

static size_t copy_until(char *to, const char *from, char delimiter) {
    const char *start = from;
    while (*from != delimiter)
        *to++ = *from++;
    *to = 0;
    return (size_t)(from - start);
}

void test(struct str from, struct str to, char delimiter) {
    require_string(from);
    __VERIFIER_assume(to.n_s >= from.n_s);
    size_t copied = copy_until(to.s, from.s, delimiter);
    __VERIFIER_assert(to.s[copied] == 0);
    __VERIFIER_assert(from.s[copied] == 0 || from.s[copied] == delimiter);
    for (size_t i = 0; i < copied; i++)
        __VERIFIER_assert(to.s[i] == from.s[i] && to.s[i] != delimiter);
}
