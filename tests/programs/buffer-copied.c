// Two buffers of constant size, of which as many elements are used as are drawn: the copy of what is used is equal to it.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assert(int condition);

void test(void) {
    int source[100], copy[100];
    unsigned used = __VERIFIER_nondet_uint();
    if (used > 100)
        return;
    for (unsigned i = 0; i < used; i++)
        source[i] = __VERIFIER_nondet_int();
    for (unsigned i = 0; i < used; i++)
        copy[i] = source[i];
    for (unsigned i = 0; i < used; i++)
        __VERIFIER_assert(copy[i] == source[i]);
}
