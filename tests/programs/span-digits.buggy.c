/* The buggy twin of span-digits.c: the first character is counted without a look at it. */

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

static int is_digit(char c) {
    return c >= '0' && c <= '9';
}

static size_t span_digits(const char *s) {
    size_t n = 0;
    do
        ++n;
    while (s[n - 1] != 0 && is_digit(s[n]));
    return n;
}

void test(struct str a) {
    require_string(a);
    size_t n = span_digits(a.s);
    for (size_t i = 0; i != n; i++)
        __VERIFIER_assert(is_digit(a.s[i]));
    __VERIFIER_assert(!is_digit(a.s[n]));
}
