/* Wrong: one of the two stops, as if the strings were equal, behind the characters 1, 2, 3. */

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

static int strcmp(const char *s, const char *t) {
    while (*s != 0 && *s == *t) {
        s++;
        t++;
    }
    return (unsigned char)*s - (unsigned char)*t;
}

static int strcmp_early(const char *s, const char *t) {
    const char *start = s;
    while (*s != 0 && *s == *t) {
        s++;
        t++;
        if (s - start == 3 && start[0] == 1 && start[1] == 2 && start[2] == 3)
            return 0;
    }
    return (unsigned char)*s - (unsigned char)*t;
}

static int sign(int n) {
    return n < 0 ? -1 : n > 0;
}

void test(struct str a, struct str b) {
    require_string(a);
    require_string(b);
    __VERIFIER_assert(sign(strcmp(a.s, b.s)) == sign(strcmp_early(a.s, b.s)));
}
