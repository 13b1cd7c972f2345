/* libbsd's strlcpy returns the length of the source and leaves a terminated prefix of it. */

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

// extract libbsd_strlcpy

// extract klibc_strlen

void test(struct str target, struct str source) {
    require_string(source);
    size_t size = (size_t)target.n_s;
    __VERIFIER_assert(strlcpy(target.s, source.s, size) == strlen(source.s));
    if (size == 0)
        return;
    size_t i = 0;
    for (; i < size - 1 && source.s[i] != 0; i++)
        __VERIFIER_assert(target.s[i] == source.s[i]);
    __VERIFIER_assert(target.s[i] == 0);
}
