/* The buggy twin of jumps-into-loops.c: a word may go on behind the end of the text. */

extern void __VERIFIER_ignore(void);
extern void __VERIFIER_assert(int condition);

/* An array input: s points to exactly n_s characters. */
struct text {
    char *s;
    int n_s;
};

static void require_string(struct text a) {
    for (int i = 0; i < a.n_s; i++)
        if (a.s[i] == 0)
            return;
    __VERIFIER_ignore();
}

void test(struct text a, int in_word) {
    require_string(a);
    int i = 0;
    if (in_word)
        goto word;
gap:
    if (a.s[i] == 0)
        goto end;
    if (a.s[i++] == ' ')
        goto gap;
word:
    if (a.s[i++] == ' ')
        goto gap;
    goto word;
end:
    __VERIFIER_assert(a.s[i] == 0);
}
