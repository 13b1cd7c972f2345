/* stpcpy copies a string and returns a pointer to the terminator of the copy. */

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

static size_t strlen(const char *s) {
    size_t i = 0;
    while (s[i] != 0)
        i++;
    return i;
}

static char *stpcpy(char *restrict target, const char *restrict source) {
    while ((*target = *source) != 0) {
        target++;
        source++;
    }
    return target;
}

void test(struct str source, struct str target) {
    require_string(source);
    size_t length = strlen(source.s);
    __VERIFIER_assume(length < (size_t)target.n_s);
    char *end = stpcpy(target.s, source.s);
    __VERIFIER_assert((size_t)(end - target.s) == length);
    for (size_t i = 0; i <= length; i++)
        __VERIFIER_assert(target.s[i] == source.s[i]);
}
