/* Two ways to find out whether a string ends with another one agree: each measures both strings itself. */

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

static unsigned long length(const char *s) {
    const char *end = s;
    while (*end)
        end++;
    return end - s;
}

static _Bool are_equal(const char *a, const char *b) {
    for (; *a == *b; a++, b++)
        if (*a == 0)
            return 1;
    return 0;
}

static _Bool ends_with(const char *s, const char *suffix) {
    unsigned long whole = length(s), part = length(suffix);
    return part <= whole && are_equal(s + (whole - part), suffix);
}

static _Bool has_suffix(const char *s, const char *suffix) {
    int part = 0, whole = 0;
    while (suffix[part] != 0)
        part++;
    while (s[whole] != 0)
        whole++;
    if (whole < part)
        return 0;
    s += whole - part;
    while (*s != 0 && *s == *suffix)
        s++, suffix++;
    return *s == *suffix;
}

void test(struct str a, struct str b) {
    require_string(a);
    require_string(b);
    _Bool first = ends_with(a.s, b.s);
    _Bool second = has_suffix(a.s, b.s);
    __VERIFIER_assert(first == second);
}
