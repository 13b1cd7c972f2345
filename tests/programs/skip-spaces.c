/* Skipping spaces and tabs ends at the first other character. */

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

static char *skip_spaces(char *s) {
    while (*s == ' ' || *s == '\t')
        s += 1;
    return s;
}

void test(struct str a) {
    require_string(a);
    char *rest = skip_spaces(a.s);
    __VERIFIER_assert(*rest != ' ' && *rest != '\t');
    char *p = a.s;
    while (p < rest) {
        switch (*p++) {
        case ' ':
        case '\t':
            break;
        default:
            __VERIFIER_assert(0);
        }
    }
}
