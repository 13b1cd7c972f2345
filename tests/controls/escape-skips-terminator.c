/* Wrong: the character behind a backslash is skipped, also where it is the terminator. */

extern void __VERIFIER_ignore(void);

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

void test(struct str a) {
    require_string(a);
    const char *p = a.s;
    while (*p != 0) {
        if (*p == 92)
            p++;
        p++;
    }
}
