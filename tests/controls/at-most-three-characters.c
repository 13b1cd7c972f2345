/* Wrong: a string may hold more than three characters before its terminator. */

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

static size_t strlen(const char *s) {
    size_t i = 0;
    while (s[i] != 0)
        i++;
    return i;
}

void test(struct str a) {
    require_string(a);
    __VERIFIER_assert(strlen(a.s) <= 3);
}
