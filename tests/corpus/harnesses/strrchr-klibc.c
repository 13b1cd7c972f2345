/* klibc's strrchr returns the last occurrence of a character, or a null pointer. */

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

// extract klibc_strrchr NULL=0

void test(struct str a, int c) {
    require_string(a);
    char *found = strrchr(a.s, c);
    if (found)
        __VERIFIER_assert(*found == (char)c);
    for (char *p = found ? found + 1 : a.s; p == a.s || p[-1] != 0; p++)
        __VERIFIER_assert(*p != (char)c);
}
