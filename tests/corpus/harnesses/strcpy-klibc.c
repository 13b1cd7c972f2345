/* A string copied by klibc's strcpy compares equal, by musl's strcmp, to the original. */

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

// extract klibc_strcpy

// extract musl_strcmp

void test(struct str source, struct str target) {
    require_string(source);
    __VERIFIER_assume(target.n_s >= source.n_s);
    __VERIFIER_assert(strcpy(target.s, source.s) == target.s);
    __VERIFIER_assert(strcmp(target.s, source.s) == 0);
}
