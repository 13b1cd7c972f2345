/* The buggy twin of copy-is-equal.c: the count is decremented before it is tested. */

typedef unsigned long size_t;
extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_fail(void);

struct array {
    unsigned short *data;
    size_t n_data;
};

static void copy(unsigned short *to, const unsigned short *from, size_t count) {
    while (--count > 0)
        *to++ = *from++;
}

void test(struct array from, struct array to) {
    __VERIFIER_assume(to.n_data >= from.n_data);
    copy(to.data, from.data, from.n_data);
    for (size_t i = 0; i < from.n_data; i++)
        if (to.data[i] != from.data[i])
            __VERIFIER_fail();
}
