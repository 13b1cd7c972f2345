/* How often each digit was drawn, but the first one twice: that counter may be greater than how many were drawn. */
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assert(int condition);

int test(void) {
    int counts[10] = {0};
    int total = 0;
    while (total < 1000 && __VERIFIER_nondet_int()) {
        unsigned digit = __VERIFIER_nondet_uint() % 10;
        counts[digit] += digit ? 1 : 2;
        total++;
    }
    for (int digit = 0; digit < 10; digit++)
        __VERIFIER_assert(0 <= counts[digit] && counts[digit] <= total);
    return 0;
}
