/* Two ways to write strcmp, by index and by pointer, agree in sign. */

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

static int strcmp_by_index(const char *s, const char *t) {
    int i = 0;
    while (s[i] != 0 && s[i] == t[i])
        i++;
    return (unsigned char)s[i] - (unsigned char)t[i];
}

static int strcmp_by_pointer(const char *s, const char *t) {
    for (; *s == *t; s++, t++)
        if (*s == 0)
            return 0;
    return *(const unsigned char *)s < *(const unsigned char *)t ? -1 : 1;
}

static int sign(int n) {
    if (n < 0)
        return -1;
    return n > 0;
}

void test(struct str a, struct str b) {
    require_string(a);
    require_string(b);
    __VERIFIER_assert(sign(strcmp_by_index(a.s, b.s)) == sign(strcmp_by_pointer(a.s, b.s)));
}
