/* The buggy twin of replace-character.c: only the first occurrence is replaced. */

extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);

/* An array input: s points to exactly n_s characters. */
struct str {
    char *s;
    int n_s;
};

static void replace(char *s, int count, char old, char new) {
    for (char *end = s + count; s != end; s++)
        if (*s == old) {
            *s = new;
            return;
        }
}

void test(struct str a, struct str before, char old, char new) {
    __VERIFIER_assume(old != new && a.n_s == before.n_s);
    for (int i = 0; i < a.n_s; ++i)
        __VERIFIER_assume(a.s[i] == before.s[i]);
    replace(a.s, a.n_s, old, new);
    for (int i = 0; i < a.n_s; ++i)
        __VERIFIER_assert(a.s[i] == (before.s[i] == old ? new : before.s[i]));
}
