/* klibc's strlen returns the index of the first terminator. */

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

// extract klibc_strlen

void test(struct str a) {
    require_string(a);
    size_t length = strlen(a.s);
    for (size_t i = 0; i < length; i++)
        __VERIFIER_assert(a.s[i] != 0);
    __VERIFIER_assert(a.s[length] == 0);
}
