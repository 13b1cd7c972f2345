/* After a block was set to a byte, every byte of it is that byte; the rest is as before. */

typedef unsigned long size_t;
extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);

/* An array input: s points to exactly n_s characters. */
struct str {
    char *s;
    int n_s;
};

static void *set(void *block, int value, size_t size) {
    unsigned char *p = block;
    for (; size; size--)
        *p++ = (unsigned char)value;
    return block;
}

void test(struct str a, int value, size_t size) {
    __VERIFIER_assume(size < (size_t)a.n_s);
    char after = a.s[size];
    __VERIFIER_assert(set(a.s, value, size) == a.s);
    for (size_t i = 0; i < size; i++)
        __VERIFIER_assert(a.s[i] == (char)value);
    __VERIFIER_assert(a.s[size] == after);
}
