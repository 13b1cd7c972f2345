/* How often each digit was drawn: there is no counter for what is left by eleven. */
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assert(int condition);

int test(void) {
    int counts[10] = {0};
    int total = 0;
    while (total < 1000 && __VERIFIER_nondet_int()) {
        counts[__VERIFIER_nondet_uint() % 11]++;
        total++;
    }
    for (int digit = 0; digit < 10; digit++)
        __VERIFIER_assert(0 <= counts[digit] && counts[digit] <= total);
    return 0;
}
