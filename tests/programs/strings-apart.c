/* Six strings that have nothing to do with each other: each is as long the second time as the first. */

typedef unsigned long size_t;
extern void __VERIFIER_ignore(void);
extern void __VERIFIER_assert(int condition);

struct str {
    char *s;
    int n_s;
};

static int count;

static void require_string(struct str a) {
    for (int i = 0; i < a.n_s; i++)
        if (a.s[i] == 0)
            return;
    __VERIFIER_ignore();
}

static size_t length(const char *s) {
    const char *p = s;
    while (*p != 0)
        p++;
    return (size_t)(p - s);
}

static void measure(struct str a) {
    require_string(a);
    __VERIFIER_assert(length(a.s) == length(a.s));
    count++;
}

void test(struct str a, struct str b, struct str c, struct str d, struct str e, struct str f) {
    count = 0;
    measure(a);
    measure(b);
    measure(c);
    measure(d);
    measure(e);
    measure(f);
    __VERIFIER_assert(count == 6);
}
