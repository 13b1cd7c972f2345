// A buffer of which only the first elements are used, as many as are drawn: none of them is above the maximum.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);

void test(void) {
    int buffer[100];
    int used = __VERIFIER_nondet_int();
    __VERIFIER_assume(used > 0 && used <= 100);
    for (int i = 0; i < used; i++)
        buffer[i] = __VERIFIER_nondet_int();
    int maximum = buffer[0];
    for (int i = 1; i < used; i++)
        if (buffer[i] > maximum)
            maximum = buffer[i];
    for (int i = 0; i < used; i++)
        __VERIFIER_assert(buffer[i] <= maximum);
}
