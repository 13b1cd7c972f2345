/* The buggy twin of wide-length.c: the length is measured in bytes. */

extern void __VERIFIER_ignore(void);
extern void __VERIFIER_assert(int condition);

typedef int wchar_t;

struct wide {
    const wchar_t *s;
    unsigned long n_s;
};

static unsigned long by_pointer(const wchar_t *s) {
    const wchar_t *start = s;
    while (*s)
        s++;
    return (unsigned long)((const char *)s - (const char *)start);
}

static unsigned long by_index(const wchar_t *s) {
    unsigned long i = 0;
    for (; s[i] != 0; ++i)
        ;
    return i;
}

void test(struct wide a) {
    unsigned long i;
    for (i = 0; i < a.n_s; i++)
        if (!a.s[i])
            break;
    if (i == a.n_s)
        __VERIFIER_ignore();
    __VERIFIER_assert(by_pointer(a.s) == i);
    __VERIFIER_assert(by_index(a.s) == by_pointer(a.s));
}
