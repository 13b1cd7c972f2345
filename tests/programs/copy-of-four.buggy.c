/* As much of a string as four characters hold, with its end, while the rest is counted. */

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

void test(struct str text) {
    require_string(text);
    char copy[4];
    int length = 0;
    for (; length < 4 && text.s[length]; length++)
        copy[length] = text.s[length];
    copy[length] = 0;
    while (text.s[length])
        length++;
    int copied = 0;
    while (copy[copied])
        copied++;
    __VERIFIER_assert(copied < 4 && copied <= length);
}
