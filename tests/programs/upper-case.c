/* Conversion to upper case leaves no lower-case letter and does not change the length. */

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

static void to_upper(char *s) {
    for (char c; (c = *s) != '\0'; s++)
        if (c >= 'a' && c <= 'z')
            *s = (char)(c - 'a' + 'A');
}

void test(struct str a) {
    require_string(a);
    int length = 0;
    while (a.s[length])
        length++;
    to_upper(a.s);
    for (int i = 0; i < length; i++) {
        __VERIFIER_assert(a.s[i] != 0);
        __VERIFIER_assert(a.s[i] < 'a' || a.s[i] > 'z');
    }
    __VERIFIER_assert(a.s[length] == 0);
}
