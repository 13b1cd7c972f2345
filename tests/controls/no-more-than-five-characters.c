/* Wrong, five elements deep: the characters are counted by a pointer that walks. */

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

void test(struct str a) {
    require_string(a);
    const char *end = a.s;
    while (*end != 0)
        end++;
    __VERIFIER_assert(end - a.s < 5);
}
