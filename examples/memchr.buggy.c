/* The buggy twin of memchr.c: the search runs one byte too far. */

typedef unsigned long size_t;
extern void __VERIFIER_assert(int condition);

/* An array input: s points to exactly n_s characters. */
struct str {
    char *s;
    int n_s;
};

static void *memchr(const void *block, int c, size_t size) {
    const unsigned char *p = block;
    const unsigned char *end = p + size;
    for (; p <= end; p++)
        if (*p == (unsigned char)c)
            return (void *)p;
    return 0;
}

void test(struct str a, int c) {
    char *found = memchr(a.s, c, (size_t)a.n_s);
    if (found)
        __VERIFIER_assert(*found == (char)c);
    for (int i = 0; i < a.n_s && a.s + i != found; i++)
        __VERIFIER_assert(a.s[i] != (char)c);
}
